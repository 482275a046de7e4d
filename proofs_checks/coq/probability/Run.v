(** algo.v -- interface between the deterministic part (the algorithm) and the tape:
    a deterministic adaptive algorithm sees only observations; in round k it waits for a
    stopping rule on its observation history, picks a classifier, and accepts it if it answers 1 at
    prescribed later times.  Total chance of a wrong acceptance <= delta. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Model Kernel Checks Trajectory Tape Tests.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
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

Section Algo.
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

(** rounds of the algorithm *)
Variables (F : finType) (cl : F -> pred X) (eps delta : R) (K : nat).
Variables (stop : nat -> pred (seq X)) (pick : nat -> seq X -> F) (j : nat -> nat).
Variables (m0 : nat -> seq X -> nat) (ms : nat -> seq X -> seq nat).
Hypotheses (eps0 : 0 <= eps) (eps1 : eps <= 1) (delta0 : 0 <= delta).
Hypothesis gapsP : forall k h, all (leq ((j k).+1 * t.+1)) (m0 k h :: ms k h).
Hypothesis sizeP : forall k h,
  vbound (j k) eps (size (m0 k h :: ms k h)) <= delta * (k.+1 * k.+2)%:R^-1.
(** from the deterministic part: if the past is [sane] (no earlier error, say), then at the check
    times of round k the endogenous state is a function [sv k] of the tape up to the stopping time *)
Variables (sane : nat -> pred (seq W)) (sv : nat -> seq W -> S).
Definition times k h := unzip1 (at_times 0 (chk (fun=> true) (m0 k h :: ms k h) : seq (nat * pred X))).
Hypothesis svP : forall k tr i m, (i < size tr)%N ->
  (forall i', (i' < i)%N -> ~~ stop k (obs (take i'.+1 tr))) -> stop k (obs (take i.+1 tr)) ->
  sane k (take i.+1 tr) -> m \in times k (obs (take i.+1 tr)) -> state (take (i + m) tr) = sv k (take i.+1 tr).

(** round k stops at time i, picks f, f is wrong for the state at the check times, and f
    nevertheless answers 1 at all of them -- in terms of observations *)
Definition wrong_accept k (tr : seq W) : bool := [exists i : 'I_(size tr),
  [&& all (fun i' => ~~ stop k (take i'.+1 (obs tr))) (iota 0 i),
      stop k (take i.+1 (obs tr)), sane k (take i.+1 tr),
      p_ pi Q (cl (pick k (take i.+1 (obs tr)))) (sv k (take i.+1 tr)) <= 1 - eps &
      all (fun m => if drop (i + m) (obs tr) is x :: _ then cl (pick k (take i.+1 (obs tr))) x else false)
          (times k (take i.+1 (obs tr)))]].

Let cand k (past : seq W) := (pick k (obs past), sv k past).
Let wrong (c : F * S) := p_ pi Q (cl c.1) c.2 <= 1 - eps.
Let test (c : F * S) (w : W) := cl c.1 (w.2 c.2).
Let badk := bad wrong test (fun k past => stop k (obs past)) cand
                (fun k past => m0 k (obs past)) (fun k past => ms k (obs past)).

Lemma at_timesE (D : finType) (f : pred D) k l :
  at_times k (chk f l) = [seq (m, f) | m <- unzip1 (at_times k (chk (fun=> true) l : seq (nat * pred X)))].
Proof. by elim: l k => //= m l IH k; rewrite -IH. Qed.

Lemma wrong_accept_bad k tr : wrong_accept k tr -> badk k tr.
Proof.
case/existsP=> i0 /and5P[/allP F1 F2 F3 F4 F5]; move: {i0}(i0 : nat) (ltn_ord i0) F1 F2 F3 F4 F5 => i.
case: tr => // e s isz first_i st sn wr al.
have first' i' : (i' < i)%N -> ~~ stop k (obs (take i'.+1 (e :: s))).
  by move=> h; rewrite -take_obs; apply: first_i; rewrite mem_iota.
rewrite /badk /bad; apply: (@run_untilP _ _ _ i) => //.
- by rewrite cat0s -take_obs.
rewrite cat0s; set past := take i.+1 (e :: s).
have po : take i.+1 (obs (e :: s)) = obs past by rewrite take_obs.
rewrite !po in al st wr; apply/andP; split; first exact: wr.
rewrite passesE at_timesE all_map; apply/allP => m mt.
have := allP al m mt; rewrite obs_at (svP isz first' st sn mt) -/past.
have -> : last e (take i s) :: drop i s = drop i (e :: s).
  elim: (i) (s) (e) (isz : (i <= size s)%N) => [|n IH] [|x s'] e' //= h.
  exact: IH.
rewrite /at_; move: (e :: s) => tr /=; rewrite /test /cand /=.
by rewrite drop_drop addnC.
Qed.

(** the located theorem's probabilistic half *)
Theorem located n mu : distr mu ->
  Pr (PZ P Q) n (lift Q mu) (fun tr => has (wrong_accept^~ tr) (iota 0 K)) <= delta.
Proof.
move=> dmu; have dm := distr_lift kQ dmu; have kZ := kernel_PZ kP kQ.
apply: (@le_trans _ _ (Pr (PZ P Q) n (lift Q mu) (fun tr => has (badk^~ tr) (iota 0 K)))).
  apply: Pr_sub => // tr _ /hasP[k ki wk]; apply/hasP; exists k => //; exact: wrong_accept_bad.
have wrongP c : wrong c -> mean (lift Q pi) (fun w => (test c w)%:R) <= 1 - eps.
  by case: c => f s; rewrite /wrong -(p_E pi kQ).
exact: (rounds kZ (distr_lift kQ dpi) (stat_PZ stP kQ) (mixed_Z kQ mixP) _ _ eps0 eps1 delta0 wrongP
  (fun k past => gapsP k (obs past)) (fun k past => sizeP k (obs past))).
Qed.
End Algo.
