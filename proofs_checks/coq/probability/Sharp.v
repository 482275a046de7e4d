(** The rate 9/16 of the paper's tests is attained

    A chain on two states that changes its state with chance 3/4. One step is its mixing time. From one state, it visits
    the other and comes back k times in a row with chance exactly (9/16)^k: a classifier that tells the two states
    of the noise apart separates k samples from k others, although all show one endogenous state. So with one sample
    fewer than (9/16)^k <= share demands, the error exceeds its share. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Model Kernel Trajectory Statements Lemmas.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Restless.
Variable R : realFieldType.
Definition restless (e e' : bool) : R := if e == e' then 4%:R^-1 else 3%:R / 4%:R.
Definition even (_ : bool) : R := 2%:R^-1.

Lemma restless_kernel : kernel restless.
Proof.
move=> e; split=> [e'|]; first by rewrite /restless; case: ifP => _; rewrite ?divr_ge0 ?invr_ge0 ?ler0n.
by rewrite big_bool /restless /=; case: e => /=; field.
Qed.
Lemma even_distr : distr even.
Proof.
split=> [e|]; first by rewrite invr_ge0 ler0n.
by rewrite big_bool /even /=; field.
Qed.
Lemma even_stationary : stationary even restless.
Proof. by move=> e; rewrite /push big_bool /even /restless; case: e => /=; field. Qed.
Lemma restless_mixed : mixed restless even 1.
Proof.
have q : 0 <= 4%:R^-1 :> R by rewrite invr_ge0 ler0n.
have e1 : 4%:R^-1 - 2%:R^-1 = - 4%:R^-1 :> R by field.
have e2 : 3%:R / 4%:R - 2%:R^-1 = 4%:R^-1 :> R by field.
have e3 : 2%:R^-1 * (4%:R^-1 + 4%:R^-1) = 4%:R^-1 :> R by field.
move=> e; rewrite /tv /norm1 big_bool /= /kcomp /push !big_bool /kid /restless /even.
by case: e; rewrite /= ?mulr0 ?mulr1 ?addr0 ?add0r e1 e2 normrN ger0_norm // e3.
Qed.

(** the chance of one path *)
Lemma one_path (K : bool -> bool -> R) e w : chain K (size w) (kid R e) (pred1 (e :: w)) = wt K e w.
Proof.
rewrite chainE /Pr -/(op (@kid R _) _ e) op_id /EX (bigD1 (in_tuple w)) //= eqxx mulr1 big1 ?addr0 // => t ne.
by rewrite eqseq_cons eqxx /= -(inj_eq val_inj) in ne *; rewrite (negbTE ne) mulr0.
Qed.

Theorem attained k : chain restless (k * 2) (kid R false) (pred1 (false :: flatten (nseq k [:: true; false])))
  = (9%:R / 16%:R) ^+ k.
Proof.
have sz : size (flatten (nseq k [:: true; false])) = (k * 2)%N.
  by rewrite size_flatten /shape map_nseq sumn_nseq mulnC.
rewrite -sz one_path; elim: k {sz} => [|k IH]; first by rewrite expr0.
by rewrite /= IH exprS mulrA; congr (_ * _); rewrite /restless /=; field.
Qed.
End Restless.

Theorem rate_proof : rate_is_attained.
Proof.
move=> R; exists (@restless R), (@even R); split.
- exact: restless_kernel.
- exact: even_distr.
- exact: even_stationary.
- by split; [exact: restless_mixed | exact: attained].
Qed.
