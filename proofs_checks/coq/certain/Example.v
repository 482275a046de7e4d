(** Examples: the assumptions can be met, and each part of the checker is used. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker Limits Sound Worlds.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition no_hint (fs : seq nat) : hint := Hint fs [::] [::].

(** ** A switch
    Action 0 flips it, action 1 does nothing. Classifiers 0 and 1 are the true ones, 2 and 3 are noise; at first 2 looks
    like a classifier. *)
Definition switch (s : bool) (a : nat) := if a == 0 then ~~ s else s.
Definition switch_world : dynamics row nat := @Dynamics row nat [finType of bool] switch (fun x => x.[1]).
Definition run : log row :=
  [:: Trajectory 5%num [:: (1, 13%num); (0, 10%num); (1, 2%num); (0, 5%num); (0, 14%num); (0, 9%num)]].

Example switch_fits : fits 4 2 bits switch_world true run.
Proof.
split=> //; last by rewrite card_bool.
  by move=> [] _; [exists 1|exists 0].
by move=> _ s s'; exists (if s == s' then [::] else [:: 0]); case: s; case: s'.
Qed.
Example switch_accepted : check true 4 2 run (no_hint [:: 0; 1]) =
  Some (Answer [:: [:: 1; 0]; [:: 0; 1]] [:: [:: 0]; [:: 1]]).
Proof. by vm_compute. Qed.
(** One transition missing; another claim; the last row changed. *)
Example switch_short :
  check true 4 2 [:: Trajectory 5%num [:: (1, 13%num); (0, 10%num); (1, 2%num)]] (no_hint [:: 0; 1]) = None.
Proof. by vm_compute. Qed.
Example switch_other : check true 4 2 run (no_hint [:: 0; 2]) = None.
Proof. by vm_compute. Qed.
Example switch_changed :
  check true 4 2 [:: Trajectory 5%num [:: (1, 13%num); (0, 10%num); (1, 2%num); (0, 5%num); (0, 14%num); (0, 10%num)]]
    (no_hint [:: 0; 1]) = None.
Proof. by vm_compute. Qed.

(** ** Several trajectories of a world that is not connected
    State 0 is left by action 0 and never comes back. With an all-one classifier (2) the claim rests on the
    assumption that two states were visited. *)
Definition episodes : log row :=
  [:: Trajectory 5%num [:: (1, 5%num); (0, 6%num); (0, 6%num)]; Trajectory 6%num [:: (1, 6%num)]; Trajectory 5%num [::]].
Definition one_way : dynamics row nat := @Dynamics row nat [finType of bool] (fun s a => s || (a == 0)) (fun x => x.[1]).
Example episodes_fit : fits 3 2 bits one_way false episodes.
Proof.
split=> //; first by move=> [] _; [exists 1|exists 0].
by move=> _; exists true, false.
Qed.
Example episodes_accepted : check false 3 2 episodes (no_hint [:: 0; 1]) =
  Some (Answer [:: [:: 1; 0]; [:: 1; 1]] [:: [:: 0]; [:: 1]]).
Proof. by vm_compute. Qed.
(** The assumption "connected" would be false, and the checker sees that. *)
Example episodes_not_connected : check true 3 2 episodes (no_hint [:: 0; 1]) = None.
Proof. by vm_compute. Qed.

(** ** A closed set
    One action that alternates between classifiers 2 and 6. Classifiers 5 and 6 alternate as well, but from the second
    row on only: in a connected world the first row would have to come back. Rule R alone does not see that. *)
Definition alternating : log row := [:: Trajectory 30%num [:: (0, 210%num); (0, 54%num); (0, 210%num); (0, 54%num)]].
Example alternating_accepted : check true 8 1 alternating (Hint [:: 6; 2] [::] [:: Closed [:: 6; 5]]) =
  Some (Answer [:: [:: 1]; [:: 0]] [:: [:: 6; 7]; [:: 2]]).
Proof. by vm_compute. Qed.
Example alternating_needs_it : check true 8 1 alternating (no_hint [:: 6; 2]) = None.
Proof. by vm_compute. Qed.
(** No set that is not closed, or that is empty, is taken for one. *)
Example alternating_empty : check true 8 1 alternating (Hint [:: 6; 2] [::] [:: Closed [::]]) = None.
Proof. by vm_compute. Qed.
Example alternating_open : check true 8 1 alternating (Hint [:: 6; 2] [::] [:: Closed [:: 6; 3]]) = None.
Proof. by vm_compute. Qed.

(** ** Clauses
    Rule R leaves seven columns; a learned clause shows that only the claimed cover is left. Some labels have several
    classifiers with one column: the dynamics are certain, these encoders are not. *)
Definition single_rows : seq (trajectory row) :=
  [seq Trajectory x [::] | x <- [:: 12930; 13001; 2098; 3362; 5; 348]%num].
Definition hard : log row := single_rows ++
  [:: Trajectory 13001%num [:: (0, 2098%num)]; Trajectory 3362%num [:: (0, 5%num)]; Trajectory 348%num [:: (0, 12930%num)]].
Definition not_0 : seq proof_step := [:: Learn 0 1].     (* classifier 0 is not in the cover *)
Example hard_accepted : check false 14 1 hard (Hint [:: 5; 2; 7] [::] not_0) =
  Some (Answer [:: [:: 1]; [:: 2]; [:: 0]] [:: [:: 5; 11]; [:: 2]; [:: 7; 9; 12; 13]]).
Proof. by vm_compute. Qed.
Example hard_needs_it : check false 14 1 hard (no_hint [:: 5; 2; 7]) = None.
Proof. by vm_compute. Qed.
(** Unit propagation does not find this clause by itself, so it is refused. *)
Example hard_refused : check false 14 1 hard (Hint [:: 5; 2; 7] [::] (Learn 0 0 :: not_0)) = None.
Proof. by vm_compute. Qed.

(** ** A saturated log
    The switch with a noise bit (2) that can change at every step: all sixteen possible steps, one by one. So the
    assumptions of [certain_ends] can be met. *)
Definition emit (s : state switch_world) (e : bool) : row := ((if s then 2 else 1) + (if e then 4 else 0))%num.
Definition anything (e e' : bool) : Prop := True.
Definition all_switch_steps : log row :=
  [seq Trajectory (emit s.1 s.2) [:: (a.1, emit (switch s.1 a.1) a.2)]
  | s <- [:: (false, false); (false, true); (true, false); (true, true)],
    a <- [:: (0, false); (0, true); (1, false); (1, true)]].
Example steps_fit : fits 3 2 bits switch_world true all_switch_steps.
Proof.
split; [by vm_compute|by move=> [] _; [exists 1|exists 0]| |by move=> _; rewrite card_bool].
by move=> _ s s'; exists (if s == s' then [::] else [:: 0]); case: s; case: s'.
Qed.
Example noise_mixes : mixes anything.
Proof. by exists 1 => -[//|k] _; elim: k => [|k IH] e e'; [exists e'|exists true => //; apply: IH]. Qed.
Example steps_saturated : saturated 2 all_switch_steps anything emit.
Proof.
split=> [t x|s e a e' lta _].
  rewrite /observed => ox; have lt : t < size (rows all_switch_steps).
    by rewrite ltnNge; apply/negP => le; rewrite nth_default ?size_map in ox.
  have : x \in [:: emit false false; emit false true; emit true false; emit true true].
    rewrite (nth_map 0%num) // in ox; case: ox => <-.
    have /allP : all (mem [:: emit false false; emit false true; emit true false; emit true true]) (rows all_switch_steps).
      by vm_compute.
    by apply; apply: mem_nth.
  by rewrite !inE => /or4P[] /eqP->; do 2 eexists.
exists (16 * s + 8 * e + 4 * a + 2 * e').
by case: s e e' a lta => [] [] [] [|[|//]] _; vm_compute.
Qed.
