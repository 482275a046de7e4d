(** * The theorems, proved

    Each statement, with what its proof rests on: "Closed under the global context" means that there are no
    axioms. The bound of Lemma 2 and the sample sizes of Theorem 1 are compared with the printed ones, which have
    exponentials and logarithms, in files apart that use Coq's real numbers and thereby axioms: Exponential.v and
    looped/PrintedSizes.v. *)
From Steel Require Import Statements Lemmas.
From Steel.located Require Writing Honest Example.
From Steel.labels Require Tables Coins Record Example.
From Steel.looped Require Proposition1 Theorem1 Example.
From Steel.certain Require Limits Sound Worlds Monotone Optimal Complete Ends.

(** ** The paper *)
Theorem lemma_1 : Lemmas.lemma_1. Proof. exact lemma_1_proof. Qed.
Print Assumptions lemma_1.

Theorem lemma_2 : Lemmas.lemma_2. Proof. exact lemma_2_proof. Qed.
Print Assumptions lemma_2.

Theorem proposition_1 : looped.Proposition1.proposition_1. Proof. exact looped.Theorem1.proposition_1_proved. Qed.
Print Assumptions proposition_1.

Theorem theorem_1 : Looped.theorem_1. Proof. exact looped.Theorem1.theorem_1_proved. Qed.
Print Assumptions theorem_1.

(** ** Located STEEL *)
Arguments Located.sound_for C F : clear implicits.  (* Coq shows the class when it prints a statement *)
Theorem located_is_sound : Located.located_is_sound. Proof. exact located.Honest.finite_sound. Qed.
Print Assumptions located_is_sound.

Theorem located_is_sound_for_declared_classes : Located.located_is_sound_for_declared_classes.
Proof. exact located.Honest.declared_sound. Qed.
Print Assumptions located_is_sound_for_declared_classes.

Theorem located_is_sound_for_any_rule : Located.located_is_sound_for_any_rule.
Proof. exact located.Honest.listed_sound. Qed.
Print Assumptions located_is_sound_for_any_rule.

Theorem verdict_is_final : Located.verdict_is_final.
Proof. exact located.Writing.final_verdict. Qed.
Print Assumptions verdict_is_final.

(** ** Certain STEEL *)
Theorem certain_is_sound : Certain.certain_is_sound. Proof. exact certain.Sound.sound. Qed.
Print Assumptions certain_is_sound.

Theorem certain_up_to_quotients : Certain.certain_up_to_quotients. Proof. exact certain.Sound.up_to_quotients. Qed.
Print Assumptions certain_up_to_quotients.

Theorem certain_has_a_world : certain.Limits.certain_has_a_world. Proof. exact certain.Worlds.has_a_world. Qed.
Print Assumptions certain_has_a_world.

Theorem certain_encoder_is_exact : Certain.certain_encoder_is_exact.
Proof. exact certain.Sound.exact_encoder. Qed.
Print Assumptions certain_encoder_is_exact.

Theorem certain_is_monotone : certain.Limits.certain_is_monotone. Proof. exact certain.Monotone.monotone. Qed.
Print Assumptions certain_is_monotone.

Theorem certain_is_optimal : certain.Limits.certain_is_optimal. Proof. exact certain.Optimal.optimal. Qed.
Print Assumptions certain_is_optimal.

Theorem certain_is_optimal_if_connected : certain.Limits.certain_is_optimal_if_connected.
Proof. exact certain.Optimal.optimal_if_connected. Qed.
Print Assumptions certain_is_optimal_if_connected.

Theorem certain_is_complete : certain.Limits.certain_is_complete.
Proof. exact certain.Complete.complete_for_logs. Qed.
Print Assumptions certain_is_complete.

Theorem certain_ends : certain.Limits.certain_ends. Proof. exact certain.Ends.ends. Qed.
Print Assumptions certain_ends.

(** ** Tables that may be too fine *)
Theorem simple_table_is_right : Labels.simple_table_is_right. Proof. exact labels.Tables.simple_table. Qed.
Print Assumptions simple_table_is_right.

Theorem encoder_errs_never_or_half : labels.Tables.encoder_errs_never_or_half.
Proof. exact labels.Tables.never_or_half. Qed.
Print Assumptions encoder_errs_never_or_half.

Theorem certain_with_coins : Labels.certain_with_coins. Proof. exact labels.Record.with_coins. Qed.
Print Assumptions certain_with_coins.

(** ** Examples: the assumptions can be met, the checker of located runs can be fooled, 2^-n cannot be smaller *)
Print Assumptions looped.Example.two_rooms_learned.
Print Assumptions looped.Example.fewer_pairs_fail.
Print Assumptions located.Example.switch_safe.
Print Assumptions located.Example.accepted_is_right.
Print Assumptions located.Example.can_be_fooled.
Print Assumptions labels.Example.convinced.
Print Assumptions labels.Example.coins_are_attained.
