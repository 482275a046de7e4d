(** Phase 2 of Algorithm 1, and the whole ideal run (lines 927-954).

    [cover_ok]: the covering cycle is closed, visits every label, and has between t_mix and
    max(D + t_mix, |S| D) actions. [phase2_ideal]: afterwards every label has d samples of its state, at least
    t_mix apart. [steel_ideal]: the ideal run of STEEL is right, few of its questions can be answered wrongly,
    and it takes at most [steps_bound] steps. *)
From mathcomp Require Import all_ssreflect zify.
From Steel Require Import Statements.
From Steel.looped Require Import Program Algorithm Proposition1 Questions LoopedWord CycleFind Exploring.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma take_nseq (B : Type) (w : seq B) k K j : j <= size w -> k < K ->
  take (k * size w + j) (flatten (nseq K w)) = flatten (nseq k w) ++ take j w.
Proof.
move=> jw; elim: k K => [|k IH] [|K] //= kK; first by rewrite mul0n add0n takel_cat.
rewrite mulSn -addnA take_cat ltnNge leq_addr /= addKn IH // catA //.
Qed.
Lemma size_nseq_flat (B : Type) (w : seq B) k : size (flatten (nseq k w)) = k * size w.
Proof. by elim: k => //= k IH; rewrite size_cat IH mulSn. Qed.

Section Covering.
Variables (A S : finType) (acts : seq A) (a0 : A) (T : S -> A -> S) (s0 : S).
Hypothesis actsP : forall a, a \in acts.
Variables (N tmix ncyc nsamp Dhat D : nat) (d : nat -> nat).
Hypotheses (few : #|S| <= N) (tmix0 : 0 < tmix) (ncyc0 : 0 < ncyc) (nsamp0 : 0 < nsamp).
Hypothesis conn : forall s s', exists2 w, size w <= D & foldl T s w = s'.
Hypothesis D_le : D <= Dhat.
Notation st := (st T s0).
Notation ideal := (ideal T s0).
Notation right_table := (right_table T s0).
Notation inv := (inv T s0 tmix nsamp).
Notation walk_right := (@walk_right A S T s0).
Notation way := (way acts Dhat).
Notation tour := (tour acts Dhat).
Notation self_loop := (self_loop acts Dhat).
Notation lengthen := (lengthen acts tmix Dhat).
Notation cover := (cover acts tmix Dhat).

Section Total.
Variables (sig : seq S) (Tm : table A).
Hypotheses (un : uniq sig) (rt : right_table sig Tm) (co : complete acts Tm (size sig)).
Notation n := (size sig).
Notation visited c w l := (exists2 j, j <= size w & walk Tm c (take j w) = Some l).

Lemma look_total l a : l < n -> exists2 l', look Tm l a = Some l' & l' < n.
Proof.
move=> lt; have := allP co l; rewrite mem_iota => /(_ lt)/allP/(_ a (actsP a)).
by case e: (look Tm l a) => [l'|//] _; exists l' => //; have [] := rt (look_in e).
Qed.
Lemma walk_total l w : l < n -> exists2 l', walk Tm l w = Some l' & l' < n.
Proof.
elim: w l => [|a w IH] l lt /=; first by exists l.
by have [l' -> lt'] := look_total a lt; exact: IH.
Qed.
Lemma short_way l l' : l < n -> l' < n -> exists2 w, walk Tm l w = Some l' & size w <= D.
Proof.
move=> lt lt'; have [w sw e] := conn (nth s0 sig l) (nth s0 sig l'); exists w => //.
have [l2 e2 lt2] := walk_total w lt; rewrite e2; congr Some.
have [_ h] := walk_right rt lt e2; apply/eqP.
by rewrite -(nth_uniq s0 lt2 lt' un) h e.
Qed.
(** Line 925: labels that are closed under all actions stand for all states. *)
Lemma all_in l s : l < n -> s \in sig.
Proof.
move=> lt; have [w _ e] := conn (nth s0 sig l) s; have [l2 e2 lt2] := walk_total w lt.
by have [_ h] := walk_right rt lt e2; rewrite -e -h mem_nth.
Qed.
Lemma wayP c l : c < n -> l < n -> walk Tm c (way Tm c l) = Some l /\ size (way Tm c l) <= D.
Proof.
move=> lc ll; have [w ew sw] := short_way lc ll.
have [||/eqP h1 _ h2] := @first_wordP _ _ actsP (fun w => walk Tm c w == Some l) 0 Dhat.+1 w.
- exact/eqP.
- by lia.
by rewrite /Algorithm.way; split=> //; exact: leq_trans sw.
Qed.
Lemma visitsP c w l : reflect (visited c w l) (Some l \in visits Tm c w).
Proof.
apply: (iffP mapP) => [[j + ->]|[j jw e]]; last by exists j; rewrite ?mem_iota //= ltnS.
by rewrite mem_iota => /= jw; exists j.
Qed.
(** Line 945: the tour visits what it has to, comes home, and has at most D actions for each visit and the way home. *)
Lemma tourS home f c l0 todo : let l := nearest (fun l => size (way Tm c l)) (l0 :: todo) in
  let w := way Tm c l in
  tour Tm home f.+1 c (l0 :: todo) = w ++ tour Tm home f l [seq l' <- l0 :: todo | Some l' \notin visits Tm c w].
Proof. by []. Qed.
Lemma tourP home f c todo : home < n -> c < n -> all (ltn^~ n) todo -> size todo <= f ->
  [/\ walk Tm c (tour Tm home f c todo) = Some home, {in todo, forall l, visited c (tour Tm home f c todo) l}
    & size (tour Tm home f c todo) <= (size todo).+1 * D].
Proof.
move=> lh; have home_ok c0 : c0 < n -> [/\ walk Tm c0 (way Tm c0 home) = Some home,
    {in [::], forall l : nat, visited c0 (way Tm c0 home) l} & size (way Tm c0 home) <= 1 * D].
  by move=> lc; have [h1 h2] := wayP lc lh; rewrite mul1n; split.
elim: f c todo => [|f IH] c [|l0 todo] //; try by move=> lc _ _; exact: home_ok.
move=> lc all_todo sz; rewrite tourS.
have [] := nearestP (fun l => size (way Tm c l)) (mem_head l0 todo).
set l := nearest _ _ => lin _; have ll := allP all_todo l lin; have [ew sw] := wayP lc ll.
set w := way Tm c l in ew sw *; set todo' := [seq l' <- _ | _].
have sz' : size todo' < size (l0 :: todo).
  rewrite size_filter -(count_predC (fun l1 => Some l1 \notin visits Tm c w) (l0 :: todo)).
  rewrite -[X in X < _]addn0 ltn_add2l -has_count; apply/hasP; exists l => //=; rewrite negbK.
  by apply/visitsP; exists (size w); rewrite ?take_size.
have [||r vis sz2] := IH l todo' ll; first by apply/allP => l1; rewrite mem_filter => /andP[_]; exact: (allP all_todo).
  by move: sz' sz => /=; lia.
split; first by rewrite walk_cat ew.
  move=> l1 l1in; case: (boolP (Some l1 \in visits Tm c w)) => [/visitsP[j jw e]|new].
    by exists j; rewrite ?size_cat ?(leq_trans jw) ?leq_addr // takel_cat.
  have [|j js e] := vis l1; first by rewrite mem_filter new.
  exists (size w + j); first by rewrite size_cat leq_add2l.
  by rewrite take_cat ltnNge leq_addr /= addKn walk_cat ew.
rewrite size_cat mulSn; apply: leq_add => //; apply: leq_trans sz2 _.
by rewrite leq_mul2r sz' orbT.
Qed.

(** Line 945: every label has a self-loop of at most D + 1 actions. *)
Lemma self_loopP l : l < n -> walk Tm l (self_loop Tm l) = Some l /\ 0 < size (self_loop Tm l) <= D.+1.
Proof.
move=> lt; have [l' e ltl] := look_total a0 lt; have [w ew sw] := short_way ltl lt.
have [||/eqP h1 h2 h3] := @first_wordP _ _ actsP (fun w => walk Tm l w == Some l) 1 Dhat.+1 (a0 :: w).
- by rewrite /= e ew.
- by rewrite /= !ltnS (leq_trans sw).
by rewrite /Algorithm.self_loop; split=> //; rewrite h2 (leq_trans h3).
Qed.
Lemma walk_nseq l w k : walk Tm l w = Some l -> walk Tm l (flatten (nseq k w)) = Some l.
Proof. by move=> h; elim: k => //= k IH; rewrite walk_cat h. Qed.
Lemma lengthenP c w : c < n -> walk Tm c w = Some c -> let v := lengthen Tm c w in
  [/\ walk Tm c v = Some c, tmix <= size v <= maxn (tmix + D) (size w) & forall l, visited c w l -> visited c v l].
Proof.
move=> lc ew; rewrite /Algorithm.lengthen; set j := nearest _ _.
have jw : j <= size w.
  have [|+ _] := @nearestP (fun j => size (self_loop Tm (odflt c (walk Tm c (take j w))))) (iota 0 (size w).+1) 0.
    by rewrite mem_iota.
  by rewrite -/j mem_iota.
have [lj ej ltj] := walk_total (take j w) lc; rewrite ej /=.
have [el /andP[sl0 sl]] := self_loopP ltj; set o := self_loop Tm lj in el sl0 sl *.
set k := cdiv _ _; have k_ge : tmix - size w <= k * size o by exact: cdiv_ge.
have k_le : k * size o <= tmix - size w + (size o).-1 by exact: cdiv_le.
have k0 : tmix <= size w -> k = 0.
  move=> le; have e0 : tmix - size w = 0 by lia.
  by rewrite /k e0 /cdiv add0n divn_small // prednK.
clearbody k; set F := flatten _; have sF : size F = k * size o by exact: size_nseq_flat.
have eF : walk Tm lj F = Some lj by exact: walk_nseq.
have split_w i : walk Tm c (take (j + i) w) = walk Tm lj (take i (drop j w)) by rewrite takeD walk_cat ej.
split.
- by rewrite !walk_cat ej /= walk_cat eF /= -ew -{2}(cat_take_drop j w) walk_cat ej.
- rewrite !size_cat sF size_takel // size_drop addnCA subnKC //; apply/andP; split; first by lia.
  by case: (leqP tmix (size w)) => [/k0 ->|lt]; [rewrite mul0n leq_maxr | rewrite leq_max; apply/orP; left; lia].
move=> l [i iw e]; case: (leqP i j) => [le|/ltnW le].
  exists i; first by rewrite size_cat size_takel // (leq_trans le) ?leq_addr.
  by rewrite takel_cat ?size_takel // take_take.
exists (j + (size F + (i - j))); first by rewrite !size_cat size_takel // leq_add2l leq_add2l size_drop leq_sub2r.
by rewrite take_cat size_takel // ltnNge leq_addr /= addKn takeD take_size_cat // drop_size_cat //
  walk_cat ej /= walk_cat eF /= -split_w subnKC.
Qed.
(** Lines 939-945 *)
Lemma cover_ok c : c < n -> let w := cover Tm c n in
  [/\ walk Tm c w = Some c, tmix <= size w <= maxn (D + tmix) (n * D)
    & forall l, l < n -> exists2 j, 0 < j <= size w & walk Tm c (take j w) = Some l].
Proof.
move=> lc w; have cin : c \in iota 0 n by rewrite mem_iota.
have sz : size (rem c (iota 0 n)) = n.-1 by rewrite size_rem // size_iota.
have [||ew vis short] := @tourP c n c (rem c (iota 0 n)) lc lc.
- by apply/allP => l /mem_rem; rewrite mem_iota.
- by rewrite sz leq_pred.
have [wc /andP[gw szw] keep] := lengthenP lc ew; rewrite -/w in wc gw szw keep.
have n0 : 0 < n by exact: leq_ltn_trans lc.
split=> //.
  rewrite gw /=; apply: leq_trans szw _; rewrite addnC geq_max leq_maxl leq_max.
  by apply/orP; right; rewrite sz prednK in short.
move=> l ltl; case: (eqVneq l c) => [->|ne].
  by exists (size w); rewrite ?take_size // leqnn andbT (leq_trans tmix0).
have lin : l \in rem c (iota 0 n) by rewrite (mem_rem_uniq _ (iota_uniq 0 n)) !inE ne mem_iota.
have [j js e] := keep l (vis l lin).
exists j => //; rewrite js andbT lt0n.
by apply: contra_neq ne => j0; move: e; rewrite j0 take0 /= => -[].
Qed.
Lemma first_visitP c w l : (exists2 j, 0 < j <= size w & walk Tm c (take j w) = Some l) ->
  first_visit Tm c w l < size w /\ walk Tm c (take (first_visit Tm c w l).+1 w) = Some l.
Proof.
move=> [j jw e]; have h : has (fun j => walk Tm c (take j w) == Some l) (iota 1 (size w)).
  by apply/hasP; exists j; [rewrite mem_iota | exact/eqP].
have lt' : first_visit Tm c w l < size w by move: h; rewrite has_find size_iota.
by split=> //; have := nth_find 0 h; rewrite nth_iota // add1n => /eqP.
Qed.
End Total.

(** The right end of phases 1 and 2: all states, their transitions, and d good samples of each *)
Definition finished h (x : learned A) sig :=
  [/\ uniq sig, forall s, s \in sig, size (datasets x) = size sig, right_table sig (model x)
    & complete acts (model x) (size sig)] /\
  forall l, l < size sig -> let Dl := nth [::] (datasets x) l in
  [/\ all (fun u => (u <= size h) && (st h u == nth s0 sig l)) Dl, apart tmix Dl & d (size sig) <= size Dl].

Lemma passes_ge Ds l : l < size Ds -> d (size Ds) <= size (nth [::] Ds l) + passes_needed d Ds.
Proof.
rewrite /passes_needed -leq_subLR; move: (d _) => D1.
elim: Ds l => [//|D0 Ds IH] [|l] /= lt; first exact: leq_maxl.
by apply: leq_trans (IH l lt) (leq_maxr _ _).
Qed.
Lemma passes_le Ds : all (fun Dl => nsamp <= size Dl) Ds -> passes_needed d Ds <= d (size Ds) - nsamp.
Proof.
rewrite /passes_needed; move: (d _) => D1; elim: Ds => //= D0 Ds IH /andP[h /IH h'].
by rewrite geq_max h' leq_sub2l.
Qed.
(** Lines 946-953 *)
Lemma phase2_ideal h x sig : inv h x sig -> complete acts (model x) (size sig) ->
  let p := phase2 acts tmix Dhat d x in let r := run ideal h p in
  [/\ asked ideal h p = [::], finished r.2 r.1 sig &
      size r.2 <= size h + phase2_bound tmix (d #|S|) #|S| D].
Proof.
case: x => [[[Ds Tm] c] u] [uE ok un rt [lt sc]] co; rewrite /model /= in co.
have sD := all2_size ok; have all_st s := all_in rt co s lt.
have sS : size sig = #|S| by rewrite -(card_uniqP un); apply: eq_card => s; rewrite all_st.
have dataP l : l < size Ds -> good_for T s0 tmix nsamp h (size h) (nth [::] Ds l) (nth s0 sig l).
  by move=> ltl; exact: (all2_nth [::] s0 ok (leq_trans ltl (eq_leq sD))).
have more l : l < size Ds -> d (size sig) <= size (nth [::] Ds l) + passes_needed d Ds.
  by move=> ltl; rewrite -sD; exact: passes_ge.
have less : passes_needed d Ds <= d (size sig) - nsamp.
  rewrite -sD; apply: passes_le; apply/(all_nthP [::]) => l ltl.
  by have /and4P[] := dataP l ltl.
rewrite /phase2; move: (passes_needed d Ds) more less => k more less.
have [K KE] : exists K, K = k.+1 by exists k.+1.
rewrite -KE; case: eqP => [k0|/eqP]; rewrite /= ?run_act_all ?asked_act_all /=.
  split=> //; last exact: leq_addr.
  split=> // l ltl; rewrite /datasets /=; rewrite -sD in ltl; have /and4P[pu _ sp _] := dataP l ltl.
  by split=> //; have := more l ltl; rewrite k0 addn0.
rewrite -lt0n => k0; have [wc /andP[gw wle] vis] := cover_ok un rt co lt; rewrite -sD in wc gw wle vis *.
set w := cover _ _ _ in wc gw wle vis *; clearbody w.
split=> //; last first.
  rewrite size_cat size_nseq_flat leq_add2l /phase2_bound; apply: leq_mul; last by rewrite -sS -sD.
  have S0 : 0 < #|S| by apply/card_gt0P; exists s0.
  by move: less S0; rewrite KE sS; move: (d #|S|) #|S| => x y; lia.
set h' := h ++ _; split; first by split=> //; rewrite size_map size_iota.
move=> l ltl; rewrite -sD in ltl; rewrite /datasets /= (nth_map 0) ?size_iota // nth_iota // add0n.
have /and4P[pu _ sp _] := good_for_cat (flatten (nseq K w)) (dataP l ltl); rewrite -/h' in pu.
have [vl ve] := first_visitP (vis l ltl); set v := (first_visit Tm c w l).+1 in ve *.
have fT : foldl T (nth s0 sig c) w = nth s0 sig c by have [_ <-] := walk_right rt lt wc.
have fk i : foldl T (nth s0 sig c) (flatten (nseq i w)) = nth s0 sig c.
  by elim: i => //= i IH; rewrite foldl_cat fT.
have fv : foldl T (nth s0 sig c) (take v w) = nth s0 sig l by have [_ <-] := walk_right rt lt ve.
split; last by rewrite size_cat size_map size_iota; exact: more.
- rewrite all_cat pu /=; apply/allP => _ /mapP[i + ->]; rewrite mem_iota => /= km.
  have le : i.+1 * size w + v <= K * size w.
    apply: (@leq_trans (i.+2 * size w)); last by rewrite leq_mul2r KE ltnS km orbT.
    by rewrite [i.+2 * _]mulSn addnC leq_add2r.
  rewrite uE /h' size_cat size_nseq_flat leq_add2l le /= /Questions.st take_cat ltnNge leq_addr /= addKn.
  rewrite take_nseq ?KE // !foldl_cat.
  have -> : foldl T s0 h = nth s0 sig c by rewrite -sc /Questions.st take_size.
  by rewrite ?fT fk fv.
rewrite /apart map_cat; apply: (@spaced_cat _ _ (size h)) => //.
  rewrite all_map; apply/allP => y yD /=.
  by have /and4P[/allP/(_ y yD)/andP[]] := dataP l ltl.
rewrite -map_comp; apply: spaced_iota => [|i] /=; rewrite uE.
  by rewrite leq_add2l mul1n (leq_trans gw) ?leq_addr.
by rewrite [i.+2 * _]mulSn; move: (i.+1 * _) => q; lia.
Qed.

(** ** The whole ideal run *)
Theorem steel_ideal : size acts = #|A| ->
  let p := steel acts a0 N tmix ncyc nsamp Dhat d in let r := run ideal [::] p in
  [/\ covered T s0 tmix ncyc.-1 nsamp.-1 (#|S| * #|A| * N.-1) (#|S| * #|A| * (N * (#|S| * D.+1)))
        (asked ideal [::] p),
      size r.2 <= steps_bound N tmix ncyc nsamp (d #|S|) #|S| #|A| D
    & exists sig, finished r.2 r.1 sig].
Proof.
move=> sA p r; rewrite /r /p /steel sA {r p}; set cf := cyclefind _ _ _ _ _ _ _ _ _.
have un0 : uniq ([::] : seq S) by [].
have rt0 : right_table [::] [::] by [].
have [cv [sig [k [y [iv [ext keep] [_ cyc] new steps]]]]] :=
  @cyclefind_ideal A S a0 T s0 N tmix ncyc nsamp few tmix0 ncyc0 nsamp0 [:: a0] [::] [::] [::] [::] isT isT un0 rt0.
rewrite -/cf in cv iv keep new steps.
rewrite run_bind asked_bind; set r := run ideal [::] cf in iv cv keep new steps *.
set qs := asked ideal [::] cf in cv *; clearbody r qs; clear cf.
have S0 : 0 < #|S| by apply/card_gt0P; exists s0.
have N0 : 0 < N by exact: leq_trans few.
have pr : 0 < #|known sig (model r.1)| by apply/card_gt0P; exists (y 0, nth a0 [:: a0] (0 %% 1)).
have sig0 : sig != [::] by apply/eqP => e; have := new 0; rewrite e inE.
have [|cv1 steps1 [sig1 [iv1 sig10 co]]] :=
  phase1_ideal a0 actsP few tmix0 ncyc0 nsamp0 conn D_le (calls := N * #|A|) iv sig0.
  by apply: leq_trans (leq_addl _ _); rewrite leq_mul2r few orbT.
rewrite run_bind asked_bind; set r1 := run ideal r.2 _ in iv1 co cv1 steps1 *.
set qs1 := asked ideal r.2 _ in cv1 *; clearbody r1 qs1.
have [as2 fin steps2] := phase2_ideal iv1 co; rewrite as2 cats0.
have cK : #|known sig (model r.1)| <= #|S| * #|A| by rewrite -card_prod max_card.
have hK : (#|S| * #|A| - #|known sig (model r.1)|).+1 <= #|S| * #|A| by lia.
have one : 1 <= #|S| * D.+1 by rewrite muln_gt0 S0.
split; last by exists sig1.
  apply: covered_le (covered_cat cv cv1); first by rewrite -mulSn leq_mul2r hK orbT.
  apply: (@leq_trans ((#|S| * #|A| - #|known sig (model r.1)|).+1 * (N * (#|S| * D.+1)))).
    by rewrite mulSn leq_add2r leq_mul2l one orbT.
  by rewrite leq_mul2r hK orbT.
apply: leq_trans steps2 _; rewrite /steps_bound leq_add2r; apply: leq_trans steps1 _.
set c := call_bound _ _ _ _ _ _; apply: (@leq_trans ((#|S| * #|A| - #|known sig (model r.1)|).+1 * c)).
  rewrite mulSn leq_add2r; apply: leq_trans steps _; rewrite add0n.
  exact: call_bound_mono.
by rewrite leq_mul2r hK orbT.
Qed.
End Covering.
