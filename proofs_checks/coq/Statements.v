(** * The theorems, as statements

    The files that a reader has to believe are [Model.v] (what an Ex-BMDP, a run and a right answer are), this file
    (the paper's Lemmas 1 and 2, and located STEEL), [looped/Statement.v] (the paper's Proposition 1 and Theorem 1) and
    [certain/Statement.v] (certain STEEL). [Theorems.v] proves each statement and prints what its proof rests on. *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Export Model.
From Steel.located Require Import Checker Classes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The paper's Lemma 1
    The actions are a fixed sequence [a]. Given anything that was seen up to time [t1], an observation at
    time [t2], at least the mixing time later, is judged 1 by [f] with the stationary chance, up to 1/4.
    Written without division: [past] is any event of [x_0, ..., x_t1]. (The printed lemma has no [0 < t]; with
    a mixing time of 0 and [t1 = t2] it would be false.) *)
Definition lemma_1 : Prop :=
  forall (R : realFieldType) (X A : finType) (M : world R X A) (t t1 t2 : nat) (a : nat -> A)
    (s : state M) (mu : noise M -> R) (past : pred (seq X)) (f : pred X),
  ex_bmdp M -> (0 < t)%N -> mixes_within M t -> distr mu -> (t1 + t <= t2)%N ->
  let act (h : seq X) := a (size h).-1 in
  let s2 := foldl (step M) s [seq a i | i <- iota 0 t2] in
  let seen := chance act t2 s mu (fun h => past (take t1.+1 h)) in
  `| chance act t2 s mu (fun h => past (take t1.+1 h) && has f (drop t2 h)) - seen_in s2 f * seen |
    <= 4%:R^-1 * seen.

(** ** The paper's Lemma 2, with a smaller bound
    A chain, looked at at times [t1 :: ts] that are at least the mixing time apart, is in a set of stationary
    chance at most [1 - eps] each time with chance at most (8/3)(1 - eps/3)^N, where N is the number of
    times. ([Exponential.v]: this is at most the printed bound, 8 exp(-eps N / 3).) *)
Definition lemma_2 : Prop :=
  forall (R : realFieldType) (E : finType) (P : E -> E -> R) (pi mu : E -> R) (t n t1 : nat) (ts : seq nat)
    (f : pred E) (eps : R),
  kernel P -> distr pi -> stationary pi P -> (exists2 t', (t' <= t)%N & mixed P pi t') -> distr mu ->
  0 <= eps <= 1 -> mean pi (fun e => (f e)%:R) <= 1 - eps ->
  path (fun i j => i + t <= j)%N t1 ts -> (last t1 ts <= n)%N ->
  chain P n mu (fun h => all (fun i => if drop i h is e :: _ then f e else false) (t1 :: ts))
    <= 8%:R / 3%:R * (1 - eps / 3%:R) ^+ (size ts).+1.

(** ** Located STEEL
    [located/Checker.v] has the checker, [accepts]. It is a program that is also extracted; nothing has to be
    believed about it, since the theorems speak of whatever it accepts. Only two things in it have meaning
    here: an [entry] of a record, and [name], the encoder of an answer (the first state whose classifier
    is 1 on a row, or state 0). *)
Section Located.
Variables (C : class) (X : finType) (r : X -> row C) (A : Type) (number : A -> nat).

(** A learner: any function from what was seen to the next action. It may write down an observation or
    not, and before each action it may announce something. *)
Record learner := Learner {
  acts : seq X -> A; reads : seq X -> bool; says : seq X -> option (announcement C) }.
Variable L : learner.

(** The record of a run, written as it happens: [h] is what was seen, the last observation last. What is
    trusted is that a real record was written in this way. *)
Definition announced h : record C := if says L h is Some m then [:: Said m] else [::].
Fixpoint written_after past h : record C :=
  if h is x :: h' then
    let now := rcons past x in
    Did (number (acts L past)) (if reads L now then Some (r x) else None) :: announced now ++ written_after now h'
  else [::].
Definition written h := if h is x :: h' then announced [:: x] ++ written_after [:: x] h' else [::].
End Located.

(** actions are numbered from 0 *)
Definition action (p : parameters) : finType := [finType of 'I_(actions p)].

Definition frac (R : realFieldType) (q : N * N) : R := (nat_of_bin q.1)%:R / (nat_of_bin q.2)%:R.

Section Fooled.
Variables (R : realFieldType) (C : class) (X : finType) (r : X -> row C) (p : parameters).
Variable M : world R X (action p).

(** The checker accepts the record of what was seen, after [t] of its steps, and the answer is not right: the
    transitions are not those of the world up to names, or the encoder errs on some state with chance more
    than epsilon, or the stated current state is not the one in which the world was after [t] steps. *)
Definition fooled (L : learner C X (action p)) (s : state M) (h : seq X) : bool :=
  if accepts p (written r (@nat_of_ord _) L h) is Some (m, t) then
    ~~ [exists sigma : {ffun state M -> 'I_(size (table m))},
         right_by (frac R (epsilon p)) (fun i (a : action p) => nth 0%N (nth [::] (table m) i) (nat_of_ord a))
           (fun x => name (encoder m) (r x)) sigma
         && (val (sigma (state_at (step M) (acts L) s (take t.+1 h))) == current m)]
  else false.

(** For every learner, start and length of the run, this has chance at most delta. And so it has if the learner,
    the first state and the first noise are drawn at random, by any joint law. *)
Definition rarely_fooled : Prop :=
  (forall L s mu n, distr mu -> chance (acts L) n s mu (fooled L s) <= frac R (delta p)) /\
  (forall (Seed : finType) (L : Seed -> learner C X (action p)) (nu : Seed * state M * noise M -> R) n,
     distr nu ->
     mean nu (fun z => let: (seed, s, e) := z in
                chance (acts (L seed)) n s (@kid R _ e) (fooled (L seed) s)) <= frac R (delta p)).

(** what is assumed of the world, for the parameters *)
Definition assumptions_hold : Prop :=
  [/\ ex_bmdp M, mixes_within M (mixing_time p), (#|state M| <= max_states p)%N & connected M].
End Fooled.

(** Finite classes: bit [f] of the row of an observation is the value of classifier [f] on it. The checker itself
    chooses the classifiers, from the rows before the round, so nothing can be picked afterwards. *)
Definition located_is_sound : Prop :=
  forall (R : realFieldType) (X : finType) (p : parameters) (M : world R X (action p))
    (width : N) (bits : X -> N),
  assumptions_hold M ->
  (forall s, exists2 f, N.lt f width & forall x, N.testbit (bits x) f = (decode M x == s)) ->
  @rarely_fooled R (finite width) X bits p M.

(** Any class [value f], for [f] in [F], with any complete test [decide] of whether it separates two lists of rows, and
    any declared rule that chooses a classifier from rows before the round. The rule may also look at what was
    announced with the round, such as the classifiers themselves (as half-spaces need); then that announcement is
    trusted to have been made at that time. *)
Definition located_is_sound_for_any_rule : Prop :=
  forall (Row Clf Note : Type) (value : Clf -> Row -> bool) (F : Clf -> Prop)
    (decide : seq Row -> seq Row -> bool) (rule : option Note -> seq Row -> seq Row -> option Clf),
  (forall zeros ones f, F f -> (forall x, List.In x zeros -> value f x = false) ->
     (forall x, List.In x ones -> value f x) -> decide zeros ones) ->
  forall (R : realFieldType) (X : finType) (p : parameters) (M : world R X (action p)) (r : X -> Row),
  assumptions_hold M ->
  (forall s, exists2 f, F f & forall x, value f (r x) = (decode M x == s)) ->
  @rarely_fooled R (listed value decide rule) X r p M.

(** Boxes, thresholds and conjunctions, each with the rule of the certificate format, "widest margin"
    ([located/Classes.v]), by which the checker itself chooses. Rows of numbers are integers, or floating-point numbers as
    multiples of 2^-1074. *)
Definition located_is_sound_for_declared_classes : Prop :=
  forall (R : realFieldType) (X : finType) (p : parameters) (M : world R X (action p)), assumptions_hold M ->
  [/\ forall (k : numbers) (width : nat) (r : X -> seq Z),
        (forall s, exists2 f, True & forall x, in_box width f (r x) = (decode M x == s)) ->
        @rarely_fooled R (boxes k width) X r p M,
      forall (k : numbers) (width : nat) (r : X -> seq Z),
        (forall s, exists2 f, (feature f < width)%N & forall x, beyond f (r x) = (decode M x == s)) ->
        @rarely_fooled R (thresholds k width) X r p M
    & forall (width : N) (r : X -> N),
        (forall s, exists2 f, literals_within width f & forall x, holds f (r x) = (decode M x == s)) ->
        @rarely_fooled R (conjunctions width) X r p M].

(** What is written later does not change the verdict: once fooled, always fooled. So the bounds above, which hold for
    the run up to each time, bound the chance of ever being fooled. *)
Definition verdict_is_final : Prop :=
  (forall (C : class) (p : parameters) (es later : record C) (answer : model C * nat),
     accepts p es = Some answer -> accepts p (es ++ later) = Some answer) /\
  (forall (R : realFieldType) (C : class) (X : finType) (r : X -> row C) (p : parameters) (M : world R X (action p))
     (L : learner C X (action p)) (s : state M) (h later : seq X), fooled r L s h -> fooled r L s (h ++ later)).

(** ** Labels that may show one state
    A learner has labels and a table of what each action does to them. [sigma] gives each label its state, and the
    table is true; but two labels may have one state, so that the table is finer than the world. *)
Section Labels.
Variables (X : eqType) (A C F : Type) (table : C -> A -> C) (D : C -> seq X) (value : F -> X -> bool).

(** A way to unite labels that the table respects: [b] gives each label its block. *)
Definition congruence (B : Type) (b : C -> B) := forall l l' a, b l = b l' -> b (table l a) = b (table l' a).
(** Classifier [f] is 1 on the observations [D] of the block of [l], and 0 on those of other labels. *)
Definition fits (B : eqType) (b : C -> B) (l : C) (f : F) :=
  forall l' x, x \in D l' -> value f x = (b l' == b l).
End Labels.

Section States.
Variables (R : realFieldType) (X A : finType) (M : world R X A) (C : Type) (table : C -> A -> C) (D : C -> seq X).
(** What located STEEL keeps true for every noise: the table is that of the states, and the observations of a label show
    its state. *)
Definition true_of_states (sigma : C -> state M) :=
  (forall l a, sigma (table l a) = step M (sigma l) a) /\ (forall l x, x \in D l -> decode M x = sigma l).
End States.

(** If the labels can be united in no way such that F has a classifier for each block, then they are the states. *)
Definition simple_table_is_right : Prop :=
  forall (R : realFieldType) (X A C : finType) (M : world R X A) (table : C -> A -> C) (D : C -> seq X)
    (sigma : C -> state M) (F : Type) (value : F -> X -> bool),
  connected M -> realises M value -> (1 < #|state M|)%N -> (0 < #|C|)%N -> true_of_states table D sigma ->
  (forall b : C -> C, congruence table b ->
     [\/ injective b, forall l l', b l = b l' | exists l, forall f, ~ fits D value b l f]) ->
  bijective sigma.

(** If for each label all classifiers that fit it are equal, and [phi'] names the label whose classifier alone is 1, then
    [phi'] never errs, or it errs in the state of some label with stationary chance at least 1/2. *)
Definition encoder_errs_never_or_half : Prop :=
  forall (R : realFieldType) (X A C : finType) (M : world R X A) (table : C -> A -> C) (D : C -> seq X)
    (sigma : C -> state M) (F : Type) (value : F -> X -> bool) (chosen : C -> F) (phi' : X -> C),
  ex_bmdp M -> connected M -> realises M value -> (0 < #|C|)%N -> true_of_states table D sigma ->
  (forall l f, fits D value id l f -> value f =1 value (chosen l)) ->
  (forall x l, (forall l', value (chosen l') x = (l' == l)) -> phi' x = l) ->
  (bijective sigma /\ forall x, sigma (phi' x) = decode M x) \/
  exists l, seen_in (sigma l) (fun x => phi' x == l) <= 2%:R^-1.

(** ** Private coins
    Two words of equal length lead to two labels. A fair coin, which influences nothing else, chooses one of them; the
    word is run, and the test is passed if the encoder then names the label at which it aimed. If both labels are one
    state, this has chance at most 1/2, whatever was seen before, since the noise does not depend on the actions. *)
Section Coins.
Variables (X A : Type).
(** [word c] and [aim c] are for side [c] of the coin; [attempt] numbers the attempts of a run. *)
Record test := Test { attempt : nat; word : bool -> seq A; aim : bool -> nat; names : X -> nat }.
(** A learner that tosses a coin at each time: any function from what was seen to the next action. Before the coin
    falls, it may announce a test that is about this coin. *)
Record tosser := Tosser { tests : seq X -> seq bool -> option test; moves : seq X -> seq bool -> A }.

(** A run, [h] with the coins [cs]: the action at time [t], and the tests of attempt [k] that came to their end. *)
Variables (L : tosser) (h : seq X) (cs : seq bool).
Definition took t := moves L (take t.+1 h) (take t.+1 cs).
Definition tested k t q := [/\ tests L (take t.+1 h) (take t cs) = Some q, attempt q = k
  & (t + size (word q true) < size h)%N].
Definition fair q := size (word q true) = size (word q false) /\ aim q true <> aim q false.
(** The word of the coin was run, and its label was named. *)
Definition passed t q := let c := nth false cs t in let w := word q c in
  [seq took i | i <- iota t (size w)] = w /\ List.In (aim q c) [seq names q x | x <- take 1 (drop (t + size w) h)].
End Coins.

Section Convinced.
Variables (R : realFieldType) (X A : finType) (M : world R X A) (L : tosser X A) (s : state M).
(** The labels of a table are not all different states; but where F may have classifiers for the blocks when labels are
    united, [n] tests of attempt [k] aimed at labels that are united, and every test of this attempt was passed. [label t]
    is the label from which the test at time [t] began. *)
Definition convinced_wrongly n k (h : seq X) (cs : seq bool) : Prop :=
  exists (m : nat) (table : 'I_m -> A -> 'I_m) (D : 'I_m -> seq X) (sigma : 'I_m -> state M) (label : nat -> 'I_m)
    (F : Type) (value : F -> X -> bool),
  [/\ true_of_states table D sigma /\ ~ injective sigma, realises M value,
      forall t q, tested L h cs k t q ->
        [/\ sigma (label t) = foldl (step M) s [seq took L h cs i | i <- iota 0 t], fair q,
            forall c, nat_of_ord (foldl table (label t) (word q c)) = aim q c & passed L h cs t q]
    & forall b : 'I_m -> 'I_m, congruence table b -> ~ injective b -> (forall l, exists f, fits D value b l f) ->
        exists ts, [/\ uniq ts, size ts = n & forall t, t \in ts -> exists2 q, tested L h cs k t q
          & b (foldl table (label t) (word q true)) = b (foldl table (label t) (word q false))]].
End Convinced.

(** the mean of [f], a function of [n] fair coins *)
Fixpoint fair_coins (R : realFieldType) n (f : seq bool -> R) : R :=
  if n is m.+1 then (fair_coins m (fun cs => f (true :: cs)) + fair_coins m (fun cs => f (false :: cs))) / 2%:R
  else f [::].

(** Let an event (a checker accepts, but the table is wrong) occur only where some attempt convinces wrongly. It has
    chance at most 2^-n, summed over the attempts. (Not over the ways to unite labels.) *)
Definition coins_are_sound : Prop :=
  forall (R : realFieldType) (X A : finType) (M : world R X A) (L : tosser X A) (n : nat -> nat) (K T : nat)
    (s : state M) (mu : noise M -> R) (event : seq X -> seq bool -> bool),
  ex_bmdp M -> distr mu ->
  (forall h cs, event h cs -> exists2 k, (k < K)%N & convinced_wrongly L s (n k) k h cs) ->
  fair_coins T.+1 (fun cs => chance (fun h => moves L h (take (size h) cs)) T s mu (event^~ cs))
    <= \sum_(k < K) 2%:R ^- n k.
