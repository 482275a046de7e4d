(** C3: how long a walk is that takes all transitions of the lock *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Lock.
Variable K : nat.
(** The lock has the states 0, ..., K - 1. Action 1 ([true]) leads to the next one, and from the last to 0; action 0
    leads to 0. *)
Definition next s (a : bool) := if a && (s.+1 < K) then s.+1 else 0.
Fixpoint taken s (w : seq bool) : seq (nat * bool) := if w is a :: w' then (s, a) :: taken (next s a) w' else [::].
Definition takes_all s w := forall t a, t < K -> (t, a) \in taken s w.

(** If state [s] has price [s], a step costs 1, plus the price before it, minus that after it. *)
Definition cost (e : nat * bool) := if e.2 && (e.1.+1 < K) then 0 else e.1.+1.
Lemma paid s w : size w + s = \sum_(e <- taken s w) cost e + foldl next s w.
Proof.
elim: w s => [|a w IH] s; first by rewrite big_nil.
rewrite [taken _ _]/= big_cons [foldl _ _ _]/= -addnA -IH /cost /next /=.
by case: ifP; lia.
Qed.
Lemma sub_sum (es fs : seq (nat * bool)) : uniq es -> {subset es <= fs} ->
  \sum_(e <- es) cost e <= \sum_(e <- fs) cost e.
Proof.
elim: es fs => [|e es IH] fs; first by rewrite big_nil.
move=> /andP[ne us] sub; have ef : e \in fs by apply: sub; rewrite inE eqxx.
rewrite big_cons (big_rem e ef) leq_add2l; apply: IH => // x xe.
have := sub x; rewrite inE xe orbT (perm_mem (perm_to_rem ef)) inE => /(_ isT)/orP[/eqP exe|//].
by move: ne; rewrite -exe xe.
Qed.
Lemma triangle n : \sum_(s <- iota 0 n) s.+1 = 'C(n.+1, 2).
Proof. by elim: n => [|n IH]; rewrite ?big_nil // -addn1 iotaD big_cat big_seq1 /= IH add0n addn1 [RHS]binS bin1 addnC. Qed.

Theorem lock_needs s w : 0 < K -> takes_all s w -> 'C(K.+1, 2) + K <= size w + s.
Proof.
move=> K0 all; rewrite paid; apply: leq_trans (leq_addr _ _).
pose back := [seq (t, false) | t <- iota 0 K].
suff : \sum_(e <- (K.-1, true) :: back) cost e <= \sum_(e <- taken s w) cost e.
  apply: leq_trans; rewrite big_cons big_map /= {1}/cost /= prednK // ltnn -triangle addnC leq_add2l.
  exact: leq_sum.
apply: sub_sum => [|e].
  rewrite /= map_inj_uniq ?iota_uniq ?andbT => [|? ? [->] //].
  by apply/mapP => -[].
rewrite inE => /orP[/eqP->|/mapP[t]]; first by apply: all; rewrite prednK.
by rewrite mem_iota => lt ->; apply: all.
Qed.
End Lock.
