(** * The theorems, proved

    Each statement, with what its proof rests on: "Closed under the global context" means that there are no
    axioms. The bound of Lemma 2 and the sample sizes of Theorem 1 are compared with the printed ones, which have
    exponentials and logarithms, in files apart that use Coq's real numbers and thereby axioms: Exponential.v and
    looped/PrintedSizes.v. *)
From Steel Require Import Statements Lemmas.
From Steel.located Require Writing Honest Example.
From Steel.labels Require Tables Coins.
From Steel.looped Require Statement Theorem1 Example.
From Steel.certain Require Statement Sound Worlds Monotone Optimal Complete Ends.

(** ** The paper *)
Theorem lemma_1 : Statements.lemma_1. Proof. exact lemma_1_proof. Qed.
Print Assumptions lemma_1.

Theorem lemma_2 : Statements.lemma_2. Proof. exact lemma_2_proof. Qed.
Print Assumptions lemma_2.

Theorem proposition_1 : looped.Statement.proposition_1. Proof. exact looped.Theorem1.proposition_1_proved. Qed.
Print Assumptions proposition_1.

Theorem theorem_1 : looped.Statement.theorem_1. Proof. exact looped.Theorem1.theorem_1_proved. Qed.
Print Assumptions theorem_1.

(** ** Located STEEL *)
Theorem located_is_sound : Statements.located_is_sound. Proof. exact located.Honest.finite_sound. Qed.
Print Assumptions located_is_sound.

Theorem located_is_sound_for_declared_classes : Statements.located_is_sound_for_declared_classes.
Proof. exact located.Honest.declared_sound. Qed.
Print Assumptions located_is_sound_for_declared_classes.

Theorem located_is_sound_for_any_rule : Statements.located_is_sound_for_any_rule.
Proof. exact located.Honest.listed_sound. Qed.
Print Assumptions located_is_sound_for_any_rule.

Theorem verdict_is_final : Statements.verdict_is_final.
Proof. exact located.Writing.final_verdict. Qed.
Print Assumptions verdict_is_final.

(** ** Labels that may show one state, and private coins *)
Theorem simple_table_is_right : Statements.simple_table_is_right. Proof. exact labels.Tables.simple_table. Qed.
Print Assumptions simple_table_is_right.

Theorem encoder_errs_never_or_half : Statements.encoder_errs_never_or_half.
Proof. exact labels.Tables.never_or_half. Qed.
Print Assumptions encoder_errs_never_or_half.

Theorem coins_are_sound : Statements.coins_are_sound. Proof. exact labels.Coins.coins_sound. Qed.
Print Assumptions coins_are_sound.

(** ** Certain STEEL *)
Theorem certain_is_sound : certain.Statement.certain_is_sound. Proof. exact certain.Sound.sound. Qed.
Print Assumptions certain_is_sound.

Theorem certain_has_a_world : certain.Statement.certain_has_a_world. Proof. exact certain.Worlds.has_a_world. Qed.
Print Assumptions certain_has_a_world.

Theorem certain_encoder_is_exact : certain.Statement.certain_encoder_is_exact.
Proof. exact certain.Sound.exact_encoder. Qed.
Print Assumptions certain_encoder_is_exact.

Theorem certain_is_monotone : certain.Statement.certain_is_monotone. Proof. exact certain.Monotone.monotone. Qed.
Print Assumptions certain_is_monotone.

Theorem certain_is_optimal : certain.Statement.certain_is_optimal. Proof. exact certain.Optimal.optimal. Qed.
Print Assumptions certain_is_optimal.

Theorem certain_is_optimal_if_connected : certain.Statement.certain_is_optimal_if_connected.
Proof. exact certain.Optimal.optimal_if_connected. Qed.
Print Assumptions certain_is_optimal_if_connected.

Theorem certain_is_complete : certain.Statement.certain_is_complete.
Proof. exact certain.Complete.complete_for_logs. Qed.
Print Assumptions certain_is_complete.

Theorem certain_ends : certain.Statement.certain_ends. Proof. exact certain.Ends.ends. Qed.
Print Assumptions certain_ends.

(** ** Examples: the assumptions can be met, and the checker of located runs can be fooled *)
Print Assumptions looped.Example.two_rooms_learned.
Print Assumptions looped.Example.fewer_pairs_fail.
Print Assumptions located.Example.switch_safe.
Print Assumptions located.Example.accepted_is_right.
Print Assumptions located.Example.can_be_fooled.
