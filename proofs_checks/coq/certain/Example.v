(** Examples: the assumptions can be met, and each part of the checker is used. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Checker Statement Sound Worlds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition no_hint (fs : seq nat) : hint := Hint fs [::] [::].

(** ** A switch
    Action 0 flips it, action 1 does nothing. Classifiers 0 and 1 are the true ones, 2 and 3 are noise; at first 2 looks
    like a classifier. *)
Definition switch (s : bool) (a : nat) := if a == 0 then ~~ s else s.
Definition switch_world : world row := @World row [finType of bool] switch (fun x => x.[1]).
Definition run : log row :=
  [:: Trajectory 5%num [:: (1, 13%num); (0, 10%num); (1, 2%num); (0, 5%num); (0, 14%num); (0, 9%num)]].

Example switch_fits : fits 4 2 bits switch_world true run.
Proof.
split=> //; last by rewrite card_bool.
  by move=> [] _; [exists 1|exists 0].
by move=> _ s s'; exists (if s == s' then [::] else [:: 0]); case: s; case: s'.
Qed.
Example switch_accepted : check true 4 2 run (no_hint [:: 0; 1]) = Some (Answer [:: [:: 1; 0]; [:: 0; 1]] [:: [:: 0]; [:: 1]]).
Proof. by vm_compute. Qed.
(** One transition missing; another claim; the last row changed. *)
Example switch_short : check true 4 2 [:: Trajectory 5%num [:: (1, 13%num); (0, 10%num); (1, 2%num)]] (no_hint [:: 0; 1]) = None.
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
Definition one_way : world row := @World row [finType of bool] (fun s a => s || (a == 0)) (fun x => x.[1]).
Example episodes_fit : fits 3 2 bits one_way false episodes.
Proof.
split=> //; first by move=> [] _; [exists 1|exists 0].
by move=> _; exists true, false.
Qed.
Example episodes_accepted : check false 3 2 episodes (no_hint [:: 0; 1]) = Some (Answer [:: [:: 1; 0]; [:: 1; 1]] [:: [:: 0]; [:: 1]]).
Proof. by vm_compute. Qed.
(** The assumption "connected" would be false, and the checker sees that. *)
Example episodes_not_connected : check true 3 2 episodes (no_hint [:: 0; 1]) = None.
Proof. by vm_compute. Qed.
