(** numeric.v -- certifying a concrete sample size inside Coq: the recursion (a_n, b_n) of
    Lemma V run in fixed point on binary integers, rounding up. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Model Kernel Checks Trajectory Tape Tests.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** x / y rounded up (one unit too much at worst) *)
Definition cdiv (x y : N) : N := N.succ (N.div x y).
(** eta = 1/h, eps = p/q *)
Definition stepN (h p q : N) (ab : N * N) : N * N :=
  let: (A, B) := ab in
  (N.min A (N.add (cdiv A h) B),
   N.min B (cdiv (N.add (N.mul (N.mul (N.sub q p) h) B) (N.mul p A)) (N.mul q h))).
Definition boundN h p q M n : N := let: (A, B) := iter n (stepN h p q) (M, M) in N.add B (cdiv A h).

Section Numeric.
Variable R : realFieldType.
Definition nN (x : N) : R := (nat_of_bin x)%:R.
Lemma nN_add x y : nN (N.add x y) = nN x + nN y.
Proof. by rewrite /nN nat_of_add_bin natrD. Qed.
Lemma nN_mul x y : nN (N.mul x y) = nN x * nN y.
Proof. by rewrite /nN nat_of_mul_bin natrM. Qed.
Lemma nN_ge0 x : 0 <= nN x. Proof. exact: ler0n. Qed.
Lemma nN_le x y : N.le x y -> nN x <= nN y.
Proof. by move=> h; rewrite -(N.sub_add _ _ h) nN_add ler_addr nN_ge0. Qed.
Lemma nN_sub x y : N.le y x -> nN (N.sub x y) = nN x - nN y.
Proof. by move=> h; rewrite -{2}(N.sub_add _ _ h) nN_add addrK. Qed.
Lemma nN_gt0 x : N.lt 0 x -> 0 < nN x.
Proof.
move=> /N.le_succ_l/nN_le; rewrite -[N.succ 0]/1%num; apply: lt_le_trans.
by rewrite /nN ltr01.
Qed.
Lemma cdivP x y : N.lt 0 y -> nN x / nN y <= nN (cdiv x y).
Proof.
move=> y0; rewrite ler_pdivr_mulr ?nN_gt0 // mulrC -nN_mul; apply: nN_le.
by apply: N.lt_le_incl; apply: N.mul_succ_div_gt => yz; move: y0; rewrite yz.
Qed.
Lemma le_nN_min (x : R) a b (m : R) : 0 < m -> x <= nN a / m -> x <= nN b / m -> x <= nN (N.min a b) / m.
Proof. by move=> _ ha hb; case: (N.min_spec a b) => -[_ ->]. Qed.

Variables (h p q M : N).
Hypotheses (h0 : N.lt 0 h) (q0 : N.lt 0 q) (pq : N.le p q) (M0 : N.lt 0 M).
Notation eta := ((nN h)^-1).
Notation eps := (nN p / nN q).
Let h0' := nN_gt0 h0. Let q0' := nN_gt0 q0. Let M0' := nN_gt0 M0.

Lemma stepN_ok n : let ABn := iter n (stepN h p q) (M, M) in
  a_ eta eps n <= nN ABn.1 / nN M /\ b_ eta eps n <= nN ABn.2 / nN M.
Proof.
have Mi : 0 <= (nN M)^-1 by rewrite invr_ge0 nN_ge0.
have hi : 0 <= (nN h)^-1 by rewrite invr_ge0 nN_ge0.
have qi : 0 <= (nN q)^-1 by rewrite invr_ge0 nN_ge0.
have hn : nN h != 0 by rewrite gt_eqF.
have qn : nN q != 0 by rewrite gt_eqF.
have Mn : nN M != 0 by rewrite gt_eqF.
have pq' := nN_le pq.
elim: n => [|n] /=; first by rewrite /a_ /b_ /= divff.
case: (iter n _ _) => A B /= [IHa IHb].
have e1 : 0 <= 1 - eps by rewrite subr_ge0 ler_pdivr_mulr // mul1r.
have e0 : 0 <= eps by rewrite mulr_ge0 ?nN_ge0.
rewrite a_S b_S; set a := a_ _ _ _ in IHa *; set b := b_ _ _ _ in IHb *.
split; apply: le_nN_min => //; rewrite le_minl; apply/orP; [by left | right | by left | right].
  apply: (@le_trans _ _ ((nN A / nN h + nN B) / nN M)).
    rewrite mulrDl; apply: ler_add => //.
    by rewrite mulrAC [leRHS]mulrC ler_wpmul2l.
  by rewrite ler_wpmul2r // nN_add ler_add2r cdivP.
have qh0 : N.lt 0 (N.mul q h) by apply: N.mul_pos_pos.
apply: le_trans (_ : _ <= (nN (N.add (N.mul (N.mul (N.sub q p) h) B) (N.mul p A)) / nN (N.mul q h)) / nN M) _; last first.
  by rewrite ler_wpmul2r // cdivP.
rewrite nN_add !nN_mul (nN_sub pq).
have -> : ((nN q - nN p) * nN h * nN B + nN p * nN A) / (nN q * nN h) / nN M =
  (1 - eps) * (nN B / nN M) + eps * eta * (nN A / nN M) by field; rewrite Mn hn qn.
by rewrite ler_add // ler_wpmul2l // mulr_ge0.
Qed.

Theorem boundN_ok n : b_ eta eps n + eta * a_ eta eps n <= nN (boundN h p q M n) / nN M.
Proof.
have Mi : 0 <= (nN M)^-1 by rewrite invr_ge0 nN_ge0.
have hi : 0 <= (nN h)^-1 by rewrite invr_ge0 nN_ge0.
rewrite /boundN; case: (iter n _ _) (stepN_ok n) => A B /= [ha hb].
rewrite nN_add mulrDl; apply: ler_add => //.
apply: (@le_trans _ _ (nN A / nN h / nN M)); first by rewrite mulrAC [leRHS]mulrC ler_wpmul2l.
by rewrite ler_wpmul2r // cdivP.
Qed.
End Numeric.

Lemma nN_pow2 (R : realFieldType) k : nN R (N.pow 2 (N.of_nat k)) = 2%:R ^+ k.
Proof.
elim: k => [|k IH]; first by rewrite expr0.
by rewrite Nnat.Nat2N.inj_succ N.pow_succ_r' nN_mul IH exprS.
Qed.

(** end to end: a closed numerical bound on [vbound] *)
Theorem vbound_cert (R : realFieldType) j (p q M d : N) N :
  N.lt 0 q -> N.le p q -> N.lt 0 M ->
  N.le (N.mul (boundN (N.pow 2 (N.of_nat j.+2)) p q M N) d) M -> N.lt 0 d ->
  vbound j (nN R p / nN R q) N <= (nN R d)^-1.
Proof.
move=> q0 pq M0 le d0; rewrite /vbound.
have -> : eta_ R j = (nN R (N.pow 2 (N.of_nat j.+2)))^-1 by rewrite nN_pow2 /eta_ exprVn.
have h0 : N.lt 0 (N.pow 2 (N.of_nat j.+2)) by apply: N.lt_le_trans (N.lt_0_1) _; apply/N.lt_pred_le/N.neq_0_lt_0/N.pow_nonzero.
apply: le_trans (boundN_ok R h0 q0 pq M0 N) _.
rewrite ler_pdivr_mulr ?nN_gt0 // ler_pdivl_mull ?nN_gt0 // mulrC -nN_mul.
exact: nN_le.
Qed.

(** example: eta = 2^-7 (j = 5), eps = 1/100: 1500 checks push the error below 10^-6 *)
Definition M128 : N := Eval vm_compute in N.pow 2 128.
Lemma example_count (R : realFieldType) : vbound 5 (nN R 1 / nN R 100) 1500 <= (nN R 1000000)^-1.
Proof. by apply: (@vbound_cert R 5 1 100 M128 1000000); vm_compute. Qed.
