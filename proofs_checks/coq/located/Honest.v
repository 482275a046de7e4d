(** Located STEEL: the classes of [Classes.v] decide rightly what the rules of the checker ask them

    [honest]: if the class has the classifier of a state, then sets of rows that this classifier separates are
    found separable. Nothing has to be shown about the rule that chooses classifiers. Then [fooled_rarely] gives
    the statements about finite classes, and about any class whose data are lists of rows. *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Steel Require Import Kernel Statements.
Import Located.
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

Lemma nth_In X (x0 : X) xs i : i < size xs -> List.In (nth x0 xs i) xs.
Proof. by elim: xs i => // x xs IH [|i] /= lt; [left|right; apply: IH]. Qed.
Lemma hasIn X (a : pred X) xs : has a xs -> exists2 x, List.In x xs & a x.
Proof.
elim: xs => //= x xs IH /orP[ax|/IH[y yin ay]]; first by exists x; first left.
by exists y; first right.
Qed.

(** ** Rows of numbers *)
Lemma size_padded w x : size (padded w x) = w.
Proof. by rewrite /padded size_takel // size_cat size_nseq leq_addl. Qed.
Lemma coordinate_padded w x i : i < w -> coordinate (padded w x) i = coordinate x i.
Proof. by move=> lt; rewrite /coordinate nth_take // nth_cat nth_nseq; case: ltnP => // le; rewrite if_same nth_default. Qed.
Lemma size_map2 X Y V (f : X -> Y -> V) xs ys n : size xs = n -> size ys = n -> size (map2 f xs ys) = n.
Proof. by move=> e e'; rewrite size_map size_zip e e' minnn. Qed.
Lemma nth_map2 X Y V (f : X -> Y -> V) x0 y0 z0 xs ys i : size xs = size ys -> i < size xs ->
  nth z0 (map2 f xs ys) i = f (nth x0 xs i) (nth y0 ys i).
Proof.
move=> e lt; rewrite (nth_map (x0, y0)) ?nth_zip //.
by rewrite size_zip -e minnn.
Qed.

Lemma at_least_le c x y : at_least c x -> Z.le x y -> at_least c y.
Proof. by case: c => //= c /Z.leb_le ? ?; apply/Z.leb_le; lia. Qed.
Lemma at_most_le c x y : at_most c x -> Z.le y x -> at_most c y.
Proof. by case: c => //= c /Z.leb_le ? ?; apply/Z.leb_le; lia. Qed.

Section Numbers.
Variables (width : nat) (F : Type) (value : F -> seq Z -> bool) (S : finType) (f_ : S -> F).
Notation shows := (lshows value f_).

(** Each number of an extent is that of a row that shows one of the states. *)
Definition attained (xs : seq Z) (P : pred S) := size xs = width /\
  forall i, i < width -> exists y s, [/\ shows y s, P s & coordinate y i = coordinate xs i].
Definition extent_within (e : extent) P := if e is Some (l, g) then attained l P /\ attained g P else True.

Lemma attained_padded x s (P : pred S) : shows x s -> P s -> attained (padded width x) P.
Proof. by move=> sh Ps; split=> [|i lt]; rewrite ?size_padded //; exists x, s; rewrite coordinate_padded. Qed.
Lemma attained_sub xs (P Q : pred S) : (forall s, P s -> Q s) -> attained xs P -> attained xs Q.
Proof. by move=> sub [sz h]; split=> // i /h[y [s [sh /sub Qs e]]]; exists y, s. Qed.
Lemma attained_map2 f xs ys P : (forall a b, f a b = a \/ f a b = b) ->
  attained xs P -> attained ys P -> attained (map2 f xs ys) P.
Proof.
move=> one [sx hx] [sy hy]; split=> [|i lt]; first exact: size_map2.
rewrite /coordinate (nth_map2 _ Z0 Z0) ?sx ?sy //; set a := nth _ xs i; set b := nth _ ys i.
by case: (one a b) => ->; [exact: hx|exact: hy].
Qed.
Lemma extent_join e e' P : extent_within e P -> extent_within e' P -> extent_within (wider e e') P.
Proof.
case: e e' => [[l g]|] [[l' g']|] //= [al ag] [al' ag']; split; apply: attained_map2 => // a b.
  by case: (Z.min_dec a b); tauto.
by case: (Z.max_dec a b); tauto.
Qed.
Lemma extent_sub e (P Q : pred S) : (forall s, P s -> Q s) -> extent_within e P -> extent_within e Q.
Proof. by case: e => [[l g]|] //= sub [al ag]; split; apply: attained_sub sub _. Qed.
End Numbers.

(** ** Thresholds *)
Section Thresholds.
Variables (k : numbers) (width : nat) (S : finType) (f_ : S -> threshold).
Hypothesis in_class : forall s, feature (f_ s) < width.
Lemma thresholds_honest :
  honest (C := thresholds k width) (lshows beyond f_) (extent_within width beyond f_).
Proof.
split=> [//|x s P sh Ps||d P Q|z o P s + nP]; first by split; apply: attained_padded Ps.
- exact: extent_join.
- exact: extent_sub.
case: z o => [[zl zg]|] [[ol og]|] //= [[szl zlP] [szg zgP]] [[sol olP] [sog ogP]].
set i := feature (f_ s); have lt : i < width := in_class s.
have found xs ys : size xs = width -> size ys = width -> Z.lt (coordinate xs i) (coordinate ys i) ->
    has id (map2 Z.ltb xs ys).
  move=> sx sy; rewrite /coordinate => /Z.ltb_lt h; apply/hasP; exists true => //.
  by apply/(nthP false); exists i; rewrite ?(size_map2 _ sx sy) // (nth_map2 _ Z0 Z0) ?sx ?sy.
have val y t : lshows beyond f_ y t ->
    (if upward (f_ s) then at_least else at_most) (limit (f_ s)) (coordinate y i) = (s == t) by move=> /(_ s).
have no t : P t -> (s == t) = false by move=> Pt; apply: contraNF nP => /eqP->.
case: (upward (f_ s)) (limit (f_ s)) val => lim val; apply/orP; [left|right]; apply: found => //.
  have [y [t [/val vy /no ne <-]]] := zgP i lt; have [y' [t' [/val vy' /eqP e <-]]] := olP i lt.
  rewrite ne in vy; rewrite e eqxx in vy'; case: lim {val} vy vy' => //= c /Z.leb_gt ? /Z.leb_le ?; lia.
have [y [t [/val vy /no ne <-]]] := zlP i lt; have [y' [t' [/val vy' /eqP e <-]]] := ogP i lt.
rewrite ne in vy; rewrite e eqxx in vy'; case: lim {val} vy vy' => //= c /Z.leb_gt ? /Z.leb_le ?; lia.
Qed.
End Thresholds.

(** ** Boxes *)
Section Boxes.
Variables (k : numbers) (width : nat) (S : finType) (f_ : S -> box).
Notation value := (in_box width).
(** The rows are kept as [width] numbers, which is all that a box reads. *)
Definition cloud_within (d : cloud) P := extent_within width value f_ d.1 P /\
  forall x, List.In x d.2 -> size x = width /\ exists2 s, lshows value f_ x s & P s.
Lemma in_box_padded b x : value b (padded width x) = value b x.
Proof. by apply: eq_in_all => i; rewrite mem_iota => /= lt; rewrite !coordinate_padded. Qed.
Lemma boxes_honest : honest (C := boxes k width) (lshows value f_) cloud_within.
Proof.
split=> [P //|x s P sh Ps|d d' P [e r] [e' r']|d P Q sub [e r]|z o P s [_ zr] nP [oe _]].
- split; first by split; apply: attained_padded Ps.
  move=> y /= [<-|//]; split; first exact: size_padded.
  by exists s => // s'; rewrite in_box_padded.
- split; first exact: extent_join.
  by move=> x /= /(@List.in_app_or _ d.2 d'.2)[/r|/r'].
- split; first exact: extent_sub e.
  by move=> x /r[sz [s sh /sub Qs]]; split=> //; exists s.
rewrite /= /separable_by_box; case: o.1 oe => [[l g]|] //= [[sl lP] [sg gP]].
apply/negP => /hasIn[x /zr[sx [t sh Pt]] /andP[/allP lx /allP xg]].
have := sh s; rewrite (_ : s == t = false); last by apply: contraNF nP => /eqP->.
move=> /negP[]; apply/allP => i ii; have lt : i < width by move: ii; rewrite mem_iota.
have le xs ys : size xs = width -> size ys = width -> {in map2 Z.leb xs ys, forall b : bool, b} ->
    Z.le (coordinate xs i) (coordinate ys i).
  move=> s1 s2 h; apply/Z.leb_le; rewrite /coordinate -(nth_map2 _ _ _ false) ?s1 ?s2 //.
  by apply: h; apply: mem_nth; rewrite (size_map2 _ s1 s2).
have inb y t' : lshows value f_ y t' -> t' == s ->
    at_least (nth Low (f_ s).1 i) (coordinate y i) && at_most (nth High (f_ s).2 i) (coordinate y i).
  by move=> h /eqP e; have := h s; rewrite e eqxx => /allP/(_ i ii).
have [y [t1 [sh1 /(inb _ _ sh1)/andP[from _] ey]]] := lP i lt.
have [y' [t2 [sh2 /(inb _ _ sh2)/andP[_ to] ey']]] := gP i lt.
by rewrite (at_least_le from) ?(at_most_le to) // ?ey ?ey'; apply: le.
Qed.
End Boxes.

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

Section Conjunctions.
Variables (width : N) (S : finType) (f_ : S -> conjunction).
Hypothesis in_class : forall s, literals_within width (f_ s).
(** The literals of a state's classifier hold on all rows of this state. *)
Definition words_within (d : words) (P : pred S) := lwithin holds f_ d.2 P /\
  forall s, (forall t, P t -> t = s) -> forall k,
    (N.testbit (f_ s).1 k -> N.testbit d.1.1 k) /\ (N.testbit (f_ s).2 k -> N.testbit d.1.2 k).
Lemma conjunctions_honest : honest (C := conjunctions width) (lshows holds f_) words_within.
Proof.
have low s k : N.testbit (f_ s).1 k || N.testbit (f_ s).2 k -> N.testbit (N.ones width) k.
  by move=> /in_class lt; apply: N.ones_spec_low.
split=> [P|x s P sh Ps|d d' P [r l] [r' l']|d P Q sub [r l]|z o P s [zr _] nP [_ ol]].
- by split=> // s _ k; split=> fk; apply: (low s); rewrite fk ?orbT.
- split=> [y /= [<-|//]|t h k]; first by exists s.
  have := sh t; rewrite (h s Ps) eqxx => /andP[/ldiff0 y1 /land0 y2]; split=> fk; first exact: y1.
  by rewrite N.ldiff_spec (low t) ?fk ?orbT //= y2.
- split=> [x /= /(@List.in_app_or _ d.2 d'.2)[/r|/r'] //|s h k].
  by have [a b] := l s h k; have [a' b'] := l' s h k; split=> fk; rewrite N.land_spec ?a ?a' ?b ?b'.
- split=> [x /r[s sh /sub Qs]|s h k]; first by exists s.
  by apply: l => t /sub/h.
apply/negP => /hasIn[x /zr[t sh Pt] /andP[/ldiff0 h1 /land0 h2]].
have := sh s; rewrite (_ : s == t = false); last by apply: contraNF nP => /eqP->.
have os k := ol s (fun t => @eqP _ t s) k.
by move=> /negP[]; apply/andP; split; [apply/ldiff0|apply/land0] => k fk; have [a b] := os k; [apply/h1/a|apply/h2/b].
Qed.
End Conjunctions.

(** ** Half-spaces: one that separates, added up with the weights of [meet], would make 0 positive. *)
Section HalfSpaces.
Local Open Scope Z_scope.
Lemma dot_times w c x : dot w (map (Z.mul c) x) = c * dot w x.
Proof. by elim: w x => [|a w IH] [|b x] //=; rewrite ?IH; ring. Qed.
Lemma dot_plus w c x y : dot w (plus c x y) = c * dot w x + dot w y.
Proof. by elim: w x y => [|a w IH] [|b x] [|b' y] //=; rewrite ?dot_times ?IH; ring. Qed.
Lemma dot_zero w x : all (Z.eqb 0) x -> dot w x = 0.
Proof. by elim: w x => [|a w IH] [|b x] // /andP[/Z.eqb_eq <- /IH /= ->]; ring. Qed.

Lemma half_spaces_complete (z o : seq vector) w : (forall x, List.In x z -> above w x = false) ->
  (forall x, List.In x o -> above w x) -> separable_by_half_space z o.
Proof.
move=> wz wo; apply/negP; rewrite /meet; set vs := _ ++ o; set c := search vs.
have sv : (size vs = size z + size o)%N by rewrite size_cat size_map.
have vsP i : 0 <= dot w (nth [::] vs i) /\ ((size z <= i < size vs)%N -> 0 < dot w (nth [::] vs i)).
  rewrite nth_cat size_map sv; case: (ltnP i (size z)) => [lt|le] /=; last first.
    split=> [|lt]; last by apply/Z.ltb_lt/wo/nth_In; rewrite ltn_subLR.
    case: (ltnP (i - size z) (size o)) => lt; last by rewrite nth_default //; case: w {wz wo}.
    by apply/Z.lt_le_incl/Z.ltb_lt/wo/nth_In.
  split=> //; rewrite (nth_map [::]) //; have := wz _ (nth_In [::] lt).
  by rewrite dot_times => /Z.ltb_ge; lia.
pose s c := dot w (foldr (fun c => plus c.1 (nth [::] vs c.2)) [::] c).
case/and3P=> c0 c1 /(dot_zero w); rewrite -/(s c); apply/Z.neq_sym/Z.lt_neq.
suff h : 0 <= s c /\ (has (fun c => (0 <? c.1) && (size z <= c.2 < size vs)%N) c -> Z.lt 0 (s c)) by case: h => _ /(_ c1).
elim: c c0 {c1} => [_|[k i] c IH /= /andP[/Z.leb_le k0 /IH[s0 s1]]]; first by rewrite /s; case: w {wz wo vsP s}.
have [v0 v1] := vsP i; rewrite /s /= dot_plus -/(s c); split=> [|/orP[/andP[/Z.ltb_lt k1 /v1]|/s1]]; nia.
Qed.
End HalfSpaces.

(** ** The statements *)
Lemma rarely (R : realFieldType) (C : class) (X : finType) (r : X -> row C) (p : parameters)
  (M : world R X (action p)) (shows : row C -> state M -> Prop) (within : data C -> pred (state M) -> Prop) :
  assumptions_hold M -> honest shows within -> (forall s e x, (emit M s e x != 0)%R -> shows (r x) s) ->
  rarely_fooled r M.
Proof.
move=> ok hon block; have det L s mu n := @fooled_rarely R C X r p M L s ok shows within hon block n mu.
by split=> // Seed L nu n dnu; apply: mean_le => // -[[seed s] e]; apply/det/kernel_id.
Qed.

(** a classifier of the class for each state *)
Lemma chosen (R : realFieldType) (X A : finType) (M : world R X A) (Row F : Type) (value : F -> Row -> bool)
  (G : F -> Prop) (r : X -> Row) : ex_bmdp M ->
  (forall s, exists2 f, G f & forall x, value f (r x) = (decode M x == s)) ->
  exists2 f_ : state M -> F, forall s, G (f_ s) &
    forall s e x, (emit M s e x != 0)%R -> lshows value f_ (r x) s.
Proof.
move=> ok real.
have /fin_all_exists[c cP] : forall s, exists f, G f /\ forall x, value f (r x) = (decode M x == s).
  by move=> s; have [f g e] := real s; exists f.
exists c => [s|s e x nz s']; first by case: (cP s).
by have [_ ->] := cP s'; case: ok => _ _ _ _ /(_ _ _ _ nz) ->; rewrite eq_sym.
Qed.

Theorem finite_sound : located_is_sound.
Proof.
move=> width R X r p M ok real; have [bmdp _ _ _] := ok.
by have [c cP sh] := chosen bmdp real; apply: rarely ok (finite_honest cP) sh.
Qed.

Theorem listed_sound : located_is_sound_for_any_rule.
Proof.
move=> Row Clf Note value F decide rule comp R X r p M ok real; have [bmdp _ _ _] := ok.
by have [c cP sh] := chosen bmdp real; apply: rarely ok (listed_honest rule comp cP) sh.
Qed.

Theorem declared_sound : located_is_sound_for_declared_classes.
Proof.
have half : sound_for (C := half_spaces) xpredT.
  by apply: listed_sound => z o f _; apply: half_spaces_complete.
split=> // [k width|k width|width] R X r p M ok real; have [bmdp _ _ _] := ok; have [c cP sh] := chosen bmdp real.
- exact: rarely ok (boxes_honest k width c) sh.
- exact: rarely ok (thresholds_honest k cP) sh.
- exact: rarely ok (conjunctions_honest cP) sh.
Qed.
