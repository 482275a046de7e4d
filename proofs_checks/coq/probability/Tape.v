(** The tape: the noise is extended by what would be observed in each state. Then [x_t = z_t (s_t)] is a function of
    the tape, also when the actions are chosen by what was seen, and the extended chain mixes as fast. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tape.
Variables (R : realFieldType) (E X S : finType).
Variables (P : E -> E -> R) (pi : E -> R) (Q : S -> E -> X -> R).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P).
Hypothesis kQ : forall s e, distr (Q s e).

Notation Z := {ffun S -> X}.
Definition EZ : finType := [finType of (E * Z)%type].
Definition qz (e : E) (z : Z) : R := \prod_s Q s e (z s).
Definition PZ (w w' : EZ) : R := P w.1 w'.1 * qz w'.1 w'.2.
(** any law on E, followed by emission *)
Definition lift (mu : E -> R) (w : EZ) : R := mu w.1 * qz w.1 w.2.
Definition avg (u : EZ -> R) (e : E) : R := mean (qz e) (fun z => u (e, z)).

Lemma distr_qz e : distr (qz e).
Proof.
split=> [z|]; first by apply: prodr_ge0 => s _; case: (kQ s e).
rewrite /qz -(bigA_distr_bigA (fun s x => Q s e x)) big1 // => s _.
by case: (kQ s e).
Qed.

(** marginal of one coordinate *)
Lemma qz_marg e s (h : X -> R) : mean (qz e) (fun z => h (z s)) = mean (Q s e) h.
Proof.
pose G s' x := Q s' e x * (if s' == s then h x else 1).
have -> : mean (qz e) (fun z => h (z s)) = \sum_(z : Z) \prod_s' G s' (z s').
  apply: eq_bigr => z _; rewrite /G big_split /=; congr (_ * _).
  by rewrite (bigD1 s) //= eqxx big1 ?mulr1 // => i /negbTE ->.
rewrite -bigA_distr_bigA (bigD1 s) //= [X in _ * X]big1 ?mulr1 => [|i /negbTE ns].
  by apply: eq_bigr => x _; rewrite /G eqxx.
rewrite -[RHS](proj2 (kQ i e)); apply: eq_bigr => x _.
by rewrite /G ns mulr1.
Qed.

Lemma sumEZ (F : EZ -> R) : \sum_w F w = \sum_e \sum_z F (e, z).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

Lemma mean_lift mu u : mean (lift mu) u = mean mu (avg u).
Proof.
rewrite /mean sumEZ; apply: eq_bigr => e _; rewrite /avg /mean mulr_sumr.
by apply: eq_bigr => z _; rewrite mulrA.
Qed.
Lemma avg_fst (h : E -> R) e : avg (fun w => h w.1) e = h e.
Proof. by rewrite /avg /= (mean_const (h e) (distr_qz e)). Qed.
Lemma distr_lift mu : distr mu -> distr (lift mu).
Proof.
case=> m0 m1; split=> [w|]; first by rewrite mulr_ge0 //; case: (distr_qz w.1).
by rewrite sum_mean mean_lift -[RHS]m1 sum_mean; apply: mean_eq => e; apply: (avg_fst (fun=> 1)).
Qed.
Lemma kernel_PZ : kernel PZ.
Proof. by move=> w; apply: (distr_lift (kP w.1)). Qed.

Lemma op_PZ u w : op PZ u w = op P (avg u) w.1.
Proof. exact: (mean_lift (P w.1)). Qed.
Lemma op_powZ n u w : op (kpow PZ n.+1) u w = op (kpow P n.+1) (avg u) w.1.
Proof.
elim: n w => [|n IH] w; first by rewrite /= !op_comp op_PZ; apply: op_eq => e; rewrite op_id;
  apply: mean_eq => z; rewrite op_id.
rewrite /= op_comp -/(kpow PZ n.+1) op_PZ op_comp; apply: op_eq => e.
by rewrite -(avg_fst (op (kcomp P (kpow P n)) (avg u))); apply: mean_eq => z; rewrite IH.
Qed.
Lemma kpowZE n w w' : kpow PZ n.+1 w w' = lift (kpow P n.+1 w.1) w'.
Proof.
rewrite opE op_powZ /lift [in RHS]opE mulrC -meanZ; apply: op_eq => e.
rewrite /avg /mean; case: w' => e' z' /=.
rewrite (bigD1 z') //= big1 ?addr0 => [|z /negbTE nz]; last first.
  by rewrite xpair_eqE nz andbF mulr0.
rewrite xpair_eqE eqxx andbT; case: eqP => [->|_]; first by [].
by rewrite !mulr0.
Qed.

Lemma tv_lift mu nu : tv (lift mu) (lift nu) = tv mu nu.
Proof.
congr (_ * _); rewrite /norm1 sumEZ; apply: eq_bigr => e _.
rewrite -[RHS](mean_const _ (distr_qz e)); apply: eq_bigr => z _.
by rewrite /lift /= -mulrBl normrM mulrC [`|qz e z|]ger0_norm //; case: (distr_qz e).
Qed.
Lemma stat_PZ : stationary (lift pi) PZ.
Proof.
move=> w; rewrite /push sumEZ /lift -(stP w.1) /push mulr_suml; apply: eq_bigr => e _.
rewrite /PZ /= -mulr_suml -mulr_sumr (proj2 (distr_qz e)) mulr1.
by rewrite mulrA.
Qed.
(** the extended chain mixes as fast *)
Theorem near_powZ eta n : near pi eta (kpow P n.+1) -> near (lift pi) eta (kpow PZ n.+1).
Proof. by move=> h w; rewrite (tv_eql _ (kpowZE n w)) tv_lift. Qed.
Corollary mixed_Z t : mixed P pi t.+1 -> mixed PZ (lift pi) t.+1.
Proof. exact: near_powZ. Qed.

(** stationary chance that classifier [f] answers 1 in endogenous state [s] (paper: p_s) *)
Definition p_ (f : pred X) s : R := mean pi (fun e => mean (Q s e) (fun x => (f x)%:R)).
Lemma p_E (f : pred X) s : mean (lift pi) (fun w : EZ => (f (w.2 s))%:R) = p_ f s.
Proof. by rewrite mean_lift; apply: mean_eq => e; rewrite -qz_marg. Qed.

(** *** faithfulness: a run of an arbitrary deterministic adaptive algorithm on the Ex-BMDP.
    [expected] is the mean by the generative definition (Statements.v); [runh] is the same run as a function
    of the tape. *)
Section Run.
Variables (A : Type) (T : S -> A -> S) (act : seq X -> A).
Fixpoint runh s (h : seq (E * X)) (w : EZ) (tape : seq EZ) : seq (E * X) :=
  let h' := rcons h (w.1, w.2 s) in
  if tape is w' :: tape' then runh (T s (act (unzip2 h'))) h' w' tape' else h'.

Lemma run_faithful_e n s e h Phi :
  avg (fun w => EX PZ n w (fun tape => Phi (runh s h w tape))) e = expected P Q T act n s e h Phi.
Proof.
elim: n s e h => [|n IH] s e h /=; rewrite -qz_marg.
  by apply: mean_eq => z; rewrite EX0.
apply: mean_eq => z; rewrite EXS /= -/(mean (PZ (e, z)) _) (mean_lift (P e)).
by apply: mean_eq => e'; rewrite -IH.
Qed.
Theorem run_faithful n s mu Phi :
  mean (lift mu) (fun w => EX PZ n w (fun tape => Phi (runh s [::] w tape)))
  = mean mu (fun e => expected P Q T act n s e [::] Phi).
Proof. by rewrite mean_lift; apply: mean_eq => e; apply: run_faithful_e. Qed.
End Run.
End Tape.
