(** Facts about finite kernels, total variation and mixing: after [j * t_mix] steps the noise is within
    [2^-(j+1)] of its stationary law, from every start. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** A poor man's [lra]: the user supplies the certificate.
    [by_cert e] proves [x <= y] from [y - x = e] ([ring]/[field]) and a
    syntactic proof of [0 <= e]. *)
Ltac nonneg :=
  repeat first [ done | assumption | by rewrite subr_ge0
               | by rewrite ?invr_ge0 ler0n | exact: ler01
               | apply: exprn_ge0 | apply: addr_ge0 | apply: mulr_ge0 ].
Tactic Notation "by_cert" constr(e) :=
  rewrite -subr_ge0;
  match goal with |- is_true (0 <= ?l) =>
    let H := fresh "H" in
    have H : l = e; [ by first [ring | field] | rewrite {}H; by nonneg ] end.

Section Kernel.
Variables (R : realFieldType) (E : finType).
Implicit Types (mu nu : E -> R) (u v : E -> R) (K L : E -> E -> R).

(** the kernel as an operator on functions *)
Definition op K u : E -> R := fun e => mean (K e) u.

(** *** linearity and monotonicity of [mean] *)
Lemma mean_eq mu u v : u =1 v -> mean mu u = mean mu v.
Proof. by move=> h; apply: eq_bigr => e _; rewrite h. Qed.
Lemma mean_eql mu nu u : mu =1 nu -> mean mu u = mean nu u.
Proof. by move=> h; apply: eq_bigr => e _; rewrite h. Qed.
Lemma meanZ mu a u : mean mu (fun e => a * u e) = a * mean mu u.
Proof. by rewrite /mean mulr_sumr; apply: eq_bigr => e _; rewrite mulrCA. Qed.
Lemma meanD mu u v : mean mu (fun e => u e + v e) = mean mu u + mean mu v.
Proof. by rewrite /mean -big_split /=; apply: eq_bigr => e _; rewrite mulrDr. Qed.
Lemma meanB mu u v : mean mu (fun e => u e - v e) = mean mu u - mean mu v.
Proof. by rewrite /mean -sumrB; apply: eq_bigr => e _; rewrite mulrBr. Qed.
Lemma mean_const mu a : distr mu -> mean mu (fun=> a) = a.
Proof. by case=> _ h; rewrite /mean -mulr_suml h mul1r. Qed.
Lemma ler_mean mu u v : (forall e, 0 <= mu e) -> (forall e, u e <= v e) -> mean mu u <= mean mu v.
Proof. by move=> m h; apply: ler_sum => e _; apply: ler_wpmul2l. Qed.
Lemma mean_ge0 mu u : (forall e, 0 <= mu e) -> (forall e, 0 <= u e) -> 0 <= mean mu u.
Proof. by move=> m h; apply: sumr_ge0 => e _; apply: mulr_ge0. Qed.
Lemma mean_le mu u a : distr mu -> (forall e, u e <= a) -> mean mu u <= a.
Proof. by move=> d h; rewrite -[leRHS](mean_const a d); apply: ler_mean => //; case: d. Qed.

Lemma mean_push mu K u : mean (push mu K) u = mean mu (op K u).
Proof.
rewrite /mean /push /op; under eq_bigr do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => e _ /=.
by rewrite /mean mulr_sumr; apply: eq_bigr => e' _; rewrite mulrA.
Qed.
Lemma mean_stat pi K u : stationary pi K -> mean pi (op K u) = mean pi u.
Proof. by move=> h; rewrite -mean_push; apply: mean_eql. Qed.
Lemma sum_mean mu : \sum_e mu e = mean mu (fun=> 1).
Proof. by apply: eq_bigr => e _; rewrite mulr1. Qed.

Lemma distr_push mu K : distr mu -> kernel K -> distr (push mu K).
Proof.
case=> m0 m1 k; split=> [e|]; first by apply: sumr_ge0 => x _; apply: mulr_ge0 => //; case: (k x).
rewrite sum_mean mean_push -[RHS]m1 sum_mean; apply: mean_eq => e.
by rewrite /op mean_const.
Qed.
Lemma kernel_comp K L : kernel K -> kernel L -> kernel (kcomp K L).
Proof. by move=> k l e; apply: distr_push. Qed.
Lemma kernel_id : kernel (@kid R E).
Proof.
move=> e; split=> [e'|]; first exact: ler0n.
by rewrite (bigD1 e) //= /kid eqxx big1 ?addr0 // => i /negbTE; rewrite eq_sym => ->.
Qed.
Lemma kernel_pow K n : kernel K -> kernel (kpow K n).
Proof. by move=> k; elim: n => [|n IH]; [exact: kernel_id | exact: kernel_comp]. Qed.

Lemma op_comp K L u e : op (kcomp K L) u e = op K (op L u) e.
Proof. exact: mean_push. Qed.
Lemma op_id u e : op (@kid R E) u e = u e.
Proof.
rewrite /op /mean (bigD1 e) //= /kid eqxx mul1r big1 ?addr0 // => i /negbTE.
by rewrite eq_sym => ->; rewrite mul0r.
Qed.
Lemma op_eq K u v : u =1 v -> op K u =1 op K v.
Proof. by move=> h e; apply: mean_eq. Qed.
Lemma op_pow_add K m n u e : op (kpow K (m + n)) u e = op (kpow K m) (op (kpow K n) u) e.
Proof.
elim: m e => [|m IH] e; first by rewrite add0n op_id.
by rewrite addSn /= !op_comp; apply: op_eq.
Qed.
(** pointwise form: a kernel entry is the operator on an indicator *)
Lemma opE K e e' : K e e' = op K (fun x => (x == e')%:R) e.
Proof.
by rewrite /op /mean (bigD1 e') //= eqxx mulr1 big1 ?addr0 // => i /negbTE ->; rewrite mulr0.
Qed.
Lemma kpow_add K m n e : kpow K (m + n) e =1 push (kpow K m e) (kpow K n).
Proof.
move=> e'; rewrite opE op_pow_add [in RHS]/push.
by apply: eq_bigr => x _; rewrite -opE.
Qed.
Lemma stat_comp pi K L : stationary pi K -> stationary pi L -> stationary pi (kcomp K L).
Proof.
move=> hk hl e; rewrite /push /kcomp /push; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big -[RHS]hl /=; apply: eq_bigr => x _.
by rewrite -[pi x]hk mulr_suml; apply: eq_bigr => y _; rewrite mulrA.
Qed.
Lemma stat_id pi : stationary pi (@kid R E).
Proof.
move=> e; rewrite /push (bigD1 e) //= /kid eqxx mulr1 big1 ?addr0 // => i /negbTE ->.
by rewrite mulr0.
Qed.
Lemma stat_pow pi K n : stationary pi K -> stationary pi (kpow K n).
Proof. by move=> k; elim: n => [|n IH]; [exact: stat_id | exact: stat_comp]. Qed.

(** *** total variation *)
(** the form in which mixing is used: test functions 0 <= u <= a *)
Lemma tv_test mu nu u a : \sum_e mu e = \sum_e nu e -> (forall e, 0 <= u e <= a) ->
  `|mean mu u - mean nu u| <= tv mu nu * a.
Proof.
move=> h u0a; pose s e := mu e - nu e.
have s0 : \sum_e s e = 0 by rewrite sumrB h subrr.
have -> : mean mu u - mean nu u = \sum_e s e * (u e - a / 2%:R).
  under eq_bigr do rewrite mulrBr; rewrite sumrB -mulr_suml s0 mul0r subr0.
  by rewrite /mean -sumrB; apply: eq_bigr => e _; rewrite mulrBl.
apply: le_trans (ler_norm_sum _ _ _) _.
rewrite /tv /norm1 -mulrA mulrCA mulr_suml; apply: ler_sum => e _.
rewrite normrM [_^-1 * a]mulrC; apply: ler_wpmul2l => //.
case/andP: (u0a e) => ? ?; rewrite ler_norml; apply/andP; split.
  by by_cert (u e).
by by_cert (a - u e).
Qed.

(** a zero-mass signed measure is halved in norm by 1/4-mixed kernels *)
Lemma push_norm1 mu nu pi K eta : kernel K -> distr pi -> stationary pi K -> near pi eta K ->
  \sum_e mu e = \sum_e nu e ->
  tv (push mu K) (push nu K) <= 2%:R * eta * tv mu nu.
Proof.
move=> k dpi st nr h; pose s e := mu e - nu e.
have s0 : \sum_e s e = 0 by rewrite sumrB h subrr.
rewrite /tv [leRHS]mulrCA; apply: ler_wpmul2l; first by rewrite invr_ge0 ler0n.
have E1 e' : push mu K e' - push nu K e' = \sum_e s e * (K e e' - pi e').
  under eq_bigr do rewrite mulrBr; rewrite sumrB -mulr_suml s0 mul0r subr0.
  by rewrite /push -sumrB; apply: eq_bigr => e _; rewrite mulrBl.
rewrite /norm1; under eq_bigr do rewrite E1.
apply: (@le_trans _ _ (\sum_e' \sum_e `|s e| * `|K e e' - pi e'|)).
  apply: ler_sum => e' _; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => e _; rewrite normrM.
rewrite exchange_big /= mulr_sumr; apply: ler_sum => e _.
rewrite -mulr_sumr [leRHS]mulrC; apply: ler_wpmul2l => //.
rewrite (_ : \sum_i _ = 2%:R * tv (K e) pi); last by rewrite /tv mulrA mulfV ?mul1r // pnatr_eq0.
apply: ler_wpmul2l (nr e); exact: ler0n.
Qed.

Lemma tv_eql mu mu' nu : mu =1 mu' -> tv mu nu = tv mu' nu.
Proof. by move=> h; rewrite /tv /norm1; under eq_bigr do rewrite h. Qed.
Lemma tv_eqr mu nu nu' : nu =1 nu' -> tv mu nu = tv mu nu'.
Proof. by move=> h; rewrite /tv /norm1; under eq_bigr do rewrite h. Qed.

(** mixing is not lost by running longer *)
Lemma near_comp pi eta K L : kernel K -> distr pi -> near pi eta L -> near pi eta (kcomp K L).
Proof.
move=> k dpi nl e; rewrite /kcomp.
have E1 e' : push (K e) L e' - pi e' = \sum_x K e x * (L x e' - pi e').
  under eq_bigr do rewrite mulrBr; rewrite sumrB -mulr_suml.
  by case: (k e) => _ ->; rewrite mul1r.
apply: (@le_trans _ _ (\sum_x K e x * tv (L x) pi)).
  rewrite /tv /norm1; under [leRHS]eq_bigr do rewrite mulrCA.
  rewrite -mulr_sumr; apply: ler_wpmul2l; first by rewrite invr_ge0 ler0n.
  under eq_bigr do rewrite E1; under [leRHS]eq_bigr do rewrite mulr_sumr.
  rewrite exchange_big /=; apply: ler_sum => e' _.
  apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => x _.
  by rewrite normrM ger0_norm //; case: (k e).
by apply: mean_le.
Qed.

End Kernel.

Section Mixing.
Variables (R : realFieldType) (E : finType) (P : E -> E -> R) (pi : E -> R) (t : nat).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t).

(** d(jt) <= 2^-(j+1) for j >= 1 *)
Theorem mixing_pow j : near pi (2%:R^-1 ^+ j.+2) (kpow P (j.+1 * t)).
Proof.
elim: j => [|j IH] e.
  rewrite mul1n; have -> : 2%:R^-1 ^+ 2 = 4%:R^-1 :> R by field.
  exact: mixP.
rewrite mulSn addnC (tv_eql _ (kpow_add _ _ _ _)).
have st := stat_pow t stP; rewrite -(tv_eqr _ st).
apply: le_trans (push_norm1 (kernel_pow _ kP) dpi st mixP _) _.
  by case: (kernel_pow (j.+1 * t) kP e) => _ ->; case: dpi.
have := IH e; set T := tv _ _ => h.
rewrite exprS; move: h; set q : R := _ ^+ j.+2 => h.
by by_cert (2%:R^-1 * (q - T)).
Qed.

(** ... and for every m >= jt *)
Theorem mixing_ge j m : (j.+1 * t <= m)%N -> near pi (2%:R^-1 ^+ j.+2) (kpow P m).
Proof.
move=> h e; rewrite -(subnK h) (tv_eql _ (kpow_add _ _ _ _)).
exact: (near_comp (kernel_pow _ kP) dpi (mixing_pow j)).
Qed.

Corollary mixed_ge m : (t <= m)%N -> near pi 4%:R^-1 (kpow P m).
Proof.
have -> : 4%:R^-1 = 2%:R^-1 ^+ 2 :> R by field.
by rewrite -[t]mul1n; exact: (@mixing_ge 0).
Qed.
End Mixing.
