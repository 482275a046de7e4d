(** CycleFind, phase 1: the period of the loop is found (the paper's lines 538-653).

    The hypotheses n = N, ..., 2 are tried in turn. The one that is right passes for certain; a larger one
    passes only if some classifier separates n_samp.cyc. pairs of observations of equal states, all at
    least t_mix apart. *)
From mathcomp Require Import all_ssreflect zify.
From Steel.looped Require Import Program Algorithm Questions LoopedWord.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section PeriodTest.
Variables (A S : finType) (a0 : A) (T : S -> A -> S) (s0 : S) (N tmix ncyc nsamp : nat).
Hypotheses (few : #|S| <= N) (tmix0 : 0 < tmix) (ncyc0 : 0 < ncyc).
Variables (w h0 : seq A).
Hypothesis w0 : w != [::].
Notation m := (size w).
Notation c0 := (size h0).
Notation looped := (looped a0 w).
Notation st := (st T s0).
Notation ideal := (ideal T s0).
Notation loop_st := (loop_st a0 T s0 w h0).
Notation covered := (covered T s0 tmix ncyc.-1 nsamp.-1).
(** the true period and the transient, in words *)
Variables (p mu : nat).
Hypotheses (p0 : 0 < p) (mup : mu + p <= #|S|).
Hypothesis per : forall i j, mu <= i -> mu <= j -> (loop_st (i * m) == loop_st (j * m)) = (i == j %[mod p]).

Notation settled := (settled N tmix w).
Notation c_init := (c_init N tmix ncyc w).
Notation rr := (rr tmix w).
Notation kk := (kk N tmix ncyc w).
Notation D0 := (D0 N tmix ncyc w c0).
Notation D1 := (D1 N tmix ncyc w c0).
Notation bar := (bar N tmix w c0).

Lemma mu_settled : mu * m <= settled.
Proof. by apply: leq_trans (leq_maxl _ _); rewrite leq_mul2r; apply/orP; right; lia. Qed.
Lemma tmix_settled : tmix <= settled. Proof. exact: leq_maxr. Qed.
(** Line 554: the times of the x-bar_i are those of s_per, with the phase max(0, t_mix - (N - 1) m), from its
    element N - 1 on. *)
Lemma settled_phase i : settled + i * m = (tmix - N.-1 * m) + (N.-1 + i) * m.
Proof. by rewrite /Algorithm.settled mulnDl; move: (N.-1 * m) => x; lia. Qed.
(** Line 558 for the states s-bar_i *)
Lemma bar_states i j : (loop_st (settled + i * m) == loop_st (settled + j * m)) = (i == j %[mod p]).
Proof. exact: (loop_every_word w0 per _ _ mu_settled). Qed.

(** Lines 566 and 637: t_mix <= r m <= t_mix + n m - 1 *)
Lemma rr_ge n : 0 < n -> tmix <= rr n * m.
Proof. by move=> n0; rewrite /Algorithm.rr -mulnA; apply: cdiv_ge; rewrite muln_gt0 n0 word_gt0. Qed.
Lemma rr_le n : 0 < n -> rr n * m <= tmix + n * m - 1.
Proof.
move=> n0; have nm : 0 < n * m by rewrite muln_gt0 n0 word_gt0.
by rewrite /Algorithm.rr -mulnA; apply: leq_trans (cdiv_le _ nm) _; lia.
Qed.
(** Lines 641-648: there are at least n_samp.cyc. repetitions. *)
Lemma enough_repetitions n : 0 < n <= N -> ncyc <= kk n.
Proof.
move=> /andP[n0 nN]; have m_gt0 := word_gt0 w0; have h1 := rr_le n0; have h2 := rr_ge n0.
have nm : n * m <= N * m by rewrite leq_mul2r nN orbT.
have n1 : 0 < n * m by rewrite muln_gt0 n0.
rewrite /Algorithm.kk leq_divRL; last by rewrite addn_gt0 n1 orbT.
rewrite /Algorithm.c_init; move: (rr n) h1 h2 => r h1 h2; rewrite -!mulnA.
move: (r * m) (n * m) (N * m) h1 h2 nm n1 => x y z h1 h2 nm n1.
case: ncyc ncyc0 => // c _; have [K eK] : exists K, tmix + z = K.+1 by exists (tmix + z - 1); lia.
have -> : 2 * tmix + 3 * z - 2 = 2 * K + z by lia.
have h3 : (2 * x + y) * c <= (2 * K + z) * c by apply: leq_mul => //; lia.
rewrite mulSn mulnS [c * _]mulnC; move: ((2 * x + y) * c) ((2 * K + z) * c) h3 => q1 q2 h3.
by move: (Algorithm.settled _ _ _) => u; lia.
Qed.
(** Lines 380-384: all times of the test of n are between t_mix and c_init - m, counted from the call. *)
Lemma D0_within n i j : 1 < n -> i < kk n -> 0 < j < n ->
  settled + (rr n + (2 * rr n + n) * i + j) * m + m <= c_init.
Proof.
move=> n1 lt jn; have m_gt0 := word_gt0 w0.
have : kk n * (2 * rr n * m + n * m) <= c_init + rr n * m - settled by exact: leq_trunc_div.
have h : settled <= c_init by rewrite /Algorithm.c_init leq_addl.
have : i.+1 * (2 * rr n * m + n * m) <= kk n * (2 * rr n * m + n * m) by rewrite leq_mul2r lt orbT.
have jm : j.+1 * m <= n * m by rewrite leq_mul2r; case/andP: jn => _ ->; rewrite orbT.
move: (rr n) (kk n) (c_init) (settled) h {lt} => r k c u h h1 h2.
have e : i.+1 * (2 * r * m + n * m) = (r + (2 * r + n) * i) * m + n * m + r * m by lia.
by move: (leq_trans h1 h2); rewrite e [(_ + j) * m]mulnDl; move: jm; rewrite mulSn; lia.
Qed.
Lemma D1_within n i : 1 < n -> i < kk n -> settled + (2 * rr n + n) * i * m + m <= c_init.
Proof.
move=> n1 lt; have := @D0_within n i 1 n1 lt n1; rewrite !mulnDl mul1n.
by move: (rr n * m) (_ * i * m) (c_init) (settled); lia.
Qed.

Notation h1 := (h0 ++ looped 0 c_init).
Lemma st_bar i : settled + i * m <= c_init -> st h1 (bar i) = loop_st (settled + i * m).
Proof. by move=> le; rewrite /Algorithm.bar st_loop. Qed.
Lemma size_h1 : size h1 = c0 + c_init. Proof. by rewrite size_cat size_looped. Qed.
Lemma D1_in n u : u \in D1 n -> exists2 i, i < kk n & u = bar ((2 * rr n + n) * i).
Proof. by case/mapP=> i; rewrite mem_iota => /andP[_ lt] ->; exists i. Qed.
Lemma D0_in n u : u \in D0 n -> exists i j, [/\ i < kk n, 0 < j < n & u = bar (rr n + (2 * rr n + n) * i + j)].
Proof.
case/allpairsP=> -[i j] /= [+ + ->]; rewrite !mem_iota => /andP[_ lt] h.
by exists i, j; split=> //; lia.
Qed.
Lemma D1_st n i : 1 < n -> i < kk n ->
  st h1 (bar ((2 * rr n + n) * i)) = loop_st (settled + (2 * rr n + n) * i * m).
Proof. by move=> n1 lt; rewrite st_bar //; apply: leq_trans (D1_within n1 lt); exact: leq_addr. Qed.
Lemma D0_st n i j : 1 < n -> i < kk n -> 0 < j < n -> st h1 (bar (rr n + (2 * rr n + n) * i + j))
  = loop_st (settled + (rr n + (2 * rr n + n) * i + j) * m).
Proof. by move=> n1 lt jn; rewrite st_bar //; apply: leq_trans (D0_within n1 lt jn); exact: leq_addr. Qed.
Lemma period_past n : 1 < n -> past (h1, D0 n, D1 n).
Proof.
move=> n1; apply/allP => u; rewrite mem_cat size_h1 => /orP[/D0_in[i [j [lt jn ->]]]|/D1_in[i lt ->]];
  rewrite leq_add2l; [apply: leq_trans (D0_within n1 lt jn) | apply: leq_trans (D1_within n1 lt)];
  exact: leq_addr.
Qed.
(** Lines 574 and 578: residues in the test of the true period *)
Lemma true_ones i : (2 * rr p + p) * i = 0 %[mod p].
Proof.
rewrite (_ : _ * i = (2 * cdiv tmix (p * m) + 1) * i * p) ?modnMl ?mod0n // /Algorithm.rr.
by move: (cdiv _ _) => q; lia.
Qed.
Lemma true_zeros i j : rr p + (2 * rr p + p) * i + j = j %[mod p].
Proof.
rewrite (_ : rr p + _ * i + j = (cdiv tmix (p * m) + (2 * cdiv tmix (p * m) + 1) * i) * p + j) ?modnMDl //.
by rewrite /Algorithm.rr; move: (cdiv _ _) => q; lia.
Qed.
(** Lines 572-581: in the test of the true period, D1 shows one state and D0 does not show it. *)
Lemma true_period_clear : 1 < p -> clear T s0 (h1, D0 p, D1 p).
Proof.
move=> p1; exists (loop_st (settled + 0 * m)); split; apply/allP => u.
  by case/D1_in=> i lt ->; rewrite D1_st // bar_states true_ones.
by case/D0_in=> i [j [lt jn ->]]; rewrite D0_st // bar_states true_zeros mod0n modn_small; lia.
Qed.
(** Lines 586-596: in the test of a larger period there is a row j' of D0 such that, for every i, the i-th times of D1
    and of this row show the same state. *)
Lemma row_alike n : p < n -> exists2 j, 0 < j < n & forall i,
  loop_st (settled + (rr n + (2 * rr n + n) * i + j) * m) = loop_st (settled + (2 * rr n + n) * i * m).
Proof.
move=> pn; exists (p - rr n %% p) => [|i]; first by have := ltn_pmod (rr n) p0; lia.
apply/eqP; rewrite bar_states addnAC -[X in _ == X %% _]add0n eqn_modDr.
by rewrite -modnDml addnBA ?addKn ?modnn ?mod0n //; exact/ltnW/ltn_pmod.
Qed.
(** Line 601: a time of this row is at least t_mix after the time of D1 before it, and before the next one. *)
Lemma row_apart n i j : 0 < j < n ->
  bar ((2 * rr n + n) * i) + tmix <= bar (rr n + (2 * rr n + n) * i + j) /\
  bar (rr n + (2 * rr n + n) * i + j) + tmix <= bar ((2 * rr n + n) * i.+1).
Proof.
move=> /andP[j0 jn]; have gm : tmix <= rr n * m by apply: rr_ge; lia.
have : j * m <= n * m by rewrite leq_mul2r (ltnW jn) orbT.
rewrite /Algorithm.bar mulnS; move: (rr n) gm c0 (settled) => r gm c u.
by rewrite !mulnDl; lia.
Qed.
Lemma larger_period_alike n : p < n <= N -> exists l, pairs_alike T s0 tmix ncyc (h1, D0 n, D1 n) l.
Proof.
move=> /andP[pn nN]; have n1 : 1 < n by lia.
have [j jn alike] := row_alike pn; pose f i := (2 * rr n + n) * i.
have nk : ncyc <= kk n by apply: enough_repetitions; lia.
exists [seq (bar (f i), bar (rr n + f i + j), loop_st (settled + f i * m)) | i <- iota 0 ncyc]; split.
- by rewrite size_map size_iota.
- rewrite /pair_times -map_comp; apply: spaced_pairs => [|i|i] /=; last 2 first.
  + by have [] := row_apart i jn.
  + by have [] := row_apart i jn.
  by rewrite add0n; apply: leq_trans tmix_settled _; rewrite /Algorithm.bar addnCA leq_addr.
apply/allP => _ /mapP[i + ->]; rewrite mem_iota => /andP[_ lt] /=; have ik : i < kk n by exact: leq_trans nk.
apply/and4P; split.
- by apply/mapP; exists i; rewrite // mem_iota.
- by apply/allpairsP; exists (i, j); rewrite /= !mem_iota; split=> //; lia.
- by rewrite D1_st.
by rewrite D0_st // alike.
Qed.

Lemma periodS n : period N tmix ncyc w c0 n.+2 =
  Ask (D0 n.+2) (D1 n.+2) (fun v => if v then Return n.+2 else period N tmix ncyc w c0 n.+1).
Proof. by []. Qed.
(** Lines 561 and 653: the ideal run finds the period, and at most N - 1 of its questions can be
    answered wrongly. *)
Lemma period_ideal n : p <= n <= N ->
  run ideal h1 (period N tmix ncyc w c0 n) = (p, h1) /\
  covered (n - p) 0 (asked ideal h1 (period N tmix ncyc w c0 n)).
Proof.
elim: n => [|n IH] pn; first by move: p0 pn; lia.
case: n IH pn => [|n] IH pn.
  have e : p = 1 by move: p0 pn; lia.
  by rewrite e; split=> //; exact: covered0.
case: (ltnP p n.+2) => [lt|ge]; last first.
  have e : p = n.+2 by lia.
  have cl : clear T s0 (h1, D0 n.+2, D1 n.+2) by rewrite -e; apply: true_period_clear; lia.
  rewrite periodS run_ask asked_ask (clear_ideal cl).
  split; first by rewrite e.
  apply: covered_le (leq0n _) (leqnn _) _; apply: covered_clear => q /= [<-|//].
  by split=> //; apply: period_past.
have [|r c] := IH; first by lia.
have [|l wl] := @larger_period_alike n.+2; first by lia.
have wl' : pairs_alike T s0 tmix ncyc.-1.+1 (h1, D0 n.+2, D1 n.+2) l by rewrite prednK.
rewrite periodS run_ask asked_ask (pairs_ideal wl'); split=> //.
have -> : n.+2 - p = 1 + (n.+1 - p) by lia.
rewrite -cat1s; apply: (covered_cat (n1 := 1) (n2 := 0) (m2 := 0)) c.
by apply: covered_pairs wl'; apply: period_past.
Qed.
End PeriodTest.
