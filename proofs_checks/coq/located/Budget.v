(** Located STEEL: the price of a round, computed by the checker in whole numbers, bounds the real one

    [affordableP]: if the checker finds a round affordable, then the bound of the validation lemma (Tests.v)
    for its number of passes is at most its share of delta. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests.
From Steel.located Require Import Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma unit_gt0 : N.lt 0 unit. Proof. by vm_compute. Qed.

Section Numbers.
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
Lemma nN_of_nat k : nN (N.of_nat k) = k%:R.
Proof. by rewrite /nN; congr (_%:R); lia. Qed.
Lemma nN_pow2 k : nN (N.pow 2 (N.of_nat k)) = 2%:R ^+ k.
Proof.
elim: k => [|k IH]; first by rewrite expr0.
by rewrite Nnat.Nat2N.inj_succ N.pow_succ_r' nN_mul IH exprS.
Qed.
Lemma upP x y : N.lt 0 y -> nN x / nN y <= nN (up x y).
Proof.
move=> y0; rewrite ler_pdivr_mulr ?nN_gt0 // mulrC -nN_mul; apply: nN_le; rewrite /up.
have y1 : y <> 0%num by move=> yz; move: y0; rewrite yz.
have := N.mul_succ_div_gt (N.sub (N.add x y) 1) y y1; rewrite N.mul_succ_r.
move: (N.mul _ _) => q; lia.
Qed.
Lemma le_nN_min (x : R) a b (m : R) : x <= nN a / m -> x <= nN b / m -> x <= nN (N.min a b) / m.
Proof. by move=> ha hb; case: (N.min_spec a b) => -[_ ->]. Qed.

Variables (h p q : N).
Hypotheses (h0 : N.lt 0 h) (q0 : N.lt 0 q) (pq : N.le p q).
Notation eta := ((nN h)^-1).
Notation eps := (nN p / nN q).
Notation M := (nN unit).

Lemma priceP n : a_ eta eps n <= nN (price h p q n).1 / M /\ b_ eta eps n <= nN (price h p q n).2 / M.
Proof.
rewrite /price; have := unit_gt0; move: unit => u u0.
have h0' := nN_gt0 h0; have q0' := nN_gt0 q0; have M0' := nN_gt0 u0.
have Mi : 0 <= (nN u)^-1 by rewrite invr_ge0 nN_ge0.
have hi : 0 <= (nN h)^-1 by rewrite invr_ge0 nN_ge0.
have hn : nN h != 0 by rewrite gt_eqF.
have qn : nN q != 0 by rewrite gt_eqF.
have Mn : nN u != 0 by rewrite gt_eqF.
elim: n => [|n] /=; first by rewrite /a_ /b_ /= divff.
case: (iter n _ _) => A B /= [IHa IHb].
have e1 : 0 <= 1 - eps by rewrite subr_ge0 ler_pdivr_mulr // mul1r nN_le.
have e0 : 0 <= eps by rewrite mulr_ge0 ?invr_ge0 ?nN_ge0.
rewrite a_S b_S; set a := a_ _ _ _ in IHa *; set b := b_ _ _ _ in IHb *.
split; apply: le_nN_min => //; rewrite le_minl; apply/orP; [by left | right | by left | right].
  apply: (@le_trans _ _ (nN (N.add A (N.mul h B)) / nN h / nN u)); last by rewrite ler_wpmul2r // upP.
  rewrite nN_add nN_mul mulrDl [nN h * _]mulrC mulfK // mulrDl; apply: ler_add => //.
  by rewrite mulrAC [leRHS]mulrC ler_wpmul2l.
have qh0 : N.lt 0 (N.mul q h) by apply: N.mul_pos_pos.
apply: (@le_trans _ _ (nN (N.add (N.mul (N.mul (N.sub q p) h) B) (N.mul p A)) / nN (N.mul q h) / nN u)); last first.
  by rewrite ler_wpmul2r // upP.
rewrite nN_add !nN_mul (nN_sub pq).
have -> : ((nN q - nN p) * nN h * nN B + nN p * nN A) / (nN q * nN h) / nN u =
  (1 - eps) * (nN B / nN u) + eps * eta * (nN A / nN u) by field; rewrite Mn hn qn.
by rewrite ler_add // ler_wpmul2l // mulr_ge0.
Qed.
End Numbers.

(** the share of round k.+1, and of a walk of j.+1 mixing times *)
Theorem affordableP (R : realFieldType) (p q d d' : N) j n k :
  N.lt 0 q -> N.le p q -> N.lt 0 d' -> affordable p q d d' j.+1 n k.+1 ->
  vbound j (nN R p / nN R q) n <= nN R d / nN R d' * (k.+1 * k.+2)%:R^-1.
Proof.
move=> q0 pq d0; rewrite /affordable /vbound.
have -> : eta_ R j = (nN R (N.pow 2 (N.of_nat j.+2)))^-1 by rewrite nN_pow2 /eta_ exprVn.
set h := N.pow _ _.
have h0 : N.lt 0 h.
  by apply: N.lt_le_trans (N.lt_0_1) _; apply/N.lt_pred_le/N.neq_0_lt_0/N.pow_nonzero.
have := priceP R h0 q0 pq n; case: (price h p q n) => A B; have := unit_gt0; move: unit => u /(nN_gt0 R) M0.
move=> [ha hb] /N.leb_le/(@nN_le R); rewrite !nN_mul nN_add nN_mul nN_of_nat => le.
have h0' := nN_gt0 R h0; have d0' := nN_gt0 R d0.
apply: (@le_trans _ _ ((nN R h * nN R B + nN R A) / (nN R h * nN R u))).
  have -> : (nN R h * nN R B + nN R A) / (nN R h * nN R u) = nN R B / nN R u + (nN R h)^-1 * (nN R A / nN R u).
    by field; rewrite !gt_eqF.
  by rewrite ler_add // ler_wpmul2l // invr_ge0 ltW.
have k0 : 0 < (k.+1 * k.+2)%:R :> R by rewrite ltr0n.
rewrite ler_pdivr_mulr ?mulr_gt0 // -mulrA -invfM mulrAC ler_pdivl_mulr ?mulr_gt0 //.
by rewrite [leRHS]mulrA.
Qed.
