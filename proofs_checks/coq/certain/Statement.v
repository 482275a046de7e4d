(** Certain STEEL: what a reader has to believe.

    A world has finitely many states, a deterministic effect of each action, and observations that show the
    state. Nothing is said about noise: any sequence of observations that show the right states is possible,
    also one chosen by an adversary who sees everything. No probability occurs.

    The learner knows a finite class of classifiers, numbered from 0 to [width - 1]. It is assumed that the
    class has a classifier for each state that was visited, right on the observations that were recorded.
    Which actions were taken, and why, is free; so are the number of trajectories and where they begin or end. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Worlds *)
Record world (X : Type) := World {
  state : finType;
  step : state -> nat -> state;       (* the effect of an action *)
  shown : X -> state }.               (* the state that an observation shows *)

(** The part of a log that the checker sees: on each observation the values of the classifiers, as bits. *)
Section Record.
Variables (X : Type) (width : nat) (F : nat -> X -> bool).
Definition row_of (x : X) : row := pack [seq F f x | f <- iota 0 width].
Definition record_of (obs : log X) : log row :=
  [seq Trajectory (row_of (first tr)) [seq (s.1, row_of s.2) | s <- steps tr] | tr <- obs].
End Record.

Section Assumptions.
Variables (X : Type) (width nA : nat) (F : nat -> X -> bool) (w : world X).

(** Action [a] leads from an observation to one that shows the next state. *)
Fixpoint follows_from (x : X) (ss : seq (nat * X)) : bool :=
  if ss is (a, y) :: ss' then [&& a < nA, shown w y == step (shown w x) a & follows_from y ss'] else true.
Definition possible (obs : log X) : bool := all (fun tr => follows_from (first tr) (steps tr)) obs.

Definition visited (obs : log X) : pred (state w) := fun s => s \in [seq shown w x | x <- rows obs].
(** Classifier [f] is 1 exactly where the state is [s]. *)
Definition classifies (obs : log X) (f : nat) (s : state w) : bool :=
  all (fun x => F f x == (shown w x == s)) (rows obs).
Definition realised (obs : log X) : Prop :=
  forall s, visited obs s -> exists2 f, f < width & classifies obs f s.

Definition connected_world : Prop :=
  forall s s' : state w, exists2 u, all (fun a => a < nA) u & foldl (@step X w) s u = s'.
Definition two_visited (obs : log X) : Prop := exists s s', [/\ visited obs s, visited obs s' & s != s'].

(** With [connected] the world has to be strongly connected. If some classifier is 1 on all rows, it is also
    assumed that there are two states, or, without [connected], that two states were visited. *)
Record fits (connected : bool) (obs : log X) : Prop := Fits {
  fits_possible : possible obs;
  fits_realised : realised obs;
  fits_connected : connected -> connected_world;
  fits_two : (exists2 f, f < width & all (F f) (rows obs)) ->
             if connected then is_true (1 < #|state w|) else two_visited obs }.

(** ** What is claimed
    The labels of the answer are the visited states under other names, the table is the dynamics, and the
    classifiers listed for a label are exactly those that fit its state. *)
Record right (obs : log X) (r : answer) (label : state w -> nat) : Prop := Right {
  right_distinct : {in visited obs &, injective label};
  right_labels : forall l, l < size (table r) <-> exists2 s, visited obs s & label s = l;
  right_closed : forall s a, visited obs s -> a < nA -> visited obs (step s a);
  right_table : forall s a, visited obs s -> a < nA -> label (step s a) = next (table r) (label s) a;
  right_encoder : forall s f, visited obs s -> f < width ->
    classifies obs f s = (f \in nth [::] (encoders r) (label s)) }.
End Assumptions.

(** ** The theorems *)
(** What the checker accepts is right in every world that fits the record. In a connected world all states
    were visited; otherwise these are all that can be reached from the starts that occurred
    (by [right_closed]). *)
Definition certain_is_sound : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (connected : bool) (width nA : nat) (obs : log X) (h : hint) (r : answer),
  check connected width nA (record_of width F obs) h = Some r ->
  forall w : world X, fits width nA F w connected obs ->
  exists2 label : state w -> nat, right width nA F obs r label & connected -> forall s : state w, visited obs s.

(** Acceptance is never empty talk: a world that meets all assumptions has the accepted record. *)
Definition certain_has_a_world : Prop :=
  forall (connected : bool) (width nA : nat) (l : log row) (h : hint) (r : answer),
  check connected width nA l h = Some r ->
  exists (w : world row), l = record_of width (fun f x => x.[f]) l /\ fits width nA (fun f x => x.[f]) w connected l.

(** If one classifier is left for a label, it is the classifier of the state, also where nothing was observed, if
    the class has such a classifier [g]. *)
Definition certain_encoder_is_exact : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (width nA : nat) (obs : log X) (r : answer) (w : world X)
    (label : state w -> nat) (s : state w) (f : nat),
  right width nA F obs r label -> visited obs s -> nth [::] (encoders r) (label s) = [:: f] ->
  forall g, g < width -> (forall x, F g x = (shown w x == s)) -> forall x, F f x = (shown w x == s).

(** More rows never revive a classifier. [extends l l']: each row of [l] has its place in [l'], with the same
    action if one was taken; so trajectories may be continued and others added. [survives]: rule R, with all
    its consequences, does not remove classifier [f]. In a log without [connected] this does not hold: there a
    classifier that is 1 on all rows is removed because two states were visited, and a later row on which it is
    0 can bring it back. *)
Definition extends (l l' : log row) : Prop :=
  exists place : nat -> nat, forall t, t < size (rows l) ->
    [/\ place t < size (rows l'), nth 0%num (rows l') (place t) = nth 0%num (rows l) t &
        forall a, nth None (actions l) t = Some a -> nth None (actions l') (place t) = Some a /\ place t.+1 = (place t).+1].
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
Definition explains (width : nat) (l : log row) (fs : seq nat) : Prop :=
  let row t := nth 0%num (rows l) t in
  [/\ 1 < size fs, all (fun f => (f < width) && has (fun x => x.[f]) (rows l)) fs,
      forall t, t < size (rows l) ->
        exists2 i, i < size fs & forall j, j < size fs -> (row t).[nth 0 fs j] = (j == i) &
      forall t t' a f g, f \in fs -> g \in fs -> nth None (actions l) t = Some a -> nth None (actions l) t' = Some a ->
        (row t).[f] -> (row t').[f] -> (row t.+1).[g] -> (row t'.+1).[g]].
Definition certain_is_optimal : Prop :=
  forall (width nA : nat) (l : log row) (r : answer), readable width nA l ->
  (forall w : world row, fits width nA (fun f x => x.[f]) w false l ->
     exists label : state w -> nat, right width nA (fun f x => x.[f]) l r label) ->
  forall fs, explains width l fs ->
  (forall f a, f \in fs -> a < nA -> exists2 t, (nth 0%num (rows l) t).[f] & nth None (actions l) t = Some a) /\
  (forall gs, explains width l gs -> forall f, f \in fs -> exists2 g, g \in gs & all (fun x => x.[f] == x.[g]) (rows l)).

(** In a connected world the explanations that count are those without a trap: members that were left by every action,
    always into members, are shown on all rows. For one trajectory all of them divide the rows in the same way, if
    any answer at all is right in every world that fits. (A transition need not have been taken then: sometimes
    connectedness forces its target. The checker asks for it nevertheless.) *)
Definition no_trap (nA : nat) (l : log row) (fs : seq nat) : Prop :=
  let row t := nth 0%num (rows l) t in
  forall gs, ~~ nilp gs -> {subset gs <= fs} ->
    (forall g a, g \in gs -> a < nA -> (exists2 t, (row t).[g] & nth None (actions l) t = Some a) /\
       (exists2 h, h \in gs & forall t, (row t).[g] -> nth None (actions l) t = Some a -> (row t.+1).[h])) ->
    all (fun x => has (fun g => x.[g]) gs) (rows l).
Definition certain_is_optimal_if_connected : Prop :=
  forall (width nA : nat) (tr : trajectory row) (r : answer), readable width nA [:: tr] ->
  (forall w : world row, fits width nA (fun f x => x.[f]) w true [:: tr] ->
     exists label : state w -> nat, right width nA (fun f x => x.[f]) [:: tr] r label) ->
  forall fs gs, explains width [:: tr] fs -> no_trap nA [:: tr] fs -> explains width [:: tr] gs -> no_trap nA [:: tr] gs ->
  forall f, f \in fs -> exists2 g, g \in gs & all (fun x => x.[f] == x.[g]) (rows [:: tr]).

(** And the checker is complete: if a log can be explained and any answer at all is right in every world that fits,
    then there is a hint with which the checker accepts. (For logs without [connected].) *)
Definition certain_is_complete : Prop :=
  forall (width nA : nat) (l : log row) (r : answer), readable width nA l -> (exists fs, explains width l fs) ->
  (forall w : world row, fits width nA (fun f x => x.[f]) w false l ->
     exists label : state w -> nat, right width nA (fun f x => x.[f]) l r label) ->
  exists h r', check false width nA l h = Some r'.

(** When it ends. The noise [E], emission included, now moves by itself: [may e e'] says that [e'] can come after [e],
    and after enough steps every value can come after every value (irreducible and aperiodic). A log is saturated
    if it consists of possible steps and holds each of them; with probability 1 a log becomes so, if every action
    keeps a positive chance. Then the states are the only explanation if and only if the class does not classify
    the blocks of a proper congruence of the dynamics; in particular for every class if there is no such congruence. *)
Section Ending.
Variables (X : Type) (width nA : nat) (F : nat -> X -> bool) (w : world X) (obs : log X).
Variables (E : Type) (may : E -> E -> Prop) (emit : state w -> E -> X).
Fixpoint leads (k : nat) (e e' : E) : Prop :=
  if k is k'.+1 then exists2 e1, may e e1 & leads k' e1 e' else e = e'.
Definition mixes : Prop := exists m, forall k, m <= k -> forall e e', leads k e e'.
Definition observed (t : nat) : option X := nth None (map Some (rows obs)) t.
Record saturated : Prop := Saturated {
  emitted : forall t x, observed t = Some x -> exists s e, x = emit s e;
  all_steps : forall s e a e', a < nA -> may e e' -> exists t,
    [/\ observed t = Some (emit s e), nth None (actions obs) t = Some a & observed t.+1 = Some (emit (step s a) e')] }.
(** [b]: a number for the block of each state. *)
Definition congruence (b : state w -> nat) : Prop :=
  forall s s' a, a < nA -> b s = b s' -> b (step s a) = b (step s' a).
Definition classified (b : state w -> nat) : Prop :=
  forall s, exists2 f, f < width & all (fun x => F f x == (b (shown w x) == b s)) (rows obs).
End Ending.
Definition certain_ends : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (width nA : nat) (w : world X) (obs : log X) (E : Type) (may : E -> E -> Prop)
    (emit : state w -> E -> X),
  0 < nA -> 1 < #|state w| -> inhabited E -> mixes may -> (forall s e, shown w (emit s e) = s) ->
  fits width nA F w true obs -> saturated nA obs may emit ->
  (forall fs, explains width (record_of width F obs) fs ->
     forall f, f \in fs -> exists s : state w, classifies F obs f s) <->
  (forall b : state w -> nat, congruence nA b -> classified width F obs b -> injective b \/ forall s s', b s = b s').
