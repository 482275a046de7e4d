(** The bound of Lemma 2 implies the printed one, 8 exp(-eps N / 3).

    A file apart: the exponential function needs Coq's real numbers, which rest on axioms. Nothing else
    in this development uses them. *)
From Coq Require Import Reals Lra.
Local Open Scope R_scope.

Lemma power_exp (x : R) (n : nat) : x <= 1 -> (1 - x) ^ n <= exp (- (INR n * x)).
Proof.
intros x1; induction n as [|n IH]; [simpl; rewrite Rmult_0_l, Ropp_0, exp_0; lra|].
replace (- (INR (S n) * x)) with (- x + - (INR n * x)) by (rewrite S_INR; ring).
rewrite exp_plus; simpl; apply Rmult_le_compat; [lra| |exact (exp_ineq1_le (- x))|exact IH].
apply pow_le; lra.
Qed.

Theorem implies_printed (eps : R) (N : nat) : 0 <= eps <= 1 ->
  8 / 3 * (1 - eps / 3) ^ N <= 8 * exp (- (eps * INR N / 3)).
Proof.
intros [e0 e1]; apply Rmult_le_compat; [lra| |lra|].
- apply pow_le; lra.
- replace (- (eps * INR N / 3)) with (- (INR N * (eps / 3))) by field; apply power_exp; lra.
Qed.
