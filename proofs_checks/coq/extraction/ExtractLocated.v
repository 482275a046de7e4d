(** The checker of located runs (finite classes) as an OCaml program

    The program reads lines (main.ml) and runs [check], which is [accepts] of [located/Checker.v] on the record that
    the lines say: the function that [located_is_sound] is about.

    What is trusted here, beside Coq's extraction itself:
    - booleans, options, pairs and lists are OCaml's own (ExtrOcamlBasic);
    - [nat] becomes OCaml's [int], with the operations below. All such numbers are lengths of lists or numbers of the
      input that are used as lengths, so they stay far below 2^62;
    - [N] and [positive] become zarith's integers, with the operations below. *)
From Coq Require Import NArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
From mathcomp Require Import all_ssreflect.
From Steel.located Require Import Checker Classes.

(** A line of the input. *)
Inductive line := Step of nat & option N | Looping | Exploring | Validating of nat & seq nat.

Definition entry_of width (l : line) : entry (finite width) :=
  match l with
  | Step a ox => Did (C := finite width) a ox
  | Looping => Said Loop
  | Exploring => Said Explore
  | Validating n w => Said (Validate (@Round (finite width) w n [::]))
  end.

(** table, current state, classifiers, steps *)
Definition check (width : N) (p : parameters) (ls : seq line) : option (seq (seq nat) * nat * seq N * nat) :=
  omap (fun ans : model (finite width) * nat => (table ans.1, current ans.1, encoder ans.1, ans.2))
    (accepts p (map (@entry_of width) ls)).

Extract Constant eqn => "(fun (a : int) b -> a = b)".
Extract Constant subn_rec => "(fun (a : int) b -> if a < b then 0 else a - b)".
Extract Constant N.land => "Z.logand".
Extract Constant N.lor => "Z.logor".
Extract Constant N.ldiff => "(fun a b -> Z.logand a (Z.lognot b))".
Extract Constant N.testbit => "(fun a k -> Z.testbit a (Z.to_int k))".
Extract Constant N.ones => "(fun k -> Z.pred (Z.shift_left Z.one (Z.to_int k)))".
Extract Constant N.pow => "(fun a k -> Z.pow a (Z.to_int k))".
Extract Constant N.eqb => "Z.equal".
Extract Constant N.leb => "Z.leq".
Extract Constant N.ltb => "Z.lt".
Extract Constant N.of_nat => "Z.of_int".
Extraction Language OCaml.
Extraction "located.ml" check Step Looping Exploring Validating Parameters.
