(** A run of a learner is a function of the tape; rounds that wait for a moment of the learner's choice; what has
    chance 0 does not matter.

    [obs_law]: events of the observations have the chance that the generative law of Statements.v gives them.
    [rounds_stop]: in each round, at a time that the past decides, a test is fixed, which fails with stationary chance
    at least [eps]; the chance that some round passes all of its checks is at most [delta]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [run_until] holds if the event holds at the first stopping index *)
Lemma run_untilP (E : finType) (stop : pred (seq E)) (ev : seq E -> E -> pred (seq E)) i past e s :
  (i <= size s)%N -> (forall k, (k < i)%N -> ~~ stop (past ++ take k.+1 (e :: s))) ->
  stop (past ++ take i.+1 (e :: s)) ->
  ev (past ++ take i.+1 (e :: s)) (last e (take i s)) (drop i s) -> run_until stop ev past e s.
Proof.
elim: i past e s => [|i IH] past e s.
  by case: s => [|x s] /= _ _; rewrite ?take0 cats1 => ->.
case: s => [|x s] //= si h st ev1.
have := h 0%N isT; rewrite take0 cats1 => /negbTE ->.
by apply: IH => //= [k ki||]; rewrite cat_rcons //; apply: (h k.+1).
Qed.

Section Run.
Variables (R : realFieldType) (E X S : finType) (P : E -> E -> R) (pi : E -> R).
Variables (Q : S -> E -> X -> R) (t : nat).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t.+1).
Hypothesis kQ : forall s e, distr (Q s e).
Notation W := (EZ E X S).
(** endogenous dynamics, algorithm (actions from the observation history), start *)
Variables (A : Type) (T : S -> A -> S) (act : seq X -> A) (s0 : S).

(** (current endogenous state, observations so far) *)
Definition obs1 (c : S * seq X) (w : W) := let h := rcons c.2 (w.2 c.1) in (T c.1 (act h), h).
Definition run (tr : seq W) := foldl obs1 (s0, [::]) tr.
Definition obs tr := (run tr).2.
Definition state tr := (run tr).1.

Lemma run_rcons tr w : run (rcons tr w) = obs1 (run tr) w.
Proof. by rewrite /run foldl_rcons. Qed.
Lemma size_obs tr : size (obs tr) = size tr.
Proof. by elim/last_ind: tr => // tr w IH; rewrite /obs run_rcons !size_rcons IH. Qed.
Lemma take_obs n tr : take n (obs tr) = obs (take n tr).
Proof.
elim/last_ind: tr => // tr w IH; case: (leqP n (size tr)) => h.
  by rewrite -cats1 takel_cat // -IH /obs cats1 run_rcons /= -cats1 takel_cat // size_obs.
by rewrite !take_oversize ?size_obs ?size_rcons.
Qed.
(** x_k is what the tape says for the endogenous state at time k *)
Lemma obs_at k (f : pred X) tr :
  (if drop k (obs tr) is x :: _ then f x else false) =
  at_ k (fun w : W => f (w.2 (state (take k tr)))) tr.
Proof.
rewrite /at_; case: (ltnP k (size tr)) => h; last by rewrite !drop_oversize ?size_obs.
case D: (drop k tr) => [|w d].
  by move: h; rewrite -subn_gt0 -size_drop D.
have E1 : take k.+1 tr = rcons (take k tr) w.
  by rewrite -cats1 -(cat_take_drop k tr) D take_cat size_take h ltnNge leqnSn /= subSnn
     take_size_cat ?size_take ?h //= take0.
have : take k.+1 (obs tr) = rcons (take k (obs tr)) (w.2 (state (take k tr))).
  by rewrite !take_obs E1 /obs run_rcons.
case D' : (drop k (obs tr)) => [|x d'].
  by move: h; rewrite -subn_gt0 -(size_obs tr) -size_drop D'.
rewrite -{1}(cat_take_drop k (obs tr)) D' take_cat size_take size_obs h ltnNge leqnSn /= subSnn -cats1 /= take0.
by move/eqP; rewrite eqseq_cat // eqxx /= => /eqP[->].
Qed.

(** faithfulness: events of the observation history have the probability given by the
    generative definition of the Ex-BMDP run by this algorithm *)
Lemma runhE s h w (tape : seq W) :
  unzip2 (runh T act s h w tape) = (foldl obs1 (s, unzip2 h) (w :: tape)).2.
Proof.
elim: tape s h w => [|w' tape IH] s h w /=; first by rewrite /unzip2 map_rcons.
by rewrite IH /unzip2 map_rcons.
Qed.
Theorem obs_law n mu (B : pred (seq X)) :
  Pr (PZ P Q) n (lift Q mu) (fun tr => B (obs tr))
  = mean mu (fun e => expected P Q T act n s0 e [::] (fun h => (B (unzip2 h))%:R)).
Proof.
rewrite -(run_faithful P kQ T act); apply: mean_eq => w; apply: EX_eq => tape _.
by rewrite runhE.
Qed.

End Run.

(** ** Rounds: the schedule has to be right only where a round starts *)
Section RoundsStop.
Variables (R : realFieldType) (E : finType) (P : E -> E -> R) (pi : E -> R) (t : nat).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t).
Variables (eps delta : R) (stop : nat -> pred (seq E)) (wrong : pred (seq E)).
Variables (test : seq E -> pred E) (j m0 : seq E -> nat) (ms : seq E -> seq nat).
Hypotheses (eps0 : 0 <= eps) (eps1 : eps <= 1) (delta0 : 0 <= delta).
Hypothesis roundP : forall k past, stop k past -> wrong past ->
  [/\ mean pi (fun e => (test past e)%:R) <= 1 - eps, all (leq ((j past).+1 * t)) (m0 past :: ms past)
    & vbound (j past) eps (size (m0 past :: ms past)) <= delta * (k.+1 * k.+2)%:R^-1].

Definition lucky k (tr : seq E) : bool := if tr is e :: s then
  run_until (stop k) (fun past e s => wrong past && passes (chk (test past) (m0 past :: ms past)) e s)
    [::] e s
  else false.

Theorem rounds_stop n K mu : distr mu -> Pr P n mu (fun tr => has (lucky^~ tr) (iota 0 K)) <= delta.
Proof.
move=> dmu; apply: le_trans (Pr_union kP _ _ _ dmu) _.
rewrite (_ : iota 0 K = index_iota 0 K); last by rewrite /index_iota subn0.
apply: (@le_trans _ _ (\sum_(k < K) delta * (k.+1 * k.+2)%:R^-1)); last exact: telescope_le.
rewrite big_mkord; apply: ler_sum => k _; apply: Pr_le => // e; rewrite /lucky.
have b0 : 0 <= delta * (k.+1 * k.+2)%:R^-1 by rewrite mulr_ge0 // invr_ge0 ler0n.
apply: run_until_le => // past x m st; set pa := rcons past x in st *.
case w: (wrong pa); last by rewrite EXc.
have [h1 h2 h3] := roundP st w; apply: le_trans h3.
exact: (validation kP dpi stP mixP h1 eps0 eps1).
Qed.
End RoundsStop.

(** passing the same check every L steps *)
Lemma all_times (E : finType) (a : pred (nat * pred E)) k f n L :
  (forall p, (p < n)%N -> a ((k + p.+1 * L)%N, f)) -> all a (at_times k (chk f (nseq n L))).
Proof.
elim: n k => //= n IH k h; rewrite -{1}[L]mul1n h //=; apply: IH => p pn.
by rewrite -addnA -mulSn; apply: h.
Qed.

(** what has chance 0 need not be considered *)
Section Support.
Variables (R : realFieldType) (E X S : finType) (P : E -> E -> R) (Q : S -> E -> X -> R).
Hypotheses (kP : kernel P) (kQ : forall s e, distr (Q s e)).
Definition possible (w : EZ E X S) := [forall s, Q s w.1 (w.2 s) != 0].

Lemma qz_possible w : qz Q w.1 w.2 != 0 -> possible w.
Proof. by move/prodf_neq0=> h; apply/forallP => s; apply: h. Qed.
Lemma wt_possible w tape : wt (PZ P Q) w tape != 0 -> all possible tape.
Proof.
elim: tape w => //= x tape IH w; rewrite mulf_eq0 negb_or => /andP[h /IH ->]; rewrite andbT.
by apply: qz_possible; move: h; rewrite mulf_eq0 negb_or => /andP[].
Qed.
Lemma Pr_supp n mu (A B : pred (seq (EZ E X S))) : distr mu ->
  (forall tr, size tr = n.+1 -> all possible tr -> A tr -> B tr) ->
  Pr (PZ P Q) n (lift Q mu) A <= Pr (PZ P Q) n (lift Q mu) B.
Proof.
move=> dmu h; have [m0 _] := distr_lift kQ dmu; apply: ler_sum => w _.
have [->|nz] := eqVneq (lift Q mu w) 0; first by rewrite !mul0r.
apply: ler_wpmul2l => //; apply: ler_sum => tape _.
have [->|nz'] := eqVneq (wt (PZ P Q) w tape) 0; first by rewrite !mul0r.
apply: ler_wpmul2l; first exact: (wt_ge0 (kernel_PZ kP kQ)).
rewrite ler_nat; case a: (A _) => //; rewrite h //; first by rewrite /= size_tuple.
rewrite /= (wt_possible nz') andbT; apply: qz_possible.
by move: nz; rewrite mulf_eq0 negb_or => /andP[].
Qed.
End Support.

