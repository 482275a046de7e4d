(** * The theorems, proved

    Each statement of [Statements.v], with what its proof rests on: "Closed under the global context" means that
    there are no axioms. *)
From Steel Require Import Statements Lemmas Sharp.
From Steel.located Require Import Writing Honest.

Theorem lemma_1 : Statements.lemma_1. Proof. exact lemma_1_proof. Qed.
Print Assumptions lemma_1.

Theorem lemma_2 : Statements.lemma_2. Proof. exact lemma_2_proof. Qed.
Print Assumptions lemma_2.

Theorem rate_is_attained : Statements.rate_is_attained. Proof. exact rate_proof. Qed.
Print Assumptions rate_is_attained.

Theorem located_is_sound : Statements.located_is_sound. Proof. exact finite_sound. Qed.
Print Assumptions located_is_sound.

Theorem located_is_sound_for_any_rule : Statements.located_is_sound_for_any_rule. Proof. exact listed_sound. Qed.
Print Assumptions located_is_sound_for_any_rule.

Theorem located_is_sound_for_declared_classes : Statements.located_is_sound_for_declared_classes.
Proof. exact declared_sound. Qed.
Print Assumptions located_is_sound_for_declared_classes.

Theorem verdict_is_final : Statements.verdict_is_final. Proof. intros C p es later answer; apply scan_more. Qed.
Print Assumptions verdict_is_final.
