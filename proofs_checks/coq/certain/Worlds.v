(** A cover is a world: its labels can be the states, with any table that agrees with the transitions that were
    taken. Hence acceptance is never empty talk ([certain_has_a_world]). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker Limits Covers Sound.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** The classifiers of a log of rows are its bits. *)
Definition bits (f : nat) (x : row) : bool := x.[f].

Lemma readable_record width nA l : readable width nA l -> l = record_of width bits l.
Proof.
case/andP => ok _; have same x : within x (everywhere (iota 0 width)) -> row_of width bits x = x.
  move=> /withinP lt; apply: bit_inj => f; case: (ltnP f width) => [/bit_row->//|le].
  rewrite bit_pack nth_default ?size_map ?size_iota //; apply/esym/negP => /lt.
  by rewrite bit_everywhere size_iota ltnNge le.
elim: l ok => [//|[x ss] l IH]; rewrite /rows /= -/(rows l) all_cat => /and3P[okx oks ok].
rewrite -IH // (same x okx); congr (Trajectory _ _ :: _).
by elim: ss oks => [//|[a y] ss IHs] /= /andP[/same-> /IHs <-].
Qed.

Lemma readable_action width nA (l : log row) t a : readable width nA l -> nth None (actions l) t = Some a -> a < nA.
Proof.
case/andP => _ /(all_nthP None)/(_ t) ok e; move: ok; rewrite e; apply.
by rewrite ltnNge; apply/negP => le; rewrite nth_default in e.
Qed.

Section Cover.
Variables (width nA : nat) (l : log row) (fs : seq nat).
Let v := view_of width nA l.
Let cs := [seq column v f | f <- fs].
Definition column_at (s : 'I_(size fs)) : N := column v (nth 0 fs s).

(** Each row has one label; a table for the labels agrees with the rows. *)
Hypotheses (rd : readable width nA l) (small : all (fun f => f < width) fs).
Hypothesis some_label : forall t, t < height v -> exists s, (column_at s).[t].
Hypothesis one_label : forall s s' t, (column_at s).[t] -> (column_at s').[t] -> s = s'.
Variables (label0 : 'I_(size fs)) (T : 'I_(size fs) -> nat -> 'I_(size fs)).
Hypothesis agrees : forall s a, a < nA -> within (after l (column_at s) a) (column_at (T s a)).

Definition cover_world : dynamics row nat :=
  @Dynamics row nat [finType of 'I_(size fs)] T (fun x => odflt label0 [pick s : 'I_(size fs) | bits (nth 0 fs s) x]).
Let w := cover_world.

Lemma small_at (s : 'I_(size fs)) : nth 0 fs s < width. Proof. by apply: (allP small); apply: mem_nth. Qed.
Lemma bit_at s t : (column_at s).[t] = (t < height v) && (nth 0%num (rows l) t).[nth 0 fs s].
Proof. by rewrite /column_at /v columnE ?small_at // (bit_pack_map _ _ _ 0%num). Qed.

Lemma at_rowE t s : (column_at s).[t] = (at_row w l t == Some s).
Proof.
rewrite bit_at /at_row; case: ltnP => [lt|le]; last by rewrite [nth None _ _]nth_default ?size_map.
have [s1 s1t] := some_label lt; rewrite (nth_map 0%num) //=; set x := nth _ _ _.
case: pickP => [s' xs'|/(_ s1)] /=; last first.
  by move: s1t; rewrite bit_at lt -/x /bits /= => ->.
apply/idP/eqP => [xs|[<-] //]; congr Some; apply: (one_label (t := t)); rewrite bit_at lt; [exact: xs'|exact: xs].
Qed.

Lemma cover_possible : possible nA w l.
Proof.
apply/possibleP => t a e.
have lt := ltnW (action_row e).
have lta := readable_action rd e.
have [s es] : exists s, at_row w l t = Some s by apply: row_state.
exists s => //; split=> //; apply/eqP; rewrite -at_rowE; apply: (withinP _ _ (agrees s lta)).
by rewrite bit_after at_rowE es e !eqxx.
Qed.

Lemma cover_classifies (s : state w) : classifies bits l (nth 0 fs s) s.
Proof.
rewrite (classifiesE bits nA l s (small_at s)) -(readable_record rd); apply/eqP/bit_inj => t.
by rewrite bit_column -/(column_at s) at_rowE.
Qed.
Lemma cover_realised : realised width bits w l.
Proof. by move=> s _; exists (nth 0 fs s); [apply: small_at|apply: cover_classifies]. Qed.
Lemma cover_visited (s : state w) : ~~ empty (column_at s) -> visited l s.
Proof. by case/nonemptyP => t; rewrite at_rowE => /eqP; apply: at_visited. Qed.

(** Rows that the checker reaches belong to labels that can be reached. *)
Definition reaches (s s' : state w) := exists2 u, all (fun a => a < nA) u & foldl (step w) s u = s'.
Lemma reaches_step s s' a : a < nA -> reaches s s' -> reaches s (step w s' a).
Proof. by move=> lt [u ok <-]; exists (rcons u a); rewrite ?all_rcons ?lt // -cats1 foldl_cat. Qed.

Lemma spread_reaches s m : spread v cs cs (column_at s) = m -> forall t s', m.[t] -> (column_at s').[t] -> reaches s s'.
Proof.
pose good m := forall t s', m.[t] -> (column_at s').[t] -> reaches s s'.
suff grown fuel m' : good m' -> good (spread v cs fuel m').
  by move=> <-; apply: grown => t s' st st'; exists [::] => //=; apply: one_label st st'.
elim: fuel m' => [//|x fuel IH] m' ok /=; case: ifP => // _; apply: IH.
have : {subset cs <= cs} by []; rewrite /grow; elim: {1 3}cs m' ok => [//|c ds IHd] m' ok sub /=.
apply: IHd => [|d din]; last by apply: sub; rewrite inE din orbT.
case: ifP => // /meetsP[t0 ct0 mt0] t s'.
have [s1 ec] : exists s1, c = column_at s1.
  have /mapP[f fin ->] := sub c (mem_head _ _); have lt : index f fs < size fs by rewrite index_mem.
  by exists (Ordinal lt); rewrite /column_at /= nth_index.
have r1 : reaches s s1 by apply: ok mt0 _; rewrite -ec.
rewrite !bit_lor -/(union _) bit_union => /or3P[mt|ct|/hasP[d]]; first exact: ok.
  by rewrite ec in ct => /(one_label ct) <-.
case/waysP => a lta -> dt st.
suff -> : s' = T s1 a by apply: reaches_step.
apply: (one_label st).
by apply: (withinP _ _ (agrees s1 lta)); rewrite -ec.
Qed.
End Cover.

Theorem has_a_world : certain_has_a_world.
Proof.
move=> connected width nA l h r; rewrite /check; set v := view_of _ _ _; set cs := map _ _.
case: ifP => // /and3P[rd com _] _; cbv zeta; rewrite -(readable_record rd); split=> //.
have [[two /allP seen ap] [hits cl con]] : [/\ 1 < size cs, all (fun c => ~~ empty c && (c \in columns v)) cs & apart 0 cs]
    /\ [/\ hit v cs, closed v cs & ~~ connected || strongly_connected v cs] by case/and5P: com => ? ? ? ? /andP[].
have small : all (fun f => f < width) (claim h).
  apply/allP => f /(map_f (column v))/seen/andP[ne _]; rewrite ltnNge; apply: contraNN ne => le.
  by rewrite /column nth_default // size_columns.
have un : uniq cs by apply: (apart_uniq ap); apply/allP => c /seen/andP[].
have size_cs : size cs = size (claim h) by rewrite size_map.
pose col (s : 'I_(size (claim h))) := column_at width nA l s.
have colE s : col s = nth 0%num cs s by rewrite (nth_map 0).
have col_in s : col s \in cs by rewrite colE mem_nth ?size_cs.
have one_label s s' t : (col s).[t] -> (col s').[t] -> s = s'.
  move=> st st'; have /eqP := apart_same ap (col_in s) (col_in s') st st'.
  by rewrite !colE nth_uniq ?size_cs // => /eqP/ord_inj.
have some_label t : t < height v -> exists s, (col s).[t].
  case/(hitP (@rows_all _ _ _) _ hits) => c /(nthP 0%num)[i lt <-]; rewrite size_cs in lt.
  by exists (Ordinal lt); rewrite colE.
pose T (s : 'I_(size (claim h))) a := insubd s (find (within (after l (col s) a)) cs).
have agrees s a : a < nA -> within (after l (col s) a) (col (T s a)).
  move=> lt; have win : after l (col s) a \in ways v (col s) by apply/waysP; exists a.
  have /andP[_ some] := allP (allP cl _ (col_in s)) _ win.
  by rewrite [col (T _ _)]colE val_insubd ifT ?nth_find // -[X in _ < X]size_cs -has_find.
have zero : 0 < size (claim h) by rewrite -size_cs ltnW.
have one : 1 < size (claim h) by rewrite -size_cs.
pose w := cover_world (Ordinal zero) T; exists w.
have vis (s : state w) : visited l s.
  by apply: (cover_visited small some_label one_label); have /andP[] := seen _ (col_in s).
split.
- exact: (cover_possible rd small some_label one_label _ agrees).
- exact: (cover_realised rd small some_label one_label).
- move=> is_con s s'; rewrite is_con /= in con.
  have /nonemptyP[t st] : ~~ empty (col s') by have /andP[] := seen _ (col_in s').
  apply: (spread_reaches one_label _ agrees erefl _ st).
  apply: (withinP _ _ (allP con _ (col_in s))); rewrite rows_all.
  by apply: column_low st; have /andP[] := seen _ (col_in s').
move=> _; case: connected {com con}; first by rewrite card_ord.
by exists (Ordinal zero), (Ordinal one); split; rewrite ?vis.
Qed.
