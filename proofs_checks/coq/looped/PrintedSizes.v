(** The printed sample sizes are large enough, and n_samp.cyc. and n_samp. are the least that are (lines 369, 395, 478,
    542, 931, 1021-1025).

    They are defined by logarithms, so this file uses Coq's real numbers, which rest on axioms. Nothing else uses this
    file. The parameters are rational: delta = p/q and eps = a/b; a natural number [n] is the printed one if
    n - 1 < x <= n, where x is the printed quotient. [theorem_1_printed]: Theorem 1 with the printed sizes. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Statements Exponential.
From Steel.looped Require Import Program Algorithm Proposition1 Theorem1.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** The logarithm side, over Coq's reals *)
Section Logarithms.
Local Open Scope R_scope.
Definition is_ceiling (x : R) (n : nat) := INR n - 1 < x <= INR n.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. by case=> [h|->]; [left; exact: exp_increasing | right]. Qed.
Lemma INR_mul m n : INR (m * n)%N = INR m * INR n. Proof. exact: mult_INR. Qed.
Lemma INR_exp m n : INR (m ^ n)%N = INR m ^ n.
Proof. by elim: n => [|n IH] //; rewrite expnS INR_mul IH. Qed.
Lemma INR_pos n : (0 < n)%N -> 0 < INR n. Proof. by move=> h; apply: lt_0_INR; exact/ltP. Qed.
Lemma INR_leq m n : INR m <= INR n -> (m <= n)%N. Proof. by move=> h; apply/leP/INR_le. Qed.

Lemma rate_neg : ln (9 / 16) < 0.
Proof. by rewrite -ln_1; apply: ln_increasing; lra. Qed.
Lemma rate_pow n : (9 / 16) ^ n = exp (INR n * ln (9 / 16)).
Proof. by rewrite -Rpower_pow //; lra. Qed.
Lemma rate_quotient a : ln (9 / 16) * (a / ln (9 / 16)) = a.
Proof. by field; have := rate_neg; lra. Qed.
Lemma rate_enough x n : 0 < x -> ln x / ln (9 / 16) <= INR n -> (9 / 16) ^ n <= x.
Proof.
move=> x0 h; rewrite rate_pow -[X in _ <= X](exp_ln x) //; apply: exp_le; rewrite Rmult_comm -(rate_quotient (ln x)).
by apply: Rmult_le_compat_neg_l h; have := rate_neg; lra.
Qed.
Lemma rate_least x n : 0 < x -> INR n.+1 - 1 < ln x / ln (9 / 16) -> x < (9 / 16) ^ n.
Proof.
rewrite S_INR => x0 h; rewrite rate_pow -[X in X < _](exp_ln x) //; apply: exp_increasing.
rewrite [INR n * _]Rmult_comm -[X in X < _](rate_quotient (ln x)).
by apply: Rmult_lt_gt_compat_neg_l; [exact: rate_neg | lra].
Qed.

Lemma cross u t x q C : 0 < t -> 0 < q -> 0 < C -> u * / t <= x / q / C -> C * u * q <= x * t.
Proof.
move=> t0 q0 C0 h; have cqt : 0 <= C * q * t by apply/Rlt_le/Rmult_lt_0_compat => //; exact: Rmult_lt_0_compat.
have := Rmult_le_compat_r _ _ _ cqt h.
have -> : u * / t * (C * q * t) = C * u * q by field; lra.
by have -> : x / q / C * (C * q * t) = x * t by field; lra.
Qed.
Lemma cross_lt u t x q C : 0 < t -> 0 < q -> 0 < C -> x / q / C < u * / t -> x * t < C * u * q.
Proof.
move=> t0 q0 C0 h; have cqt : 0 < C * q * t by apply: Rmult_lt_0_compat => //; exact: Rmult_lt_0_compat.
have := Rmult_lt_compat_r _ _ _ cqt h.
have -> : u * / t * (C * q * t) = C * u * q by field; lra.
by have -> : x / q / C * (C * q * t) = x * t by field; lra.
Qed.
Lemma nine_sixteenths n : (9 / 16) ^ n = INR 9 ^ n * / INR 16 ^ n.
Proof. by rewrite -pow_inv -Rpow_mult_distr; congr (_ ^ _); rewrite /=; field. Qed.
Lemma INR_pow_pos m n : (0 < m)%N -> 0 < INR m ^ n. Proof. by move/INR_pos; exact: pow_lt. Qed.

(** With p/q and the factor C, the printed n has C (9/16)^n <= p/q, and n - 1 has not. *)
Section Rate.
Variables (C p q : nat).
Hypotheses (C0 : (0 < C)%N) (p0 : (0 < p)%N) (q0 : (0 < q)%N).
Notation printed := (ln (INR p / INR q / INR C) / ln (9 / 16)).
Let x0 : 0 < INR p / INR q / INR C.
Proof. by apply: Rdiv_lt_0_compat; [apply: Rdiv_lt_0_compat|]; exact: INR_pos. Qed.
Lemma printed_rate n : is_ceiling printed n -> (C * 9 ^ n * q <= p * 16 ^ n)%N.
Proof.
case=> _ /(rate_enough x0); rewrite nine_sixteenths => h; apply: INR_leq; rewrite !INR_mul !INR_exp.
by apply: cross h; [exact: INR_pow_pos | exact: INR_pos | exact: INR_pos].
Qed.
Lemma printed_rate_least n : is_ceiling printed n.+1 -> (p * 16 ^ n < C * 9 ^ n * q)%N.
Proof.
case=> /(rate_least x0); rewrite nine_sixteenths => h _; rewrite ltnNge; apply/negP => /leP/le_INR.
rewrite !INR_mul !INR_exp; apply: Rlt_not_le.
by apply: cross_lt h; [exact: INR_pow_pos | exact: INR_pos | exact: INR_pos].
Qed.
End Rate.

(** The printed d, with eps = a/b: C (1 - eps/(3 S))^d <= p/q *)
Lemma printed_encoder C S p q a b d : (0 < C)%N -> (0 < S)%N -> (0 < p)%N -> (0 < q)%N -> (0 < a)%N -> (a <= b)%N ->
  is_ceiling (3 * INR S * ln (INR C / (INR p / INR q)) / (INR a / INR b)) d ->
  (C * (3 * S * b - a) ^ d * q <= p * (3 * S * b) ^ d)%N.
Proof.
move=> C0 S0 p0 q0 a0 ab [_ h]; have b0 : (0 < b)%N by exact: leq_trans ab.
have [C1 S1] := (INR_pos C0, INR_pos S0); have [p1 q1] := (INR_pos p0, INR_pos q0).
have [a1 b1] := (INR_pos a0, INR_pos b0).
have le : (a <= 3 * S * b)%N by apply: leq_trans ab _; rewrite leq_pmull // muln_gt0 S0.
have m0 : (0 < 3 * S * b)%N by rewrite !muln_gt0 S0 b0.
have m1 := INR_pos m0; have mE : INR (3 * S * b)%N = 3 * INR S * INR b by rewrite !INR_mul /=; ring.
pose x := INR a * / INR (3 * S * b)%N.
have x1 : x <= 1.
  apply: (Rmult_le_reg_r (INR (3 * S * b)%N)) => //; rewrite /x Rmult_assoc Rinv_l ?Rmult_1_r ?Rmult_1_l; [|lra].
  exact/le_INR/leP.
apply: INR_leq; rewrite !INR_mul !INR_exp; apply: cross; rewrite -?INR_mul; first exact: INR_pow_pos; try exact: INR_pos.
rewrite -pow_inv -Rpow_mult_distr.
have -> : INR (3 * S * b - a)%N * / INR (3 * S * b)%N = 1 - x.
  by rewrite /x minus_INR; [field; lra | exact/leP].
apply: Rle_trans (power_exp x d x1) _.
have r0 : 0 < INR p / INR q / INR C by apply: Rdiv_lt_0_compat => //; exact: Rdiv_lt_0_compat.
rewrite -[X in _ <= X](exp_ln _ r0); apply: exp_le.
have -> : INR p / INR q / INR C = / (INR C / (INR p / INR q)) by field; lra.
rewrite ln_Rinv; last by apply: Rdiv_lt_0_compat => //; exact: Rdiv_lt_0_compat.
apply: Ropp_le_contravar; rewrite /x mE.
have -> : INR d * (INR a * / (3 * INR S * INR b)) = INR d * ((INR a / INR b) / (3 * INR S)) by field; lra.
have y0 : 0 <= INR a / INR b / (3 * INR S) by apply/Rlt_le/Rdiv_lt_0_compat; [exact: Rdiv_lt_0_compat | lra].
have := Rmult_le_compat_r _ _ _ y0 h; apply: Rle_trans; right; field; lra.
Qed.
End Logarithms.

(** ** The same in any ordered field *)
Section Field.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Variable K : realFieldType.
Lemma from_nat (C u v n p q : nat) : (0 < v)%N -> (0 < q)%N -> (C * u ^ n * q <= p * v ^ n)%N ->
  C%:R * (u%:R / v%:R) ^+ n <= p%:R / q%:R :> K.
Proof.
move=> v0 q0 h; rewrite expr_div_n mulrA ler_pdivr_mulr ?exprn_gt0 ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n //.
by rewrite -!natrX -!natrM ler_nat.
Qed.
Variables (p q : nat).
Hypotheses (p0 : (0 < p)%N) (q0 : (0 < q)%N).
Notation delta := (p%:R / q%:R : K).
Notation real_delta := (Rdiv (INR p) (INR q)).
Notation quotient C := (Rdiv (ln (Rdiv real_delta (INR C))) (ln (Rdiv 9 16))).

(** n_samp.cyc. and n_samp., as printed *)
Theorem printed_periods (A F N n : nat) : (0 < A)%N -> (0 < F)%N -> (1 < N)%N ->
  is_ceiling (quotient (4 * (A * (N * N.-1)) * F)) n -> enough_for_periods delta A F N n.
Proof.
move=> A0 F0 N1 h; rewrite /enough_for_periods -!natrM; apply: from_nat => //; apply: printed_rate h => //.
by rewrite !muln_gt0 A0 F0 (ltnW N1) -subn1 subn_gt0 N1.
Qed.
Theorem printed_positions (A F N Dhat n : nat) : (0 < A)%N -> (0 < F)%N -> (0 < N)%N ->
  is_ceiling (quotient (4 * (A * (N ^ 4 * Dhat.+1)) * F)) n -> enough_for_positions delta A F N Dhat n.
Proof.
move=> A0 F0 N0 h; rewrite /enough_for_positions -!natrM; apply: from_nat => //; apply: printed_rate h => //.
by rewrite !muln_gt0 A0 F0 N0.
Qed.
(** d, as printed *)
Theorem printed_d (S F a b n : nat) : (0 < S)%N -> (0 < F)%N -> (0 < a)%N -> (a <= b)%N ->
  is_ceiling (Rdiv (Rmult (Rmult 3 (INR S)) (ln (Rdiv (INR (16 * S ^ 2 * F)) real_delta))) (Rdiv (INR a) (INR b))) n ->
  enough_for_encoder delta (a%:R / b%:R) F S n.
Proof.
move=> S0 F0 a0 ab h; have b0 : (0 < b)%N by exact: leq_trans ab.
have C0 : (0 < 16 * S ^ 2 * F)%N by rewrite !muln_gt0 S0 F0.
rewrite /enough_for_encoder -!natrM.
have -> : 1 - a%:R / b%:R / S%:R / 3%:R = (3 * S * b - a)%:R / (3 * S * b)%:R :> K.
  have le : (a <= 3 * S * b)%N by apply: leq_trans ab _; rewrite leq_pmull // muln_gt0 S0.
  rewrite natrB // mulrBl divff ?pnatr_eq0 -?lt0n ?muln_gt0 ?S0 ?b0 //; congr (_ - _).
  by rewrite !natrM !invfM; rewrite -!mulrA; congr (_ * _); rewrite mulrCA mulrA mulrC.
by apply: from_nat; rewrite ?muln_gt0 ?S0 ?b0 //; apply: printed_encoder h.
Qed.

(** ** Theorem 1, with the printed sizes *)
Theorem theorem_1_printed (X A F : finType) (M : world K X A) (cl : F -> pred X) (oracle : seq X -> seq X -> F)
    (x0 : X) (a0 : A) (N tmix ncyc nsamp Dhat D a b : nat) (d : nat -> nat) :
  ex_bmdp M -> (0 < tmix)%N -> mixes_within M tmix -> (#|state M| <= N)%N -> (1 < N)%N ->
  diameter_at_most M D -> (D <= Dhat)%N -> realises M cl -> oracle_for cl oracle ->
  (p < q)%N -> (0 < a <= b)%N ->
  is_ceiling (quotient (4 * (#|A| * (N * N.-1)) * #|F|)) ncyc ->
  is_ceiling (quotient (4 * (#|A| * (N ^ 4 * Dhat.+1)) * #|F|)) nsamp ->
  (forall S, (0 < S)%N -> is_ceiling (Rdiv (Rmult (Rmult 3 (INR S))
    (ln (Rdiv (INR (16 * S ^ 2 * #|F|)) real_delta))) (Rdiv (INR a) (INR b))) (d S)) ->
  forall (n : nat) (s : state M) (mu : noise M -> K),
  distr mu -> (steps_bound N tmix ncyc nsamp (d #|state M|) #|state M| #|A| D <= n)%N ->
  chance (looped_policy cl oracle x0 a0 N tmix ncyc nsamp Dhat d) n s mu
    (fun xs => ~~ ends_right M cl oracle x0 a0 N tmix ncyc nsamp Dhat D d (a%:R / b%:R) xs) <= delta.
Proof.
move=> exM t0 mx few N1 conn D_le rl or pq /andP[a_gt0 ab] h1 h2 h3 n s mu.
have A0 : (0 < #|A|)%N by exact: A_gt0 a0.
have F0 := F_gt0 rl s; have S0 := S_gt0 s; have b0 : (0 < b)%N by exact: leq_trans ab.
have d1 : delta < 1 by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
have e1 := printed_periods A0 F0 N1 h1.
apply: (@theorem_1_proved K X A F M cl oracle x0 a0 N tmix ncyc nsamp Dhat D d _ _ exM t0 mx few conn D_le rl or) => //.
- by rewrite divr_ge0 ?ler0n //= ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
- apply: sample_needed e1 => //.
  by rewrite !muln_gt0 A0 (ltnW N1) -subn1 subn_gt0 N1.
- exact: (printed_positions A0 F0 (ltnW N1) h2).
exact: (printed_d S0 F0 a_gt0 ab (h3 _ S0)).
Qed.
End Field.
