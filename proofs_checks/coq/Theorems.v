(** * The theorems, proved

    Each statement of [Statements.v], with what its proof rests on: "Closed under the global context" means that
    there are no axioms. *)
From Steel Require Import Statements Lemmas.
From Steel.located Require Import Honest.

Theorem lemma_1 : Statements.lemma_1. Proof. exact lemma_1_proof. Qed.
Print Assumptions lemma_1.

Theorem lemma_2 : Statements.lemma_2. Proof. exact lemma_2_proof. Qed.
Print Assumptions lemma_2.

Theorem located_is_sound : Statements.located_is_sound. Proof. exact finite_sound. Qed.
Print Assumptions located_is_sound.

Theorem located_is_sound_for_any_rule : Statements.located_is_sound_for_any_rule. Proof. exact listed_sound. Qed.
Print Assumptions located_is_sound_for_any_rule.
