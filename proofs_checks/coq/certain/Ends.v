(** When certain STEEL ends (Theorem 8, without probability). The noise is now a Markov chain that mixes, and the log
    has come to hold every step that is possible; with probability 1 that happens if every action keeps a positive
    chance. Then the admissible covers are the quotients of the dynamics whose blocks the class can tell apart. So
    the states are the only cover left if and only if the class does not classify the blocks of a proper
    congruence of the dynamics. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Checker Statement Covers Sound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Ends.
Variables (X : Type) (F : nat -> X -> bool) (width nA : nat) (w : world X) (obs : log X).
Hypotheses (fit : fits width nA F w true obs) (two : 1 < #|state w|) (acts : 0 < nA).

(** [E]: the noise, emission included; [may e e']: [e'] can come after [e]. *)
Variables (E : Type) (e0 : E) (may : E -> E -> Prop) (emit : state w -> E -> X).
Fixpoint leads (k : nat) (e e' : E) : Prop :=
  if k is k'.+1 then exists2 e1, may e e1 & leads k' e1 e' else e = e'.
Hypothesis shows : forall s e, shown w (emit s e) = s.
Hypothesis mixes : exists m, forall k, m <= k -> forall e e', leads k e e'.

Definition observed (t : nat) : option X := nth None (map Some (rows obs)) t.
Hypothesis emitted : forall t x, observed t = Some x -> exists s e, x = emit s e.
Hypothesis saturated : forall s e a e', a < nA -> may e e' ->
  exists t, [/\ observed t = Some (emit s e), nth None (actions obs) t = Some a & observed t.+1 = Some (emit (step s a) e')].

(** ** What is to be shown *)
(** Numbers for the blocks of a congruence, and whether the class has a classifier for each block. *)
Definition congruence (b : state w -> nat) := forall s s' a, a < nA -> b s = b s' -> b (step s a) = b (step s' a).
Definition classified (b : state w -> nat) :=
  forall s, exists2 f, f < width & all (fun x => F f x == (b (shown w x) == b s)) (rows obs).
Let v := view_of width nA (record_of width F obs).

(** ** Each cover is a quotient *)
Lemma observed_low t x : observed t = Some x -> t < size (rows obs).
Proof. by rewrite /observed ltnNge => e; apply/negP => le; rewrite nth_default ?size_map in e. Qed.
Lemma observed_at t x : observed t = Some x -> at_row w obs t = Some (shown w x).
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
Proof. by have [m lead] := mixes; have [e' h _] := lead m.+1 (leqnSn _) e e; exists e'. Qed.

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
have [e' ee'] := some_next e; have [t [ot _ _]] := saturated s acts ee'.
have [|c Kc ct] := cover_hit cov (t := t); first by rewrite heightE (observed_low ot).
by exists c; apply: label_of ot erefl.
Qed.
Lemma label_unique s e c d : label s e c -> label s e d -> c = d.
Proof.
have [e' ee'] := some_next e; have [t [ot _ _]] := saturated s acts ee'.
by case=> Kc ct [Kd dt]; apply: (same_if_together (cover_agree cov Kc Kd)) (ct _ ot) (dt _ ot).
Qed.
(** Equal labels have equal labels after the same action. *)
Lemma label_step s e s2 e2 c a e' e2' : label s e c -> label s2 e2 c -> a < nA -> may e e' -> may e2 e2' ->
  exists2 d, label (step s a) e' d & label (step s2 a) e2' d.
Proof.
move=> [Kc ct] [_ ct2] lta h h2; have [d [Kd dt]] := label_exists (step s a) e'; exists d => //.
have [t [ot at_ ot']] := saturated s lta h; have [t2 [ot2 at2 ot2']] := saturated s2 lta h2.
apply: (label_of Kd _ ot2' erefl).
apply: (way_into (cover_agree cov Kc Kd) (w := after (record_of width F obs) c a)) (dt _ ot') _.
- by apply/waysP; exists a.
- by rewrite bit_after actions_record at_ ct ?eqxx.
by rewrite bit_after actions_record at2 ct2 ?eqxx.
Qed.
Lemma label_word u s e s2 e2 c e' e2' : label s e c -> label s2 e2 c -> all (fun a => a < nA) u ->
  leads (size u) e e' -> leads (size u) e2 e2' ->
  exists2 d, label (foldl (@step X w) s u) e' d & label (foldl (@step X w) s2 u) e2' d.
Proof.
elim: u s e s2 e2 c => [|a u IH] s e s2 e2 c lc lc2 /=; first by move=> _ <- <-; exists c.
case/andP => lta ok [e1 h le] [e3 h2 le2]; have [d ld ld2] := label_step lc lc2 lta h h2.
exact: IH ld ld2 ok le le2.
Qed.
(** The label does not depend on the noise. *)
Lemma label_noise s e e' c : label s e c -> label s e' c.
Proof.
have [m lead] := mixes; pose s1 := foldl (@step X w) s (nseq m 0).
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
have [s' [e ex]] := emitted ox; move: at_; rewrite (observed_at ox) ex shows => -[es] e'; rewrite es in ex.
exact: label_noise (label_of Kc ct ox ex).
Qed.
Lemma block_label s e : label s e (block s).
Proof.
have [c lc] := label_exists s e; have [e' ee'] := some_next e; have [t [ot _ _]] := saturated s acts ee'.
have : c \in [seq c <- columns v | K c && meets c (column_of obs s)].
  rewrite mem_filter (cover_column cov lc.1) lc.1 andbT; apply/meetsP; exists t; first exact: lc.2.
  by rewrite bit_column (observed_at ot) shows.
rewrite /block; case: filter (mem_filter (fun c => K c && meets c (column_of obs s)) ^~ (columns v)) => // d ds memE _.
have := memE d; rewrite mem_head => /esym/andP[/andP[Kd md] _]; exact: column_label.
Qed.
Lemma block_congruence s s' a : a < nA -> block s = block s' -> block (step s a) = block (step s' a).
Proof.
move=> lta es; have [e' ee'] := some_next e0; have := block_label s' e0; rewrite -es => ls'.
have [d ld ld'] := label_step (block_label s e0) ls' lta ee' ee'.
by rewrite (label_unique (block_label _ e') ld) (label_unique (block_label _ e') ld').
Qed.
Lemma block_cover c : K c <-> exists s, c = block s.
Proof.
split=> [Kc|[s ->]]; last exact: (block_label s e0).1.
have /nonemptyP[t ct] := cover_seen cov Kc; have lt := column_low (cover_column cov Kc) ct.
rewrite heightE in lt; have [x ox] := low_observed lt; have [s [e ex]] := emitted ox.
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
have [e ee] := some_next e0; have [t [ot _ _]] := saturated s acts ee.
by apply: (@at_visited _ _ _ t); rewrite (observed_at ot) shows.
Qed.

(** ** Each classified congruence is a cover *)
Section Congruence.
Variable b : state w -> nat.
Hypotheses (con : congruence b) (cla : classified b) (several : exists s s', b s != b s').

Definition rep (s : state w) : state w := odflt s [pick s' | b s' == b s].
Lemma b_rep s : b (rep s) = b s.
Proof. by rewrite /rep; case: pickP => [s' /eqP|/(_ s)] //=; rewrite eqxx. Qed.
Lemma repE s s' : (rep s == rep s') = (b s == b s').
Proof.
apply/eqP/eqP => [e|e]; first by rewrite -b_rep e b_rep.
have same : (fun s1 => b s1 == b s) =1 (fun s1 => b s1 == b s') by move=> s1; rewrite e.
rewrite /rep (eq_pick same); case: pickP => // /(_ s'); by rewrite eqxx.
Qed.
Lemma rep_rep s : rep (rep s) == rep s. Proof. by rewrite repE b_rep. Qed.
Definition class (s : state w) : {s | rep s == s} := exist _ (rep s) (rep_rep s).
Lemma classE s s' : (class s == class s') = (b s == b s'). Proof. by rewrite -repE. Qed.
Lemma class_val (q : {s | rep s == s}) : class (val q) = q.
Proof. by apply: val_inj; apply/eqP; case: q. Qed.

Definition quotient : world X :=
  @World X [finType of {s | rep s == s}] (fun q a => class (step (val q) a)) (fun x => class (shown w x)).
Lemma at_quotient t : at_row quotient obs t = omap class (at_row w obs t).
Proof. by rewrite /at_row; elim: (rows obs) t => [|x xs IH] [|t] //=. Qed.
Lemma class_step s a : a < nA -> class (step (rep s) a) = class (step s a).
Proof. by move=> lt; apply/eqP; rewrite classE; apply/eqP; apply: con => //; apply: b_rep. Qed.

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

(** ** The theorem *)
Theorem ends :
  (forall K, cover v K -> admissible true v K -> K =1 true_columns obs w) <->
  (forall b, congruence b -> classified b -> injective b \/ forall s s', b s = b s').
Proof.
split=> [only b con cla|simple K cov adm].
  case: (boolP [forall s, forall s', b s == b s']) => [/forallP all_|/forallPn[s1 /forallPn[s2 ne]]].
    by right=> s s'; have /forallP/(_ s')/eqP := all_ s.
  left=> s s' e; have several : exists s s', b s != b s' by exists s1, s2.
  have fitq := quotient_fits con cla several.
  have := only _ (truth_is_cover fitq) (truth_is_admissible fitq) (column_of obs s).
  rewrite true_column ?visited_all // => /existsP[q /andP[_ /eqP eq]].
  have [[t _ at_] [t' _ at']] := (visited_at (visited_all s), visited_at (visited_all s')).
  have := bit_column obs s t; rewrite eq at_ eqxx bit_column at_quotient at_ /= => /eqP[eqs].
  have : (column_of obs s).[t'] by rewrite eq bit_column at_quotient at' /= -eqs; apply/eqP; congr Some; apply/eqP; rewrite classE e.
  by rewrite bit_column at' => /eqP[].
have in_columns s := cover_column cov (block_label cov s e0).1.
have index_block s s' : index (block K s) (columns v) = index (block K s') (columns v) -> block K s = block K s'.
  by move=> e; rewrite -(nth_index 0%num (in_columns s)) e nth_index.
have [||inj|const] := simple (fun s => index (block K s) (columns v)).
- by move=> s s' a lta /index_block/(block_congruence cov lta) ->.
- move=> s; have lt : index (block K s) (columns v) < width by rewrite -(size_columns width nA (record_of width F obs)) index_mem.
  exists (index (block K s) (columns v)) => //; apply: all_observed => t x ox.
  have [s' [e ex]] := emitted ox; rewrite -(bit_observed lt ox) /column nth_index // ex shows.
  rewrite ex in ox; rewrite (bit_block cov s ox); apply/eqP; apply/eqP/eqP => [->//|/index_block->//].
- have blockE s : block K s = column_of obs s.
    apply: bit_inj => t; case: (ltnP t (size (rows obs))) => [/low_observed[x ox]|le].
      have [s' [e ex]] := emitted ox; rewrite ex in ox; rewrite (bit_block cov s ox) bit_column (observed_at ox) shows.
      by apply/eqP/eqP => [h|[->]//]; congr Some; apply: inj; rewrite h.
    rewrite bit_column /at_row nth_default ?size_map //; apply/negP => /(column_low (in_columns s)).
    by rewrite heightE ltnNge le.
  move=> c; apply/idP/existsP => [/(block_cover cov)[s ->]|[s /andP[_ /eqP->]]].
    by exists s; rewrite visited_all blockE eqxx.
  by apply/(block_cover cov); exists s.
have /card_gt0P[s _] := ltnW two; have := not_alone adm (block_label cov s e0).1; case/negP.
rewrite /alone /closed /= andbT; apply/allP => _ /waysP[a lta ->] /=.
have [e1 ee1] := some_next e0; have [t [ot at_ ot']] := saturated s lta ee1.
apply/andP; split.
  apply/nonemptyP; exists t.+1; rewrite bit_after actions_record at_ eqxx andbT.
  exact: (block_label cov s e0).2.
rewrite orbF; apply/withinP => u; rewrite bit_after; case: u => // u /andP[_ /eqP]; rewrite actions_record => /action_row lt.
have [x ox] := low_observed lt; have [s' [e ex]] := emitted ox; rewrite ex in ox.
by rewrite (bit_block cov s ox); apply/eqP/index_block/const.
Qed.
End Ends.
Print Assumptions ends.
