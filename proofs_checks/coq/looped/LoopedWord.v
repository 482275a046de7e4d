(** A word that is repeated for ever: after a transient the states repeat.

    The paper's lines 484, 493 and 546-558. The word is [w], with [m] actions; it is looped from the
    state in which the actions [h0] end. The state after [i] actions of the loop is the paper's s_i, here
    [loop_st i]. Every [m]-th state is an iterate of one map, so there are a transient [mu] (n_trn) and a
    period [p] (n_cyc), both counted in words, with [mu + p <= |S|]. *)
From mathcomp Require Import all_ssreflect zify.
From Steel Require Import Periods.
From Steel.looped Require Import Program Algorithm Questions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma cdiv_ge a b : 0 < b -> a <= cdiv a b * b.
Proof. by move=> b0; rewrite /cdiv; have := divn_eq (a + b.-1) b; have := ltn_pmod (a + b.-1) b0; lia. Qed.
Lemma cdiv_le a b : 0 < b -> cdiv a b * b <= a + b.-1.
Proof. by move=> b0; rewrite /cdiv leq_trunc_div. Qed.

Section LoopedWord.
Variables (A S : finType) (a0 : A) (T : S -> A -> S) (s0 : S) (w h0 : seq A).
Hypothesis w0 : w != [::].
Notation m := (size w).
Notation looped := (looped a0 w).
Definition loop_st i := foldl T (foldl T s0 h0) (looped 0 i).

Lemma word_gt0 : 0 < m. Proof. by case: w w0. Qed.
Lemma size_looped i j : size (looped i j) = j.
Proof. by rewrite size_map size_iota. Qed.
Lemma looped_cat i j : looped 0 i ++ looped i j = looped 0 (i + j).
Proof. by rewrite /Algorithm.looped -map_cat -iotaD. Qed.
(** Action number i of the loop is w_{i mod m}. *)
Lemma loop_stS i : loop_st i.+1 = T (loop_st i) (nth a0 w (i %% m)).
Proof. by rewrite /loop_st /Algorithm.looped -addn1 iotaD map_cat foldl_cat /=. Qed.
Lemma st_loop n i : i <= n -> st T s0 (h0 ++ looped 0 n) (size h0 + i) = loop_st i.
Proof.
move=> le; rewrite /st take_cat ltnNge leq_addr /= addKn foldl_cat.
by rewrite -map_take take_iota; move/minn_idPl: le => ->.
Qed.
(** Line 546: if a state comes twice, at the same place in the word, all that follows is repeated. *)
Lemma loop_repeats i j r : i = j %[mod m] -> loop_st i = loop_st j -> loop_st (i + r) = loop_st (j + r).
Proof.
move=> ij e; elim: r => [|r IH]; first by rewrite !addn0.
by rewrite !addnS !loop_stS IH; congr (T _ (nth a0 w _)); rewrite -modnDml ij modnDml.
Qed.
Lemma loop_word k r : r <= m -> loop_st (k * m + r) = foldl T (loop_st (k * m)) (take r w).
Proof.
elim: r => [|r IH] le; first by rewrite addn0 take0.
rewrite addnS loop_stS IH ?(ltnW le) // (take_nth a0 le) -cats1 foldl_cat /=.
by rewrite modnMDl modn_small.
Qed.
Lemma loop_iter k : loop_st (k * m) = iter k (foldl T ^~ w) (foldl T s0 h0).
Proof.
elim: k => [|k IH]; first by rewrite mul0n.
by rewrite mulSn addnC loop_word // take_size IH.
Qed.

(** Lines 548-550: transient and period have together at most |S| words; after the transient, equal
    states are those whose indices agree modulo the period. *)
Lemma loop_periodic : exists p mu, [/\ 0 < p, mu + p <= #|S| &
  forall i j, mu <= i -> mu <= j -> (loop_st (i * m) == loop_st (j * m)) = (i == j %[mod p])].
Proof.
have [mu [p [p0 le per]]] := eventually_periodic (foldl T ^~ w) (foldl T s0 h0).
by exists p, mu; split=> // i j hi hj; rewrite !loop_iter per.
Qed.

Section Period.
Variables (p mu : nat).
Hypothesis per : forall i j, mu <= i -> mu <= j -> (loop_st (i * m) == loop_st (j * m)) = (i == j %[mod p]).

(** Line 552: the whole loop has the period p m after the transient. *)
Lemma loop_cycle i k : mu * m <= i -> loop_st (i + k * (p * m)) = loop_st i.
Proof.
move=> le; rewrite -(subnKC le) addnAC; apply: loop_repeats.
  by rewrite mulnA -mulnDl !modnMl.
by apply/eqP; rewrite mulnA -mulnDl per ?leq_addr // addnC modnMDl.
Qed.
(** Line 701 *)
Lemma loop_mod i j : mu * m <= i -> mu * m <= j -> i = j %[mod p * m] -> loop_st i = loop_st j.
Proof.
wlog le : i j / i <= j => [hw|hi hj e].
  by case: (leqP i j) => [/hw h|/ltnW/hw h] hi hj e; [exact: h | apply/esym/h].
have /dvdnP[k ek] : p * m %| j - i by rewrite -eqn_mod_dvd // e.
by rewrite -(subnKC le) ek loop_cycle.
Qed.
(** Line 558, for every offset after the transient: the states m apart are equal if and only if their
    indices agree modulo the period. *)
Lemma loop_every_word start i j : mu * m <= start ->
  (loop_st (start + i * m) == loop_st (start + j * m)) = (i == j %[mod p]).
Proof.
move=> le; have m_gt0 := word_gt0; apply/eqP/eqP => [e|e]; last first.
  apply: loop_mod; try by lia.
  by apply/eqP; rewrite eqn_modDl -!muln_modl e.
pose r := m - start %% m; pose k := start %/ m + 1.
have rE : start + r = k * m.
  by rewrite /r /k mulnDl mul1n {1}(divn_eq start m); have := ltn_pmod start m_gt0; lia.
have sh x : start + x * m + r = (k + x) * m by rewrite addnAC rE mulnDl.
have : loop_st (start + i * m + r) = loop_st (start + j * m + r).
  by apply: loop_repeats => //; rewrite ![start + _]addnC !modnMDl.
have muk : mu <= k by rewrite -(leq_pmul2r m_gt0) -rE; lia.
rewrite !sh => /eqP; rewrite per ?(leq_trans muk) ?leq_addr // eqn_modDl => /eqP //.
Qed.
End Period.

(** Lines 484 and 493: the cycle that a loop falls into. *)
Lemma loop_falls_into_cycle : exists n (s : nat -> S), [/\ 0 < n <= #|S|,
  forall i, T (s i) (nth a0 w (i %% m)) = s (i.+1 %% (n * m)) &
  exists start, forall i, loop_st (start + i) = s (i %% (n * m))].
Proof.
have [p [mu [p0 le per]]] := loop_periodic; have m_gt0 := word_gt0.
have cyc i : loop_st (mu * m + i %% (p * m)) = loop_st (mu * m + i).
  by apply: (loop_mod per); rewrite ?leq_addr //; apply/eqP; rewrite eqn_modDl modn_mod.
exists p, (fun i => loop_st (mu * m + i)); split; first by lia.
  by move=> i; rewrite cyc addnS loop_stS modnMDl.
by exists (mu * m) => i; rewrite cyc.
Qed.
End LoopedWord.
