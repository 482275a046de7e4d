(** The paper's Lemmas 1 and 2, for the law of a run and of a chain as the reader knows it, with absolute times. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Kernel Checks Trajectory Tape Tests Run Statements.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The paper's Lemma 1
    The actions are a fixed sequence [a]. Given anything that was seen up to time [t1], an observation at time [t2], at
    least the mixing time later, is judged 1 by [f] with the stationary chance, up to 1/4. Written without division:
    [past] is any event of [x_0, ..., x_t1]. (The printed lemma has no [0 < t]; with a mixing time of 0 and [t1 = t2] it
    would be false.) *)
Definition lemma_1 : Prop :=
  forall (R : realFieldType) (X A : finType) (M : world R X A) (t t1 t2 : nat) (a : nat -> A)
    (s : state M) (mu : noise M -> R) (past : pred (seq X)) (f : pred X),
  ex_bmdp M -> (0 < t)%N -> mixes_within M t -> distr mu -> (t1 + t <= t2)%N ->
  let act (h : seq X) := a (size h).-1 in
  let s2 := foldl (step M) s [seq a i | i <- iota 0 t2] in
  let seen := chance act t2 s mu (fun h => past (take t1.+1 h)) in
  `| chance act t2 s mu (fun h => past (take t1.+1 h) && has f (drop t2 h)) - seen_in s2 f * seen | <= 4%:R^-1 * seen.

(** the chance of an event of the first [n.+1] states of the chain [K], with start law [mu] *)
Section Chain.
Variables (R : realFieldType) (E : finType) (K : E -> E -> R).
Fixpoint chain_from n e past (event : pred (seq E)) : R :=
  if n is m.+1 then mean (K e) (fun e' => chain_from m e' (rcons past e) event) else (event (rcons past e))%:R.
Definition chain n mu event := mean mu (fun e => chain_from n e [::] event).
End Chain.

(** ** The paper's Lemma 2, with a smaller bound
    A chain, looked at at times [t1 :: ts] that are at least the mixing time apart, is in a set of stationary chance at
    most [1 - eps] each time with chance at most (8/3)(1 - eps/3)^N, where N is the number of times. ([Exponential.v]:
    this is at most the printed bound, 8 exp(-eps N / 3).) *)
Definition lemma_2 : Prop :=
  forall (R : realFieldType) (E : finType) (P : E -> E -> R) (pi mu : E -> R) (t n t1 : nat) (ts : seq nat)
    (f : pred E) (eps : R),
  kernel P -> distr pi -> stationary pi P -> (exists2 t', (t' <= t)%N & mixed P pi t') -> distr mu ->
  0 <= eps <= 1 -> mean pi (fun e => (f e)%:R) <= 1 - eps ->
  path (fun i j => i + t <= j)%N t1 ts -> (last t1 ts <= n)%N ->
  chain P n mu (fun h => all (fun i => if drop i h is e :: _ then f e else false) (t1 :: ts))
    <= 8%:R / 3%:R * (1 - eps / 3%:R) ^+ (size ts).+1.

(** ** Proofs *)
Lemma Pr_eq (R : realFieldType) (E : finType) (P : E -> E -> R) n mu (A B : pred (seq E)) :
  (forall tr, size tr = n.+1 -> A tr = B tr) -> Pr P n mu A = Pr P n mu B.
Proof. by move=> h; apply: mean_eq => e; apply: EX_eq => s sz; rewrite h //= sz. Qed.

Theorem lemma_1_proof : lemma_1.
Proof.
move=> R X A M [//|t] t1 t2 a s mu past f ok _ [t' le mx] dmu gap.
cbv zeta; set act := fun h : seq X => _; set s2 := foldl _ _ _.
have [kP kQ dpi stP _] := ok.
have mixP : mixed (drift M) (rest M) t.+1 by apply: (mixed_ge kP dpi stP mx).
have law B : chance act t2 s mu B =
    Pr (PZ (drift M) (emit M)) t2 (lift (emit M) mu) (fun tr => B (obs (step M) act s tr)).
  by rewrite /chance -(obs_law _ kQ).
have st tr : (Run.run (step M) act s tr).1 = foldl (step M) s [seq a i | i <- iota 0 (size tr)].
  elim/last_ind: tr => // tr w IH; rewrite run_rcons /= /act size_rcons /= -/(obs (step M) act s tr) size_obs IH.
  by rewrite size_rcons -addn1 iotaD map_cat foldl_cat /= add0n.
pose P1 (tr : seq (EZ (noise M) X (state M))) := past (obs (step M) act s tr).
have e1 tr : past (take t1.+1 (obs (step M) act s tr)) = P1 (take t1.+1 tr) by rewrite take_obs.
have -> : chance act t2 s mu (fun h => past (take t1.+1 h) && has f (drop t2 h)) =
    Pr (PZ (drift M) (emit M)) t2 (lift (emit M) mu) (fun tr => P1 (take t1.+1 tr)
      && at_ t2 (fun w : EZ (noise M) X (state M) => f (w.2 s2)) tr).
  rewrite law; apply: Pr_eq => tr sz; rewrite e1; congr (_ && _).
  have szt : size (take t2 tr) = t2 by rewrite size_takel // sz.
  have -> : s2 = Run.state (step M) act s (take t2 tr) by rewrite /Run.state st szt.
  rewrite -obs_at; have : size (drop t2 (obs (step M) act s tr)) = 1%N.
    by rewrite size_drop size_obs sz subSnn.
  by case: (drop _ _) => [|x [|]] //=; rewrite orbF.
have -> : chance act t2 s mu (fun h => past (take t1.+1 h)) =
    Pr (PZ (drift M) (emit M)) t2 (lift (emit M) mu) (fun tr => P1 (take t1.+1 tr)).
  by rewrite law; apply: Pr_eq => tr _; rewrite e1.
by apply: (lemma1_obs kP dpi stP mixP kQ) => //; rewrite gap leqnn.
Qed.

Fixpoint gaps k (ts : seq nat) := if ts is u :: us then (u - k)%N :: gaps u us else [::].

Lemma chainE (R : realFieldType) (E : finType) (K : E -> E -> R) n mu (A : pred (seq E)) :
  chain K n mu A = Pr K n mu A.
Proof.
suff from past e : chain_from K n e past A = EX K n e (fun s => (A (past ++ e :: s))%:R).
  by apply: mean_eq => e; rewrite from.
elim: n past e => [|n IH] past e /=; first by rewrite EX0 cats1.
by rewrite EXS; apply: mean_eq => x; rewrite IH; apply: EX_eq => s _; rewrite cat_rcons.
Qed.

Theorem lemma_2_proof : lemma_2.
Proof.
move=> R E P pi mu t n t1 ts f eps kP dpi stP [t' le mx] dmu /andP[e0 e1] piF pa _.
have mixP : mixed P pi t by apply: (mixed_ge kP dpi stP mx).
have sg k : size (gaps k ts) = size ts by elim: ts k {pa} => //= u us IH k; rewrite IH.
rewrite chainE -(sg t1); have -> : (size (gaps t1 ts)).+1 = size (t1 :: gaps t1 ts) by [].
apply: Pr_le => // e; apply: le_trans (lemma2_traj kP dpi stP mixP piF e0 e1 n t1 e _).
  apply: EX_le => // s _; rewrite passesE.
  have -> : at_times 0 (chk f (t1 :: gaps t1 ts)) = [seq (u, f) | u <- t1 :: ts].
    rewrite /=; congr (_ :: _); rewrite add0n.
    elim: ts t1 pa {sg} => //= u us IH k /andP[ku pa]; rewrite subnKC ?(IH u) //.
    exact: leq_trans (leq_addr _ _) ku.
  by rewrite all_map.
elim: ts t1 pa {sg} => //= u us IH k /andP[ku pa]; rewrite IH // andbT.
by rewrite leq_subRL // (leq_trans (leq_addr _ _) ku).
Qed.
