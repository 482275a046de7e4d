(** Located STEEL: classes of classifiers, for the checker

    [finite]: bit rows, summarised by two numbers. [listed]: any class with a test of separability; its data are the
    rows themselves. [thresholds], [boxes] and [conjunctions] keep what their tests read, and the rows if the rule needs
    them. Each chooses by its declared rule of the certificate format, "widest margin", from the rows alone. For
    [half_spaces] no rule is declared: the classifiers are those that were announced. What the theorems need of a class
    is that its test is complete ([Honest.v]); the rule may be any function. *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect.
From Steel.located Require Import Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Finite classes: bit [f] of a row is the value of classifier [f]
    A set of rows is summarised by the classifiers that are 1 on all rows, and those that are 1 on some row.
    The rule: the separating classifier with the lowest number. *)
Fixpoint lowest (p : positive) : N := if p is xO p' then N.succ (lowest p') else N0.

Definition finite (width : N) : class := {|
  row := N; data := (N * N)%type; clf := N; note := Datatypes.unit;
  none := (N.ones width, N0);
  single x := (x, x);
  join d d' := (N.land d.1 d'.1, N.lor d.2 d'.2);
  sep z o := ~~ N.eqb (N.ldiff o.1 z.2) N0;
  choose _ z o := if N.ldiff o.1 z.2 is Npos p then Some (lowest p) else None;
  value f x := N.testbit x f |}.

(** ** Classes whose data are lists of rows *)
Definition listed (X F Note : Type) (holds_on : F -> X -> bool) (decide : seq X -> seq X -> bool)
    (rule : option Note -> seq X -> seq X -> option F) : class := {|
  row := X; data := seq X; clf := F; note := Note; none := [::]; single x := [:: x];
  join d d' := d ++ d'; sep := decide; choose := rule; value := holds_on |}.

(** each row once *)
Definition distinct X (same : X -> X -> bool) (xs : seq X) : seq X :=
  foldr (fun x ys => if has (same x) ys then ys else x :: ys) [::] xs.

(** ** Rows of numbers
    A row of [Integers] has integers. A row of [Floats] has 64-bit floating-point numbers; all of them are multiples of
    2^-1074, and the row has the integers of which they are the multiples. *)
Inductive numbers := Integers | Floats.

Section Numbers.
Local Open Scope Z_scope.
(** [x] / 2^[k], rounded to the nearest integer, or to the even one of two *)
Definition nearest (x k : Z) : Z :=
  let q := Z.shiftr x k in
  match Z.compare (2 * (x - Z.shiftl q k)) (Z.shiftl 1 k) with
  | Lt => q | Gt => q + 1 | Eq => if Z.even q then q else q + 1
  end.
(** rounded to 53 binary digits *)
Definition rounded (x : Z) : Z :=
  let k := Z.log2 (Z.abs x) - 52 in if k <=? 0 then x else Z.shiftl (nearest x k) k.
(** A bound near the middle of [zero < one]: above [zero], and at most [one]. *)
Definition middle (k : numbers) (zero one : Z) : Z :=
  match k with
  | Integers => (zero + one + 1) / 2
  | Floats => let m := rounded (nearest zero 1 + nearest one 1) in if (zero <? m) && (m <=? one) then m else one
  end.
(** a bound between [zero] and [one], on either side *)
Definition between k zero one : Z := if one <? zero then - middle k (- zero) (- one) else middle k zero one.
End Numbers.

(** minus infinity, a number, plus infinity *)
Inductive bound := Low | At of Z | High.
Definition at_least (c : bound) x := match c with Low => true | At z => Z.leb z x | High => false end.
Definition at_most (c : bound) x := match c with Low => false | At z => Z.leb x z | High => true end.

(** The least and the greatest number of each feature; [None] without rows. A row is read as [width] numbers. *)
Definition map2 X Y V (f : X -> Y -> V) xs ys := [seq f p.1 p.2 | p <- zip xs ys].
Definition coordinate (x : seq Z) i := nth 0%Z x i.
Definition padded width (x : seq Z) := take width (x ++ nseq width 0%Z).
Definition extent := option (seq Z * seq Z).
Definition extent_of width x : extent := Some (padded width x, padded width x).
Definition wider (e e' : extent) : extent :=
  match e, e' with
  | Some (l, g), Some (l', g') => Some (map2 Z.min l l', map2 Z.max g g')
  | None, e | e, None => e
  end.
(** of each feature: the greatest number minus the least *)
Definition spreads (z o : seq Z * seq Z) := map2 Z.sub (map2 Z.max z.2 o.2) (map2 Z.min z.1 o.1).

(** ** Thresholds: [x_i >= c], or [x_i <= c]
    Separable iff the ones lie above the zeros in some feature, or below. The rule: the widest margin, divided by the
    spread of the feature; the first of several, upwards first. *)
Section Thresholds.
Variables (k : numbers) (width : nat).
Record threshold := Threshold { feature : nat; upward : bool; limit : bound }.
Definition beyond (t : threshold) x :=
  (if upward t then at_least else at_most) (limit t) (coordinate x (feature t)).
Definition separable_by_threshold (z o : extent) :=
  if (z, o) is (Some z, Some o) then has id (map2 Z.ltb z.2 o.1) || has id (map2 Z.ltb o.2 z.1) else true.
Definition widest_threshold (_ : option Datatypes.unit) (z o : extent) : option threshold :=
  match z, o with
  | Some z, Some o =>
    let gaps up := zip (if up then zip z.2 o.1 else zip z.1 o.2) (spreads z o) in
    let try up best igap :=
      let: (margin, spread', _) := best in let: (i, ((zero, one), spread)) := igap in
      let margin' := if up : bool then (one - zero)%Z else (zero - one)%Z in
      if (margin * spread <? margin' * spread')%Z then (margin', spread, Some (Threshold i up (At (between k zero one))))
      else best in
    let search up best := foldl (try up) best (zip (iota 0 width) (gaps up)) in
    (search false (search true (0%Z, 1%Z, None))).2
  | None, Some _ => Some (Threshold 0 true Low)
  | _, None => Some (Threshold 0 true High)
  end.
Definition thresholds : class := {|
  row := seq Z; data := extent; clf := threshold; note := Datatypes.unit; none := None; single := extent_of width;
  join := wider; sep := separable_by_threshold; choose := widest_threshold; value := beyond |}.
End Thresholds.

(** ** Boxes: [least <= x <= greatest] in each coordinate, with sides that may be missing
    Separable iff no zero lies in the smallest box around the ones. The rule: side [i] is [x_i >= c], and side
    [width + i] is [x_i <= c]. A cut of a side excludes the zeros that are at least some distance beyond the ones. The
    cut with the greatest product of this distance, divided by the spread, and the number of zeros is taken; of equal
    ones, that which excludes more, then the first. Then the best cut for the zeros that are left, and so on. *)
Section Boxes.
Variables (k : numbers) (width : nat).
Definition box := (seq bound * seq bound)%type.
Definition in_box (b : box) x := all (fun i =>
  at_least (nth Low b.1 i) (coordinate x i) && at_most (nth High b.2 i) (coordinate x i)) (iota 0 width).
Definition cloud := (extent * seq (seq Z))%type.
Definition separable_by_box (z o : cloud) :=
  if o.1 is Some (l, g) then ~~ has (fun x => all id (map2 Z.leb l x) && all id (map2 Z.leb x g)) z.2 else true.

Record cut := Cut { side : nat; spread : Z; zeros_cut : Z; distance : Z }.
Definition worth c := Z.mul (zeros_cut c) (distance c).
Definition better c c' :=
  match Z.compare (worth c * spread c') (worth c' * spread c) with
  | Gt => true | Lt => false | Eq => Z.ltb (zeros_cut c') (zeros_cut c)
  end.
(** the best cut of a side; [ds]: how far each zero that is left lies beyond the ones *)
Definition best_cut i spread (ds : seq Z) : cut :=
  (foldl (fun (best : Z * cut) d =>
            let n := Z.succ best.1 in (n, if Z.leb (worth best.2) (n * d) then Cut i spread n d else best.2))
         (0%Z, Cut i spread 0 0) (sort (fun d d' => Z.leb d' d) [seq d <- ds | Z.ltb 0 d])).2.
Fixpoint cuts i spreads (zs : seq (seq Z)) : seq cut :=
  if spreads is spread :: spreads' then
    best_cut i spread [seq head 0%Z d | d <- zs] :: cuts i.+1 spreads' [seq behead d | d <- zs] else [::].
Definition narrowed (l g : seq Z) (b : box) c : box :=
  let i := side c in
  if i < width then (set_nth Low b.1 i (At (between k (coordinate l i - distance c) (coordinate l i))), b.2)
  else let i := i - width in (b.1, set_nth High b.2 i (At (between k (coordinate g i + distance c) (coordinate g i)))).
(** [zs]: the zeros that are left, each as its distances beyond the ones on all sides *)
Fixpoint narrow fuel spreads l g (zs : seq (seq Z)) b : option box :=
  if zs is [::] then Some b else
  if fuel is f.+1 then
    let c := foldl (fun best c => if better c best then c else best) (Cut 0 1 0 0) (cuts 0 spreads zs) in
    if Z.ltb 0 (zeros_cut c)
    then narrow f spreads l g [seq d <- zs | Z.ltb (coordinate d (side c)) (distance c)] (narrowed l g b c) else None
  else None.
Definition widest_box (_ : option Datatypes.unit) (z o : cloud) : option box :=
  if o.1 is Some (l, g) then
    let zs := distinct (all2 Z.eqb) [seq map2 Z.sub l x ++ map2 Z.sub x g | x <- z.2] in
    let ss := if z.1 is Some e then spreads e (l, g) else [::] in
    narrow (size zs) (ss ++ ss) l g zs (nseq width Low, nseq width High)
  else Some (nseq width High, nseq width Low).
Definition boxes : class := {|
  row := seq Z; data := cloud; clf := box; note := Datatypes.unit; none := (None, [::]);
  single x := (extent_of width x, [:: padded width x]); join d d' := (wider d.1 d'.1, d.2 ++ d'.2);
  sep := separable_by_box; choose := widest_box; value := in_box |}.
End Boxes.

(** ** Conjunctions of bits and negated bits
    [(yes, no)]: the bits of [yes] are 1, and those of [no] are 0. Separable iff no zero keeps all literals that hold
    on all ones. The rule: of these literals, the one that excludes the most zeros; then that which excludes the most
    of those that are left, and so on; of several, the first: [i] for bit [i], [width + i] for its negation. *)
Section Conjunctions.
Variable width : N.
Definition conjunction := (N * N)%type.
Definition holds (c : conjunction) x := N.eqb (N.ldiff c.1 x) 0 && N.eqb (N.land c.2 x) 0.
(** the class: literals of the bits below [width] *)
Definition literals_within (c : conjunction) := forall k, N.testbit c.1 k || N.testbit c.2 k -> N.lt k width.
(** the literals that hold on all rows, and the rows *)
Definition words := (conjunction * seq N)%type.
Definition separable_by_conjunction (z o : words) := ~~ has (holds o.1) z.2.

(** How often each bit occurs in several sets, in binary: bit [b] of number [i] is digit [i] of the count of [b]. *)
Fixpoint counted (carry : N) (digits : seq N) : seq N :=
  if carry is N0 then digits else
  if digits is d :: digits' then N.lxor d carry :: counted (N.land d carry) digits' else [:: carry].
(** the bits that occur most often; none if all sets are empty *)
Definition most_common (sets : seq N) : N :=
  foldr (fun digit most => if N.land most digit is N0 then most else N.land most digit)
    (foldr N.lor N0 sets) (foldr counted [::] sets).
(** [left]: for each zero that is left, the literals that exclude it *)
Fixpoint exclude fuel (left : seq N) (chosen : N) : option N :=
  if left is [::] then Some chosen else
  if fuel is f.+1 then
    if most_common left is Npos p
    then exclude f [seq x <- left | ~~ N.testbit x (lowest p)] (N.setbit chosen (lowest p)) else None
  else None.
Definition widest_conjunction (_ : option Datatypes.unit) (z o : words) : option conjunction :=
  if o.2 is [::] then Some (1%num, 1%num) else
  let left := [seq N.lor (N.ldiff o.1.1 x) (N.shiftl (N.land o.1.2 x) width) | x <- distinct N.eqb z.2] in
  omap (fun c => (N.land c (N.ones width), N.shiftr c width)) (exclude (size left) left 0).
Definition conjunctions : class := {|
  row := N; data := words; clf := conjunction; note := Datatypes.unit; none := ((N.ones width, N.ones width), [::]);
  single x := ((x, N.ldiff (N.ones width) x), [:: x]);
  join d d' := ((N.land d.1.1 d'.1.1, N.land d.1.2 d'.1.2), d.2 ++ d'.2);
  sep := separable_by_conjunction; choose := widest_conjunction; value := holds |}.
End Conjunctions.

(** ** Half-spaces: [w_1 x_1 + ... + w_n x_n > 0]
    The numbers of an observation are written as integers above a common denominator, which is the last number of the
    row; so the last weight is the bias. *)
Section HalfSpaces.
Local Open Scope Z_scope.
Definition vector := seq Z.
Fixpoint dot (w x : vector) := match w, x with a :: w', b :: x' => a * b + dot w' x' | _, _ => 0 end.
Definition above (w x : vector) := 0 <? dot w x.
(** [c] times [x], plus [y]; numbers that are missing are 0 *)
Fixpoint plus c (x y : vector) :=
  match x, y with a :: x', b :: y' => c * a + b :: plus c x' y' | [::], y => y | x, [::] => map (Z.mul c) x end.

(** Zeros and ones are inseparable iff the convex hulls meet. Then the ones, and the zeros with the other sign, can be
    added up to 0 with weights >= 0, of which that of some one is positive. [meet]: these are such weights, each with
    the place of its row. *)
Definition meet (vs : seq vector) (zeros : nat) (weights : seq (Z * nat)) :=
  [&& all (fun c => 0 <=? c.1) weights,
      has (fun c => (0 <? c.1) && (zeros <= c.2 < size vs)%N) weights
    & all (Z.eqb 0) (foldr (fun c => plus c.1 (nth [::] vs c.2)) [::] weights)].

(** Such weights are found by the simplex method: the columns are [1 :: v], and the right side is [1, 0, ..., 0]. A row
    belongs to the column with a number, or to an artificial one; it has a row of the inverse of the basis, times the
    determinant. [gain]: the sum of the artificial rows, which tells whether a column makes this sum smaller. Of several
    rows that might leave, the least in lexicographic order does, so no basis returns. What is found is checked by
    [meet], so nothing has to be shown about this search. *)
Record tableau := Tableau { determinant : Z; rows : seq (option nat * vector); gain : vector; changed : bool }.
(** [x] / [p] comes before [y] / [q] *)
Fixpoint earlier p (x : vector) q (y : vector) :=
  if (x, y) is (a :: x', b :: y') then
    match Z.compare (a * q) (b * p) with Lt => true | Gt => false | Eq => earlier p x' q y' end
  else false.
Definition with_rows d rs b :=
  Tableau d rs (foldr (fun r y => if r.1 is None then plus 1 r.2 y else y) [::] rs) b.
Definition visit t (jv : nat * vector) :=
  let v := 1 :: jv.2 in
  if dot (gain t) v <=? 0 then t else
  let ps := [seq dot r.2 v | r <- rows t] in
  let try best ipr := let: (i, (p, r)) := ipr in
    if p <=? 0 then best else
    if best is Some (_, q, y) then if earlier p r.2 q y then Some (i, p, r.2) else best else Some (i, p, r.2) in
  let irs := zip (iota 0 (size ps)) (zip ps (rows t)) in
  if foldl try None irs is Some (i, p, x) then
    with_rows p [seq let: (k, (q, r)) := kqr in
      if k == i then (Some jv.1, x) else (r.1, [seq y / determinant t | y <- plus (- q) x (map (Z.mul p) r.2)])
      | kqr <- irs] true
  else t.
(** Passes over all columns, until nothing changes or the sum is 0; at most 2^[n]. *)
Fixpoint passes_over (vs : seq (nat * vector)) n t :=
  if n is m.+1 then
    let t' := passes_over vs m t in
    if changed t' && (0 <? head 0 (gain t')) then passes_over vs m t' else t'
  else foldl visit (Tableau (determinant t) (rows t) (gain t) false) vs.
Definition search (vs : seq vector) : seq (Z * nat) :=
  let n := (size (head [::] vs)).+1 in
  let units := [seq (None, [seq Z.b2z (i == j) | j <- iota 0 n]) | i <- iota 0 n] in
  pmap (fun r => omap (pair (head 0 r.2)) r.1) (rows (passes_over (zip (iota 0 (size vs)) vs) 60 (with_rows 1 units true))).
Definition separable_by_half_space (z o : seq vector) :=
  let vs := map (map (Z.mul (-1))) z ++ o in ~~ meet vs (size z) (search vs).
Definition half_spaces : class := listed above separable_by_half_space (fun announced _ _ => announced).
End HalfSpaces.
