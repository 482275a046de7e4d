(** The checker is complete: if the claimed cover is the only admissible one, then a proof by reverse unit propagation
    and closed sets exists ([only_cover_accepted]); so for logs the checker can accept whenever any answer is certain
    ([Limits.certain_is_complete]). The proof that this file gives decides one column after the other and is
    long; solvers find shorter ones. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Clauses Checker Limits Covers Sound Worlds Optimal.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Unit propagation finds what is violated *)
Definition violates (known : assignment) (x : fact) : bool :=
  match x with
  | Clause p q => within p known.2 && within q known.1
  | Excludes p m => meets known.1 p && meets known.1 m
  end.
Definition more (known known' : assignment) : Prop :=
  (forall f, known.1.[f] -> known'.1.[f]) /\ (forall f, known.2.[f] -> known'.2.[f]).

Lemma violates_none known known' x : violates known x -> more known known' -> apply_fact known' x = None.
Proof.
case: known known' x => yes no [yes' no'] [p q|p m] /= /andP[] => [/withinP pn /withinP qy|].
  case=> /= my mn; rewrite !ifT //; apply/emptyP => f; rewrite bit_ldiff; apply/negP => /andP[].
    by move=> /pn/mn->.
  by move=> /qy/my->.
by move=> /meetsP[f yf pf] /meetsP[g yg mg] [/= my _]; rewrite !ifT //; apply/meetsP; [exists g|exists f] => //; apply: my.
Qed.
Lemma apply_fact_more known x known' : apply_fact known x = Some known' -> more known known'.
Proof.
case: known x => yes no [p q|p m] /=; repeat case: ifP => _ //; case=> <-; split=> f //= h; by rewrite bit_lor h.
Qed.
Lemma apply_facts_none xs x known known' :
  List.In x xs -> violates known x -> more known known' -> apply_facts xs known' = None.
Proof.
move=> xin vx; elim: xs known' xin => [//|y ys IH] known' /= [->|xin] mo; first by rewrite (violates_none vx mo).
case e: (apply_fact _ _) => [known2|//]; apply: IH => //.
by have [h1 h2] := apply_fact_more e; case: mo => m1 m2; split=> f h; [apply/h1/m1|apply/h2/m2].
Qed.
Lemma follows_none xs p q : apply_facts xs (q, p) = None -> follows xs p q.
Proof.
suff found fuel : apply_facts xs (q, p) = None -> contradictory fuel xs (q, p) by apply: found.
by case: fuel => [|x fuel] e; rewrite /= e.
Qed.
Lemma follows_violated xs x p q : List.In x xs -> violates (q, p) x -> follows xs p q.
Proof. by move=> xin vx; apply/follows_none/(apply_facts_none xin vx); split. Qed.
(** Both cases of a variable. *)
Lemma follows_cases xs p q f : List.In (Clause p (N.lor q (singleton f))) (Clause (N.lor p (singleton f)) q :: xs) ->
  follows (Clause (N.lor p (singleton f)) q :: xs) p q.
Proof.
case=> [[ep _]|xin].
  apply: (follows_violated (x := Clause (N.lor p (singleton f)) q)); first by left.
  by rewrite /= ep; apply/andP; split; apply/withinP.
apply: follows_none; rewrite /=.
have -> : empty (N.ldiff q q) by apply/emptyP => g; rewrite bit_ldiff andbN.
case: ifP => [//|/negbT/nonemptyP[g]]; rewrite bit_ldiff bit_lor bit_singleton andb_orl andbN /= => /andP[/eqP-> pf].
have e : N.ldiff (N.lor p (singleton f)) p = singleton f.
  apply: bit_inj => h; rewrite bit_ldiff bit_lor bit_singleton andb_orl andbN /=.
  by case: eqP => //= ->.
rewrite e ifT; last by rewrite /single /singleton N.shiftl_1_l N.log2_pow2 ?N.shiftl_1_l ?N.eqb_refl //; apply: N.le_0_l.
apply: (apply_facts_none (known := (N.lor q (singleton f), p)) xin) => //=.
by apply/andP; split; apply/withinP.
Qed.

(** ** The proof *)
Section Refutation.
Variables (connected : bool) (v : view).
(** What is added once all columns are decided. *)
Variable last_step : N -> seq proof_step.

Fixpoint refutation (fs : seq nat) (p q : N) : seq proof_step :=
  if fs is f :: fs' then
    refutation fs' p (N.lor q (singleton f)) ++ refutation fs' (N.lor p (singleton f)) q ++ [:: Learn p q]
  else last_step q ++ [:: Learn p q].

(** From the facts [xs] the steps [ps] lead to the facts [ys]. *)
Definition yields (ps : seq proof_step) (xs ys : seq fact) : Prop :=
  (forall x, List.In x xs -> List.In x ys) /\
  forall rest, proved connected v xs (ps ++ rest) = proved connected v ys rest.

Lemma refutation_ok (base : seq fact) (vars : seq nat) :
  (forall p q xs, (forall x, List.In x base -> List.In x xs) -> (forall f, f \in vars -> p.[f] || q.[f]) ->
     exists2 ys, yields (last_step q) xs ys & exists2 x, List.In x ys & violates (q, p) x) ->
  forall fs p q xs, (forall x, List.In x base -> List.In x xs) -> (forall f, f \in vars -> [|| f \in fs, p.[f] | q.[f]]) ->
  exists ys, yields (refutation fs p q) xs (Clause p q :: ys).
Proof.
move=> leaf; elim=> [|f fs IH] p q xs sub tot.
  have [ys [suby ey] [x xin vx]] := leaf p q xs sub tot; exists ys.
  split=> [y yin|rest]; first by right; apply: suby.
  by rewrite /= -catA ey /= (follows_violated xin vx).
have [|ys [suby ey]] := IH p (N.lor q (singleton f)) xs sub.
  by move=> g /tot; rewrite bit_lor bit_singleton inE; case: (g == f); rewrite /= ?orbT ?orbF.
have [x xin||zs [subz ez]] := IH (N.lor p (singleton f)) q (Clause p (N.lor q (singleton f)) :: ys).
- by apply/suby/sub.
- by move=> g /tot; rewrite bit_lor bit_singleton inE; case: (g == f); rewrite /= ?orbT ?orbF.
exists (Clause (N.lor p (singleton f)) q :: zs); split=> [x xin|rest]; first by right; apply/subz/suby.
by rewrite /= -!catA ey ez /= follows_cases //; apply: subz; left.
Qed.
End Refutation.

(** ** No other cover, so a proof *)
Section NoOther.
Variables (connected : bool) (v : view) (cs : seq N).
Hypothesis rowsE : forall t, (all_rows v).[t] = (t < height v).
Hypothesis only : forall K, cover v K -> admissible connected v K -> forall c, K c -> c \in cs.
Let left := settled connected v [::].
Let base := Clause (those (named v left) (fun c => c \notin cs)) 0 :: clauses v (named v left).
Let vars := [seq index c (columns v) | c <- left].

Lemma in_map_fact (Y : eqType) (g : Y -> fact) ys y : y \in ys -> List.In (g y) (map g ys).
Proof. by elim: ys => //= z ys IH; rewrite inE => /orP[/eqP->|/IH]; [left|right]. Qed.

(** Members of the cover [q] that could never be left, if there are any. *)
Definition kept_in (q : N) (m : (size left).-tuple bool) : bool :=
  impossible connected v (mask m left) && all (fun c => q.[index c (columns v)]) (mask m left).
Definition stuck (q : N) : seq proof_step :=
  if [pick m | kept_in q m] is Some m then [:: Closed [seq index c (columns v) | c <- mask m left]] else [::].
Lemma stuck_yields q xs : exists2 ys, yields connected v (stuck q) xs ys &
  kept_in q =1 xpred0 \/ exists2 x, List.In x ys & forall p, violates (q, p) x.
Proof.
rewrite /stuck; case: pickP => [m /andP[imp /allP qm]|no]; last by exists xs; [split|left].
exists (Clause 0 (union (map singleton [seq index c (columns v) | c <- mask m left])) :: xs).
  split=> [y yin|rest] /=; first by right.
  rewrite -map_comp (_ : map _ _ = mask m left) ?imp // -[RHS]map_id; apply/eq_in_map => c /mem_mask/settled_columns.
  exact: nth_index.
right; eexists; first by left.
move=> p; apply/andP; split; apply/withinP => f; rewrite ?bit0 // bit_union => /hasP[g /mapP[h /mapP[d /qm qd ->] ->]].
by rewrite bit_singleton => /eqP->.
Qed.
Lemma closed_eq ds es : ds =i es -> closed v ds = closed v es.
Proof.
move=> e; rewrite /closed (eq_all_r e); apply: eq_all => c; apply: eq_all => d.
by rewrite (eq_has_r e).
Qed.

(** If all columns are decided, some fact is violated: otherwise they would be another admissible cover. *)
Lemma some_violated p q xs : (forall x, List.In x base -> List.In x xs) -> (forall f, f \in vars -> p.[f] || q.[f]) ->
  exists2 ys, yields connected v (stuck q) xs ys & exists2 x, List.In x ys & violates (q, p) x.
Proof.
move=> sub tot; have [ys yl found] := stuck_yields q xs; exists ys => //.
case: found => [no_stuck|[x xin vx]]; last by exists x.
case: (boolP (has (violates (q, p)) base)) => [some|none].
  have [x xin vx] : exists2 x, List.In x base & violates (q, p) x.
    by move: some; elim: base => //= x bs IH /orP[vx|/IH[y yin vy]]; [exists x|exists y] => //; [left|right].
  by exists x => //; apply/yl.1/sub.
have fine x : List.In x base -> ~~ violates (q, p) x.
  by move: none; elim: base => //= y bs IH; rewrite negb_or => /andP[ny /IH ok] [<-|/ok].
have in_left m : ~~ violates (q, p) (Clause (those (named v left) m) 0) ->
    exists2 c, (c \in left) && m c & q.[index c (columns v)].
  have -> : violates (q, p) (Clause (those (named v left) m) 0) = within (those (named v left) m) p.
    by rewrite /= andbC; have -> // : within 0 q by apply/withinP => f; rewrite bit0.
  case/nonemptyP => f; rewrite bit_ldiff => /andP[/bit_those[c [cin mc ->]] pf]; exists c; rewrite ?cin //.
  by have := tot _ (map_f (fun c => index c (columns v)) cin); rewrite (negbTE pf).
pose K := [pred c | (c \in left) && q.[index c (columns v)]].
have [c /andP[cin nc] qc] := in_left _ (fine _ (or_introl erefl)).
have not_alone_K d : K d -> ~~ alone connected v d.
  by case/andP => /settled_sub; rewrite mem_filter => /andP[/andP[]].
suff cov : cover v K.
  case/negP: nc; apply: (only cov); last by rewrite inE cin.
  split=> // con ds nz cl dsK; apply: contraT => nohit.
  pose m := map_tuple (mem ds) (in_tuple left); have eqm : mask m left =i ds.
    move=> d; rewrite /= -filter_mask mem_filter /=; case: (boolP (d \in ds)) => //= din.
    by have /andP[] := dsK d din.
  have := no_stuck m; rewrite /kept_in /impossible con (closed_eq eqm) cl /= => /negbT/negP[]; apply/andP; split.
    apply/andP; split; last first.
      by apply: contra nohit => /(hitP rowsE) hits; apply/(hitP rowsE) => t /hits[d]; rewrite eqm; exists d.
    by move: eqm; case: (mask _ _) => // none_ds; case: (ds) nz none_ds => // d ds' _ /(_ d); rewrite mem_head.
  by apply/allP => d; rewrite eqm => /dsK/andP[].
split=> [d /andP[/settled_columns //]|d /andP[/settled_sub]|t lt|d e /andP[din qd] /andP[ein qe]].
- by rewrite mem_filter => /andP[/andP[/andP[]]].
- have [|d /andP[din dt] qd] := in_left (fun d => d.[t]); last by exists d; rewrite // inE din.
  apply/fine; right; apply: List.in_or_app; right.
  by apply: (in_map_fact (fun m => Clause m 0)); rewrite mem_undup; apply: map_f; rewrite mem_iota.
apply/negP => de.
have /fine/negP[] : List.In (Excludes (singleton (index d (columns v))) (those (named v left) (conflict v d))) base.
  right; apply: List.in_or_app; left; rewrite /clauses.
  pose g (r : N * N) := Excludes r.1 (those (named v left) (conflict v r.2)).
  by apply: (in_map_fact g (y := (singleton (index d (columns v)), d))); apply/mapP; exists d.
apply/andP; split; apply/meetsP; first by exists (index d (columns v)); rewrite ?bit_singleton.
by exists (index e (columns v)) => //; apply/bit_those; exists e.
Qed.

Lemma no_other_complete : exists ps, no_other connected v cs left ps.
Proof.
have [//|f ->//|ys [_ eq]] := refutation_ok some_violated (fs := vars) (p := 0%num) (q := 0%num) (xs := base).
exists (refutation stuck vars 0 0); apply/orP; right; rewrite -[refutation _ _ _ _]cats0 eq /=.
by apply: (follows_violated (x := Clause 0 0)); [left|apply/andP; split; apply/withinP => f; rewrite bit0].
Qed.
End NoOther.

Theorem only_cover_accepted connected width nA (l : log row) (fs : seq nat) :
  let v := view_of width nA l in let cs := map (column v) fs in
  readable width nA l -> complete connected v cs ->
  (forall K, cover v K -> admissible connected v K -> forall c, K c -> c \in cs) ->
  exists h, check connected width nA l h = Some (answer_of v cs).
Proof.
move=> v cs rd com only; have [ps no] := no_other_complete (@rows_all width nA l) only.
by exists (Hint fs [::] ps); rewrite /check -/v -/cs rd com no.
Qed.

(** ** A cover is an explanation *)
Lemma cover_explains width nA (l : log row) K : let v := view_of width nA l in
  readable width nA l -> 0 < size (rows l) -> cover v K -> admissible false v K ->
  explains width l [seq index c (columns v) | c <- undup (columns v) & K c].
Proof.
move=> v rd pos cov adm; pose ks := [seq c <- undup (columns v) | K c].
have memK c : (c \in ks) = K c.
  by rewrite mem_filter mem_undup; case: (boolP (K c)) => // Kc; rewrite (cover_column cov Kc).
have unK : uniq ks by rewrite filter_uniq ?undup_uniq.
have lt_index c : K c -> index c (columns v) < width.
  by move=> Kc; rewrite -(size_columns width nA l) index_mem (cover_column cov Kc).
have bitE c t : K c -> t < size (rows l) -> (nth 0%num (rows l) t).[index c (columns v)] = c.[t].
  move=> Kc lt; rewrite -[in RHS](nth_index 0%num (cover_column cov Kc)) -/(column v _) columnE ?lt_index //.
  by rewrite (bit_pack_map _ _ _ 0%num) lt.
split.
- rewrite size_map -/ks; have [c0 K0 ct0] := cover_hit cov pos.
  have : ~~ within (all_rows v) c0 by apply: (not_alone adm).
  case/nonemptyP => t; rewrite bit_ldiff rows_all => /andP[lt nct]; have [c1 K1 ct1] := cover_hit cov lt.
  apply: (@uniq_leq_size _ [:: c0; c1]) => [|c]; last by rewrite !inE memK => /orP[] /eqP->.
  by rewrite /= inE andbT; apply: contra nct => /eqP->.
- apply/allP => f /mapP[c]; rewrite memK => Kc ->; rewrite lt_index //=.
  have /nonemptyP[t ct] := cover_seen cov Kc; have lt := column_low (cover_column cov Kc) ct.
  by apply/(has_nthP 0%num); exists t; rewrite // bitE.
- move=> t lt; have [c Kc ct] := cover_hit cov lt; have cin : c \in ks by rewrite memK.
  exists (index c ks); rewrite size_map ?index_mem // => j ltj; rewrite (nth_map c) //.
  have Kj : K (nth c ks j) by rewrite -memK mem_nth.
  rewrite bitE //; apply/idP/eqP => [jt|->]; last by rewrite nth_index.
  by rewrite -(same_if_together (cover_agree cov Kj Kc) jt ct) index_uniq.
move=> t t' a f g /mapP[c]; rewrite memK => Kc -> /mapP[d]; rewrite memK => Kd -> e e'.
have [lt lt'] := (action_row e, action_row e'); rewrite !bitE // ?(ltnW lt) ?(ltnW lt') // => ct ct' dt.
apply: (way_into (cover_agree cov Kc Kd) (w := after l c a)) dt _.
- by apply/waysP; exists a => //; apply: readable_action rd e.
- by rewrite bit_after ct e eqxx.
by rewrite bit_after ct' e' eqxx.
Qed.

Lemma apart_pairwise seen cs : all (fun c => ~~ meets seen c) cs -> pairwise (fun c d => ~~ meets c d) cs -> apart seen cs.
Proof.
elim: cs seen => //= c cs IH seen /andP[-> no] /andP[/allP noc pw] /=; apply: IH => //; apply/allP => d din.
apply/negP => /meetsP[t]; rewrite bit_lor => /orP[st|ct] dt.
  by have /negP[] := allP no d din; apply/meetsP; exists t.
by have /negP[] := noc d din; apply/meetsP; exists t.
Qed.

Theorem complete_for_logs : certain_is_complete.
Proof.
move=> width nA l r rd [fs ex] all_right; pose v := view_of width nA l; pose cs := map (column v) fs.
have [taken _] := optimal rd all_right ex.
have [two seen one _] := ex.
have pos : 0 < size (rows l).
  by have /allP/(_ (nth 0 fs 0) (mem_nth 0 (ltnW two)))/andP[_] := seen; case: (rows l).
have only K : cover v K -> admissible false v K -> forall c, K c -> c \in cs.
  move=> cov adm c Kc; have exK := cover_explains rd pos cov adm.
  have [_ /(_ fs ex (index c (columns v)))] := optimal rd all_right exK.
  case=> [|g gin /allP eqg]; first by apply: map_f; rewrite mem_filter Kc mem_undup (cover_column cov Kc).
  have cin := cover_column cov Kc; have ltg := allP (small ex) g gin.
  have ltc : index c (columns v) < width by rewrite -(size_columns width nA l) index_mem.
  rewrite -(nth_index 0%num cin) -/(column v _) (_ : column v _ = column v g) ?map_f //.
  by rewrite !columnE //; congr pack; apply/eq_in_map => x /eqg/eqP.
suff /(only_cover_accepted rd)/(_ only)[h ok] : complete false v cs by exists h, (answer_of v cs).
have cov := explains_cover nA ex; rewrite -/v -/cs in cov.
have col_in (s : 'I_(size fs)) : column_at width nA l s \in cs by apply/map_f/mem_nth.
apply/and5P; split; first by rewrite size_map.
- by apply/allP => c cin; rewrite (cover_seen cov) // (cover_column cov).
- apply: apart_pairwise; first by apply/allP => c _; apply/meetsP => -[t]; rewrite bit0.
  apply/(pairwiseP 0%num) => i j; rewrite !inE !size_map => lti ltj ij; rewrite !(nth_map 0) //.
  apply/meetsP => -[t it jt]; have := one_label ex (s := Ordinal lti) (s' := Ordinal ltj) it jt.
  by move/(congr1 val)/eqP; rewrite /= ltn_eqF.
- by apply/(hitP (@rows_all width nA l)) => t /(cover_hit cov)[c Kc ct]; exists c.
rewrite andbT; apply/allP => c /mapP[f fin ->]; apply/allP => _ /waysP[a lta ->].
have lt : index f fs < size fs by rewrite index_mem.
have -> : column v f = column_at width nA l (Ordinal lt) by rewrite /column_at /= nth_index.
have [t xf e] := taken f a fin lta; have ltt := action_row e.
have wt : (after l (column_at width nA l (Ordinal lt)) a).[t.+1].
  by rewrite bit_after (bit_at _ _ (small ex)) /= nth_index // xf e eqxx (ltnW ltt).
apply/andP; split; first by apply/nonemptyP; exists t.+1.
have [s st] := some_label nA ex ltt; apply/hasP; exists (column_at width nA l s) => //.
by apply: (steady_after ex); apply/meetsP; exists t.+1.
Qed.
