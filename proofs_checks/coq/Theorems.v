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

(** Certain STEEL: the statements are in [certain/Statement.v]. *)
From Steel.certain Require Statement Sound Worlds Monotone Optimal Complete Ends.

Theorem certain_is_sound : Statement.certain_is_sound. Proof. exact Sound.sound. Qed.
Print Assumptions certain_is_sound.

Theorem certain_has_a_world : Statement.certain_has_a_world. Proof. exact Worlds.has_a_world. Qed.
Print Assumptions certain_has_a_world.

Theorem certain_encoder_is_exact : Statement.certain_encoder_is_exact. Proof. exact Sound.exact_encoder. Qed.
Print Assumptions certain_encoder_is_exact.

Theorem certain_is_monotone : Statement.certain_is_monotone. Proof. exact Monotone.monotone. Qed.
Print Assumptions certain_is_monotone.

Theorem certain_is_optimal : Statement.certain_is_optimal. Proof. exact Optimal.optimal. Qed.
Print Assumptions certain_is_optimal.

Theorem certain_is_optimal_if_connected : Statement.certain_is_optimal_if_connected.
Proof. exact Optimal.optimal_if_connected. Qed.
Print Assumptions certain_is_optimal_if_connected.

Theorem certain_is_complete : Statement.certain_is_complete. Proof. exact Complete.complete_for_logs. Qed.
Print Assumptions certain_is_complete.

Theorem certain_ends : Statement.certain_ends. Proof. exact Ends.ends. Qed.
Print Assumptions certain_ends.
