(** No rule can do better ([Limits.certain_is_optimal], [Limits.certain_is_optimal_if_connected]): every
    explanation of a log is a world that fits it, with any target for the transitions that were not taken; for one
    trajectory and without a trap, the world can be chosen connected (Theorem 7 and Lemma 3, without probability). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker Limits Covers Sound Worlds.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Explanation.
Variables (width nA : nat) (l : log row) (fs : seq nat).
Hypotheses (rd : readable width nA l) (ex : explains width l fs).
Let n := size fs.
Let col (s : 'I_n) : N := column_at width nA l s.

Lemma small : all (fun f => f < width) fs.
Proof. by have [_ /allP ok _ _] := ex; apply/allP => f /ok/andP[]. Qed.
Lemma bit_col s t : (col s).[t] = (t < size (rows l)) && (nth 0%num (rows l) t).[nth 0 fs s].
Proof. exact: bit_at small _ _. Qed.
Lemma some_label t : t < size (rows l) -> exists s, (col s).[t].
Proof.
have [_ _ one _] := ex => lt; have [i lti one_t] := one t lt.
by exists (Ordinal lti); rewrite bit_col lt one_t /=.
Qed.
Lemma one_label s s' t : (col s).[t] -> (col s').[t] -> s = s'.
Proof.
rewrite !bit_col; have [_ _ one _] := ex => /andP[lt st] /andP[_ st']; have [i _ one_t] := one t lt.
by apply/ord_inj; move: st st'; rewrite !one_t // => /eqP-> /eqP->.
Qed.
Lemma col_seen s : ~~ empty (col s).
Proof.
have [_ /allP/(_ (nth 0 fs s)) ok _ _] := ex; have /andP[_ /(has_nthP 0%num)[t lt xt]] := ok (mem_nth 0 (ltn_ord s)).
by apply/nonemptyP; exists t; rewrite bit_col lt.
Qed.

Lemma later c a t : (after l c a).[t] -> t < size (rows l).
Proof. by rewrite bit_after; case: t => // t /andP[_ /eqP/action_row]. Qed.
(** After the same action at the same label comes the same label. *)
Lemma steady_after s s' a : meets (after l (col s) a) (col s') -> within (after l (col s) a) (col s').
Proof.
have [_ _ _ steady] := ex; case/meetsP => t'; rewrite bit_after; case: t' => // t' /andP[ct' /eqP e'] st'.
apply/withinP => t wt; have lt := later wt; move: wt; rewrite bit_after; case: t lt => // t lt /andP[ct /eqP e].
move: ct ct' st'; rewrite !bit_col => /andP[_ xt] /andP[_ xt'] /andP[_ yt'].
by rewrite lt /=; apply: steady (mem_nth 0 _) (mem_nth 0 _) e' e xt' xt yt'.
Qed.
(** An explanation is a cover. *)
Lemma explains_cover : cover (view_of width nA l) (mem [seq column (view_of width nA l) f | f <- fs]).
Proof.
have as_col c : c \in [seq column (view_of width nA l) f | f <- fs] -> exists s, c = col s.
  case/mapP => f fin ->; have lt : index f fs < n by rewrite index_mem.
  by exists (Ordinal lt); rewrite /col /column_at /= nth_index.
have no_way s s' : ~~ has (fun d => partly d (col s')) (ways (view_of width nA l) (col s)).
  by apply/hasPn => d /waysP[a _ ->]; rewrite negb_and -implybE negbK; apply/implyP/steady_after.
split=> [c /mapP[f fin ->]|c /as_col[s ->]|t /some_label[s st]|c d /as_col[s ->] /as_col[s' ->]].
- by rewrite mem_nth // size_columns; apply: (allP small).
- exact: col_seen.
- by exists (col s); rewrite // inE; apply/map_f/mem_nth.
rewrite /conflict !negb_or !no_way !andbT negb_and negbK orbC -implyNb negbK; apply/implyP.
by case/meetsP => t st st'; rewrite (one_label st st'); apply: N.eqb_refl.
Qed.

(** A table that agrees with the rows; transitions that were not taken lead to [d]. *)
Definition completed (d : 'I_n) (s : 'I_n) (a : nat) : 'I_n :=
  if [pick s' | meets (after l (col s) a) (col s')] is Some s' then s' else d.
Lemma completed_agrees d s a : a < nA -> within (after l (col s) a) (col (completed d s a)).
Proof.
move=> _; rewrite /completed; case: pickP => [s' /steady_after //|/= none]; apply/withinP => t wt.
by have [s' st] := some_label (later wt); have /negbT/negP[] := none s'; apply/meetsP; exists t.
Qed.
Lemma completed_untaken d s a : empty (after l (col s) a) -> completed d s a = d.
Proof. by move=> /emptyP no; rewrite /completed; case: pickP => // s' /meetsP[t]; rewrite no. Qed.

Definition completed_world (d : 'I_n) := cover_world d (completed d).
Lemma completed_visited d (s : state (completed_world d)) : visited l s.
Proof. exact: (cover_visited small some_label one_label (col_seen s)). Qed.
Lemma completed_fits d : fits width nA bits (completed_world d) false l.
Proof.
split=> //; first exact: (cover_possible rd small some_label one_label _ (@completed_agrees d)).
  exact: (cover_realised rd small some_label one_label).
have [two _ _ _] := ex; move=> _; exists (Ordinal (ltnW two)), (Ordinal two).
by split; rewrite ?completed_visited.
Qed.
Lemma completed_classifies d (s : state (completed_world d)) f : f < width ->
  classifies bits l f s = (column (view_of width nA l) f == col s).
Proof.
move=> lt; rewrite (classifiesE bits nA l s lt) -(readable_record rd); congr (_ == _).
apply: bit_inj => t; rewrite bit_column.
by rewrite -(at_rowE small some_label one_label).
Qed.
End Explanation.

(** ** Connected worlds with one trajectory (Lemma 3) *)
Section OneTrajectory.
Variables (width nA : nat) (tr : trajectory row) (fs : seq nat).
Let l := [:: tr].
Hypotheses (rd : readable width nA l) (ex : explains width l fs) (open : no_trap nA l fs).
Variable d : 'I_(size fs).
Let w := completed_world width nA l d.
Hypothesis first_row : at_row w l 0 = Some d.

Let edge (s s' : state w) := [exists a : 'I_nA, step w s a == s'].
Lemma edge_step (s : state w) a : a < nA -> edge s (step w s a).
Proof. by move=> lt; apply/existsP; exists (Ordinal lt). Qed.
Lemma connect_word s s' : connect edge s s' -> exists2 u, all (fun a => a < nA) u & foldl (step w) s u = s'.
Proof.
case/connectP => p; elim: p s => [|s1 p IH] s /=; first by move=> _ ->; exists [::].
case/andP => /existsP[a /eqP <-] /IH{IH} rest /rest[u ok e]; exists (val a :: u) => //=.
by rewrite ok andbT; apply: ltn_ord.
Qed.

Lemma next_action t : t.+1 < size (rows l) -> exists a, nth None (actions l) t = Some a.
Proof.
rewrite /rows /actions /= !cats0 /= size_map ltnS => lt.
by exists (nth (0, 0%num) (steps tr) t).1; rewrite nth_rcons size_map lt (nth_map (0, 0%num)).
Qed.
Lemma along k t s s' : at_row w l t = Some s -> at_row w l (t + k) = Some s' -> connect edge s s'.
Proof.
elim: k t s => [|k IH] t s es; first by rewrite addn0 es => -[<-].
rewrite -addSnnS => es'; have lt : t.+1 < size (rows l).
  rewrite ltnNge; apply/negP => le; move: es'; rewrite /at_row nth_default // size_map.
  exact: leq_trans le (leq_addr _ _).
have [a ea] := next_action lt.
have [s1] := elimT (possibleP _ _ _) (fits_possible (completed_fits rd ex d)) t a ea; rewrite es => -[<-] [lta e1].
exact: connect_trans (connect1 (edge_step s lta)) (IH _ _ e1 es').
Qed.

Lemma completed_connected : connected_world nA w.
Proof.
have vis (s : state w) : exists2 t, t < size (rows l) & at_row w l t = Some s by apply/visited_at/completed_visited.
have from_d s : connect edge d s by have [t _ es] := vis s; apply: (along (k := t) first_row).
have pos : 0 < size (rows l) by have [t /(leq_trans _)-> //] := vis d.
have [p ep] : exists p, at_row w l (size (rows l)).-1 = Some p by apply: row_state; rewrite prednK.
have to_p s : connect edge s p.
  have [t lt es] := vis s; have le : t <= (size (rows l)).-1 by rewrite -ltnS prednK.
  by apply: (along (k := (size (rows l)).-1 - t) es); rewrite subnKC.
suff from_p s : connect edge p s by move=> s s'; apply/connect_word/(connect_trans (to_p s)).
case: (boolP [exists s1, connect edge p s1 && [exists a : 'I_nA, empty (after l (column_at width nA l s1) a)]]).
  case/existsP => s1 /andP[ps1 /existsP[a none]]; apply: connect_trans (from_d s); apply: connect_trans ps1 (connect1 _).
  by rewrite -[d](completed_untaken d none); apply: edge_step.
move=> all_taken; pose gs := [seq nth 0 fs (s1 : 'I_(size fs)) | s1 <- enum (connect edge p)].
have in_gs (s1 : 'I_(size fs)) : connect edge p s1 -> nth 0 fs s1 \in gs by move=> ps1; apply: map_f; rewrite mem_enum.
have : all (fun x => has (fun g => x.[g]) gs) (rows l).
  apply: open => [|g /mapP[s1 _ ->]|g a /mapP[s1 s1in ->] lta].
  - by have := in_gs p (connect0 _ _); case: (gs).
  - by rewrite mem_nth.
  rewrite mem_enum in s1in; have lt1 := small_at (small ex) s1.
  have bitE t (s2 : 'I_(size fs)) : t < size (rows l) -> (nth 0%num (rows l) t).[nth 0 fs s2] = (column_at width nA l s2).[t].
    by move=> lt; rewrite (bit_at _ _ (small ex)) lt.
  split.
    have : ~~ empty (after l (column_at width nA l s1) a).
      apply: contra all_taken => none; apply/existsP; exists s1; rewrite [connect _ _ _]s1in.
      by apply/existsP; exists (Ordinal lta).
    case/nonemptyP => -[|t]; rewrite bit_after // => /andP[ct /eqP ea]; exists t => //.
    by rewrite bitE // ltnW // (action_row ea).
  exists (nth 0 fs (step w s1 a)); first by apply: in_gs; apply: connect_trans s1in (connect1 (edge_step s1 lta)).
  move=> t xt ea; have lt := action_row ea; rewrite bitE //.
  apply: (withinP _ _ (completed_agrees ex d s1 lta)).
  by rewrite bit_after -bitE ?(ltnW lt) // xt ea eqxx.
have [t lt es] := vis s; move=> /(all_nthP 0%num)/(_ t lt)/hasP[g /mapP[s2 s2in ->]].
rewrite mem_enum in s2in => xt; suff -> : s = s2 by [].
have : (column_at width nA l s2).[t] by rewrite (bit_at _ _ (small ex)) lt.
rewrite (at_rowE (small ex) (some_label nA ex) (@one_label _ nA _ _ ex) d (completed width nA l d)).
by rewrite es => /eqP[].
Qed.
End OneTrajectory.

(** Labels of two explanations with a classifier in common have the same column. *)
Lemma same_column width nA l r fs gs (rd : readable width nA l) (exf : explains width l fs) (exg : explains width l gs) df dg
    (lf : state (completed_world width nA l (fs := fs) df) -> nat)
    (lg : state (completed_world width nA l (fs := gs) dg) -> nat) :
  right width nA bits l r lf -> right width nA bits l r lg ->
  forall s, exists2 s', lg s' = lf s & column_at width nA l s = column_at width nA l s'.
Proof.
move=> rf rg s; have vis := completed_visited exf s.
have [_ /(_ (ex_intro2 _ _ s vis erefl))] := right_labels rf (lf s).
case/(right_labels rg) => s' vis' e; exists s' => //; have lt := small_at (small exf) s.
apply/eqP; rewrite -(completed_classifies rd exg s' lt) (right_encoder rg) // e -(right_encoder rf) //.
by rewrite (completed_classifies rd exf s lt).
Qed.
Lemma same_rows width nA (l : log row) fs gs f (s' : 'I_(size gs)) (fin : f \in fs) :
  explains width l fs -> explains width l gs -> column (view_of width nA l) f = column_at width nA l s' ->
  exists2 g, g \in gs & all (fun x => x.[f] == x.[g]) (rows l).
Proof.
move=> exf exg es; exists (nth 0 gs s'); first by rewrite mem_nth.
move: es; rewrite /column_at !columnE ?(small_at (small exg)) ?(allP (small exf)) // => /pack_inj.
by rewrite !size_map => /(_ erefl); elim: (rows l) => //= x xs IH [-> /IH->]; rewrite eqxx.
Qed.

Theorem optimal : certain_is_optimal.
Proof.
move=> width nA l r rd all_right fs ex; split=> [f a fin lta|gs exg f fin]; last first.
  have lt : index f fs < size fs by rewrite index_mem.
  have [two _ _ _] := exg.
  have [lf rf] := all_right _ (completed_fits rd ex (Ordinal lt)).
  have [lg rg] := all_right _ (completed_fits rd exg (Ordinal (ltnW two))).
  have [s' _ es] := same_column rd ex exg rf rg (Ordinal lt).
  by apply: (same_rows fin ex exg (nA := nA) (s' := s')); rewrite -es /column_at /= nth_index.
have lt : index f fs < size fs by rewrite index_mem.
pose s := Ordinal lt; have [two _ _ _] := ex; pose d0 := Ordinal (ltnW two); pose d1 := Ordinal two.
case: (boolP (empty (after l (column_at width nA l s) a))) => [none|/nonemptyP[t]]; last first.
  rewrite bit_after; case: t => // t; rewrite (bit_at _ _ (small ex)) /= nth_index // => /andP[/andP[_ xf] /eqP e].
  by exists t.
have [l0 r0] := all_right _ (completed_fits rd ex d0).
have [l1 r1] := all_right _ (completed_fits rd ex d1).
have vis (d : 'I_(size fs)) (s' : state (completed_world width nA l d)) : visited l s' by apply: (completed_visited ex).
have l01 s' : l1 s' = l0 s'.
  have [s2 <- es] := same_column rd ex ex r0 r1 s'; congr l1.
  have /nonemptyP[t st] := col_seen nA ex s'; apply: (one_label ex (t := t) st).
  by rewrite -es.
have e0 := right_table r0 (vis d0 s) lta; have e1 := right_table r1 (vis d1 s) lta.
have : l1 d1 = l1 d0.
  move: e0 e1; rewrite /= !completed_untaken // -!l01 => -> ->; by [].
by move/(right_distinct r1 (vis d1 d1) (vis d1 d0))/(congr1 val).
Qed.

Theorem optimal_if_connected : certain_is_optimal_if_connected.
Proof.
move=> width nA tr r rd all_right fs gs exf openf exg openg f fin.
have connected_fit hs : explains width [:: tr] hs -> no_trap nA [:: tr] hs ->
    exists d, fits width nA bits (completed_world width nA [:: tr] (fs := hs) d) true [:: tr].
  move=> exh openh; have [d dt] : exists d : 'I_(size hs), (column_at width nA [:: tr] d).[0] by apply: some_label.
  have [two _ _ _] := exh; have [pos real _ _] := completed_fits rd exh d.
  exists d; split=> // [_|_]; last by rewrite card_ord.
  apply: (completed_connected rd exh openh); apply/eqP.
  by rewrite -(at_rowE (small exh) (some_label nA exh) (one_label exh)).
have [[df /all_right[lf rf]] [dg /all_right[lg rg]]] := (connected_fit fs exf openf, connected_fit gs exg openg).
have lt : index f fs < size fs by rewrite index_mem.
have [s' _ es] := same_column rd exf exg rf rg (Ordinal lt).
by apply: (same_rows fin exf exg (nA := nA) (s' := s')); rewrite -es /column_at /= nth_index.
Qed.
