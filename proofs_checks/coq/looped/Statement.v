(** The paper's Theorem 1 and Proposition 1, as statements.

    To believe: Model.v; the algorithm as a function (Program.v, Algorithm.v: only the definitions); and
    this file. The policy is [next_action]: what the program does next, from what was seen. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Model.
From Steel.looped Require Import Program Algorithm.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The training oracle (lines 150-156): if some classifier separates, the one returned does. *)
Definition oracle_for (X F : Type) (cl : F -> pred X) (oracle : seq X -> seq X -> F) :=
  forall D0 D1 f, separates cl f D0 D1 -> separates cl (oracle D0 D1) D0 D1.

(** ** Numbers of steps. Subtraction is cut off at 0; [S], [A] are |S|, |A|, and [m] is the length of the word. *)
Section Steps.
Local Open Scope nat_scope.
(** of one call of CycleFind (lines 524-527 and 670-672) *)
Definition call_bound N tmix ncyc nsamp S m :=
  maxn ((2 * tmix + 3 * N * m - 2) * ncyc - N * m) (2 * (tmix + S * m - 1) * nsamp + 1)
  + (N * m - m - tmix) + 1.
(** of the whole run: |S||A| calls with words of at most |S|(D + 1) actions (lines 1001-1004), and phase 2
    (line 953; our reading of phase 2 needs no new plans and takes fewer steps) *)
Definition phase2_bound tmix d S D := (d - 1 + S) * maxn (D + tmix) (S * D).
Definition steps_bound N tmix ncyc nsamp d S A D :=
  S * A * call_bound N tmix ncyc nsamp S (S * D.+1) + phase2_bound tmix d S D.
End Steps.

(** ** Sample sizes. The printed n_samp.cyc., n_samp. and d satisfy these (PrintedSizes.v); so do all larger ones. *)
Section Sizes.
Variables (R : realFieldType) (delta eps : R) (A F : nat).
Definition enough_for_periods N ncyc := 4%:R * (A * (N * N.-1))%:R * F%:R * (9%:R / 16%:R) ^+ ncyc <= delta.
Definition enough_for_positions N Dhat nsamp :=
  4%:R * (A * (N ^ 4 * Dhat.+1))%:R * F%:R * (9%:R / 16%:R) ^+ nsamp <= delta.
Definition enough_for_encoder S d :=
  16%:R * (S ^ 2)%:R * F%:R * (1 - eps / S%:R / 3%:R) ^+ d <= delta.
End Sizes.

(** ** Theorem 1
    For every Ex-BMDP that meets the paper's assumptions, every start, and every n that is at least the bound on
    the steps: the chance that within n steps STEEL has not ended within its bound with a right answer is at
    most delta. (For N = 1 the printed n_samp.cyc. is undefined, and any positive number will do.) *)
Section RightRun.
Variables (R : realFieldType) (X A F : finType) (M : world R X A).
Variables (cl : F -> pred X) (oracle : seq X -> seq X -> F) (x0 : X) (a0 : A).
Variables (N tmix ncyc nsamp Dhat D : nat) (d : nat -> nat) (eps : R).
Definition looped_steel := steel (enum A) a0 N tmix ncyc nsamp Dhat d.
Definition looped_policy := next_action x0 cl oracle a0 looped_steel.
(** what was announced after [xs] has been seen, and the number of steps, are right *)
Definition ends_right (xs : seq X) : bool :=
  let: (answer, actions) := run (verdict x0 cl oracle xs) [::] looped_steel in
  let T' l a := odflt 0%N (look (model answer) l a) in
  let phi' := encode x0 cl oracle xs (datasets answer) in
  (size actions <= steps_bound N tmix ncyc nsamp (d #|state M|) #|state M| #|A| D)%N
    && right_answer M eps (size (datasets answer)) T' phi'.
End RightRun.

Definition theorem_1 : Prop :=
  forall (R : realFieldType) (X A F : finType) (M : world R X A) (cl : F -> pred X)
    (oracle : seq X -> seq X -> F) (x0 : X) (a0 : A) (N tmix ncyc nsamp Dhat D : nat) (d : nat -> nat)
    (eps delta : R),
  ex_bmdp M -> (0 < tmix)%N -> mixes_within M tmix -> (#|state M| <= N)%N ->
  diameter_at_most M D -> (D <= Dhat)%N -> realises M cl -> oracle_for cl oracle ->
  0 <= eps <= 1 -> delta < 1 -> (0 < ncyc)%N ->
  enough_for_periods delta #|A| #|F| N ncyc ->
  enough_for_positions delta #|A| #|F| N Dhat nsamp ->
  enough_for_encoder delta eps #|F| #|state M| (d #|state M|) ->
  forall (n : nat) (s : state M) (mu : noise M -> R),
  distr mu -> (steps_bound N tmix ncyc nsamp (d #|state M|) #|state M| #|A| D <= n)%N ->
  chance (looped_policy cl oracle x0 a0 N tmix ncyc nsamp Dhat d) n s mu
    (fun xs => ~~ ends_right M cl oracle x0 a0 N tmix ncyc nsamp Dhat D d eps xs) <= delta.

(** ** Proposition 1: one call of CycleFind (lines 492-531)
    [sig] is the paper's sigma^-1: label [l] stands for the state [nth s0 sig l]. *)
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
  enough_for_periods delta #|A| #|F| N ncyc ->
  enough_for_positions delta #|A| #|F| N Dhat nsamp ->
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
