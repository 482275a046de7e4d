(** The paper's Proposition 1, as a statement: one call of CycleFind (lines 492-531). Its proof is a part of that of
    Theorem 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Statements.
From Steel.looped Require Import Program Algorithm.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [sig] is the paper's sigma^-1: label [l] stands for the state [nth s0 sig l]. *)
Section Knowledge.
Variables (S A : finType) (T : S -> A -> S) (s0 : S) (tmix nsamp : nat).
(** the state at time [u] if the actions [h] are taken *)
Definition state_at_time (h : seq A) u := foldl T s0 (take u h).
(** times at least [tmix] apart; the first is not before [tmix] either (the start of the noise is arbitrary) *)
Definition apart_times (D : seq nat) := path (fun i j => i + tmix <= j)%N 0%N D.
(** The inductive assumptions (lines 494-506), after the actions [h] *)
Record knows (h : seq A) (Ds : seq (seq nat)) (Tm : table A) (sig : seq S) : Prop := Knows {
  one_to_one : uniq sig;
  right_moves : forall l a l', (l, a, l') \in Tm ->
    [/\ (l < size sig)%N, (l' < size sig)%N & T (nth s0 sig l) a = nth s0 sig l'];
  all_datasets : size Ds = size sig;
  right_data : forall l, (l < size sig)%N -> let Dl := nth [::] Ds l in
    [/\ all (fun u => (u <= size h)%N && (state_at_time h u == nth s0 sig l)) Dl, apart_times Dl
      & (nsamp <= size Dl)%N] }.
End Knowledge.

(** From any such knowledge, gained by any fixed actions [h0], a call with a word of at most (D^ + 1) N actions
    has one outcome, except with chance delta / (2 |A| N). This outcome keeps what was known, meets the
    inductive assumptions, contains a cycle of the word with its transitions, names the current state, and comes
    within the bound on the steps. *)
Definition proposition_1 : Prop :=
  forall (R : realFieldType) (X A F : finType) (M : world R X A) (cl : F -> pred X)
    (oracle : seq X -> seq X -> F) (x0 : X) (a0 : A) (N tmix ncyc nsamp Dhat : nat) (delta : R)
    (s : state M) (w h0 : seq A) (Ds : seq (seq nat)) (Tm : table A) (sig : seq (state M)),
  ex_bmdp M -> (0 < tmix)%N -> mixes_within M tmix -> (#|state M| <= N)%N ->
  realises M cl -> oracle_for cl oracle -> (0 < ncyc)%N -> (0 < nsamp)%N ->
  enough_for_periods delta #|A| #|F| N ncyc -> enough_for_positions delta #|A| #|F| N Dhat nsamp ->
  w != [::] -> (size w <= Dhat.+1 * N)%N -> knows (step M) s tmix nsamp h0 Ds Tm sig ->
  exists (Ds' : seq (seq nat)) (Tm' : table A) (c u : nat) (h : seq A),
    let p := act_all h0 (cyclefind a0 N tmix ncyc nsamp w (size h0) Ds Tm) in
    let call := call_bound N tmix ncyc nsamp #|state M| (size w) in
    (exists sig', let state_of := nth s sig' in
      [/\ knows (step M) s tmix nsamp h Ds' Tm' sig',
          (exists new, sig' = sig ++ new) /\ (forall l a, look Tm l a != None -> look Tm' l a != None),
          exists (ncyc : nat) (cycle : nat -> nat), (0 < ncyc <= #|state M|)%N /\ forall i : nat,
            [/\ (cycle i < size sig')%N, cycle (i %% (ncyc * size w))%N = cycle i
              & look Tm' (cycle i) (nth a0 w (i %% size w)) = Some (cycle i.+1)],
          (c < size sig')%N /\ foldl (step M) s h = state_of c
        & u = size h /\ (size h <= size h0 + call)%N]) /\
    forall (n : nat) (mu : noise M -> R), distr mu -> (size h0 + call <= n)%N ->
    chance (next_action x0 cl oracle a0 p) n s mu
      (fun xs => run (verdict x0 cl oracle xs) [::] p != (Ds', Tm', c, u, h)) <= delta / (2 * #|A| * N)%:R.
