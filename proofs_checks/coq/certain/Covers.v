(** Covers: the sets of columns that could belong to the states. The rules of the checker never remove a member
    of an admissible cover; so if it accepts, the claimed cover is the only admissible one. This is rule R
    (Theorem 4), closed sets (Lemma 2) and the clauses, for any set that satisfies the conditions; [Sound.v]
    shows that the columns of the true states are such a set. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Clauses Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Two columns do not conflict. *)
Section Conflicts.
Variables (v : view) (c d : N).
Hypothesis no : ~~ conflict v c d.

Lemma same_if_together t : c.[t] -> d.[t] -> c = d.
Proof.
move=> ct dt; apply/N.eqb_eq/negbNE; move: no; rewrite /conflict !negb_or negb_and -andbA => /andP[/orP[//|]].
by case/negP; apply/meetsP; exists t.
Qed.
Lemma way_into w t t' : w \in ways v c -> w.[t] -> d.[t] -> w.[t'] -> d.[t'].
Proof.
move=> win wt dt wt'; move: no; rewrite /conflict !negb_or => /andP[/andP[_ /hasPn/(_ _ win) ok] _].
by apply: contraNT ok => dt'; apply/partlyP; exists t, t'; split=> //; apply: negbTE.
Qed.
End Conflicts.


Section Covers.
Variables (connected : bool) (v : view).
Hypothesis rowsE : forall t, (all_rows v).[t] = (t < height v).
Hypothesis columns_low : forall c t, c \in columns v -> c.[t] -> t < height v.

Lemma hitP cs : reflect (forall t, t < height v -> exists2 c, c \in cs & c.[t]) (hit v cs).
Proof.
apply: (iffP (withinP _ _)) => ok t.
  by rewrite -rowsE => /ok; rewrite bit_union => /hasP.
by rewrite rowsE => /ok[c cin ct]; rewrite bit_union; apply/hasP; exists c.
Qed.

Record cover (K : pred N) : Prop := Cover {
  cover_column : forall c, K c -> c \in columns v;
  cover_seen : forall c, K c -> ~~ empty c;
  cover_hit : forall t, t < height v -> exists2 c, K c & c.[t];
  cover_agree : forall c d, K c -> K d -> ~~ conflict v c d }.

(** No member would be the only state; and in a connected world, members that cannot be left are shown on all
    rows. *)
Record admissible (K : pred N) : Prop := Admissible {
  not_alone : forall c, K c -> ~~ alone connected v c;
  none_left_out : connected -> forall cs, ~~ nilp cs -> closed v cs -> (forall c, c \in cs -> K c) -> hit v cs }.

(** ** Rule R
    A set is stable if rule R removes none of its members while all of them are left. *)
Record stable (K : pred N) : Prop := Stable {
  stable_column : forall c, K c -> c \in columns v;
  stable_start : forall c, K c -> [&& ~~ empty c, ~~ conflict v c c & ~~ alone connected v c];
  stable_row : forall c t, K c -> t < height v -> exists2 d, K d & d.[t] && ~~ conflict v c d }.

Lemma cover_stable K : cover K -> admissible K -> stable K.
Proof.
move=> cov adm; split=> [c|c Kc|c t Kc lt]; first exact: cover_column.
  by rewrite (cover_seen cov) // (cover_agree cov) // (not_alone adm).
by have [d Kd dt] := cover_hit cov lt; exists d; rewrite // dt (cover_agree cov).
Qed.

Section Stable.
Variable K : pred N.
Hypothesis st : stable K.
Let inside (left : seq N) := forall c, K c -> c \in left.

Lemma remove_keeps left r : inside left -> inside (remove v left r).
Proof.
move=> ins c Kc; rewrite /remove; case: ifP => [/andP[lt /allP all_]|_]; last exact: ins.
rewrite mem_filter ins // andbT; apply/N.eqb_spec => ec.
have [d Kd /andP[dt no]] := stable_row st Kc lt; have := all_ d (ins d Kd).
by rewrite dt -ec (negbTE no).
Qed.
Lemma sieve_keeps left : inside left -> inside (sieve v left).
Proof.
move=> ins c Kc; rewrite mem_filter ins // andbT; apply/hitP => t lt.
by have [d Kd /andP[dt no]] := stable_row st Kc lt; exists d; rewrite // mem_filter no ins.
Qed.
Lemma settle_keeps fuel left : inside left -> inside (settle v fuel left).
Proof.
elim: fuel left => [|x fuel IH] left ins /=; first exact: sieve_keeps.
by case: ifP => // _; apply/IH/sieve_keeps.
Qed.
(** Theorem 4. *)
Lemma settled_keeps rs c : K c -> c \in settled connected v rs.
Proof.
apply: settle_keeps; have : inside (candidates connected v).
  by move=> d Kd; rewrite mem_filter mem_undup (stable_column st) // andbT -andbA (stable_start st).
elim: rs (candidates _ _) => [|r rs IH] left ins //=.
by apply/IH/remove_keeps.
Qed.
End Stable.

Lemma sieve_sub left : {subset sieve v left <= left}. Proof. by move=> c; rewrite mem_filter => /andP[]. Qed.
Lemma settled_sub rs : {subset settled connected v rs <= candidates connected v}.
Proof.
have sub_settle fuel left : {subset settle v fuel left <= left}.
  elim: fuel left => [|x fuel IH] left c /=; first exact: sieve_sub.
  by case: ifP => // _ /IH/sieve_sub.
suff sub rs' left : {subset foldl (remove v) left rs' <= left} by move=> c /sub_settle/sub.
elim: rs' left => [|r rs' IH] left c //= /IH; rewrite /remove; case: ifP => // _.
by rewrite mem_filter => /andP[].
Qed.
Lemma settled_columns rs : {subset settled connected v rs <= columns v}.
Proof. by move=> c /settled_sub; rewrite mem_filter mem_undup => /andP[]. Qed.

(** What is left is stable: so it is the largest stable set, whatever the hints were. *)
Lemma settled_stable rs : stable (mem (settled connected v rs)).
Proof.
split=> [c /settled_columns //|c /settled_sub|c t].
  by rewrite mem_filter => /andP[]; rewrite -andbA.
rewrite /settled; set left := foldl _ _ _.
have : forall fuel left, size left <= size fuel -> sieve v (settle v fuel left) = settle v fuel left.
  elim=> [|x fuel IH] l; first by rewrite leqn0 => /nilP->.
  rewrite /= => le; case: ifP => [/eqP e|/negbT ne].
    by apply/all_filterP; rewrite all_count -size_filter; apply/eqP.
  by apply: IH; rewrite -ltnS; apply: leq_trans le; rewrite ltn_neqAle ne size_filter count_size.
move=> /(_ left left (leqnn _)) fix_ Kc lt; move: (Kc); rewrite inE -{1}fix_ mem_filter => /andP[/hitP/(_ t lt)[d]].
by rewrite mem_filter => /andP[no din] dt _; exists d; rewrite ?inE // dt.
Qed.

(** ** Clauses *)
Section Keep.
Variable K : pred N.
Hypotheses (cov : cover K) (adm : admissible K).
Let inside (left : seq N) := forall c, K c -> c \in left.

Lemma bit_singleton f g : (singleton f).[g] = (g == f).
Proof.
rewrite /bit /singleton N.shiftl_1_l N.pow2_bits_eqb.
by apply/N.eqb_spec/eqP => [/Nat2N.inj|->].
Qed.

(** Variable [f] is true if the column of [f] belongs to [K]. *)
Let true_in f := K (column v f).

Lemma bit_those cs (p : pred N) f :
  reflect (exists c, [/\ c \in cs, p c & f = index c (columns v)]) (those (named v cs) p).[f].
Proof.
rewrite bit_union; apply: (iffP hasP) => [[m /mapP[r]]|[c [cin pc ->]]].
  by rewrite mem_filter => /andP[pr /mapP[c cin er]] ->; rewrite er bit_singleton => /eqP->; exists c; rewrite er in pr.
exists (singleton (index c (columns v))); last by rewrite bit_singleton.
apply/mapP; exists (singleton (index c (columns v)), c) => //.
by rewrite mem_filter pc; apply/mapP; exists c.
Qed.
Lemma column_index c : c \in columns v -> column v (index c (columns v)) = c.
Proof. exact: nth_index. Qed.
Lemma true_index c : K c -> true_in (index c (columns v)).
Proof. by move=> Kc; rewrite /true_in column_index // (cover_column cov). Qed.

Lemma all_hold_cat xs ys : all_hold true_in xs -> all_hold true_in ys -> all_hold true_in (xs ++ ys).
Proof. by elim: xs => [//|x xs IH] /= [h /IH ok] /ok. Qed.
Lemma all_hold_map (Y : eqType) (g : Y -> fact) ys :
  (forall y, y \in ys -> holds true_in (g y)) -> all_hold true_in (map g ys).
Proof.
elim: ys => [//|y ys IH] ok; split; first by apply: ok; rewrite mem_head.
by apply: IH => z zin; apply: ok; rewrite inE zin orbT.
Qed.

Lemma clauses_hold left : {subset left <= columns v} -> inside left -> all_hold true_in (clauses v (named v left)).
Proof.
move=> sub ins; apply: all_hold_cat; apply: all_hold_map.
  move=> r /mapP[c cin ->] f g; rewrite bit_singleton => /eqP-> /bit_those[d [din cd ->]].
  rewrite /true_in !column_index ?sub // => Kc; apply: contraL cd; exact: cover_agree.
move=> m; rewrite mem_undup => /mapP[t]; rewrite mem_iota => /andP[_ lt] ->.
have [c Kc ct] := cover_hit cov lt; exists (index c (columns v)).
by rewrite true_index // andbT; apply/orP; left; apply/bit_those; exists c; split=> //; apply: ins.
Qed.

Lemma proved_sound xs ps : all_hold true_in xs -> proved connected v xs ps -> False.
Proof.
elim: ps xs => [|[p q|fs] ps IH] xs all_ /=.
- by move/(follows_sound all_); apply=> -[f]; rewrite !bit0.
- by case/andP => /(follows_sound all_) learnt /IH no; apply: learnt => ok; apply: no.
case/andP => /and4P[con some cl nohit] /IH no.
case allK: (all true_in fs).
  case/negP: nohit; apply: (none_left_out adm) => // c /mapP[f fin ->]; exact: (allP allK).
move/negbT: allK; rewrite -has_predC => /hasP[f fin /= nf]; apply: no; split=> //.
exists f; rewrite bit0 bit_union nf andbT; apply/hasP; exists (singleton f); rewrite ?bit_singleton //.
exact: map_f.
Qed.

Lemma all_fine_sound fine rs ps : all_fine connected v fine (settled connected v rs) ps -> forall c, K c -> fine c.
Proof.
have [sub ins] : {subset settled connected v rs <= columns v} /\ inside (settled connected v rs).
  by split; [exact: settled_columns|move=> c; apply/settled_keeps/cover_stable].
move: (settled _ _ _) sub ins => left sub ins no c Kc; apply: contraLR no => nin; rewrite negb_or.
have bit_c : (those (named v left) (fun d => ~~ fine d)).[index c (columns v)].
  by apply/bit_those; exists c; split=> //; apply: ins.
apply/andP; split; first by apply/nonemptyP; exists (index c (columns v)).
apply/negP; apply: proved_sound; split; last exact: clauses_hold.
by exists (index c (columns v)); rewrite bit_c true_index.
Qed.
End Keep.

(** ** The claimed cover is the only one *)
Lemma apart_seen seen cs c t : apart seen cs -> c \in cs -> seen.[t] -> c.[t] = false.
Proof.
elim: cs seen => [//|d cs IH] seen /= /andP[no ap]; rewrite inE => /orP[/eqP->|cin] st.
  by apply: contraNF no => dt; apply/meetsP; exists t.
by apply: IH ap cin _; rewrite bit_lor st.
Qed.
Lemma apart_same seen cs c d t : apart seen cs -> c \in cs -> d \in cs -> c.[t] -> d.[t] -> c = d.
Proof.
elim: cs seen => [//|b cs IH] seen /= /andP[_ ap].
rewrite !inE => /orP[/eqP->|cin] /orP[/eqP->|din] // ct dt; last exact: IH ap cin din ct dt.
  by have := apart_seen ap din; move=> /(_ t); rewrite bit_lor ct orbT dt => /(_ isT).
by have := apart_seen ap cin; move=> /(_ t); rewrite bit_lor dt orbT ct => /(_ isT).
Qed.

Lemma only_cover cs rs ps K : complete connected v cs -> no_other connected v cs (settled connected v rs) ps ->
  cover K -> admissible K -> forall c, K c = (c \in cs).
Proof.
case/and5P => _ /allP seen ap /hitP hits _ no cov adm.
have sub := all_fine_sound cov adm no.
move=> c; apply/idP/idP => [/sub //|cin]; have /andP[/nonemptyP[t ct] cv] := seen c cin.
have [d Kd dt] := cover_hit cov (columns_low cv ct).
by rewrite (apart_same ap cin (sub d Kd) ct dt).
Qed.
End Covers.
