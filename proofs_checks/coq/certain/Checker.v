(** The executable checker of certain STEEL. [Statements.v] says what follows if it accepts, and [Sound.v] proves it. From
    this file a reader has to know what logs and answers are (the first section); the rest need not be believed.

    Classifier [f] is handled as its column: the set of the rows on which it is 1. A cover is a set of columns
    that could belong to the states: each row has one member, and equal actions have equal effects. The checker
    removes columns that belong to no cover; it accepts if only the claimed cover is left and every action was
    taken at each of its labels. The hint says which cover is claimed and how to see that there is no other one. It
    need not be trusted: whatever it says, what the checker accepts is right. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits Clauses.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Logs, hints and answers *)
(** A trajectory over [X]: a first observation, then each action with the observation that came after it. *)
Record trajectory (X : Type) := Trajectory { first : X; steps : seq (nat * X) }.
Definition log (X : Type) := seq (trajectory X).

(** All observations of a log, one trajectory behind the other. *)
Definition rows X (l : log X) : seq X := flatten [seq first tr :: map snd (steps tr) | tr <- l].
(** The action taken at each of them; none at the end of a trajectory. *)
Definition actions X (l : log X) : seq (option nat) :=
  flatten [seq rcons [seq Some s.1 | s <- steps tr] None | tr <- l].

(** The checker sees each observation as a row: the set of the classifiers that are 1 on it. *)
Definition row := N.

(** A step of a proof that no other cover exists. [Learn p q]: some classifier of [p] is in the cover or some
    classifier of [q] is not (by reverse unit propagation). [Closed fs]: not all of [fs] are in the cover,
    because they could never be left. *)
Inductive proof_step := Learn of N & N | Closed of seq nat.

Record hint := Hint {
  claim : seq nat;                (* for each label one classifier *)
  removals : seq (nat * nat);     (* (f, t): row t shows that f belongs to no cover *)
  proof : seq proof_step }.

Record answer := Answer {
  table : seq (seq nat);          (* line l, entry a: the label after action a at label l *)
  encoders : seq (seq nat) }.     (* for each label all classifiers that fit it *)
Definition next (T : seq (seq nat)) (l a : nat) : nat := nth 0 (nth [::] T l) a.

(** ** A log by columns *)
Record view := View {
  height : nat;                   (* the number of rows *)
  all_rows : N;
  taken : seq N;                  (* for each action the rows at which it was taken *)
  columns : seq N }.              (* for each classifier the rows on which it is 1 *)

Definition view_of (width nA : nat) (l : log row) : view :=
  View (size (rows l)) (everywhere (rows l))
    [seq pack [seq b == Some a | b <- actions l] | a <- iota 0 nA]
    [seq pack_long [seq x.[f] | x <- rows l] | f <- iota 0 width].
Definition column (v : view) (f : nat) : N := nth 0%num (columns v) f.

(** All bits and actions are within the declared numbers. *)
Definition readable (width nA : nat) (l : log row) : bool :=
  (let full := everywhere (iota 0 width) in all (fun x => within x full) (rows l)) &&
  all (fun b => if b is Some a then a < nA else true) (actions l).

Section Check.
(** [connected]: every state of the world can be reached from every state. *)
Variables (connected : bool) (v : view).

(** The rows that came after [c], for each action. *)
Definition ways (c : N) : seq N := [seq N.double (N.land c b) | b <- taken v].
(** [c] and [d] cannot both belong to states: two states are never shown together, and an action leads from
    one state always or never to another one. With [c = d]: [c] cannot belong to a state. *)
Definition conflict (c d : N) : bool :=
  ~~ N.eqb c d && meets c d || has (fun w => partly w d) (ways c) || has (fun w => partly w c) (ways d).
Definition hit (cs : seq N) : bool := within (all_rows v) (union cs).
(** Every action was taken at every member and led into a member. *)
Definition closed (cs : seq N) : bool :=
  all (fun c => all (fun w => ~~ empty w && has (within w) cs) (ways c)) cs.
(** [c] would be the only state. *)
Definition alone (c : N) : bool := if connected then closed [:: c] else within (all_rows v) c.

(** *** Columns that belong to no cover *)
Definition candidates : seq N :=
  [seq c <- undup (columns v) | ~~ empty c && ~~ conflict c c && ~~ alone c].
(** Rule R: a row on which every candidate conflicts with [c] refutes [c]. *)
Definition refuted_by (t : nat) (left : seq N) (c : N) : bool :=
  (t < height v) && all (fun d => ~~ d.[t] || conflict c d) left.
Definition remove (left : seq N) (r : nat * nat) : seq N :=
  let c := column v r.1 in
  if refuted_by r.2 left c then [seq d <- left | ~~ N.eqb d c] else left.
(** Rule R for all candidates and rows, until nothing changes. *)
Definition sieve (left : seq N) : seq N := [seq c <- left | hit [seq d <- left | ~~ conflict c d]].
Fixpoint settle (fuel left : seq N) : seq N :=
  let left' := sieve left in
  if fuel is _ :: fuel' then if size left' == size left then left else settle fuel' left' else left'.
Definition settled (rs : seq (nat * nat)) : seq N :=
  let left := foldl remove candidates rs in settle left left.

(** *** What rule R leaves open: clauses *)
(** Variable [f] says that the column of classifier [f] belongs to the cover. Each column that is left is
    paired with the set of its first classifier. *)
Definition singleton (f : nat) : N := N.shiftl 1 (N.of_nat f).
Definition named (cs : seq N) : seq (N * N) := [seq (singleton (index c (columns v)), c) | c <- cs].
Definition those (rs : seq (N * N)) (p : pred N) : N := union [seq r.1 | r <- rs & p r.2].
(** Conflicting columns do not belong to one cover, and each row has a member. *)
Definition clauses (rs : seq (N * N)) : seq fact :=
  [seq Excludes r.1 (those rs (conflict r.2)) | r <- rs] ++
  [seq Clause m 0 | m <- undup [seq those rs (fun c => c.[t]) | t <- iota 0 (height v)]].
(** Lemma 2: states that cannot be left are all states, so some of them is shown on each row. *)
Definition impossible (cs : seq N) : bool := [&& connected, ~~ nilp cs, closed cs & ~~ hit cs].
Fixpoint proved (xs : seq fact) (ps : seq proof_step) : bool :=
  match ps with
  | [::] => follows xs 0 0
  | Learn p q :: ps' => follows xs p q && proved (Clause p q :: xs) ps'
  | Closed fs :: ps' =>
    impossible (map (column v) fs) && proved (Clause 0 (union (map singleton fs)) :: xs) ps'
  end.
(** All members of covers are [fine]: otherwise one of the other columns that are left would belong to a cover. *)
Definition all_fine (fine : pred N) (left : seq N) (ps : seq proof_step) : bool :=
  let rs := named left in
  let others := those rs (fun c => ~~ fine c) in
  empty others || proved (Clause others 0 :: clauses rs) ps.
Definition no_other (cs : seq N) := all_fine (fun c => c \in cs).
(** A column that is a union of claimed columns, or disjoint from them *)
Definition joins (cs : seq N) (c : N) : bool := all (fun d => within d c || ~~ meets d c) cs.

(** *** The claimed cover *)
Fixpoint apart (seen : N) (cs : seq N) : bool :=
  if cs is c :: cs' then ~~ meets seen c && apart (N.lor seen c) cs' else true.
(** The rows whose labels can be reached from the labels of the rows [m]. *)
Definition grow (cs : seq N) (m : N) : N :=
  foldl (fun m c => if meets c m then union (m :: c :: ways c) else m) m cs.
Fixpoint spread (cs fuel : seq N) (m : N) : N :=
  if fuel is _ :: fuel' then let m' := grow cs m in if N.eqb m' m then m else spread cs fuel' m' else m.
Definition strongly_connected (cs : seq N) : bool := all (fun c => within (all_rows v) (spread cs cs c)) cs.
Definition complete (cs : seq N) : bool :=
  [&& 1 < size cs, all (fun c => ~~ empty c && (c \in columns v)) cs, apart 0 cs, hit cs, closed cs &
      ~~ connected || strongly_connected cs].

(** All classifiers with the column [c]. *)
Definition fitting (c : N) : seq nat :=
  [seq p.1 | p <- zip (iota 0 (size (columns v))) (columns v) & N.eqb p.2 c].
Definition answer_of (cs : seq N) : answer :=
  Answer [seq [seq find (within w) cs | w <- ways c] | c <- cs] [seq fitting c | c <- cs].
End Check.

Definition check (connected : bool) (width nA : nat) (l : log row) (h : hint) : option answer :=
  let v := view_of width nA l in
  let cs := map (column v) (claim h) in
  if [&& readable width nA l, complete connected v cs &
         no_other connected v cs (settled connected v (removals h)) (proof h)]
  then Some (answer_of v cs) else None.

(** The same, but covers may also have unions of claimed columns as members. *)
Definition check_quotients (connected : bool) (width nA : nat) (l : log row) (h : hint) : option answer :=
  let v := view_of width nA l in
  let cs := map (column v) (claim h) in
  if [&& readable width nA l, complete connected v cs &
         all_fine connected v (joins cs) (settled connected v (removals h)) (proof h)]
  then Some (answer_of v cs) else None.
