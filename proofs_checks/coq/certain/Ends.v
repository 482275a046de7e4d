(** When certain STEEL ends ([Limits.certain_ends], Theorem 8 without probability): once a log holds every possible
    step, its covers are the quotients of the dynamics whose blocks the class classifies. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.labels Require Import Tables.
From Steel.certain Require Import Bits Checker Limits Covers Sound Optimal.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** The visited states of a world explain its log *)
Lemma truth_explains X (F : nat -> X -> bool) connected width nA (w : dynamics X nat) obs :
  fits width nA F w connected obs -> two_visited w obs ->
  exists2 fs, explains width (record_of width F obs) fs &
    forall s : state w, visited obs s -> exists2 f, f \in fs & classifies F obs f s.
Proof.
move=> fit [s1 [s2 [vis1 vis2 ne]]].
have [f fok] : exists f : state w -> nat, forall s, visited obs s -> f s < width /\ classifies F obs (f s) s.
  have some (s : state w) : exists f, visited obs s -> f < width /\ classifies F obs f s.
    by case: (boolP (visited obs s)) => [/(fits_realised fit)[f lt cl]|_]; [exists f|exists 0].
  exact: fin_all_exists some.
pose qs := enum (visited (w := w) obs); have qvis s : (s \in qs) = visited obs s by rewrite mem_enum.
have bitE t s q : at_row w obs t = Some s -> visited obs q -> (nth 0%num (rows (record_of width F obs)) t).[f q] = (s == q).
  move=> at_ /fok[lt]; rewrite (classifiesE F nA obs q lt) => /eqP e; have := bit_column obs q t.
  have ltt : t < size (rows obs) by rewrite ltnNge; apply/negP => le; rewrite /at_row nth_default ?size_map in at_.
  rewrite -e columnE // (bit_pack_map _ _ _ 0%num) rows_record size_map ltt at_ /= => ->.
  by [].
exists [seq f q | q <- qs]; last by move=> s vis; exists (f s); [apply: map_f; rewrite qvis|have [] := fok s vis].
split.
- rewrite size_map -cardE; apply/card_gt1P; exists s1, s2; split=> //.
- apply/allP => g /mapP[q]; rewrite qvis => vis ->; have [-> _] := fok q vis.
  have [t lt at_] := visited_at vis; apply/(has_nthP 0%num); exists t; first by rewrite rows_record size_map.
  by rewrite (bitE t q q).
- move=> t; rewrite rows_record size_map -rows_record => /(row_state w)[s at_].
  have sin : s \in qs by rewrite qvis (at_visited at_).
  exists (index s qs); rewrite size_map ?index_mem // => j lt; rewrite (nth_map s) // (bitE t s) //; last first.
    by rewrite -qvis mem_nth.
  by rewrite -[X in X == _](nth_index s sin) nth_uniq ?index_mem ?enum_uniq // eq_sym.
move=> t t' a g h /mapP[q]; rewrite qvis => vq -> /mapP[r]; rewrite qvis => vr ->; rewrite actions_record.
have moves := elimT (possibleP _ _ _) (fits_possible fit) => /moves[s es [_ es']] /moves[u eu [_ eu']].
rewrite (bitE _ _ _ es vq) (bitE _ _ _ eu vq) => /eqP eq /eqP eq'.
by rewrite (bitE _ _ _ es' vr) (bitE _ _ _ eu' vr) eq eq'.
Qed.

Section Ends.
Variables (X : Type) (F : nat -> X -> bool) (width nA : nat) (w : dynamics X nat) (obs : log X).
Hypotheses (fit : fits width nA F w true obs) (acts : 0 < nA).
Variables (E : Type) (e0 : E) (may : E -> E -> Prop) (emit : state w -> E -> X).
Hypotheses (shows : forall s e, decode w (emit s e) = s) (mix : mixes may) (sat : saturated nA obs may emit).
Let v := view_of width nA (record_of width F obs).
Notation observed := (observed obs).
Let steps_taken := all_steps sat.

(** ** Each cover is a quotient *)
Lemma observed_low t x : observed t = Some x -> t < size (rows obs).
Proof. by rewrite /observed ltnNge => e; apply/negP => le; rewrite nth_default ?size_map in e. Qed.
Lemma observed_at t x : observed t = Some x -> at_row w obs t = Some (decode w x).
Proof.
by rewrite /observed /at_row; elim: (rows obs) t => [|y ys IH] [|t] //=; [case=> ->|apply: IH].
Qed.
Lemma bit_observed f t x : f < width -> observed t = Some x -> (column v f).[t] = F f x.
Proof.
move=> lt; rewrite /v column_record // bit_pack /observed.
by elim: (rows obs) t => [|y ys IH] [|t] //=; [case=> ->|apply: IH].
Qed.
Lemma low_observed t : t < size (rows obs) -> exists x, observed t = Some x.
Proof. by rewrite /observed; elim: (rows obs) t => [//|x xs IH] [|t] //= lt; [exists x|apply: IH]. Qed.

Lemma some_next e : exists e', may e e'.
Proof. by have [m lead] := mix; have [e' h _] := lead m.+1 (leqnSn _) e e; exists e'. Qed.

Section Quotient.
Variable K : pred N.
Hypothesis cov : cover v K.

(** [c] is the label at state [s] with noise [e]. *)
Definition label s e (c : N) := K c /\ forall t, observed t = Some (emit s e) -> c.[t].

Lemma label_of t x s e c : K c -> c.[t] -> observed t = Some x -> x = emit s e -> label s e c.
Proof.
move=> Kc ct ot ex; split=> // t' ot'; have cin := cover_column cov Kc.
have lt : index c (columns v) < width by rewrite -(size_columns width nA (record_of width F obs)) index_mem.
move: ct; rewrite -(nth_index 0%num cin) -/(column v _) (bit_observed lt ot) (bit_observed lt ot').
by rewrite ex.
Qed.
Lemma label_exists s e : exists c, label s e c.
Proof.
have [e' ee'] := some_next e; have [t [ot _ _]] := steps_taken s acts ee'.
have [|c Kc ct] := cover_hit cov (t := t); first by rewrite heightE (observed_low ot).
by exists c; apply: label_of ot erefl.
Qed.
Lemma label_unique s e c d : label s e c -> label s e d -> c = d.
Proof.
have [e' ee'] := some_next e; have [t [ot _ _]] := steps_taken s acts ee'.
by case=> Kc ct [Kd dt]; apply: (same_if_together (cover_agree cov Kc Kd)) (ct _ ot) (dt _ ot).
Qed.
(** Equal labels have equal labels after the same action. *)
Lemma label_step s e s2 e2 c a e' e2' : label s e c -> label s2 e2 c -> a < nA -> may e e' -> may e2 e2' ->
  exists2 d, label (step w s a) e' d & label (step w s2 a) e2' d.
Proof.
move=> [Kc ct] [_ ct2] lta h h2; have [d [Kd dt]] := label_exists (step w s a) e'; exists d => //.
have [t [ot at_ ot']] := steps_taken s lta h; have [t2 [ot2 at2 ot2']] := steps_taken s2 lta h2.
apply: (label_of Kd _ ot2' erefl).
apply: (way_into (cover_agree cov Kc Kd) (w := after (record_of width F obs) c a)) (dt _ ot') _.
- by apply/waysP; exists a.
- by rewrite bit_after actions_record at_ ct ?eqxx.
by rewrite bit_after actions_record at2 ct2 ?eqxx.
Qed.
Lemma label_word u s e s2 e2 c e' e2' : label s e c -> label s2 e2 c -> all (fun a => a < nA) u ->
  leads may (size u) e e' -> leads may (size u) e2 e2' ->
  exists2 d, label (foldl (step w) s u) e' d & label (foldl (step w) s2 u) e2' d.
Proof.
elim: u s e s2 e2 c => [|a u IH] s e s2 e2 c lc lc2 /=; first by move=> _ <- <-; exists c.
case/andP => lta ok [e1 h le] [e3 h2 le2]; have [d ld ld2] := label_step lc lc2 lta h h2.
exact: IH ld ld2 ok le le2.
Qed.
(** The label does not depend on the noise. *)
Lemma label_noise s e e' c : label s e c -> label s e' c.
Proof.
have [m lead] := mix; pose s1 := foldl (step w) s (nseq m 0).
have [u ok es] := fits_connected fit isT s1 s; pose u' := nseq m 0 ++ u.
have long : m <= size u' by rewrite size_cat size_nseq leq_addr.
have ok' : all (fun a => a < nA) u' by rewrite all_cat ok andbT; apply/allP => a /nseqP[->].
have [c0 l0] := label_exists s e0; have [d] := label_word l0 l0 ok' (lead _ long e0 e) (lead _ long e0 e').
by rewrite foldl_cat -/s1 es => ld ld' /label_unique/(_ ld)->.
Qed.

(** The label of a state. *)
Definition block (s : state w) : N := head 0%num [seq c <- columns v | K c && meets c (column_of obs s)].
Lemma column_label s c : K c -> meets c (column_of obs s) -> forall e, label s e c.
Proof.
move=> Kc /meetsP[t ct]; rewrite bit_column => /eqP at_.
have [|x ox] := low_observed (t := t).
  by rewrite ltnNge; apply/negP => le; move: at_; rewrite /at_row nth_default ?size_map.
have [s' [e ex]] := emitted sat ox; move: at_; rewrite (observed_at ox) ex shows => -[es] e'; rewrite es in ex.
exact: label_noise (label_of Kc ct ox ex).
Qed.
Lemma block_label s e : label s e (block s).
Proof.
have [c lc] := label_exists s e; have [e' ee'] := some_next e; have [t [ot _ _]] := steps_taken s acts ee'.
have : c \in [seq c <- columns v | K c && meets c (column_of obs s)].
  rewrite mem_filter (cover_column cov lc.1) lc.1 andbT; apply/meetsP; exists t; first exact: lc.2.
  by rewrite bit_column (observed_at ot) shows.
rewrite /block; case: filter (mem_filter (fun c => K c && meets c (column_of obs s)) ^~ (columns v)) => // d ds memE _.
have := memE d; rewrite mem_head => /esym/andP[/andP[Kd md] _]; exact: column_label.
Qed.
Lemma block_congruence s s' a : a < nA -> block s = block s' -> block (step w s a) = block (step w s' a).
Proof.
move=> lta es; have [e' ee'] := some_next e0; have := block_label s' e0; rewrite -es => ls'.
have [d ld ld'] := label_step (block_label s e0) ls' lta ee' ee'.
by rewrite (label_unique (block_label _ e') ld) (label_unique (block_label _ e') ld').
Qed.
Lemma block_cover c : K c <-> exists s, c = block s.
Proof.
split=> [Kc|[s ->]]; last exact: (block_label s e0).1.
have /nonemptyP[t ct] := cover_seen cov Kc; have lt := column_low (cover_column cov Kc) ct.
rewrite heightE in lt; have [x ox] := low_observed lt; have [s [e ex]] := emitted sat ox.
by exists s; apply: label_unique (label_of Kc ct ox ex) (block_label s e).
Qed.
Lemma bit_block s s' t e : observed t = Some (emit s' e) -> (block s).[t] = (block s' == block s).
Proof.
move=> ot; apply/idP/eqP => [bt|<-]; last exact: (block_label s' e).2.
exact: label_unique (block_label s' e) (label_of (block_label s e).1 bt ot erefl).
Qed.
End Quotient.

Lemma all_observed (p : pred X) : (forall t x, observed t = Some x -> p x) -> all p (rows obs).
Proof. by rewrite /observed; elim: (rows obs) => //= x xs IH ok; rewrite (ok 0 x) // IH // => t y; apply: (ok t.+1). Qed.
Lemma visited_all (s : state w) : visited obs s.
Proof.
have [e ee] := some_next e0; have [t [ot _ _]] := steps_taken s acts ee.
by apply: (@at_visited _ _ _ t); rewrite (observed_at ot) shows.
Qed.

(** ** Each classified congruence is a cover *)
Section Congruence.
Variable b : state w -> nat.
Hypotheses (con : congruent nA b) (cla : classified width F obs b) (several : exists s s', b s != b s').

Notation rep := (united b).
Lemma b_rep s : b (rep s) = b s. Proof. exact: united_same. Qed.
Lemma repE s s' : (rep s == rep s') = (b s == b s'). Proof. exact: unitedE. Qed.
Lemma rep_rep s : rep (rep s) == rep s. Proof. by rewrite repE b_rep. Qed.
Definition class (s : state w) : {s | rep s == s} := exist _ (rep s) (rep_rep s).
Lemma classE s s' : (class s == class s') = (b s == b s'). Proof. by rewrite -repE. Qed.
Lemma class_val (q : {s | rep s == s}) : class (val q) = q.
Proof. by apply: val_inj; apply/eqP; case: q. Qed.

Definition quotient : dynamics X nat :=
  @Dynamics X nat [finType of {s | rep s == s}] (fun q a => class (step w (val q) a)) (fun x => class (decode w x)).
Lemma at_quotient t : at_row quotient obs t = omap class (at_row w obs t).
Proof. by rewrite /at_row; elim: (rows obs) t => [|x xs IH] [|t] //=. Qed.
Lemma class_step s a : a < nA -> class (step w (rep s) a) = class (step w s a).
Proof. by move=> lt; apply/eqP; rewrite classE; apply/eqP; apply: (con (Ordinal lt)); apply: b_rep. Qed.

Lemma quotient_fits : fits width nA F quotient true obs.
Proof.
split=> [|q _|_ q q'|_] /=.
- apply/possibleP => t a /(elimT (possibleP _ _ _) (fits_possible fit))[s es [lt es']].
  by exists (class s); rewrite !at_quotient ?es ?es' //=; split=> //; rewrite class_step.
- have [f lt ok] := cla (val q); exists f => //; apply: sub_all ok => x /eqP->.
  by rewrite -classE class_val.
- have [u ok es] := fits_connected fit isT (val q) (val q'); exists u => //.
  rewrite -[q]class_val -[q']class_val -es; elim: u (val q) ok {es} => //= a u IH s /andP[lt /IH <-].
  by rewrite class_step.
have [s [s' ne]] := several; apply/card_gt1P; exists (class s), (class s').
by rewrite classE.
Qed.
End Congruence.

Lemma states_only : (forall fs, explains width (record_of width F obs) fs ->
    forall f, f \in fs -> exists s : state w, classifies F obs f s) ->
  forall b : state w -> nat, congruent nA b -> classified width F obs b -> injective b \/ forall s s', b s = b s'.
Proof.
move=> only b con cla.
case: (boolP [forall s, forall s', b s == b s']) => [/forallP all_|/forallPn[s1 /forallPn[s2 ne]]].
  by right=> s s'; have /forallP/(_ s')/eqP := all_ s.
have fitq : fits width nA F (quotient b) true obs by apply: quotient_fits => //; exists s1, s2.
have at_class (s : state w) : exists2 t, at_row w obs t = Some s & at_row (quotient b) obs t = Some (class b s).
  by have [t _ at_] := visited_at (visited_all s); exists t; rewrite ?at_quotient at_.
have visq (s : state w) : visited (w := quotient b) obs (class b s) by have [t _ /at_visited] := at_class s.
have [|fs ex has_f] := truth_explains fitq; first by exists (class b s1), (class b s2); rewrite classE.
left=> s s' e; have [f fin] := has_f _ (visq s); have [s0] := only fs ex f fin.
have lt : f < width by have [_ /allP/(_ f fin)/andP[]] := ex.
rewrite !(classifiesE F nA obs _ lt) => /eqP -> /eqP same.
have in_s0 (s3 : state w) : b s3 = b s -> s3 = s0.
  move=> e3; have [t at_ atq] := at_class s3; have : (column_of obs s0).[t].
    by rewrite same bit_column atq; apply/eqP; congr Some; apply/eqP; rewrite classE e3.
  by rewrite bit_column at_ => /eqP[].
by rewrite (in_s0 s) // (in_s0 s').
Qed.

Lemma only_states :
  (forall b : state w -> nat, congruent nA b -> classified width F obs b -> injective b \/ forall s s', b s = b s') ->
  forall fs, explains width (record_of width F obs) fs -> forall f, f \in fs -> exists s : state w, classifies F obs f s.
Proof.
move=> simple fs ex f fin; have cov := explains_cover nA ex; set K := mem _ in cov.
have ltf : f < width by have [_ /allP/(_ f fin)/andP[]] := ex.
have in_columns s := cover_column cov (block_label cov s e0).1.
have index_block s s' : index (block K s) (columns v) = index (block K s') (columns v) -> block K s = block K s'.
  by move=> e; rewrite -(nth_index 0%num (in_columns s)) e nth_index.
have [||inj|const] := simple (fun s => index (block K s) (columns v)).
- by move=> s s' a /index_block/(block_congruence cov (ltn_ord a)) ->.
- move=> s; have lt : index (block K s) (columns v) < width.
    by rewrite -(size_columns width nA (record_of width F obs)) index_mem.
  exists (index (block K s) (columns v)) => //; apply: all_observed => t x ox.
  have [s' [e ex']] := emitted sat ox; rewrite -(bit_observed lt ox) /column nth_index // ex' shows.
  rewrite ex' in ox; rewrite (bit_block cov s ox); apply/eqP; apply/eqP/eqP => [->//|/index_block->//].
- have [s es] : exists s, column v f = block K s by apply/(block_cover cov); rewrite /K inE map_f.
  exists s; rewrite (classifiesE F nA obs s ltf) -/v es; apply/eqP/bit_inj => t.
  case: (ltnP t (size (rows obs))) => [/low_observed[x ox]|le].
    have [s' [e ex']] := emitted sat ox; rewrite ex' in ox; rewrite (bit_block cov s ox) bit_column (observed_at ox) shows.
    by apply/eqP/eqP => [h|[->]//]; congr Some; apply: inj; rewrite h.
  rewrite bit_column /at_row nth_default ?size_map //; apply/negP => /(column_low (in_columns s)).
  by rewrite heightE ltnNge le.
have [two _ _ _] := ex; pose i0 := Ordinal (ltnW two); pose i1 := Ordinal two.
have same (i : 'I_(size fs)) : exists s, column v (nth 0 fs i) = block K s.
  by apply/(block_cover cov); rewrite /K inE; apply/map_f/mem_nth.
have [[s0 e0'] [s1 e1']] := (same i0, same i1).
have /nonemptyP[t ct] := col_seen nA ex i0; have := one_label ex (s := i0) (s' := i1) (t := t) ct.
rewrite /Worlds.column_at -/v e1' -(index_block _ _ (const s0 s1)) -e0' => /(_ ct).
by move/(congr1 val).
Qed.
End Ends.

Theorem ends : certain_ends.
Proof.
move=> X F width nA w obs E may emit acts two [e0] mix shows fit sat.
split; [exact: (states_only fit acts e0 shows mix sat)|exact: (only_states fit acts e0 shows mix sat)].
Qed.
