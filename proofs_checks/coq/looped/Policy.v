(** The program as a policy: the real run, action by action, is the run on the tape.

    The law of a run (Statements.v) knows only what the policy does next. [policy_run]: whatever the tape is, the run of
    the program on all that was observed is its run with the answers on the tape. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests Run.
From Steel.looped Require Import Program Algorithm Questions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Policy.
Variables (E X S A F : finType) (T : S -> A -> S) (s0 : S) (x0 : X) (a0 : A).
Variables (cl : F -> pred X) (oracle : seq X -> seq X -> F) (B : Type) (p : program A B).
Notation act := (next_action x0 cl oracle a0 p).
Notation observed := (Run.obs T act s0).
Notation state := (Run.state T act s0).
Notation program_run tr := (Program.run (verdict x0 cl oracle (observed tr)) [::] p).

Lemma state_rcons tr (w : EZ E X S) : state (rcons tr w) = T (state tr) (act (observed (rcons tr w))).
Proof. by rewrite /Run.state /Run.obs Run.run_rcons. Qed.
Lemma observed_rcons tr (w : EZ E X S) : observed (rcons tr w) = rcons (observed tr) (w.2 (state tr)).
Proof. by rewrite /Run.obs Run.run_rcons. Qed.

(** The state at time [u] is the one to which the first [u] actions of the program lead. *)
Lemma policy_state (tr : seq (EZ E X S)) u : u <= size (program_run tr).2 -> u <= size tr ->
  state (take u tr) = foldl T s0 (take u (program_run tr).2).
Proof.
elim: u => [|u IH] ua ut; first by rewrite !take0.
have w : EZ E X S by case: tr ut {IH ua}.
rewrite (take_nth w ut) state_rcons (IH (ltnW ua) (ltnW ut)) (take_nth a0 ua) foldl_rcons; congr (T _ _).
by rewrite -(take_nth w ut) -Run.take_obs next_action_run // size_obs.
Qed.
(** What was observed at time [u] is what the tape shows along the actions of the program. *)
Lemma policy_obs (tr : seq (EZ E X S)) h u : (exists h', (program_run tr).2 = h ++ h') ->
  nth x0 (take (size h).+1 (observed tr)) u = ob T s0 x0 tr h u.
Proof.
case=> h' eh; rewrite /ob; case: (ltnP u (size (take (size h).+1 tr))) => [lt|ge]; last first.
  by rewrite (drop_oversize ge) nth_default // Run.take_obs size_obs.
have [uh ut] : u <= size h /\ u < size tr.
  by move: lt; rewrite size_take; case: (ltnP _.+1) => h1 h2; split; lia.
have w : EZ E X S by case: tr ut {eh lt}.
rewrite (drop_nth w lt) nth_take // nth_take // -(nth_take _ (ltnSn u)) Run.take_obs (take_nth w ut).
rewrite observed_rcons nth_rcons size_obs size_takel ?(ltnW ut) // ltnn eqxx.
have ua : u <= size (program_run tr).2 by rewrite eh size_cat (leq_trans uh) ?leq_addr.
by rewrite policy_state ?(ltnW ut) // eh takel_cat.
Qed.
Theorem policy_run (tr : seq (EZ E X S)) : Program.run (real T s0 x0 cl oracle tr) [::] p = program_run tr.
Proof.
apply: run_agree => -[[h D0] D1] /asked_prefix pre; rewrite /real /verdict.
have e D : shown T s0 x0 tr h D = seen x0 (take (size h).+1 (observed tr)) D.
  by apply: eq_map => u; rewrite -policy_obs.
by rewrite !e.
Qed.
(** The same for the times of the run, when it is over *)
Lemma policy_seen (tr : seq (EZ E X S)) D : all (leq^~ (size (program_run tr).2)) D ->
  seen x0 (observed tr) D = shown T s0 x0 tr (program_run tr).2 D.
Proof.
move=> /allP pa; apply/eq_in_map => u /pa le; rewrite -policy_obs ?nth_take //.
by exists [::]; rewrite cats0.
Qed.
End Policy.
