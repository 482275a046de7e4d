(** What the checker accepts is right ([Certain.certain_is_sound]). The columns of the visited states are an
    admissible cover (Lemmas 1 and 2), and the checker has shown that only the claimed one exists. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker Covers.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Columns of a log *)
(** An action is followed by a row. *)
Lemma action_row X (l : log X) t a : nth None (actions l) t = Some a -> t.+1 < size (rows l).
Proof.
elim: l t => [|[x ss] l IH] t; first by rewrite nth_nil.
by elim: ss x t => [|[b y] ss IHs] x [|t] //=; [apply: IH|apply: (IHs y)].
Qed.
(** The rows after column [c] and action [a]. *)
Definition after X (l : log X) (c : N) (a : nat) : N := N.double (N.land c (pack [seq b == Some a | b <- actions l])).
Lemma bit_after X (l : log X) c a t :
  (after l c a).[t] = if t is u.+1 then c.[u] && (nth None (actions l) u == Some a) else false.
Proof.
rewrite bit_double; case: t => [//|t]; rewrite bit_land (bit_pack_map _ _ _ None).
by case: ltnP => //= le; rewrite [in RHS]nth_default.
Qed.

Section View.
Variables (width nA : nat) (l : log row).
Let v := view_of width nA l.

Lemma size_columns : size (columns v) = width. Proof. by rewrite size_map size_iota. Qed.
Lemma waysP c d : reflect (exists2 a, a < nA & d = after l c a) (d \in ways v c).
Proof. by rewrite /ways -map_comp; apply: (iffP mapP) => -[a]; rewrite ?mem_iota => lt ->; exists a; rewrite ?mem_iota. Qed.
Lemma mem_fitting f c : f < width -> (f \in fitting v c) = (column v f == c).
Proof.
move=> lt; rewrite /fitting -{2}(mkseq_nth 0%num (columns v)) -{1}[iota _ _]map_id zip_map filter_map -map_comp map_id.
by rewrite mem_filter mem_iota size_columns leq0n lt !andbT.
Qed.
Lemma columnE f : f < width -> column v f = pack [seq x.[f] | x <- rows l].
Proof. by move=> lt; rewrite /column (nth_map 0) ?size_iota // nth_iota // pack_longE. Qed.
Lemma rows_all t : (all_rows v).[t] = (t < height v).
Proof. exact: bit_everywhere. Qed.
Lemma column_low c t : c \in columns v -> c.[t] -> t < height v.
Proof.
move=> cin ct; move: (cin); rewrite -index_mem size_columns => lt.
move: ct; rewrite -(nth_index 0%num cin) -/(column v _) columnE // bit_pack.
by apply: contraTT; rewrite -leqNgt => le; rewrite nth_default ?size_map.
Qed.
End View.

Section Record.
Variables (X : Type) (width : nat) (F : nat -> X -> bool) (obs : log X).
Lemma rows_record : rows (record_of width F obs) = map (row_of width F) (rows obs).
Proof.
rewrite /rows map_flatten -!map_comp; congr flatten; apply: eq_map => tr /=.
by rewrite -!map_comp.
Qed.
Lemma actions_record : actions (record_of width F obs) = actions obs.
Proof. by rewrite /actions -map_comp; congr flatten; apply: eq_map => tr /=; rewrite -map_comp. Qed.
Lemma bit_row f x : f < width -> (row_of width F x).[f] = F f x.
Proof. by move=> lt; rewrite bit_pack (nth_map 0) ?size_iota // nth_iota. Qed.
Lemma column_record nA f : f < width ->
  column (view_of width nA (record_of width F obs)) f = pack [seq F f x | x <- rows obs].
Proof.
by move=> lt; rewrite columnE // rows_record -map_comp; congr pack; apply: eq_map => x /=; rewrite bit_row.
Qed.
End Record.

(** ** States along a log *)
Section Along.
Variables (X : Type) (nA : nat) (w : dynamics X nat).

(** The state at row [t]; none if there is no such row. *)
Definition at_row (obs : log X) (t : nat) : option (state w) := nth None [seq Some (decode w x) | x <- rows obs] t.

Lemma at_visited obs t s : at_row obs t = Some s -> visited obs s.
Proof.
rewrite /at_row => e; have lt : t < size (rows obs).
  by rewrite ltnNge; apply/negP => le; rewrite nth_default ?size_map in e.
rewrite /visited; have : Some s \in [seq Some (decode w x) | x <- rows obs] by rewrite -e mem_nth ?size_map.
by rewrite (map_comp Some) mem_map // => ? ? [].
Qed.
Lemma visited_at obs s : visited obs s -> exists2 t, t < size (rows obs) & at_row obs t = Some s.
Proof.
rewrite /visited => sin; exists (index s [seq decode w x | x <- rows obs]).
  by rewrite -(size_map (decode w)) index_mem.
by rewrite /at_row (map_comp Some) (nth_map s) ?index_mem // nth_index.
Qed.
Lemma row_state obs t : t < size (rows obs) -> exists s, at_row obs t = Some s.
Proof.
rewrite /at_row -(size_map (fun x => Some (decode w x))) => lt; have := mem_nth None lt.
by case: (nth _ _ _) => [s|]; [exists s|rewrite (map_comp Some) => /mapP[]].
Qed.

(** A log is possible if each action leads to the next state, row by row. *)
Lemma possibleP obs : reflect (forall t a, nth None (actions obs) t = Some a ->
    exists2 s, at_row obs t = Some s & a < nA /\ at_row obs t.+1 = Some (step w s a)) (possible nA w obs).
Proof.
apply: (iffP idP); elim: obs => [|[x ss] obs IH] //; first by move=> _ t a; rewrite nth_nil.
  move=> /= /andP[fol pos]; elim: ss x fol => [|[b y] ss IHs] x; first by move=> _ [|t] a // /(IH pos).
  by case/and3P => lt /eqP e fol [|t] a; [case=> <-; exists (decode w x); rewrite // -e|apply: IHs].
move=> ok; apply/andP; elim: ss x ok => [|[a y] ss IHs] x ok.
  by split=> //; apply: IH => t a e; have := ok t.+1 a e.
have [|s [<-] [lt [e]]] := ok 0 a; first by [].
have [|fol pos] := IHs y; first by move=> t b e'; have := ok t.+1 b e'.
by rewrite /= lt e eqxx fol.
Qed.
End Along.

(** ** The columns of the states are an admissible cover *)
Section Truth.
Variables (X : Type) (F : nat -> X -> bool) (connected : bool) (width nA : nat) (obs : log X) (w : dynamics X nat).
Hypothesis fit : fits width nA F w connected obs.
Let v := view_of width nA (record_of width F obs).

Definition column_of (s : state w) : N := pack [seq decode w x == s | x <- rows obs].
Definition true_columns : pred N := fun c => [exists s, visited obs s && (c == column_of s)].

Lemma bit_column s t : (column_of s).[t] = (at_row w obs t == Some s).
Proof.
by rewrite bit_pack /at_row; elim: (rows obs) t => [|x xs IH] [|t] //=.
Qed.
Lemma heightE : height v = size (rows obs).
Proof. by rewrite /= rows_record size_map. Qed.
Lemma true_column s : visited obs s -> true_columns (column_of s).
Proof. by move=> vis; apply/existsP; exists s; rewrite vis eqxx. Qed.
Lemma column_inj s s' : visited obs s -> column_of s = column_of s' -> s = s'.
Proof. by case/visited_at => t _ e es; have := bit_column s t; rewrite e eqxx es bit_column e => /eqP[]. Qed.
Lemma classifiesE f s : f < width -> classifies F obs f s = (column v f == column_of s).
Proof.
move=> lt; rewrite /v column_record //.
have -> : classifies F obs f s = ([seq F f x | x <- rows obs] == [seq decode w x == s | x <- rows obs]).
  by rewrite /classifies; elim: (rows obs) => //= x xs ->; rewrite eqseq_cons.
by apply/eqP/eqP => [->//|]; apply: pack_inj; rewrite !size_map.
Qed.

Lemma true_waysP s c : reflect (exists2 a, a < nA & c = after obs (column_of s) a) (c \in ways v (column_of s)).
Proof. by apply: (iffP (waysP _ _ _ _ _)) => -[a lt ->]; exists a; rewrite // /after actions_record. Qed.
Lemma after_next s a t : (after obs (column_of s) a).[t] -> at_row w obs t = Some (step w s a).
Proof.
rewrite bit_after; case: t => [//|t]; rewrite bit_column => /andP[/eqP e] /eqP.
by case/(elimT (possibleP _ _ _) (fits_possible fit)) => s'; rewrite e => -[<-] [].
Qed.

(** Lemma 1. *)
Lemma truth_is_cover : cover v true_columns.
Proof.
split=> [_ /existsP[s /andP[vis /eqP->]]|_ /existsP[s /andP[vis /eqP->]]|t|].
- have [f lt] := fits_realised fit vis; rewrite classifiesE // => /eqP <-.
  by rewrite mem_nth // size_columns.
- by have [t _ e] := visited_at vis; apply/nonemptyP; exists t; rewrite bit_column; apply/eqP.
- rewrite heightE => /(row_state w)[s e]; exists (column_of s); last by rewrite bit_column; apply/eqP.
  by apply/true_column/at_visited/e.
have steady s s' : ~~ has (fun c => partly c (column_of s')) (ways v (column_of s)).
  apply/hasPn => c /true_waysP[a _ ->]; apply/partlyP => -[t [t' [/after_next e /after_next e']]].
  by rewrite !bit_column e e' => ->.
move=> _ _ /existsP[s /andP[_ /eqP->]] /existsP[s' /andP[_ /eqP->]]; rewrite /conflict !negb_or !steady !andbT.
rewrite negb_and negbK -implyNb; apply/implyP; apply: contra => /meetsP[t]; rewrite !bit_column.
by move=> /eqP-> /eqP[->]; apply: N.eqb_refl.
Qed.

(** A closed set of true columns is closed under every action. *)
Lemma closed_step cs s a : closed v cs -> (forall c, c \in cs -> true_columns c) ->
  visited obs s -> column_of s \in cs -> a < nA -> visited obs (step w s a) /\ column_of (step w s a) \in cs.
Proof.
move=> /allP cl tr vis sin lt; have : after obs (column_of s) a \in ways v (column_of s) by apply/true_waysP; exists a.
move=> /(allP (cl _ sin))/andP[/nonemptyP[t ct] /hasP[d din /withinP/(_ t ct) dt]].
have e := after_next ct; split; first exact: at_visited e.
have /existsP[s' /andP[_ /eqP ed]] := tr d din; move: dt; rewrite ed bit_column e => /eqP[->].
by rewrite -ed.
Qed.
Lemma closed_all cs s : connected -> closed v cs -> (forall c, c \in cs -> true_columns c) ->
  visited obs s -> column_of s \in cs -> forall s', visited obs s' /\ column_of s' \in cs.
Proof.
move=> con cl tr vis sin s'; have [u ok <-] := fits_connected fit con s s'.
elim: u s ok vis sin => [//|a u IH] s /= /andP[lt ok] vis sin.
by have [vis' sin'] := closed_step cl tr vis sin lt; apply: IH.
Qed.

(** If no classifier is 1 on all rows, two states were visited. *)
Lemma two_states (s : state w) : visited obs s -> if connected then is_true (1 < #|state w|) else two_visited w obs.
Proof.
move=> vis; case: (boolP (all (fun x => decode w x == s) (rows obs))) => [all_s|].
  have [f lt cl] := fits_realised fit vis; apply: (fits_two fit); exists f => //.
  by move: cl all_s; rewrite /classifies; elim: (rows obs) => //= x xs IH /andP[/eqP-> cl] /andP[-> /(IH cl)->].
rewrite -has_predC => some; have [s' vis' ne] : exists2 s' : state w, visited obs s' & s != s'.
  move: some; rewrite /visited; elim: (rows obs) => //= x xs IH /orP[ne|/IH[s' vis' ne]].
    by exists (decode w x); rewrite ?mem_head // eq_sym.
  by exists s'; rewrite // inE vis' orbT.
by case: connected; [apply/card_gt1P; exists s, s'|exists s, s'].
Qed.

(** Lemma 2. *)
Lemma truth_is_admissible : admissible connected v true_columns.
Proof.
split=> [_ /existsP[s /andP[vis /eqP->]]|con cs]; last first.
  case: cs => [//|c cs] _ cl tr; have /existsP[s /andP[vis /eqP es]] := tr c (mem_head _ _).
  have all_ := closed_all con cl tr vis; rewrite -es mem_head in all_.
  apply/(hitP (@rows_all _ _ _)) => t; rewrite -/v heightE => /(row_state w)[s' e].
  by exists (column_of s'); [have [] := all_ isT s'|rewrite bit_column; apply/eqP].
have := two_states vis; rewrite /alone; case con: connected => two; apply/negP.
  move=> cl; have tr c : c \in [:: column_of s] -> true_columns c by rewrite inE => /eqP->; apply: true_column.
  have /card_gt1P[s1 [s2 [_ _ /eqP]]] := two; apply.
  have same s' : s' = s.
    have [vis'] := closed_all con cl tr vis (mem_head _ _) s'.
    by rewrite inE => /eqP; apply: column_inj.
  by rewrite (same s1) (same s2).
have [s1 [s2 [/visited_at[t1 lt1 e1] /visited_at[t2 lt2 e2] /eqP ne]]] := two.
move=> /withinP all_; apply: ne.
have := all_ t1; have := all_ t2; rewrite !rows_all -/v heightE !bit_column e1 e2 => /(_ lt2)/eqP[->].
by move=> /(_ lt1)/eqP[].
Qed.
End Truth.

(** ** The theorem *)
Lemma apart_uniq seen cs : apart seen cs -> all (fun c => ~~ empty c) cs -> uniq cs.
Proof.
elim: cs seen => [//|c cs IH] seen /= /andP[_ ap] /andP[/nonemptyP[t ct] ne]; rewrite (IH _ ap ne) andbT.
by apply/negP => cin; have := apart_seen ap cin; move=> /(_ t); rewrite bit_lor ct orbT => /(_ isT).
Qed.

Theorem sound : certain_is_sound.
Proof.
move=> X F connected width nA obs h r; rewrite /check; set v := view_of _ _ _; set cs := map _ _.
case: ifP => // /and3P[_ com no] [<-] w fit.
have [ap cl] : apart 0 cs /\ closed v cs by case/and5P: com => _ _ ? _ /andP[].
have un : uniq cs by case/and5P: com => _ /allP ne _ _ _; apply: (apart_uniq ap); apply/allP => c /ne/andP[].
have only := only_cover (@rows_all _ _ _) (@column_low _ _ _) com no (truth_is_cover fit) (truth_is_admissible fit).
have tr c : c \in cs -> true_columns obs w c by rewrite -only.
have inn (s : state w) : visited obs s -> column_of obs s \in cs by move=> vis; rewrite -only; apply: true_column.
exists (fun s => index (column_of obs s) cs); last first.
  have lt : 0 < size cs by case/and5P: com => /ltnW.
  have /existsP[s0 /andP[vis _]] := tr _ (mem_nth 0%num lt).
  by move=> con s; have [] := closed_all fit con cl tr vis (inn _ vis) s.
split=> [s s' vis vis' e|k|s a vis lt|s a vis lt|s f vis lt].
- by apply: (column_inj vis); rewrite -(nth_index 0%num (inn _ vis)) e nth_index ?inn.
- rewrite /= size_map; split=> [lt|[s vis <-]]; last by rewrite index_mem inn.
  have /existsP[s /andP[vis /eqP e]] := tr _ (mem_nth 0%num lt).
  by exists s; rewrite // -e index_uniq.
- by have [] := closed_step fit cl tr vis (inn _ vis) lt.
- pose c := after obs (column_of obs s) a; have win : c \in ways v (column_of obs s) by apply/true_waysP; exists a.
  rewrite /next /= (nth_map 0%num) ?index_mem ?inn // nth_index ?inn //.
  rewrite /ways -!map_comp (nth_map 0) ?size_iota // nth_iota //= actions_record -/(after obs _ a) -/c.
  have /andP[/nonemptyP[t ct] some] := allP (allP cl _ (inn _ vis)) _ win.
  have din : nth 0%num cs (find (within c) cs) \in cs by rewrite mem_nth // -has_find.
  have e := after_next fit ct; have [vis' sin] := closed_step fit cl tr vis (inn _ vis) lt.
  rewrite -[RHS](@index_uniq _ 0%num _ cs) -?has_find //; congr index.
  apply: (apart_same ap sin din (t := t)); first by rewrite bit_column e.
  exact: (withinP _ _ (nth_find 0%num some)).
rewrite [encoders _]/= (nth_map 0%num) ?index_mem ?inn // nth_index ?inn // mem_fitting //.
exact: classifiesE.
Qed.

Theorem up_to_quotients : certain_up_to_quotients.
Proof.
move=> X F connected width nA obs h r; rewrite /check_quotients; set v := view_of _ _ _; set cs := map _ _.
case: ifP => // /and3P[_ com fine] [<-] w fit.
have [/allP seen cl] : all (fun c => ~~ empty c && (c \in columns v)) cs /\ closed v cs.
  by case/and5P: com => _ ? _ _ /andP[].
have joined := all_fine_sound (@rows_all _ _ _) (truth_is_cover fit) (truth_is_admissible fit) fine.
have low c t : c \in cs -> c.[t] -> exists2 s, at_row w obs t = Some s & within c (column_of obs s).
  move=> cin ct; have /andP[_ cv] := seen c cin; have := column_low cv ct.
  rewrite /= rows_record size_map => /(row_state w)[s e]; exists s => //.
  have /allP/(_ c cin)/orP[//|/negP[]] := joined _ (true_column (at_visited e)).
  by apply/meetsP; exists t; rewrite // bit_column e.
have lt0 : 0 < size cs by case/and5P: com => /ltnW.
have inside c : c \in cs -> exists s : state w, within c (column_of obs s).
  by move=> cin; have /andP[/nonemptyP[t ct] _] := seen c cin; have [s _ ok] := low c t cin ct; exists s.
have [s0 _] := inside _ (mem_nth 0%num lt0).
pose sigma l : state w := odflt s0 [pick s : state w | within (nth 0%num cs l) (column_of obs s)].
have sigmaP l : l < size cs -> within (nth 0%num cs l) (column_of obs (sigma l)).
  move=> lt; rewrite /sigma; case: pickP => [//|no].
  by have [s ok] := inside _ (mem_nth 0%num lt); have := no s; rewrite /= ok.
exists sigma => l; rewrite /= size_map => ltl; split=> [a lta|f ltf]; last first.
  rewrite (nth_map 0%num) // mem_fitting // column_record // => /eqP e.
  have sub t : nth false [seq F f x | x <- rows obs] t -> nth false [seq decode w x == sigma l | x <- rows obs] t.
    by rewrite -!bit_pack e; apply: (withinP _ _ (sigmaP l ltl)).
  elim: (rows obs) sub => //= x xs IH sub; rewrite IH ?andbT; first by apply/implyP; apply: (sub 0).
  by move=> t; apply: (sub t.+1).
pose c := after obs (nth 0%num cs l) a; have win : c \in ways v (nth 0%num cs l).
  by apply/waysP; exists a; rewrite // /after actions_record.
have /andP[/nonemptyP[t ct] some] := allP (allP cl _ (mem_nth 0%num ltl)) _ win.
have -> : next [seq [seq find (within w0) cs | w0 <- ways v c0] | c0 <- cs] l a = find (within c) cs.
  by rewrite /next (nth_map 0%num) // /ways -!map_comp (nth_map 0) ?size_iota // nth_iota //= actions_record.
have ltd : find (within c) cs < size cs by rewrite -has_find.
split=> //; have := withinP _ _ (sigmaP _ ltd) t (withinP _ _ (nth_find 0%num some) t ct).
rewrite bit_column => /eqP e; suff /(after_next fit) : (after obs (column_of obs (sigma l)) a).[t] by rewrite e => -[].
by move: ct; rewrite !bit_after; case: (t) => // t' /andP[ct ->]; rewrite (withinP _ _ (sigmaP l ltl)).
Qed.

Theorem exact_encoder : certain_encoder_is_exact.
Proof.
move=> X F width nA obs r w label s f ok vis one g lt true_g.
have : classifies F obs g s by rewrite /classifies (eq_all (a2 := xpredT)) ?all_predT // => x /=; rewrite true_g eqxx.
by rewrite (right_encoder ok) // one inE => /eqP <-.
Qed.
