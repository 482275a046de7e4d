(** The checker of located runs as an OCaml program

    The program reads lines (located_main.ml) and runs a function [check_...] of the class, which is [accepts] of
    [located/Checker.v] on the record that the lines say: the function that [located_is_sound] and
    [located_is_sound_for_declared_classes] are about.

    What is trusted here, beside Coq's extraction itself:
    - booleans, options, pairs and lists are OCaml's own (ExtrOcamlBasic);
    - [nat] becomes OCaml's [int], with the operations below. All such numbers are lengths of lists or numbers of the
      input that are used as lengths, so they stay far below 2^62;
    - [N], [positive] and [Z] become zarith's integers, with the operations below and of ExtrOcamlZBigInt. *)
From Coq Require Import NArith ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
From mathcomp Require Import all_ssreflect.
From Steel.located Require Import Checker Classes.

(** A line of the input. *)
Inductive line (Row Note : Type) :=
  Step of nat & option Row | Looping | Exploring | Validating of nat & seq nat & seq Note.

Definition entry_of (C : class) (l : line (row C) (note C)) : entry C :=
  match l with
  | Step a ox => Did a ox
  | Looping => Said Loop
  | Exploring => Said Explore
  | Validating n w ms => Said (Validate (@Round C w n ms))
  end.

(** table, current state, classifiers, steps *)
Definition answer (Clf : Type) := (seq (seq nat) * nat * seq Clf * nat)%type.
Definition check (C : class) (p : parameters) (ls : seq (line (row C) (note C))) : option (answer (clf C)) :=
  omap (fun ans : model C * nat => (table ans.1, current ans.1, encoder ans.1, ans.2)) (accepts p (map (@entry_of C) ls)).

Definition check_finite width p : seq (line N Datatypes.unit) -> option (answer N) := @check (finite width) p.
Definition check_thresholds k width p : seq (line (seq Z) Datatypes.unit) -> option (answer threshold) := @check (thresholds k width) p.
Definition check_boxes k width p : seq (line (seq Z) Datatypes.unit) -> option (answer box) := @check (boxes k width) p.
Definition check_conjunctions width p : seq (line N Datatypes.unit) -> option (answer conjunction) := @check (conjunctions width) p.
Definition check_half_spaces p : seq (line vector vector) -> option (answer vector) := @check half_spaces p.

Extract Constant eqn => "(fun (a : int) b -> a = b)".
Extract Constant subn_rec => "(fun (a : int) b -> if a < b then 0 else a - b)".
Extract Constant N.land => "Z.logand".
Extract Constant N.lor => "Z.logor".
Extract Constant N.lxor => "Z.logxor".
Extract Constant N.ldiff => "(fun a b -> Z.logand a (Z.lognot b))".
Extract Constant N.testbit => "(fun a k -> Z.testbit a (Z.to_int k))".
Extract Constant N.setbit => "(fun a k -> Z.logor a (Z.shift_left Z.one (Z.to_int k)))".
Extract Constant N.ones => "(fun k -> Z.pred (Z.shift_left Z.one (Z.to_int k)))".
Extract Constant N.pow => "(fun a k -> Z.pow a (Z.to_int k))".
Extract Constant N.eqb => "Z.equal".
Extract Constant N.leb => "Z.leq".
Extract Constant N.ltb => "Z.lt".
Extract Constant N.of_nat => "Z.of_int".
Extract Constant Z.leb => "Z.leq".
Extract Constant Z.ltb => "Z.lt".
Extract Constant Z.even => "Z.is_even".
Extract Constant Z.div => "(fun a b -> if Z.equal b Z.zero then Z.zero else Z.fdiv a b)".
Extract Constant Z.log2 => "(fun a -> if Z.sign a <= 0 then Z.zero else Z.of_int (Z.numbits a - 1))".
Extract Constant Z.shiftl => "(fun a k -> Z.shift_left a (Z.to_int k))".
Extract Constant Z.shiftr => "(fun a k -> Z.shift_right a (Z.to_int k))".
Extraction Language OCaml.
Extraction "located.ml" check_finite check_thresholds check_boxes check_conjunctions check_half_spaces
  Step Looping Exploring Validating Parameters.
