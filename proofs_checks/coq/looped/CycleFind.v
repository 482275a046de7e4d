(** CycleFind, phases 2 and 3: positions of the cycle, new labels, transitions (lines 655-804).

    [cyclefind_ideal]: what the ideal run of a call gives, from knowledge that is right, and that few of its
    questions can be answered wrongly. *)
From mathcomp Require Import all_ssreflect zify.
From Steel Require Import Statements.
From Steel.looped Require Import Program Algorithm Proposition1 Questions LoopedWord PeriodTest.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma all2_rcons (B C : Type) (r : B -> C -> bool) xs ys x y :
  all2 r xs ys -> r x y -> all2 r (rcons xs x) (rcons ys y).
Proof. by elim: xs ys => [|x' xs IH] [|y' ys] //= => [_ ->|/andP[-> h] rxy] //; apply: IH. Qed.
Lemma all2_size (B C : Type) (r : B -> C -> bool) xs ys : all2 r xs ys -> size xs = size ys.
Proof. by elim: xs ys => [|x' xs IH] [|y' ys] //= /andP[_ /IH ->]. Qed.
Lemma all2_impl (B C : Type) (r r' : B -> C -> bool) xs ys :
  (forall x y, r x y -> r' x y) -> all2 r xs ys -> all2 r' xs ys.
Proof. by move=> h; elim: xs ys => [|x' xs IH] [|y' ys] //= /andP[/h -> /IH]. Qed.
Lemma all2_nth (B C : Type) (r : B -> C -> bool) xs ys x y i : all2 r xs ys -> i < size ys ->
  r (nth x xs i) (nth y ys i).
Proof. by elim: xs ys i => [|x' xs IH] [|y' ys] [|i] //= /andP[h1 h2] //; apply: IH. Qed.
Lemma apart_timesE g D : apart_times g D = apart g D.
Proof. by rewrite /apart_times /apart; move: 0; elim: D => //= u D IH k; rewrite IH. Qed.

Section CycleFind.
Variables (A S : finType) (a0 : A) (T : S -> A -> S) (s0 : S).
Variables (N tmix ncyc nsamp : nat).
Hypotheses (few : #|S| <= N) (tmix0 : 0 < tmix) (ncyc0 : 0 < ncyc) (nsamp0 : 0 < nsamp).
Notation st := (st T s0).
Notation ideal := (ideal T s0).
Notation covered := (covered T s0 tmix ncyc.-1 nsamp.-1).

Lemma st_cat h h' u : u <= size h -> st (h ++ h') u = st h u.
Proof. by move=> le; rewrite /Questions.st takel_cat. Qed.

(** ** A good dataset of the state [s]: at least n_samp. times, the first n_samp. not after [M] *)
Definition good_for h M (D : seq nat) (s : S) :=
  [&& all (fun u => (u <= size h) && (st h u == s)) D, nsamp <= size D,
      apart tmix D & all (leq^~ M) (take nsamp D)].
Lemma good_for_cat h h' M D s : good_for h M D s -> good_for (h ++ h') M D s.
Proof.
case/and4P=> a b c e; apply/and4P; split=> //; apply: sub_all a => u /andP[le e'].
by rewrite st_cat // e' size_cat (leq_trans le) ?leq_addr.
Qed.
Lemma good_for_le h M M' D s : M <= M' -> good_for h M D s -> good_for h M' D s.
Proof.
move=> le /and4P[a b c e]; apply/and4P; split=> //; apply: sub_all e => u h'.
exact: leq_trans le.
Qed.
Lemma good_for_now h M D s : good_for h M D s -> good_for h (size h) D s.
Proof.
case/and4P=> a b c e; apply/and4P; split=> //; apply/allP => u /mem_take uD.
by have /andP[] := allP a u uD.
Qed.

(** Lines 753-772: comparing a dataset D, whose late half comes after [M + tmix], with the known ones.
    Two different states are told apart for certain; otherwise n_samp. times of each show the same state and
    all are at least t_mix apart. So only one of the questions can be answered wrongly. *)
Lemma seek_ideal h M todo sig D s l : all2 (good_for h M) todo sig -> good_for h M D s ->
  size D = 2 * nsamp -> all (leq (M + tmix)) (drop nsamp D) ->
  run ideal h (seek A todo l D) = ((if s \in sig then Some (l + index s sig) else None), h) /\
  covered 0 1 (asked ideal h (seek A todo l D)).
Proof.
move=> + gD sz late; elim: todo sig l => [|D' todo IH] [|s' sig] l //=.
  by move=> _; split=> //; exact: covered0.
case/andP=> ok' /IH{}IH; have [/allP pu _ sp _] := and4P gD.
have [/allP pu' sz' sp' fst'] := and4P ok'.
have pa : past (h, D', D).
  by apply/allP => u; rewrite mem_cat => /orP[/pu'/andP[]|/pu/andP[]].
rewrite inE; case: (altP (s =P s')) => [e|ne] /=; last first.
  have c : clear T s0 (h, D', D).
    exists s; split; apply/allP => u; first by case/pu/andP.
    by case/pu'/andP=> _ /eqP ->; rewrite eq_sym.
  have := clear_ideal c; rewrite /= => ->; have [r cv] := IH l.+1.
  split; first by rewrite r; case: ifP => // _; rewrite eq_sym (negbTE ne) addnS.
  rewrite -cat1s; apply: (covered_cat (n1 := 0) (n2 := 0)) cv.
  by apply: covered_clear => q /= [<-|//].
pose wl := [seq (u, false) | u <- take nsamp D'] ++ [seq (u, true) | u <- drop nsamp D].
have wt : halves_alike T s0 tmix nsamp.-1.+1 (h, D', D) wl s.
  rewrite prednK //; split.
  - rewrite count_cat !count_map (eq_count (a2 := pred0)) // count_pred0.
    by rewrite (eq_count (a2 := predT)) // count_predT size_drop sz; lia.
  - rewrite count_cat !count_map addnC (eq_count (a2 := pred0)) // count_pred0.
    by rewrite (eq_count (a2 := predT)) // count_predT size_takel.
  - apply: (@spaced_cat _ _ M); rewrite ?all_map //.
      by rewrite map_take; apply: spaced_take; rewrite (spaced_tag _ (fun=> tt)).
    rewrite map_drop; apply: (@spaced_drop _ _ _ _ _ 0).
      by rewrite (spaced_tag _ (fun=> tt)).
    by rewrite -map_drop all_map.
  rewrite all_cat !all_map; apply/andP; split; apply/allP => u.
    by move=> /mem_take uD; have /andP[_] := pu' u uD; rewrite /= uD e.
  by move=> /mem_drop uD; have /andP[_] := pu u uD; rewrite /= uD.
have := halves_ideal wt; rewrite /= => ->.
split; first by rewrite -e eqxx addn0.
exact: covered_halves wt.
Qed.

(** ** The table, read through the states of the labels *)
Definition right_table (sig : seq S) (Tm : table A) := forall l a l', (l, a, l') \in Tm ->
  [/\ l < size sig, l' < size sig & T (nth s0 sig l) a = nth s0 sig l'].
Lemma look_in (Tm : table A) l a l' : look Tm l a = Some l' -> (l, a, l') \in Tm.
Proof.
rewrite /look; elim: Tm => //= -[x y] Tm IH /=; rewrite inE; case: ifP => [/eqP -> /= [->]|_ /IH ->].
  by rewrite eqxx.
by rewrite orbT.
Qed.
Lemma look_some (Tm : table A) l a l' : (l, a, l') \in Tm -> look Tm l a != None.
Proof.
rewrite /look; elim: Tm => //= -[x y] Tm IH; rewrite inE => /predU1P[[<- _]|/IH h] /=; first by rewrite eqxx.
by case: ifP.
Qed.
Lemma look_catr (Tm Tm' : table A) l a : look Tm' l a != None -> look (Tm ++ Tm') l a != None.
Proof. by rewrite /look filter_cat map_cat; case: [seq _ | _ <- [seq _ <- Tm | _]]. Qed.
(** in a right table, the entry of a label is the label of the next state *)
Lemma look_right sig Tm l a l' : uniq sig -> right_table sig Tm -> look Tm l a != None -> l' < size sig ->
  T (nth s0 sig l) a = nth s0 sig l' -> look Tm l a = Some l'.
Proof.
move=> un rt; case e: (look Tm l a) => [l2|//] _ lt eT; congr Some.
have [_ lt2 e2] := rt _ _ _ (look_in e); apply/eqP.
by rewrite -(nth_uniq s0 lt2 lt un) -e2 eT.
Qed.
Definition known sig (Tm : table A) : {set S * A} :=
  [set x | (x.1 \in sig) && (look Tm (index x.1 sig) x.2 != None)].

(** ** The positions of the cycle *)
Section Call.
Variables (w h0 : seq A).
Hypothesis w0 : w != [::].
Notation m := (size w).
Notation c0 := (size h0).
Notation looped := (looped a0 w).
Notation loop_st := (loop_st a0 T s0 w h0).
Variables (p mu : nat).
Hypotheses (p0 : 0 < p) (mup : mu + p <= #|S|).
Hypothesis per : forall i j, mu <= i -> mu <= j -> (loop_st (i * m) == loop_st (j * m)) = (i == j %[mod p]).
Notation L := (L w p).
Notation stride := (stride tmix w p).
Notation early0 := (early0 N tmix w p).
Notation late0 := (late0 N tmix nsamp w p).
Notation first_at := (first_at w p).
Notation half := (half tmix nsamp w c0 p).
Notation Dpos := (Dpos N tmix nsamp w c0 p).
Notation c_init := (c_init N tmix ncyc w).
Notation c_last := (c_last N tmix nsamp w p).
Notation e := (maxn c_init c_last).
Notation h2 := (h0 ++ looped 0 e).
Notation M := (c0 + late0 - tmix).

Lemma L_gt0 : 0 < L. Proof. by rewrite muln_gt0 p0 word_gt0. Qed.
(** Lines 680-705: position i is met at times that are i modulo n_cyc m, the first in its cycle. *)
Lemma first_at_mod start i : first_at start i = i %[mod L].
Proof.
rewrite /Algorithm.first_at modnDmr; have lt := ltn_pmod start L_gt0.
have -> : start + (i + (L - start %% L)) = (start %/ L + 1) * L + i.
  by rewrite {1}(divn_eq start L) mulnDl; lia.
by rewrite modnMDl.
Qed.
Lemma first_at_ge start i : start <= first_at start i < start + L.
Proof. by rewrite leq_addr ltn_add2l ltn_pmod ?L_gt0. Qed.
Lemma stride_ge : tmix <= stride.
Proof. by rewrite /Algorithm.stride mulnC; apply: cdiv_ge; exact: L_gt0. Qed.
(** Line 239: the spacing of the samples of a position is less than twice as long as it has to be. *)
Lemma stride_range : maxn tmix L <= stride <= 2 * maxn tmix L - 1.
Proof.
have Lg := L_gt0; have := cdiv_le tmix Lg; have := stride_ge; rewrite /Algorithm.stride mulnC.
have : L <= cdiv tmix L * L by rewrite leq_pmull // /cdiv divn_gt0 //; lia.
by move: (cdiv tmix L * L) => q; lia.
Qed.
(** the state at position i of the cycle *)
Definition cyc_st i := loop_st (first_at early0 i).
Lemma mu_early0 : mu * m <= early0.
Proof. by apply: leq_trans (leq_maxl _ _); rewrite leq_mul2r; apply/orP; right; lia. Qed.
Lemma early_late : early0 <= late0. Proof. by rewrite /Algorithm.late0 -!addnA leq_addr. Qed.
Lemma tmix_early0 : tmix <= early0. Proof. exact: leq_maxr. Qed.
Lemma tmix_late0 : tmix <= late0. Proof. exact: leq_trans tmix_early0 early_late. Qed.
(** Line 707: all times of position i show one state. *)
Lemma position_state start i k : early0 <= start -> loop_st (first_at start i + k * stride) = cyc_st i.
Proof.
move=> le; have h := mu_early0; have /andP[h' _] := first_at_ge start i; have /andP[h'' _] := first_at_ge early0 i.
apply: (loop_mod per); [by lia | by lia | rewrite -/L].
rewrite /Algorithm.stride mulnCA addnC mulnC modnMDl first_at_mod; exact/esym/first_at_mod.
Qed.
Lemma half_in start i u : u \in half start i ->
  exists2 k, k < nsamp & u = c0 + (first_at start i + k * stride).
Proof. by case/mapP=> k; rewrite mem_iota => /andP[_ lt] ->; exists k. Qed.
(** Line 663: c is one whole cycle after the start of the last round of the late half. *)
Lemma c_lastE : c_last = late0 + nsamp.-1 * stride + L.
Proof. by rewrite /Algorithm.c_last /Algorithm.late0 /Algorithm.stride; move: (cdiv tmix _) => q; lia. Qed.
(** Line 239 *)
Lemma c_last_twice : c_last <= 2 * (early0 + nsamp.-1 * stride + L).
Proof. by rewrite c_lastE /Algorithm.late0; have := leq_maxr ((N - p) * m) tmix; rewrite -/early0; lia. Qed.
Lemma k_stride k : k < nsamp -> k * stride <= nsamp.-1 * stride.
Proof. by move=> lt; rewrite leq_mul2r; apply/orP; right; lia. Qed.
Lemma half_ok start i u : early0 <= start <= late0 -> u \in half start i ->
  (u <= size h2) && (st h2 u == cyc_st i).
Proof.
move=> /andP[o0 o1] /half_in[k lt ->].
have le : first_at start i + k * stride <= e.
  apply: leq_trans (leq_maxr _ _); rewrite c_lastE.
  by have := k_stride lt; have := first_at_ge start i; lia.
by rewrite st_loop // position_state // eqxx andbT size_cat size_looped leq_add2l.
Qed.
(** Lines 680-696 and 705: the range of the times of a half, and their residue *)
Lemma half_range start i u : u \in half start i -> c0 + start <= u < c0 + start + nsamp.-1 * stride + L.
Proof. by case/half_in=> k lt ->; have := k_stride lt; have := first_at_ge start i; lia. Qed.
Lemma half_mod start i u : u \in half start i -> u = c0 + i %[mod L].
Proof.
case/half_in=> k _ ->; rewrite /Algorithm.stride mulnCA addnA [_ * (k * _)]mulnC -modnDmr modnMl addn0.
by rewrite -[LHS]modnDmr first_at_mod modnDmr.
Qed.
Lemma size_half start i : size (half start i) = nsamp.
Proof. by rewrite size_map size_iota. Qed.
(** Line 707: within a half, times are at least t_mix apart. *)
Lemma half_spaced start i K : K + tmix <= c0 + start -> spaced tmix K [seq (u, tt) | u <- half start i].
Proof.
move=> le; rewrite -map_comp; apply: spaced_iota => [|k] /=.
  by rewrite mul0n addn0; have := first_at_ge start i; lia.
by have := stride_ge; rewrite mulSn; lia.
Qed.
(** Lines 712-714: the early half of any position ends, and t_mix later the late half of any other begins. *)
Lemma early_before i : all (leq^~ M) (half early0 i).
Proof.
apply/allP => u /half_in[k lt ->]; have := k_stride lt; have := first_at_ge early0 i.
by rewrite /Algorithm.late0; lia.
Qed.
Lemma late_after i : all (leq (M + tmix)) (drop nsamp (Dpos i)).
Proof.
rewrite drop_size_cat ?size_half //; apply/allP => u /half_in[k _ ->].
by have := first_at_ge late0 i; have := tmix_late0; lia.
Qed.
Lemma size_Dpos i : size (Dpos i) = 2 * nsamp.
Proof. by rewrite size_cat !size_half; lia. Qed.
Lemma Dpos_good i : good_for h2 M (Dpos i) (cyc_st i).
Proof.
have go := tmix_early0; have go1 := tmix_late0; apply/and4P; split.
- by rewrite all_cat; apply/andP; split; apply/allP => u; apply: half_ok; rewrite early_late leqnn.
- by rewrite size_Dpos; lia.
- rewrite /apart map_cat; apply: (@spaced_cat _ _ M).
  + by apply: half_spaced; lia.
  + by rewrite all_map; exact: early_before.
  + by [].
  + by apply: half_spaced; lia.
by rewrite take_size_cat ?size_half ?early_before.
Qed.

(** *** Labels: the states found so far, in the order of discovery *)
Definition add1 sg i := if cyc_st i \in sg then sg else rcons sg (cyc_st i).
Lemma add_prefix ix sig : exists ext, foldl add1 sig ix = sig ++ ext.
Proof.
elim: ix sig => [|i ix IH] sig /=; first by exists [::]; rewrite cats0.
have [ext ->] := IH (add1 sig i); rewrite /add1; case: ifP => _; first by exists ext.
by exists (cyc_st i :: ext); rewrite cat_rcons.
Qed.
Lemma add_mem ix sig x : (x \in foldl add1 sig ix) = (x \in sig) || (x \in map cyc_st ix).
Proof.
elim: ix sig => [|i ix IH] sig /=; first by rewrite orbF.
rewrite IH /add1 inE; case: ifP => [h|_]; last by rewrite mem_rcons inE orbA [(_ == _) || _]orbC.
by case: eqP => // ->; rewrite h.
Qed.
Lemma add_uniq ix sig : uniq sig -> uniq (foldl add1 sig ix).
Proof.
elim: ix sig => [|i ix IH] sig //= u; apply: IH; rewrite /add1; case: ifP => // h.
by rewrite rcons_uniq h.
Qed.
(** Lines 733-750 and 775: the ideal run labels the positions, with at most one question for each that can be
    answered wrongly. *)
Lemma place_ideal ix Ds sig lab : all2 (good_for h2 M) Ds sig ->
  exists Ds', [/\ run ideal h2 (place N tmix nsamp w c0 p ix Ds lab)
      = ((Ds', lab ++ [seq index (cyc_st i) (foldl add1 sig ix) | i <- ix]), h2),
    all2 (good_for h2 M) Ds' (foldl add1 sig ix) &
    covered 0 (size ix) (asked ideal h2 (place N tmix nsamp w c0 p ix Ds lab))].
Proof.
elim: ix Ds sig lab => [|i ix IH] Ds sig lab ok /=.
  by exists Ds; split=> //; [rewrite cats0 | exact: covered0].
have [r cv] := seek_ideal 0 ok (Dpos_good i) (size_Dpos i) (late_after i).
rewrite run_bind asked_bind r /=; case: ifP => sin; rewrite /add1 sin.
  have [Ds' [r' ok' cv']] := IH Ds sig (rcons lab (0 + index (cyc_st i) sig)) ok.
  exists Ds'; split=> //; last by rewrite -add1n; exact: (covered_cat (n1 := 0) (n2 := 1) (m1 := 0)) cv cv'.
  rewrite r' cat_rcons add0n; have [ext ->] := add_prefix ix sig.
  by rewrite [in RHS]index_cat sin.
have [Ds' [r' ok' cv']] := IH (rcons Ds (Dpos i)) (rcons sig (cyc_st i)) (rcons lab (size Ds))
  (all2_rcons ok (Dpos_good i)).
exists Ds'; split=> //; last by rewrite -add1n; exact: (covered_cat (n1 := 0) (n2 := 1) (m1 := 0)) cv cv'.
rewrite r' cat_rcons; have [ext ->] := add_prefix ix (rcons sig (cyc_st i)).
rewrite [in index (cyc_st i) _]index_cat mem_rcons inE eqxx /= -cats1 index_cat sin /= eqxx addn0.
by rewrite (all2_size ok).
Qed.


Notation ix := (iota 0 L).
Definition labels sig' := [seq index (cyc_st i) sig' | i <- ix].
Lemma call_ideal Ds sig Tm : all2 (good_for h0 c0) Ds sig -> uniq sig ->
  exists Ds', let sig' := foldl add1 sig ix in
  [/\ run ideal h0 (cyclefind a0 N tmix ncyc nsamp w c0 Ds Tm)
      = ((Ds', rev (edges a0 w p (labels sig')) ++ Tm, nth 0 (labels sig') (e %% L), c0 + e), h2),
    all2 (good_for h2 (size h2)) Ds' sig' &
    covered N.-1 (N * m) (asked ideal h0 (cyclefind a0 N tmix ncyc nsamp w c0 Ds Tm))].
Proof.
move=> ok un; have pN : p <= N <= N by lia.
have [rp cp] := period_ideal nsamp few tmix0 ncyc0 w0 p0 mup per pN.
have h12 : (h0 ++ looped 0 c_init) ++ looped c_init (c_last - c_init) = h2.
  by rewrite -catA looped_cat -maxnE.
have ok2 : all2 (good_for h2 M) Ds sig.
  apply: all2_impl ok => D s h; apply: (good_for_le (M := c0)) (good_for_cat _ h).
  by have := tmix_late0; lia.
have [Ds' [r' ok' cv']] := place_ideal ix [::] ok2.
exists Ds'; split.
- by rewrite /cyclefind run_act_all run_bind rp run_act_all h12 run_bind r'.
- by apply: all2_impl ok' => D s; exact: good_for_now.
rewrite /cyclefind asked_act_all asked_bind rp asked_act_all h12 asked_bind r' cats0.
apply: (covered_le (n1 := N - p + 0) (n2 := 0 + size ix)); first by move: p0; lia.
  by rewrite size_iota add0n leq_mul2r; apply/orP; right; lia.
exact: covered_cat cp cv'.
Qed.

(** Line 779: the transitions of the cycle *)
Lemma cyc_stS i : cyc_st i.+1 = T (cyc_st i) (nth a0 w (i %% m)).
Proof.
have h := mu_early0; have b i' : mu * m <= first_at early0 i' by have := first_at_ge early0 i'; lia.
have -> : cyc_st i.+1 = loop_st (first_at early0 i).+1.
  apply: (loop_mod per (b _)) => //; first by have := b i; lia.
  by rewrite -/L first_at_mod -addn1 -[in RHS]addn1 -[RHS]modnDml first_at_mod modnDml.
rewrite loop_stS; congr (T _ (nth a0 w _)).
by rewrite -(modn_dvdm (first_at early0 i) (dvdn_mull p (dvdnn m))) -/L first_at_mod modn_dvdm ?dvdn_mull.
Qed.
Lemma cyc_st_mod i : cyc_st (i %% L) = cyc_st i.
Proof. by rewrite /cyc_st /Algorithm.first_at modnDml. Qed.
(** Lines 440 and 792: where the call ends *)
Lemma cyc_st_end : st h2 (size h2) = cyc_st (e %% L).
Proof.
rewrite size_cat size_looped st_loop //; have h := mu_early0; have := first_at_ge early0 (e %% L) => b.
have le : early0 <= e.
  apply: (@leq_trans c_last); last exact: leq_maxr.
  by rewrite c_lastE -addnA; exact: leq_trans early_late (leq_addr _ _).
by apply: (loop_mod per); [lia | lia | rewrite -/L first_at_mod modn_mod].
Qed.

(** Lines 524-527 and 670-672: the number of steps of a call *)
Lemma call_steps : e <= call_bound N tmix ncyc nsamp #|S| m.
Proof.
have m_gt0 := word_gt0 w0; have Lg := L_gt0; rewrite geq_max /call_bound; apply/andP; split.
  apply: (@leq_trans ((2 * tmix + 3 * N * m - 2) * ncyc - N * m + (N * m - m - tmix) + 1)).
    have Nm : m <= N * m by rewrite leq_pmull //; lia.
    have : 2 * tmix + 3 * N * m - 2 <= (2 * tmix + 3 * N * m - 2) * ncyc by rewrite leq_pmulr.
    have e1 : N.-1 * m = N * m - m by rewrite -subn1 mulnBl mul1n.
    rewrite /Algorithm.c_init /Algorithm.settled e1 -[3 * N * m]mulnA.
    by move: (N * m) Nm ((_ - 2) * ncyc) => x h y; lia.
  by rewrite !leq_add2r leq_maxl.
apply: (@leq_trans (2 * (tmix + #|S| * m - 1) * nsamp + 1 + (N * m - m - tmix) + 1)); last first.
  by rewrite !leq_add2r leq_maxr.
have : stride <= tmix + L - 1 by rewrite /Algorithm.stride mulnC; have := cdiv_le tmix Lg; lia.
have pm : L <= #|S| * m by rewrite leq_mul2r; apply/orP; right; lia.
have pm' : m <= L by rewrite /Algorithm.L leq_pmull.
rewrite c_lastE /Algorithm.late0 /Algorithm.early0 mulnBl -/L.
case: nsamp nsamp0 => // k _ /=; move: (stride) => q hq.
have h1 : k * q <= k * (tmix + #|S| * m - 1) by rewrite leq_mul2l; apply/orP; right; lia.
by rewrite mulnS -mulnA [_ * k]mulnC; move: (#|S| * m) pm (k * q) (k * _) h1 => x hx y z; lia.
Qed.
End Call.

(** ** What is known: right, or undefined *)
Lemma walk_none sig Tm l w : uniq sig -> right_table sig Tm -> l < size sig -> walk Tm l w = None ->
  exists2 i, i < size w & (foldl T (nth s0 sig l) (take i w), nth a0 w i) \notin known sig Tm.
Proof.
move=> un rt; elim: w l => //= a w IH l lt; case e: (look Tm l a) => [l'|]; last first.
  by move=> _; exists 0 => //; rewrite inE /= index_uniq // e andbF.
have [_ lt' e'] := rt _ _ _ (look_in e); case/(IH _ lt') => i iw /= h.
by exists i.+1 => //=; rewrite e'.
Qed.

(** the state of the algorithm after the actions [h], in the ideal run *)
Definition inv h (x : learned A) sig := let: (Ds, Tm, c, u) := x in
  [/\ u = size h, all2 (good_for h (size h)) Ds sig, uniq sig, right_table sig Tm &
      (c < size sig /\ st h (size h) = nth s0 sig c)].

(** One call: the invariant is kept, nothing is forgotten, a whole cycle of the word is known afterwards, and
    the steps are within the bound. *)
Theorem cyclefind_ideal w h0 Ds Tm sig : w != [::] ->
  all2 (good_for h0 (size h0)) Ds sig -> uniq sig -> right_table sig Tm ->
  let p := cyclefind a0 N tmix ncyc nsamp w (size h0) Ds Tm in
  let r := run ideal h0 p in
  covered N.-1 (N * size w) (asked ideal h0 p) /\
  exists sig' (n : nat) (x : nat -> S), [/\ inv r.2 r.1 sig',
    (exists ext, sig' = sig ++ ext) /\ (forall l a, look Tm l a != None -> look (model r.1) l a != None),
    0 < n <= #|S| /\ (forall i, x (i %% (n * size w)) = x i /\ x i.+1 = T (x i) (nth a0 w (i %% size w))),
    forall i, (x i, nth a0 w (i %% size w)) \in known sig' (model r.1) &
    size r.2 <= size h0 + call_bound N tmix ncyc nsamp #|S| (size w)].
Proof.
move=> w0 ok un rt pr r; have [p [mu [p0 mup per]]] := loop_periodic a0 T s0 w h0.
have [Ds' [rE ok' cv]] := call_ideal w0 p0 mup per Tm ok un.
rewrite /r /pr {r pr}; split=> //; rewrite rE /=.
set L' := L w p in ok' *; set sig' := foldl _ _ _ in ok' *; exists sig', p, (cyc_st w h0 p).
have Lp : 0 < L' by exact: L_gt0.
have un' : uniq sig' by exact: add_uniq.
have sin i : cyc_st w h0 p i \in sig'.
  rewrite -(cyc_st_mod w h0 p) add_mem; apply/orP; right; apply: map_f.
  by rewrite mem_iota ltn_pmod.
have labE i : i < L' -> nth 0 (labels w h0 p sig') i = index (cyc_st w h0 p i) sig'.
  by move=> lt; rewrite (nth_map 0) ?size_iota // nth_iota.
have eL i : nth s0 sig' (index (cyc_st w h0 p i) sig') = cyc_st w h0 p i by rewrite nth_index.
have [ext sE] := add_prefix w h0 p (iota 0 L') sig; rewrite -/sig' in sE.
have next := cyc_stS w0 p0 mup per.
have rt' : right_table sig' (rev (edges a0 w p (labels w h0 p sig')) ++ Tm).
  move=> l a l'; rewrite mem_cat mem_rev => /orP[|/rt[lt lt' eT]]; last first.
    by rewrite sE !size_cat !nth_cat lt lt' !(leq_trans lt, leq_trans lt', leq_addr).
  case/mapP=> i; rewrite mem_iota => /= iL [-> -> ->].
  rewrite !labE ?ltn_pmod // !index_mem !sin !eL; split=> //.
  by rewrite (cyc_st_mod w h0 p) next.
split=> //.
- split=> //; first by rewrite size_cat size_looped.
  rewrite labE ?ltn_pmod // index_mem sin eL; split=> //; exact: (cyc_st_end w0 p0 mup per).
- by split; [exists ext | move=> l a; exact: look_catr].
- by split=> [|i]; [rewrite p0 (leq_trans (leq_addl mu p) mup) | rewrite cyc_st_mod next].
- move=> i; rewrite -(cyc_st_mod w h0 p) -(modn_dvdm i (dvdn_mull p (dvdnn (size w)))) -/(L w p) -/L'.
  have iL := ltn_pmod i Lp; rewrite inE /= sin /=.
  apply: (@look_some _ _ _ (nth 0 (labels w h0 p sig') ((i %% L').+1 %% L'))).
  rewrite mem_cat mem_rev; apply/orP; left.
  by apply/mapP; exists (i %% L'); [rewrite mem_iota | rewrite (labE _ iL)].
by rewrite size_cat size_looped leq_add2l; exact: (call_steps w0 p0 mup).
Qed.

(** Line 921: if the word leads out of the known part from every label, a new transition is learned. *)
Corollary cyclefind_learns w Tm sig sig' Tm' (x : nat -> S) : uniq sig -> right_table sig Tm ->
  (exists ext, sig' = sig ++ ext) -> (forall l a, look Tm l a != None -> look Tm' l a != None) ->
  (forall i, x i.+1 = T (x i) (nth a0 w (i %% size w))) ->
  (forall i, (x i, nth a0 w (i %% size w)) \in known sig' Tm') ->
  w != [::] -> (forall l, l < size sig -> walk Tm l w = None) ->
  known sig Tm \proper known sig' Tm'.
Proof.
move=> un rt [ext sE] keep next new w0 esc; apply/properP; split.
  apply/subsetP => -[y a]; rewrite !inE /= => /andP[yin yk].
  by rewrite sE mem_cat yin index_cat yin keep.
suff [i im nk] : exists2 i, i < size w & (x i, nth a0 w i) \notin known sig Tm.
  by exists (x i, nth a0 w i) => //; have := new i; rewrite modn_small.
have xE i : i <= size w -> x i = foldl T (x 0) (take i w).
  elim: i => [|i IH] le; first by rewrite take0.
  by rewrite next IH ?(ltnW le) // (take_nth a0 le) -cats1 foldl_cat /= modn_small.
have m0 : 0 < size w by case: (w) w0.
case xin: (x 0 \in sig); last by exists 0; rewrite // inE xin.
have ilt : index (x 0) sig < size sig by rewrite index_mem.
have [i im h] := walk_none un rt ilt (esc _ ilt).
by exists i => //; rewrite (xE _ (ltnW im)) -{1}(nth_index s0 xin).
Qed.
End CycleFind.
