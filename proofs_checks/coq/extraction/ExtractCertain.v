(** The checker of certain STEEL as an OCaml program.

    Numbers become integers of zarith, without a bound. The operations of zarith listed here are trusted to be
    those of Coq's [nat] and [N]; so are OCaml's booleans, options, pairs and lists. *)
From Coq Require Import NArith Extraction ExtrOcamlBasic.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Clauses Checker.

Extract Inductive nat => "Z.t" [ "Z.zero" "Z.succ" ]
  "(fun zero succ n -> if Z.sign n = 0 then zero () else succ (Z.pred n))".
Extract Inlined Constant Nat.sub => "(fun m n -> Z.max Z.zero (Z.sub m n))".
Extract Inlined Constant subn => "(fun m n -> Z.max Z.zero (Z.sub m n))".
Extract Inlined Constant eqn => "Z.equal".

Extract Inductive positive => "Z.t"
  [ "(fun p -> Z.succ (Z.shift_left p 1))" "(fun p -> Z.shift_left p 1)" "Z.one" ]
  "(fun odd even one p -> if Z.equal p Z.one then one () else (if Z.is_odd p then odd else even) (Z.shift_right p 1))".
Extract Inductive N => "Z.t" [ "Z.zero" "" ]
  "(fun zero positive n -> if Z.sign n = 0 then zero () else positive n)".
Extract Inlined Constant N.eqb => "Z.equal".
Extract Inlined Constant N.land => "Z.logand".
Extract Inlined Constant N.lor => "Z.logor".
Extract Inlined Constant N.ldiff => "(fun m n -> Z.logand m (Z.lognot n))".
Extract Inlined Constant N.testbit => "(fun m t -> Z.testbit m (Z.to_int t))".
Extract Inlined Constant N.double => "(fun m -> Z.shift_left m 1)".
Extract Inlined Constant N.succ_double => "(fun m -> Z.succ (Z.shift_left m 1))".
Extract Inlined Constant N.shiftl => "(fun m t -> Z.shift_left m (Z.to_int t))".
Extract Inlined Constant N.log2 => "(fun m -> Z.of_int (max 0 (Z.numbits m - 1)))".
Extract Inlined Constant N.of_nat => "(fun n -> n)".

Extraction Language OCaml.
Extraction "certain.ml" check.
