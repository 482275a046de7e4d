(** Located STEEL: the checker, as a program

    [accepts C p record] follows the record of a run: the actions, the rows that were read, and what the
    learner announced. It rebuilds the labels of the learner by the five rules that cannot be wrong, and
    answers when a round of validation has passed. There are no hints: everything that is accepted is
    computed from the record up to the announcement of the round. The theorems about it are in
    [Statements.v]; this file only has to run. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel Require Import Periods.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Classes of classifiers
    [data] summarises a set of rows. [sep zeros ones]: some classifier may be 0 on [zeros] and 1 on [ones].
    [choose] is the declared rule by which a classifier is chosen from the rows before the round. It may
    look at what was announced with the round ([note]); if it does not, nothing is left to choose. *)
Record class := Class {
  row : Type; data : Type; clf : Type; note : Type;
  none : data; single : row -> data; join : data -> data -> data;
  sep : data -> data -> bool;
  choose : option note -> data -> data -> option clf;
  value : clf -> row -> bool }.

(** ** Parameters: |A|, N, the bound on the mixing time, epsilon and delta as fractions *)
Record parameters := Parameters {
  actions : nat; max_states : nat; mixing_time : nat; epsilon : N * N; delta : N * N }.

(** ** The record of a run, in the order of time *)
Section Record.
Variable C : class.

(** A round of validation: a closed walk, which is run once without looking and then [passes] times. *)
Record round := Round { walk : seq nat; passes : nat; notes : seq (note C) }.
(** What the learner announces: that it now repeats one action, that it explores, or a round. Any
    announcement ends a loop. *)
Inductive announcement := Loop | Explore | Validate of round.
Inductive entry :=
  | Did of nat & option (row C)        (* an action; the row that was read after it, if it was read *)
  | Said of announcement.
Definition record := seq entry.

(** What happened in the world: the actions, and the rows that were read. *)
Definition trace (es : record) : seq (nat * option (row C)) :=
  pmap (fun e => if e is Did a ox then Some (a, ox) else None) es.
(** the steps before the next announcement *)
Fixpoint stretch (es : record) : seq (nat * option (row C)) :=
  if es is Did a ox :: es' then (a, ox) :: stretch es' else [::].
Definition rounds_in (es : record) :=
  count (fun e => if e is Said (Validate _) then true else false) es.
End Record.
Arguments Loop {C}. Arguments Explore {C}. Arguments Did {C}. Arguments Said {C}.

(** ** The learner's state, rebuilt *)
Section Rules.
Variable C : class.
Variables (nA N : nat).

Definition data_of (xs : seq (row C)) := foldr (fun x d => join (single x) d) (none C) xs.

(** A label: the label it was merged into, its known transitions, its rows. *)
Record node := Node { rep : nat; out : seq (option nat); pool : data C }.
Record labels := Labels { nodes : seq node; cur : nat }.

Definition no_node := Node 0 [::] (none C).
Definition node_at st l := nth no_node (nodes st) l.
Definition root st l := rep (node_at st l).
Definition known st l a := nth None (out (node_at st l)) a.
Definition set_node st l nd := Labels (set_nth no_node (nodes st) l nd) (cur st).
Definition goto st l := Labels (nodes st) l.

(** Rules 2 and 3: a known transition, or a new label. *)
Definition go st a ox : option labels :=
  let l := root st (cur st) in
  let nd := node_at st l in
  if known st l a is Some l' then
    let r := root st l' in
    let nr := node_at st r in
    if ox is Some x
    then Some (goto (set_node st r (Node (rep nr) (out nr) (join (single x) (pool nr)))) r)
    else Some (goto st r)
  else if ox is Some x then
    let k := size (nodes st) in
    let st' := Labels (nodes st ++ [:: Node k [::] (single x)]) k in
    if a < nA then Some (set_node st' l (Node (rep nd) (set_nth None (out nd) a (Some k)) (pool nd)))
    else None
  else None.

(** Rule 4: merging, with congruence closure. *)
Fixpoint unify (o1 o2 : seq (option nat)) : seq (option nat) * seq (nat * nat) :=
  match o1, o2 with
  | [::], o | o, [::] => (o, [::])
  | x :: o1', y :: o2' =>
    let (o, more) := unify o1' o2' in
    match x, y with
    | Some l, Some k => (x :: o, (l, k) :: more)
    | None, _ => (y :: o, more)
    | _, None => (x :: o, more)
    end
  end.

Definition redirect st high low :=
  Labels [seq if rep nd == high then Node low (out nd) (pool nd) else nd | nd <- nodes st] (cur st).

Fixpoint close fuel st (work : seq (nat * nat)) : option labels :=
  if work is (l1, l2) :: work' then
    if fuel is f.+1 then
      let r1 := root st l1 in
      let r2 := root st l2 in
      if r1 == r2 then close f st work' else
      let low := minn r1 r2 in
      let high := maxn r1 r2 in
      let nl := node_at st low in
      let nh := node_at st high in
      let (o, more) := unify (out nl) (out nh) in
      let st' := set_node st low (Node (rep nl) o (join (pool nl) (pool nh))) in
      close f (redirect st' high low) (more ++ work')
    else None
  else Some st.

(** Rule 1: two labels whose rows cannot be told apart are one state. *)
Definition apart (d1 d2 : data C) := sep d1 d2 && sep d2 d1.

Definition same st l1 l2 : option labels :=
  let r1 := root st l1 in
  let r2 := root st l2 in
  let n := size (nodes st) in
  if [&& l1 < n, l2 < n & ~~ apart (pool (node_at st r1)) (pool (node_at st r2))]
  then close (n * nA.+1 + 1) st [:: (r1, r2)] else None.

(** The lowest label, of those not merged into others, that is not apart from label [r] with rows [d].
    Label 0, the start of the run, has no rows and is left out. *)
Fixpoint twin d r i (ns : seq node) : option nat :=
  if ns is nd :: ns' then
    if [&& 0 < i, rep nd == i, i != r & ~~ apart d (pool nd)] then Some i else twin d r i.+1 ns'
  else None.

(** Merge a label with all others that it equals. *)
Fixpoint settle fuel st l : option labels :=
  if fuel is f.+1 then
    let r := root st l in
    if twin (pool (node_at st r)) r 0 (nodes st) is Some m
    then obind (fun st' => settle f st' r) (same st r m) else Some st
  else Some st.

Definition settled_at st l := settle (size (nodes st)) st l.

(** Rule 5: the possible periods of a loop, and the labels of its positions. [told before ds]: some
    classifier is 1 on each of [ds] and 0 on all others together, and on [before]. *)
Fixpoint told (before : data C) (ds : seq (data C)) : bool * data C :=
  if ds is d :: ds' then
    let (b, after) := told (join before d) ds' in
    (b && sep (join before after) d, join d after)
  else (true, none C).

Definition classes m xs := [seq data_of (stride m.-1 r xs) | r <- iota 0 m].
Definition not_refuted xs m :=
  let seen := drop (N - m) xs in (size seen < m) || (told (none C) (classes m seen)).1.
Definition left_periods xs := 1 :: [seq m <- iota 2 N.-1 | not_refuted xs m].

(** The lcm, or 0 if it exceeds the bound. (0 is a multiple of everything, so this is sound.) *)
Definition capped_lcm ms :=
  foldr (fun m acc => let l := lcmn m acc in if l <= N then l else 0) 1 ms.

Definition settled := N - 2.

Definition loop st a xs : option labels :=
  let M := capped_lcm (left_periods xs) in
  let n := size (nodes st) in
  let ys := drop settled xs in
  if [&& a < nA, 0 < M & settled + M <= size xs] then
    let made := [seq Node (n + i) (set_nth None [::] a (Some (n + i.+1 %% M)))
                       (data_of (stride M.-1 i ys)) | i <- iota 0 M] in
    Some (Labels (nodes st ++ made) (n + (size xs - 1 - settled) %% M))
  else None.

(** Settle each of several labels. *)
Definition settle_all st ls := foldl (fun o l => obind (settled_at^~ l) o) (Some st) ls.

(** ** Following the record
    Inside a loop, the actions and rows are kept (the last one first) until the loop ends. *)
Record config := Config { explored : labels; looping : option (seq (nat * row C)) }.

Definition start := Labels [:: Node 0 [::] (none C)] 0.
Definition config0 := Config start None.

Definition did c a ox : option config :=
  if looping c is Some xs then
    if ox is Some x then Some (Config (explored c) (Some ((a, x) :: xs))) else None
  else
    omap (Config^~ None)
      (if ox is Some _ then obind (fun st => settled_at st (cur st)) (go (explored c) a ox)
       else go (explored c) a ox).

Definition ended c : option labels :=
  if looping c is Some xs then
    if rev xs is (a, x) :: xs' then
      if all (fun ax => ax.1 == a) xs' then
        let n := size (nodes (explored c)) in
        if loop (explored c) a (x :: unzip2 xs') is Some st
        then settle_all st (iota n (size (nodes st) - n)) else None
      else None
    else Some (explored c)
  else Some (explored c).

Definition said c (m : announcement C) : option config :=
  omap (fun st => Config st (if m is Loop then Some [::] else None)) (ended c).

Definition follow_entry oc (e : entry C) : option config :=
  obind (fun c => match e with Did a ox => did c a ox | Said m => said c m end) oc.
Definition follow_record es := foldl follow_entry (Some config0) es.

(** ** Rounds of validation *)
Definition next st l a := omap (root st) (known st l a).

Fixpoint follow st l w : option (seq nat) :=
  if w is a :: w' then
    if next st l a is Some l' then omap (cons l') (follow st l' w') else None
  else Some [::].

Definition closed st kept :=
  all (fun l => all (fun a => if next st l a is Some l' then l' \in kept else false) (iota 0 nA)) kept.

(** The classifiers, one for each state against all others, from the rows before the round. *)
Fixpoint encoders (ms : seq (note C)) (before : data C) (ds : seq (data C)) : option (seq (clf C)) * data C :=
  if ds is d :: ds' then
    let (fs, after) := encoders (behead ms) (join before d) ds' in
    (if fs is Some fs then omap (cons^~ fs) (choose (ohead ms) (join before after) d) else None, join d after)
  else (Some [::], none C).

(** The encoder names the first state whose classifier is 1, or state 0. *)
Definition name (enc : seq (clf C)) x :=
  let k := find (fun f => value f x) enc in if k < size enc then k else 0.

(** At each step of the walk: the state to be checked there, at the first visit of its label. *)
Definition planned kept ls : seq (option nat) :=
  [seq let l := nth 0 ls j in if index l ls == j then Some (index l kept) else None
  | j <- iota 0 (size ls)].

(** In a pass, a row was read at each planned step, and the encoder names the planned state. *)
Fixpoint checked enc (plan : seq (option nat)) (pass : seq (option (row C))) :=
  match plan, pass with
  | [::], [::] => true
  | None :: plan', _ :: pass' => checked enc plan' pass'
  | Some i :: plan', Some x :: pass' => (name enc x == i) && checked enc plan' pass'
  | _, _ => false
  end.

(** The answer: the transitions between states 0, 1, ..., the state at the end, the classifiers. *)
Record model := Model { table : seq (seq nat); current : nat; encoder : seq (clf C) }.

Definition accept st (rd : round C) (seen : seq (seq (option (row C)))) : option model :=
  let l0 := root st (cur st) in
  if follow st l0 (walk rd) is Some ls then
    let kept := sort leq (undup ls) in
    if (encoders (notes rd) (none C) [seq pool (node_at st l) | l <- kept]).1 is Some enc then
      if [&& last l0 ls == l0, l0 \in kept, closed st kept, size kept <= N
           & all (checked enc (planned kept ls)) seen] then
        Some (Model [seq [seq index (odflt 0 (next st l a)) kept | a <- iota 0 nA] | l <- kept]
                    (index l0 kept) enc)
      else None
    else None
  else None.

(** The verdict on a round announced in [st], from what happened after it, until the next announcement. *)
Definition verdict st (rd : round C) (tr : seq (nat * option (row C))) : option model :=
  let L := size (walk rd) in
  let now := take ((passes rd).+1 * L) tr in
  if unzip1 now == flatten (nseq (passes rd).+1 (walk rd)) then
    accept st rd [seq take L (drop (p * L) (unzip2 now)) | p <- iota 1 (passes rd)]
  else None.
End Rules.

(** ** What a round costs
    The recursion a' = min(a, eta a + b), b' = min(b, (1 - eps) b + eps eta a) in units of 2^-160, rounded up,
    with eta = 1/h and eps = p/q. *)
Section Price.
Local Open Scope N_scope.
Definition unit : N := 1461501637330902918203684832716283019655932542976.  (* 2^160 *)
Definition up (x y : N) : N := (x + y - 1) / y.
Definition price_step (h p q : N) (ab : N * N) : N * N :=
  let: (a, b) := ab in (N.min a (up (a + h * b) h), N.min b (up ((q - p) * h * b + p * a) (q * h))).
Definition price h p q n : N * N := iter n (price_step h p q) (unit, unit).

(** b_n + eta a_n is at most delta / (k (k+1)) for the k-th round (k = 1, 2, ...) *)
Definition affordable (p q d d' : N) (j n k : nat) : bool :=
  let h := 2 ^ N.of_nat j.+1 in
  let: (a, b) := price h p q n in
  (h * b + a) * (d' * N.of_nat (k * k.+1)%nat) <=? d * h * unit.

(** epsilon is at most 1/2 in what follows *)
Definition half_at_most (e : N * N) : N * N := if e.2 <=? 2 * e.1 then (1, 2) else e.
End Price.

(** Round number [k] has a walk of [j] >= 1 mixing times and enough passes. *)
Definition paid C p k (rd : round C) : bool :=
  let j := size (walk rd) %/ mixing_time p in
  let: (e, e') := half_at_most (epsilon p) in
  [&& 0 < j, 0 < passes rd, N.ltb 0 (epsilon p).2, N.ltb 0 (delta p).2
    & affordable e e' (delta p).1 (delta p).2 j (passes rd) k].

(** ** The whole checker: the answer of the first round that passes, and the number of steps then *)
Section Accepts.
Variables (C : class) (p : parameters).

Definition judged k t st (rd : round C) tr : option (model C * nat) :=
  if paid p k rd
  then omap (pair^~ (t + (passes rd).+1 * size (walk rd))) (verdict (actions p) (max_states p) st rd tr)
  else None.

(** [k]: the number of the next round; [t]: the number of steps so far *)
Fixpoint scan (c : config C) k t (es : record C) : option (model C * nat) :=
  if es is e :: es' then
    match e with
    | Did a ox => obind (fun c' => scan c' k t.+1 es') (did (actions p) c a ox)
    | Said (Validate rd as m) =>
      if ended (actions p) (max_states p) c is Some st then
        if judged k t st rd (stretch es') is Some ans then Some ans
        else scan (Config st None) k.+1 t es'
      else None
    | Said m => obind (fun c' => scan c' k t es') (said (actions p) (max_states p) c m)
    end
  else None.

Definition accepts (es : record C) := scan (config0 C) 1 0 es.
End Accepts.
