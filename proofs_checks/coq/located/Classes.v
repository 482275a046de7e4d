(** Located STEEL: classes of classifiers, for the checker

    [finite]: bit rows, summarised by two numbers. [listed]: any class with a test of separability; its data
    are the rows themselves. [boxes], [thresholds] and [conjunctions] are such classes, each with a declared rule
    that chooses a classifier from the rows alone. *)
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
Definition listed (X F Note : Type) (value : F -> X -> bool) (decide : seq X -> seq X -> bool)
    (rule : option Note -> seq X -> seq X -> option F) : class := {|
  row := X; data := seq X; clf := F; note := Note; none := [::]; single x := [:: x];
  join d d' := d ++ d'; sep := decide; choose := rule; Checker.value := value |}.

(** ** Boxes: [least <= x <= greatest] in each coordinate
    Separable iff no zero lies in the smallest box around the ones. The rule: this box. (Without ones it is
    a box that holds nothing.) *)
Section Boxes.
Variable width : nat.
Definition coordinate (x : seq Z) i := nth 0%Z x i.
Definition box := (seq Z * seq Z)%type.
Definition in_box (b : box) x := all (fun i =>
  Z.leb (coordinate b.1 i) (coordinate x i) && Z.leb (coordinate x i) (coordinate b.2 i)) (iota 0 width).
Definition hull (o : seq (seq Z)) : option box :=
  if o is x :: o' then
    Some (foldr (fun y b => ([seq Z.min (coordinate y i) (coordinate b.1 i) | i <- iota 0 width],
                             [seq Z.max (coordinate y i) (coordinate b.2 i) | i <- iota 0 width]))
                (x, x) o')
  else None.
Definition separable_by_box (z o : seq (seq Z)) := if hull o is Some b then ~~ has (in_box b) z else true.
Definition smallest_box (_ : option Datatypes.unit) (z o : seq (seq Z)) :=
  if separable_by_box z o then hull o else None.
Definition boxes := listed in_box separable_by_box smallest_box.
End Boxes.

(** ** Thresholds: [x_i >= b], or [x_i <= b]
    The rule: the first coordinate that separates, upwards first, and the bound that fits the ones most closely. *)
Section Thresholds.
Variable width : nat.
Record threshold := Threshold { feature : nat; upward : bool; bound : Z }.
Definition beyond (t : threshold) x :=
  let c := coordinate x (feature t) in if upward t then Z.leb (bound t) c else Z.leb c (bound t).
(** the closest bound of one kind, if it excludes the zeros *)
Definition closest (z o : seq (seq Z)) (i : nat) (up : bool) : option threshold :=
  if o is x :: o' then
    let t := Threshold i up (foldr (fun y b => (if up then Z.min else Z.max) (coordinate y i) b) (coordinate x i) o') in
    if has (beyond t) z then None else Some t
  else None.
Definition first_threshold (_ : option Datatypes.unit) (z o : seq (seq Z)) : option threshold :=
  ohead (pmap (fun k => closest z o k.1 k.2) [seq (i, up) | i <- iota 0 width, up <- [:: true; false]]).
Definition separable_by_threshold (z o : seq (seq Z)) := (size o == 0) || isSome (first_threshold None z o).
Definition thresholds := listed beyond separable_by_threshold first_threshold.
End Thresholds.

(** ** Conjunctions of bits and negated bits
    [(yes, no)]: the bits of [yes] are 1, and those of [no] are 0. Separable iff no zero keeps all literals that hold
    on all ones. The rule: the conjunction of all these literals. *)
Section Conjunctions.
Variable width : N.
Definition conjunction := (N * N)%type.
Definition holds (c : conjunction) x := N.eqb (N.ldiff c.1 x) 0 && N.eqb (N.land c.2 x) 0.
Definition literals (o : seq N) : conjunction :=
  (foldr N.land (N.ones width) o, N.ldiff (N.ones width) (foldr N.lor N0 o)).
Definition separable_by_conjunction (z o : seq N) := ~~ has (holds (literals o)) z.
Definition longest_conjunction (_ : option Datatypes.unit) (z o : seq N) : option conjunction :=
  if separable_by_conjunction z o then Some (literals o) else None.
(** the class: literals of the bits below [width] *)
Definition literals_within (c : conjunction) := forall k, N.testbit c.1 k || N.testbit c.2 k -> N.lt k width.
Definition conjunctions := listed holds separable_by_conjunction longest_conjunction.
End Conjunctions.
