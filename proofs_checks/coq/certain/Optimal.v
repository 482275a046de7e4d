(** No rule can do better ([Statement.certain_is_optimal]): every explanation of a log is a world that fits it, with
    any target for the transitions that were not taken (Theorem 7 for logs, without probability). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Checker Statement Covers Sound Worlds.
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

Theorem optimal : certain_is_optimal.
Proof.
move=> width nA l r rd all_right fs ex.
(* labels with a classifier in common have the same column *)
have same gs hs (exg : explains width l gs) (exh : explains width l hs) dg dh
    (lg : state (completed_world width nA l (fs := gs) dg) -> nat)
    (lh : state (completed_world width nA l (fs := hs) dh) -> nat) :
    right width nA bits l r lg -> right width nA bits l r lh ->
    forall s, exists2 s', lh s' = lg s & column_at width nA l s = column_at width nA l s'.
  move=> rg rh s; have vis := completed_visited exg s.
  have [_ /(_ (ex_intro2 _ _ s vis erefl))] := right_labels rg (lg s).
  case/(right_labels rh) => s' vis' e; exists s' => //; have lt := small_at (small exg) s.
  apply/eqP; rewrite -(completed_classifies rd exh s' lt) (right_encoder rh) // e -(right_encoder rg) //.
  by rewrite (completed_classifies rd exg s lt).
split=> [f a fin lta|gs exg f fin]; last first.
  have lt : index f fs < size fs by rewrite index_mem.
  have [two _ _ _] := exg; have [zero ltf] := (Ordinal (ltnW two), allP (small ex) f fin).
  have [lf rf] := all_right _ (completed_fits rd ex (Ordinal lt)).
  have [lg rg] := all_right _ (completed_fits rd exg zero).
  have [s' _ es] := same _ _ ex exg _ _ _ _ rf rg (Ordinal lt).
  exists (nth 0 gs s'); first by rewrite mem_nth.
  move: es; rewrite /column_at /= nth_index // !columnE ?(small_at (small exg)) // => /pack_inj.
  by rewrite !size_map => /(_ erefl); elim: (rows l) => //= x xs IH [-> /IH->]; rewrite eqxx.
have lt : index f fs < size fs by rewrite index_mem.
pose s := Ordinal lt; have [two _ _ _] := ex; pose d0 := Ordinal (ltnW two); pose d1 := Ordinal two.
case: (boolP (empty (after l (column_at width nA l s) a))) => [none|/nonemptyP[t]]; last first.
  rewrite bit_after; case: t => // t; rewrite (bit_at _ _ (small ex)) /= nth_index // => /andP[/andP[_ xf] /eqP e].
  by exists t.
have [l0 r0] := all_right _ (completed_fits rd ex d0).
have [l1 r1] := all_right _ (completed_fits rd ex d1).
have vis (d : 'I_(size fs)) (s' : state (completed_world width nA l d)) : visited l s' by apply: (completed_visited ex).
have l01 s' : l1 s' = l0 s'.
  have [s2 <- es] := same _ _ ex ex _ _ _ _ r0 r1 s'; congr l1.
  have /nonemptyP[t st] := col_seen nA ex s'; apply: (one_label ex (t := t) st).
  by rewrite -es.
have e0 := right_table r0 (vis d0 s) lta; have e1 := right_table r1 (vis d1 s) lta.
have : l1 d1 = l1 d0.
  move: e0 e1; rewrite /= !completed_untaken // -!l01 => -> ->; by [].
by move/(right_distinct r1 (vis d1 d1) (vis d1 d0))/(congr1 val).
Qed.
