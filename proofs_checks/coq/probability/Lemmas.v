(** The paper's Lemmas 1 and 2, as they are stated in [Statements.v]: for the law of a run and of a chain as the
    reader knows it, with absolute times. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Model Kernel Checks Trajectory Tape Tests Run Statements.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma Pr_eq (R : realFieldType) (E : finType) (P : E -> E -> R) n mu (A B : pred (seq E)) :
  (forall tr, size tr = n.+1 -> A tr = B tr) -> Pr P n mu A = Pr P n mu B.
Proof. by move=> h; apply: mean_eq => e; apply: EX_eq => s sz; rewrite h //= sz. Qed.

(** ** Lemma 1 *)
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

(** ** Lemma 2 *)
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
