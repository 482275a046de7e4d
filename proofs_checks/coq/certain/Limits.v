(** What certain STEEL can decide, as statements: what is accepted has a world, more rows never hurt, no rule can do
    better, the checker is complete, and when a run ends. No accepted answer rests on them. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker.
Import Certain.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Acceptance is never empty talk: a world that meets all assumptions has the accepted record. *)
Definition certain_has_a_world : Prop :=
  forall (connected : bool) (width nA : nat) (l : log row) (h : hint) (r : answer),
  check connected width nA l h = Some r ->
  let F f (x : row) := x.[f] in
  l = record_of width F l /\ exists w : dynamics row nat, fits width nA F w connected l.

(** More rows never revive a classifier. [extends l l']: each row of [l] has its place in [l'], with the same
    action if one was taken; so trajectories may be continued and others added. [survives]: rule R, with all
    its consequences, does not remove classifier [f]. In a log without [connected] this does not hold: there a
    classifier that is 1 on all rows is removed because two states were visited, and a later row on which it is
    0 can bring it back. *)
Definition extends (l l' : log row) : Prop :=
  exists place : nat -> nat, forall t, t < size (rows l) ->
    [/\ place t < size (rows l'), nth 0%num (rows l') (place t) = nth 0%num (rows l) t &
        forall a, nth None (actions l) t = Some a ->
          nth None (actions l') (place t) = Some a /\ place t.+1 = (place t).+1].
Definition survives (width nA : nat) (l : log row) (f : nat) : Prop :=
  let v := view_of width nA l in column v f \in settled true v [::].
Definition certain_is_monotone : Prop :=
  forall (width nA : nat) (l l' : log row) (f : nat), extends l l' -> f < width ->
  survives width nA l' f -> has (fun x => x.[f]) (rows l) -> survives width nA l f.

(** No rule can do better without more assumptions. [explains]: the classifiers [fs], at least two, could be
    those of the visited states: on each row exactly one of them is 1, each of them is 1 somewhere, and equal
    actions have equal effects. If any answer at all is right in every world that fits a log, then every action
    was taken at every label of every explanation, and all explanations divide the rows in the same way. That
    is what the checker asks for. (For logs without [connected].) *)
Section Explanations.
Variables (width nA : nat) (l : log row).
Let row t := nth 0%num (rows l) t.
Definition explains (fs : seq nat) : Prop :=
  [/\ 1 < size fs, all (fun f => (f < width) && has (fun x => x.[f]) (rows l)) fs,
      forall t, t < size (rows l) ->
        exists2 i, i < size fs & forall j, j < size fs -> (row t).[nth 0 fs j] = (j == i) &
      forall t t' a f g, f \in fs -> g \in fs -> nth None (actions l) t = Some a -> nth None (actions l) t' = Some a ->
        (row t).[f] -> (row t').[f] -> (row t.+1).[g] -> (row t'.+1).[g]].
Definition divide_alike (fs gs : seq nat) : Prop :=
  forall f, f \in fs -> exists2 g, g \in gs & all (fun x => x.[f] == x.[g]) (rows l).
Definition always_right (connected : bool) (r : answer) : Prop :=
  forall w : dynamics Checker.row nat, fits width nA (fun f x => x.[f]) w connected l ->
  exists label : state w -> nat, right width nA (fun f x => x.[f]) l r label.
(** No trap: members that were left by every action, always into members, are shown on all rows. *)
Definition no_trap (fs : seq nat) : Prop :=
  forall gs, ~~ nilp gs -> {subset gs <= fs} ->
    (forall g a, g \in gs -> a < nA -> (exists2 t, (row t).[g] & nth None (actions l) t = Some a) /\
       (exists2 h, h \in gs & forall t, (row t).[g] -> nth None (actions l) t = Some a -> (row t.+1).[h])) ->
    all (fun x => has (fun g => x.[g]) gs) (rows l).
End Explanations.
Definition certain_is_optimal : Prop :=
  forall (width nA : nat) (l : log row) (r : answer), readable width nA l -> always_right width nA l false r ->
  forall fs, explains width l fs ->
  (forall f a, f \in fs -> a < nA -> exists2 t, (nth 0%num (rows l) t).[f] & nth None (actions l) t = Some a) /\
  (forall gs, explains width l gs -> divide_alike l fs gs).

(** In a connected world the explanations that count are those without a trap. For one trajectory all of them divide
    the rows in the same way, if any answer at all is right in every world that fits. (A transition need not have been
    taken then: sometimes connectedness forces its target. The checker asks for it nevertheless.) *)
Definition certain_is_optimal_if_connected : Prop :=
  forall (width nA : nat) (tr : trajectory row) (r : answer),
  readable width nA [:: tr] -> always_right width nA [:: tr] true r ->
  forall fs gs, explains width [:: tr] fs -> no_trap nA [:: tr] fs -> explains width [:: tr] gs ->
  no_trap nA [:: tr] gs -> divide_alike [:: tr] fs gs.

(** And the checker is complete: if a log can be explained and any answer at all is right in every world that fits,
    then there is a hint with which the checker accepts. (For logs without [connected].) *)
Definition certain_is_complete : Prop :=
  forall (width nA : nat) (l : log row) (r : answer), readable width nA l -> (exists fs, explains width l fs) ->
  always_right width nA l false r -> exists h r', check false width nA l h = Some r'.

(** When it ends. The noise [E], emission included, now moves by itself: [may e e'] says that [e'] can come after [e],
    and after enough steps every value can come after every value (irreducible and aperiodic). A log is saturated
    if it consists of possible steps and holds each of them; with probability 1 a log becomes so, if every action
    keeps a positive chance. Then the states are the only explanation if and only if the class does not classify
    the blocks of a proper congruence of the dynamics; in particular for every class if there is no such congruence. *)
Section Ending.
Variables (X : Type) (width nA : nat) (F : nat -> X -> bool) (w : dynamics X nat) (obs : log X).
Variables (E : Type) (may : E -> E -> Prop) (emit : state w -> E -> X).
Fixpoint leads (k : nat) (e e' : E) : Prop :=
  if k is k'.+1 then exists2 e1, may e e1 & leads k' e1 e' else e = e'.
Definition mixes : Prop := exists m, forall k, m <= k -> forall e e', leads k e e'.
Definition observed (t : nat) : option X := nth None (map Some (rows obs)) t.
Record saturated : Prop := Saturated {
  emitted : forall t x, observed t = Some x -> exists s e, x = emit s e;
  all_steps : forall s e a e', a < nA -> may e e' -> exists t,
    [/\ observed t = Some (emit s e), nth None (actions obs) t = Some a
      & observed t.+1 = Some (emit (step w s a) e')] }.
(** [b]: a number for the block of each state. *)
Definition congruent (b : state w -> nat) : Prop := Labels.congruence (fun s (a : 'I_nA) => step w s a) b.
Definition classified (b : state w -> nat) : Prop :=
  forall s, exists2 f, f < width & all (fun x => F f x == (b (decode w x) == b s)) (rows obs).
End Ending.
Definition certain_ends : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (width nA : nat) (w : dynamics X nat) (obs : log X) (E : Type)
    (may : E -> E -> Prop) (emit : state w -> E -> X),
  0 < nA -> 1 < #|state w| -> inhabited E -> mixes may -> (forall s e, decode w (emit s e) = s) ->
  fits width nA F w true obs -> saturated nA obs may emit ->
  (forall fs, explains width (record_of width F obs) fs ->
     forall f, f \in fs -> exists s : state w, classifies F obs f s) <->
  (forall b : state w -> nat, congruent nA b -> classified width F obs b -> injective b \/ forall s s', b s = b s').
