(** More rows never revive a classifier ([Limits.certain_is_monotone]): what rule R leaves is the largest
    stable set ([settled_stable], [settled_keeps]), and a stable set of a longer log is stable for a shorter one. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker Limits Covers Sound.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Theorem monotone : certain_is_monotone.
Proof.
move=> width nA l l' f [place ext] ltf; rewrite /survives.
set v := view_of _ _ l; set v' := view_of _ _ l' => surv seen.
have [col' start' row'] := settled_stable true (@rows_all width nA l') [::].
pose restrict c := pack [seq c.[place t] | t <- iota 0 (size (rows l))].
have bitE c t : (restrict c).[t] = (t < size (rows l)) && c.[place t].
  by rewrite (bit_pack_map _ _ _ 0) size_iota; case: ltnP => //= lt; rewrite nth_iota.
have columnE' g : g < width -> column v g = restrict (column v' g).
  move=> lt; apply: bit_inj => t; rewrite bitE /v /v' !columnE // !(bit_pack_map _ _ _ 0%num).
  by case: ltnP => //= /ext[lt' -> _]; rewrite lt'.
have afterE c a t : (after l (restrict c) a).[t] -> t < size (rows l) /\ (after l' c a).[place t].
  rewrite bit_after; case: t => [//|u]; rewrite bitE => /andP[/andP[lt cu] /eqP e].
  have [_ _ /(_ a e)[e' ->]] := ext u lt; rewrite bit_after cu e' eqxx; split=> //; exact: action_row e.
have partlyE c d a : partly (after l (restrict c) a) (restrict d) -> partly (after l' c a) d.
  case/partlyP => t [t' [/afterE[lt wt] /afterE[lt' wt'] dt dt']]; apply/partlyP; exists (place t), (place t').
  by move: dt dt'; rewrite !bitE lt lt' /= => -> ->.
have conflictE c d : conflict v (restrict c) (restrict d) -> conflict v' c d.
  have way_conflict c' d' : has (fun w => partly w (restrict d')) (ways v (restrict c')) ->
      has (fun w => partly w d') (ways v' c').
    case/hasP => w /waysP[a lt ->] /partlyE par; apply/hasP; exists (after l' c' a) => //.
    by apply/waysP; exists a.
  rewrite /conflict => /orP[/orP[/andP[ne /meetsP[t]]|/way_conflict->]|/way_conflict->]; rewrite ?orbT //.
  rewrite !bitE => /andP[lt ct] /andP[_ dt]; rewrite -orbA; apply/orP; left; apply/andP; split.
    by apply: contraNN ne => /N.eqb_eq->; apply: N.eqb_refl.
  by apply/meetsP; exists (place t).
pose K := [pred c | ~~ empty c && (c \in map restrict (settled true v' [::]))].
suff st : stable true v K.
  apply: (settled_keeps (@rows_all width nA l) st); rewrite inE columnE' // map_f // andbT -columnE' //.
  case/(has_nthP 0%num): seen => t lt xf; apply/nonemptyP; exists t.
  by rewrite /v columnE // (bit_pack_map _ _ _ 0%num) lt.
split=> [c /andP[_ /mapP[c' cin' ->]]|c /andP[ne /mapP[c' cin' ec]]|c t /andP[ne /mapP[c' cin' ->]] lt].
- have := col' c' cin'; rewrite -index_mem size_columns => lt.
  by rewrite -(nth_index 0%num (col' c' cin')) -/(column v' _) -columnE' // mem_nth ?size_columns.
- have /and3P[_ no alone'] := start' c' cin'.
  apply/and3P; split=> //; rewrite ec; first by apply: contra no => /conflictE.
  apply: contra alone'; rewrite /alone /closed /= !andbT => /allP cl; apply/allP => _ /waysP[a lta ->].
  have win : after l (restrict c') a \in ways v (restrict c') by apply/waysP; exists a.
  have /andP[/nonemptyP[t wt]] := cl _ win; rewrite /= orbF => /withinP/(_ t wt); rewrite bitE => /andP[lt ct].
  have [_ wt'] := afterE _ _ _ wt; apply/andP; split; first by apply/nonemptyP; exists (place t).
  by rewrite orbF; apply/withinP => u; apply: (way_into no _ wt' ct); apply/waysP; exists a.
have [d' din' /andP[dt no]] := row' c' (place t) cin' (let: And3 h _ _ := ext t lt in h).
exists (restrict d'); last by rewrite bitE lt dt; apply: contra no => /conflictE.
by rewrite inE map_f // andbT; apply/nonemptyP; exists t; rewrite bitE lt dt.
Qed.

(** Two ways to extend a log: other trajectories are added, or the last one is continued. *)
Lemma extends_more (l more : log row) : extends l (l ++ more).
Proof.
exists id => t lt; rewrite /rows /actions !map_cat !flatten_cat !nth_cat -/(rows l) -/(actions l) lt size_cat.
split=> [||a e]; rewrite ?ltn_addr //; split=> //; case: ltnP => // le.
by rewrite nth_default in e.
Qed.
Lemma extends_on (l : log row) x ss more : extends (rcons l (Trajectory x ss)) (rcons l (Trajectory x (ss ++ more))).
Proof.
have [er ea] : rows (rcons l (Trajectory x (ss ++ more))) = rows (rcons l (Trajectory x ss)) ++ map snd more /\
    actions (rcons l (Trajectory x (ss ++ more))) =
    actions l ++ [seq Some s.1 | s <- ss] ++ rcons [seq Some s.1 | s <- more] None.
  by rewrite -!cats1 /rows /actions !map_cat !flatten_cat /= !cats0 !map_cat -?catA -?cats1 -?catA.
exists (fun t => t) => t lt; rewrite er ea [nth 0%num (_ ++ _) _]nth_cat lt size_cat ltn_addr //; split=> // a.
rewrite -cats1 /actions map_cat flatten_cat /= cats0 -cats1 !nth_cat -/(actions l) => e; split=> //.
move: e; case: ltnP => // _; case: ltnP => // _; by case: (_ - _ - _) => // n; rewrite /= nth_nil.
Qed.
