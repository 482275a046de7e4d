(** Finite sets of numbers as binary numbers.

    A binary number stands for the set of the positions at which its bit is 1. Both the rows of a log (sets of
    classifiers) and the columns (sets of rows) are such sets. The first part is executable, the second part
    says what the operations mean. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Operations *)
Definition bit (c : N) (t : nat) : bool := N.testbit c (N.of_nat t).
Notation "c .[ t ]" := (bit c t).

Definition empty (c : N) : bool := N.eqb c 0.
Definition meets (c d : N) : bool := ~~ empty (N.land c d).
Definition within (c d : N) : bool := empty (N.ldiff c d).
(** The set meets [d] without lying within [d]. *)
Definition partly (c d : N) : bool := meets c d && ~~ within c d.
Definition union (cs : seq N) : N := foldr N.lor 0%num cs.
Definition single (c : N) : bool := N.eqb c (N.shiftl 1 (N.log2 c)).

(** The set of the positions at which a sequence is true, and the set of all positions. *)
Definition pack (bs : seq bool) : N := foldr (fun b c => if b then N.succ_double c else N.double c) 0%num bs.
(** The same, faster for long sequences: in pieces of 60. *)
Definition pack_long (bs : seq bool) : N :=
  foldr (fun piece c => N.lor (pack piece) (N.shiftl c (N.of_nat (size piece)))) 0%num (reshape (nseq (size bs) 60) bs).
Definition everywhere (X : Type) (xs : seq X) : N := pack [seq true | _ <- xs].

(** ** Meaning *)
Lemma bit0 t : 0%num.[t] = false. Proof. exact: N.bits_0. Qed.
Lemma bit_land c d t : (N.land c d).[t] = c.[t] && d.[t]. Proof. exact: N.land_spec. Qed.
Lemma bit_lor c d t : (N.lor c d).[t] = c.[t] || d.[t]. Proof. exact: N.lor_spec. Qed.
Lemma bit_ldiff c d t : (N.ldiff c d).[t] = c.[t] && ~~ d.[t]. Proof. exact: N.ldiff_spec. Qed.
Lemma bit_double c t : (N.double c).[t] = if t is t'.+1 then c.[t'] else false.
Proof.
case: t => [|t]; rewrite /bit N.double_spec; first exact: N.testbit_even_0.
by rewrite Nat2N.inj_succ N.testbit_even_succ //; lia.
Qed.
Lemma bit_succ_double c t : (N.succ_double c).[t] = if t is t'.+1 then c.[t'] else true.
Proof.
case: t => [|t]; rewrite /bit N.succ_double_spec; first exact: N.testbit_odd_0.
by rewrite Nat2N.inj_succ N.testbit_odd_succ //; lia.
Qed.

Lemma bit_inj c d : (forall t, c.[t] = d.[t]) -> c = d.
Proof. by move=> same; apply: N.bits_inj => t; have := same (N.to_nat t); rewrite /bit N2Nat.id. Qed.

Lemma emptyP c : reflect (forall t, c.[t] = false) (empty c).
Proof. by apply: (iffP (N.eqb_spec c 0)) => [-> t|no]; [rewrite bit0|apply: bit_inj => t; rewrite no bit0]. Qed.
Lemma nonemptyP c : reflect (exists t, c.[t]) (~~ empty c).
Proof.
apply: (iffP idP) => [/negbTE/N.eqb_neq ne|[t ct]]; last by apply/emptyP => /(_ t); rewrite ct.
by exists (N.to_nat (N.log2 c)); rewrite /bit N2Nat.id; apply: N.bit_log2.
Qed.
Lemma meetsP c d : reflect (exists2 t, c.[t] & d.[t]) (meets c d).
Proof.
by apply: (iffP (nonemptyP _)) => [[t]|[t ct dt]]; [rewrite bit_land => /andP[]; exists t|exists t; rewrite bit_land ct].
Qed.
Lemma withinP c d : reflect (forall t, c.[t] -> d.[t]) (within c d).
Proof.
apply: (iffP (emptyP _)) => sub t; last first.
  by rewrite bit_ldiff; apply/negbTE; rewrite negb_and negbK -implybE; apply/implyP/sub.
by move=> ct; have := sub t; rewrite bit_ldiff ct /= => /negbFE.
Qed.
Lemma partlyP c d : reflect (exists t t', [/\ c.[t], c.[t'], d.[t] & d.[t'] = false]) (partly c d).
Proof.
apply: (iffP andP) => [[/meetsP[t ct dt] /nonemptyP[t']]|[t [t' [ct ct' dt dt']]]].
  by rewrite bit_ldiff => /andP[ct' /negbTE dt']; exists t, t'.
by split; [apply/meetsP; exists t|apply/withinP => /(_ _ ct'); rewrite dt'].
Qed.
Lemma bit_union cs t : (union cs).[t] = has (fun c => c.[t]) cs.
Proof. by elim: cs => [|c cs IH]; rewrite ?bit0 //= bit_lor IH. Qed.

Lemma single_eq c t t' : single c -> c.[t] -> c.[t'] -> t = t'.
Proof.
move=> /N.eqb_eq ->; rewrite /bit N.shiftl_1_l !N.pow2_bits_eqb => /N.eqb_eq e /N.eqb_eq e'; lia.
Qed.

Lemma bit_pack bs t : (pack bs).[t] = nth false bs t.
Proof.
elim: bs t => [|b bs IH] t; first by rewrite bit0 nth_nil.
by case: b; case: t => [|t]; rewrite /= -/(pack bs) ?bit_double ?bit_succ_double.
Qed.
Lemma pack_cat bs bs' : pack (bs ++ bs') = N.lor (pack bs) (N.shiftl (pack bs') (N.of_nat (size bs))).
Proof.
apply: bit_inj => t; rewrite bit_lor !bit_pack nth_cat; case: ltnP => [lt|le].
  by rewrite [_.[t]]N.shiftl_spec_low ?orbF //; lia.
rewrite [nth _ bs t]nth_default // [(N.shiftl _ _).[t]]N.shiftl_spec_high' ?orFb; last by lia.
by rewrite -bit_pack /bit; congr N.testbit; lia.
Qed.
Lemma pack_longE bs : pack_long bs = pack bs.
Proof.
have {2}<- : flatten (reshape (nseq (size bs) 60) bs) = bs by rewrite reshapeKr // sumn_nseq; lia.
by rewrite /pack_long; elim: reshape => //= piece pieces ->; rewrite pack_cat.
Qed.
Lemma bit_everywhere X (xs : seq X) t : (everywhere xs).[t] = (t < size xs).
Proof. by rewrite bit_pack; elim: xs t => [|x xs IH] [|t] //=; rewrite IH. Qed.
Lemma bit_pack_map X (p : pred X) xs t x0 : (pack (map p xs)).[t] = (t < size xs) && p (nth x0 xs t).
Proof.
by rewrite bit_pack; case: ltnP => lt; [rewrite (nth_map x0)|rewrite nth_default // size_map].
Qed.
Lemma pack_inj bs bs' : size bs = size bs' -> pack bs = pack bs' -> bs = bs'.
Proof. by move=> sz e; apply: (@eq_from_nth _ false _ _ sz) => t _; rewrite -!bit_pack e. Qed.
