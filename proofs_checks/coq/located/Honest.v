(** Located STEEL: the classes of [Classes.v] decide rightly what the rules of the checker ask them

    [honest]: if the class has the classifier of a state, then sets of rows that this classifier separates are
    found separable. Nothing has to be shown about the rule that chooses classifiers. Then [fooled_rarely] gives
    the statements about finite classes, and about any class whose data are lists of rows. *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Steel Require Import Model Kernel Statements.
From Steel.located Require Import Checker Classes Invariant Join.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Finite classes *)
Section Finite.
Variables (width : N) (S : finType) (c : S -> N).
Hypothesis in_class : forall s, N.lt (c s) width.

(** Classifier [c s] is the one of state [s]: on this row it is 1 iff the row shows [s]. *)
Definition fshows (x : N) (s : S) := forall s', N.testbit x (c s') = (s' == s).
Definition fwithin (d : N * N) (P : pred S) :=
  (forall s, (forall t, P t -> t = s) -> N.testbit d.1 (c s)) /\
  (forall s, ~~ P s -> N.testbit d.2 (c s) = false).

Lemma finite_honest : honest (C := finite width) fshows fwithin.
Proof.
split=> [P|x s P sh Ps|[a b] [a' b'] P [h1 h2] [h1' h2']|d P Q sub [h1 h2]|z o P s [_ z2] nP [o1 _]].
- by split=> s _ //=; rewrite N.ones_spec_low.
- split=> t h /=; rewrite sh; first by rewrite (h s Ps) eqxx.
  by apply: contraNF h => /eqP->.
- split=> t h /=; first by rewrite N.land_spec h1 ?h1'.
  by rewrite N.lor_spec h2 ?h2'.
- split=> s h; first by apply: h1 => t /sub; apply: h.
  by apply: h2; apply: contraNN h; apply: sub.
rewrite /=; apply/negP => /N.eqb_eq e.
have := N.ldiff_spec o.1 z.2 (c s); rewrite e N.bits_0 z2 //.
by rewrite o1 // => t /eqP.
Qed.
End Finite.

(** The rule of the certificate format: the separating classifier with the lowest number. *)
Lemma lowestP p : N.testbit (Npos p) (lowest p) /\
  forall k, N.lt k (lowest p) -> N.testbit (Npos p) k = false.
Proof.
elim: p => [p _|p [IH1 IH2]|]; try by split=> // k /N.nlt_0_r.
have e : N.pos p~0 = N.mul 2 (Npos p) by [].
rewrite e -[lowest p~0]/(N.succ (lowest p)); split=> [|k]; first by rewrite N.double_bits_succ.
case: (N.zero_or_succ k) => [->|[j ->]] lt; first by rewrite N.testbit_even_0.
by rewrite N.double_bits_succ IH2 //; apply/N.succ_lt_mono.
Qed.

(** ** Classes whose data are lists of rows *)
Section Listed.
Variables (X F Note : Type) (value : F -> X -> bool) (G : F -> Prop).
Variables (decide : seq X -> seq X -> bool) (rule : option Note -> seq X -> seq X -> option F).
Hypothesis complete : forall z o f, G f ->
  (forall x, List.In x z -> value f x = false) -> (forall x, List.In x o -> value f x) -> decide z o.
Variables (S : finType) (f_ : S -> F).
Hypothesis in_class : forall s, G (f_ s).
Definition lshows x s := forall s', value (f_ s') x = (s' == s).
Definition lwithin (d : seq X) (P : pred S) := forall x, List.In x d -> exists2 s, lshows x s & P s.

Lemma listed_honest : honest (C := listed value decide rule) lshows lwithin.
Proof.
split=> [P x //|x s P sh Ps y /= [<-|//]|d d' P w w' x|d P Q sub w x xin|z o P s wz nP wo].
- by exists s.
- by move=> /= /(@List.in_app_or _ d d')[/w|/w'].
- by have [s sh /sub Qs] := w x xin; exists s.
apply: (complete (in_class s)) => x xin.
  by have [t sh Pt] := wz x xin; rewrite sh; apply: contraNF nP => /eqP->.
by have [t sh /eqP e] := wo x xin; rewrite sh e eqxx.
Qed.
End Listed.

(** ** Boxes *)
Lemma hasIn X (a : pred X) xs : has a xs -> exists2 x, List.In x xs & a x.
Proof.
elim: xs => //= x xs IH /orP[ax|/IH[y yin ay]]; first by exists x; first left.
by exists y; first right.
Qed.

(** every coordinate of the smallest box is a coordinate of one of the rows *)
Lemma hull_attained width o b i : hull width o = Some b -> i < width ->
  (exists2 y, List.In y o & coordinate y i = coordinate b.1 i) /\
  (exists2 y, List.In y o & coordinate y i = coordinate b.2 i).
Proof.
move=> + lt; case: o => // x o [<-] {b}; elim: o => [|y o [[y1 i1 e1] [y2 i2 e2]]] /=.
  by split; exists x => //; left.
set b := foldr _ _ _ in e1 e2 *.
have co f : coordinate [seq f i | i <- iota 0 width] i = f i.
  by rewrite /coordinate (nth_map 0) ?size_iota // nth_iota.
rewrite !co -e1 -e2; split.
  case: (Z.min_spec (coordinate y i) (coordinate y1 i)) => -[_ ->]; [exists y|exists y1] => //;
    by move: i1 => /=; tauto.
case: (Z.max_spec (coordinate y i) (coordinate y2 i)) => -[_ ->]; [exists y2|exists y] => //;
  by move: i2 => /=; tauto.
Qed.

Lemma boxes_complete width z o f : (forall x, List.In x z -> in_box width f x = false) ->
  (forall x, List.In x o -> in_box width f x) -> separable_by_box width z o.
Proof.
move=> zs os; rewrite /separable_by_box; case h: hull => [b|] //.
apply/negP => /hasIn[x xz /allP inb]; have /negP[] := negbT (zs x xz); apply/allP => i ii.
have lt : i < width by move: ii; rewrite mem_iota.
have [[y yo e1] [y' yo' e2]] := hull_attained h lt.
have /andP[/Z.leb_le l3 _] := allP (os y yo) i ii; have /andP[_ /Z.leb_le l4] := allP (os y' yo') i ii.
have /andP[/Z.leb_le l1 /Z.leb_le l2] := inb i ii.
by apply/andP; split; apply/Z.leb_le; lia.
Qed.

(** ** Thresholds *)
Lemma some_head (K : eqType) B (g : K -> option B) ks k : k \in ks -> isSome (g k) -> isSome (ohead (pmap g ks)).
Proof.
elim: ks => //= k' ks IH; rewrite inE => kin gk; case e: (g k') => [y|] //=; apply: IH => //.
by case/predU1P: kin => // ek; rewrite ek e in gk.
Qed.

Lemma thresholds_complete width z o f : feature f < width -> (forall x, List.In x z -> beyond f x = false) ->
  (forall x, List.In x o -> beyond f x) -> separable_by_threshold width z o.
Proof.
case: f => i up b /= lt zs os; rewrite /separable_by_threshold; case: o os => // x o os.
apply: (some_head (k := (i, up))).
  by apply/allpairsP; exists (i, up); rewrite mem_iota lt; split=> //; case: (up).
rewrite /closest /=; set m := foldr _ _ _; suff -> : has (beyond (Threshold i up m)) z = false by [].
apply/negP => /hasIn[y yz]; have := zs y yz; rewrite /beyond /=.
have : if up then Z.le b m else Z.le m b.
  have ox := os x (or_introl erefl); rewrite /m; elim: o os {m} => [|y' o IH] os /=.
    by move: ox; rewrite /beyond /=; case: (up) => /Z.leb_le.
  have os' u : List.In u (x :: o) -> beyond (Threshold i up b) u by move=> /= h; apply: os => /=; tauto.
  have := IH os'.
  have := os y' (or_intror (or_introl erefl)); rewrite /beyond /=.
  by case: (up) => /Z.leb_le; [apply: Z.min_glb|apply: Z.max_lub].
by case: (up) => le /Z.leb_gt gt /Z.leb_le; lia.
Qed.

(** ** Conjunctions *)
Lemma ldiff0 a b : reflect (forall k, N.testbit a k -> N.testbit b k) (N.eqb (N.ldiff a b) 0).
Proof.
apply: (iffP idP) => [/N.eqb_eq e k ak|sub].
  by have := N.ldiff_spec a b k; rewrite e N.bits_0 ak /=; case: N.testbit.
apply/N.eqb_eq/N.bits_inj => k; rewrite N.ldiff_spec N.bits_0; case ak: N.testbit => //=.
by rewrite (sub k ak).
Qed.
Lemma land0 a b : reflect (forall k, N.testbit a k -> N.testbit b k = false) (N.eqb (N.land a b) 0).
Proof.
apply: (iffP idP) => [/N.eqb_eq e k ak|sub].
  by have := N.land_spec a b k; rewrite e N.bits_0 ak.
apply/N.eqb_eq/N.bits_inj => k; rewrite N.land_spec N.bits_0; case ak: N.testbit => //=.
exact: sub.
Qed.

Lemma conjunctions_complete width z o f : literals_within width f -> (forall x, List.In x z -> holds f x = false) ->
  (forall x, List.In x o -> holds f x) -> separable_by_conjunction width z o.
Proof.
move=> wi zs os; apply/negP => /hasIn[x xz /andP[/ldiff0 h1 /land0 h2]].
have /negP[] := negbT (zs x xz); apply/andP; split; [apply/ldiff0|apply/land0] => k fk.
  have kw : N.lt k width by apply: wi; rewrite fk.
  apply: h1; rewrite /= ; elim: o os {h2} => [|y o IH] os /=; first by rewrite N.ones_spec_low.
  rewrite N.land_spec IH ?andbT => [|u uo]; last by apply: os; right.
  by have /andP[/ldiff0 -> //] := os y (or_introl erefl).
have kw : N.lt k width by apply: wi; rewrite fk orbT.
apply: h2; rewrite /= N.ldiff_spec N.ones_spec_low //=; elim: o os {h1} => [|y o IH] os //=.
rewrite N.lor_spec negb_or IH ?andbT => [|u uo]; last by apply: os; right.
by have /andP[_ /land0 -> //] := os y (or_introl erefl).
Qed.

(** ** The statements *)
Lemma rarely (R : realFieldType) (C : class) (X : finType) (r : X -> row C) (p : parameters)
  (M : world R X (action p)) (shows : row C -> state M -> Prop) (within : data C -> pred (state M) -> Prop) :
  assumptions_hold M -> honest shows within -> (forall s e x, (emit M s e x != 0)%R -> shows (r x) s) ->
  rarely_fooled r M.
Proof.
move=> ok hon block; have det L s mu n := @fooled_rarely R C X r p M L s ok shows within hon block n mu.
by split=> // Seed L nu n dnu; apply: mean_le => // -[[seed s] e]; apply/det/kernel_id.
Qed.

Theorem finite_sound : located_is_sound.
Proof.
move=> R X p M width bits ok real.
have /fin_all_exists[c cP] : forall s, exists f, N.lt f width /\ forall x, N.testbit (bits x) f = (decode M x == s).
  by move=> s; have [f lt e] := real s; exists f.
apply: (rarely ok (@finite_honest width _ c (fun s => proj1 (cP s)))) => s e x nz s'.
by have [_ ->] := cP s'; case: ok => -[_ _ _ _ /(_ _ _ _ nz) ->]; rewrite eq_sym.
Qed.

Theorem listed_sound : located_is_sound_for_any_rule.
Proof.
move=> Row Clf Note value F decide rule comp R X p M r ok real.
have /fin_all_exists[c cP] : forall s, exists f, F f /\ forall x, value f (r x) = (decode M x == s).
  by move=> s; have [f lt e] := real s; exists f.
apply: (rarely ok (listed_honest rule comp (fun s => proj1 (cP s)))) => s e x nz s'.
by have [_ ->] := cP s'; case: ok => -[_ _ _ _ /(_ _ _ _ nz) ->]; rewrite eq_sym.
Qed.

Theorem declared_sound : located_is_sound_for_declared_classes.
Proof.
move=> R X p M ok; split=> width r real; apply: listed_sound ok real.
- by move=> z o f _; apply: boxes_complete.
- exact: thresholds_complete.
- exact: conjunctions_complete.
Qed.
