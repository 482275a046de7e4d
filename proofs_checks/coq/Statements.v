(** * What is proved about STEEL

    A reader has to believe this file, and for Theorem 1 also that the definitions of [looped/Program.v] and
    [looped/Algorithm.v] are the paper's Algorithms 1 and 2. All else is proof, which Coq checks without axioms
    ([Theorems.v] prints what each theorem rests on), or a program that the theorems quantify over: they speak of
    whatever the checkers accept ([located/Checker.v], [located/Classes.v], [certain/Checker.v]), so only what records
    and answers are is taken from there.

    In this order: distributions; worlds, runs and right answers; looped STEEL (the paper's Theorem 1); located STEEL;
    certain STEEL; and tables that may be too fine, with tests by coins. Results on which no accepted answer rests are
    stated beside their proofs ([probability/Lemmas.v], [looped/Proposition1.v], [labels/Tables.v], [certain/Limits.v],
    [claims/]).

    Real numbers are any ordered field [R], so the rational numbers as well as the real ones. Sets are finite: states,
    noise, observations, actions. (The paper also allows continuous noise, which is not shown here. Certain STEEL says
    nothing of noise, and its observations may be of any kind.) *)
From Coq Require Import NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Steel.located Require Checker Classes.
From Steel.looped Require Program Algorithm.
From Steel.certain Require Bits Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Distributions and Markov kernels on a finite set *)
Section Distributions.
Variables (R : realFieldType) (E : finType).
Implicit Types (mu nu pi u : E -> R) (K L : E -> E -> R).

(** the mean of [u] under the weights [mu] *)
Definition mean mu u : R := \sum_e mu e * u e.
Definition distr mu := (forall e, 0 <= mu e) /\ \sum_e mu e = 1.

(** [K e e']: the chance to go from [e] to [e'] *)
Definition kernel K := forall e, distr (K e).
(** the law after one step of [K], if it is [mu] before *)
Definition push mu K : E -> R := fun e' => \sum_e mu e * K e e'.
Definition stationary pi K := forall e, push pi K e = pi e.
Definition kid : E -> E -> R := fun e e' => (e == e')%:R.
Definition kcomp K L : E -> E -> R := fun e => push (K e) L.
(** [n] steps of [K] *)
Fixpoint kpow K n := if n is m.+1 then kcomp K (kpow K m) else kid.

(** total variation distance, half of the L1 distance *)
Definition norm1 mu : R := \sum_e `|mu e|.
Definition tv mu nu : R := 2%:R^-1 * norm1 (fun e => mu e - nu e).
(** from every state, one step of [K] leads within [eta] of [pi] *)
Definition near pi eta K := forall e, tv (K e) pi <= eta.
(** after [t] steps the law is within 1/4 of [pi]. The paper's mixing time is the least such [t]. *)
Definition mixed K pi t := near pi 4%:R^-1 (kpow K t).
End Distributions.

(** ** Worlds
    The latent part, which is to be learned: the states, what each action does, and which state an observation shows. *)
Record dynamics (X A : Type) := Dynamics {
  state : finType;                          (* S, the endogenous states *)
  step : state -> A -> state;               (* T, deterministic *)
  decode : X -> state }.                    (* phi*, the true encoder *)
Arguments state {X A} M : rename. Arguments step {X A} M s a : rename. Arguments decode {X A} M x : rename.

(** and with the noise: an exogenous block MDP *)
Record world (R : realFieldType) (X A : finType) := World {
  latent :> dynamics X A;
  noise : finType;                          (* E, the exogenous states *)
  drift : noise -> noise -> R;              (* T_e *)
  emit : state latent -> noise -> X -> R;   (* Q(s, e) *)
  rest : noise -> R }.                      (* pi_E, the stationary law of the noise *)
Arguments noise {R X A} M : rename. Arguments drift {R X A} M e e' : rename.
Arguments emit {R X A} M s e x : rename. Arguments rest {R X A} M e : rename.

(** ** The law of a run
    The noise [e_0] is given. At each time the world shows [x_t] with chance [Q s_t e_t x_t]; the learner, who has seen
    [x_0, ..., x_t], chooses the action [a_t]; then [s_{t+1} = T s_t a_t], and [e_{t+1}] is drawn by [P e_t].
    [expected n s e past Phi] is the mean of [Phi], a function of the noise and the observations up to [x_n], if the run
    stands in [s] and [e] after [past]. *)
Section Law.
Variables (R : realFieldType) (X S E : finType) (A : Type).
Variables (P : E -> E -> R) (Q : S -> E -> X -> R) (T : S -> A -> S) (act : seq X -> A).

Fixpoint expected n s e (past : seq (E * X)) (Phi : seq (E * X) -> R) : R :=
  mean (Q s e) (fun x => let h := rcons past (e, x) in
    if n is m.+1 then mean (P e) (fun e' => expected m (T s (act (unzip2 h))) e' h Phi) else Phi h).

(** the true state in which the last observation of a history was made, if the first was made in [s] *)
Fixpoint state_after s (past later : seq X) : S :=
  if later is x :: later' then state_after (T s (act past)) (rcons past x) later' else s.
Definition state_at s (h : seq X) := if h is x :: later then state_after s [:: x] later else s.
End Law.

Section Worlds.
Variables (R : realFieldType) (X A : finType) (M : world R X A).

(** What makes it an Ex-BMDP. [one_state] is the block assumption: an observation is shown by one state. *)
Record ex_bmdp : Prop := ExBMDP {
  drift_kernel : kernel (drift M);
  emit_distr : forall s e, distr (emit M s e);
  rest_distr : distr (rest M);
  rest_stationary : stationary (rest M) (drift M);
  one_state : forall s e x, emit M s e x != 0 -> decode M x = s }.

(** [t] is at least the mixing time. (Then the noise has only one stationary law. That it is irreducible and aperiodic,
    as the paper assumes, is not needed beside this.) *)
Definition mixes_within t := exists2 t', (t' <= t)%N & mixed (drift M) (rest M) t'.
(** every state can be reached from every state *)
Definition connected := forall s s', exists w, foldl (step M) s w = s'.
Definition diameter_at_most D := forall s s', exists2 w, (size w <= D)%N & foldl (step M) s w = s'.

(** Realisability: a class of classifiers [value f : X -> bool] has one for each state against the rest. *)
Definition realises (F : Type) (value : F -> X -> bool) := forall s, exists f, forall x, value f x = (decode M x == s).

(** the chance that an observation of state [s] has property [f], under the stationary noise (p_s of the paper) *)
Definition seen_in s (f : pred X) : R := mean (rest M) (fun e => mean (emit M s e) (fun x => (f x)%:R)).

(** The chance of an event of the observations [x_0, ..., x_n], from state [s] and noise of law [mu] on. *)
Definition chance (act : seq X -> A) n s mu (event : pred (seq X)) : R :=
  mean mu (fun e => expected (drift M) (emit M) (step M) act n s e [::] (fun h => (event (unzip2 h))%:R)).

(** A right answer: [m] states with transitions [T'] and an encoder [phi'] such that [sigma] gives each true state its
    name, one to one and onto, the transitions agree, and in each state the encoder errs with chance at most [eps]. *)
Definition right_by (eps : R) m (T' : nat -> A -> nat) (phi' : X -> nat) (sigma : {ffun state M -> 'I_m}) :=
  [&& injectiveb sigma, m == #|state M|, [forall s, forall a, T' (sigma s) a == sigma (step M s a)]
    & [forall s, 1 - eps <= seen_in s (fun x => phi' x == sigma s)]].
Definition right_answer eps m T' phi' := [exists sigma, @right_by eps m T' phi' sigma].
End Worlds.

(** ** Looped STEEL: the paper's Theorem 1
    [steel] is Algorithms 1 and 2 as a program that acts and asks the oracle; [next_action] is its policy, what it does
    next from what was seen. *)
Module Looped.
Import Program Algorithm.

(** The training oracle (lines 150-156): if some classifier separates, the one returned does. *)
Definition oracle_for (X F : Type) (cl : F -> pred X) (oracle : seq X -> seq X -> F) :=
  forall D0 D1 f, separates cl f D0 D1 -> separates cl (oracle D0 D1) D0 D1.

(** Numbers of steps. Subtraction is cut off at 0; [S], [A] are |S|, |A|, and [m] is the length of the word. *)
Section Steps.
Local Open Scope nat_scope.
(** of one call of CycleFind (lines 524-527 and 670-672) *)
Definition call_bound N tmix ncyc nsamp S m :=
  maxn ((2 * tmix + 3 * N * m - 2) * ncyc - N * m) (2 * (tmix + S * m - 1) * nsamp + 1) + (N * m - m - tmix) + 1.
(** of the whole run: |S||A| calls with words of at most |S|(D + 1) actions (lines 1001-1004), and phase 2
    (line 953; our reading of phase 2 needs no new plans and takes fewer steps) *)
Definition phase2_bound tmix d S D := (d - 1 + S) * maxn (D + tmix) (S * D).
Definition steps_bound N tmix ncyc nsamp d S A D :=
  S * A * call_bound N tmix ncyc nsamp S (S * D.+1) + phase2_bound tmix d S D.
End Steps.

(** Sample sizes. The printed n_samp.cyc., n_samp. and d satisfy these (PrintedSizes.v); so do all larger ones. *)
Section Sizes.
Variables (R : realFieldType) (delta eps : R) (A F : nat).
Definition enough_for_periods N ncyc := 4%:R * (A * (N * N.-1))%:R * F%:R * (9%:R / 16%:R) ^+ ncyc <= delta.
Definition enough_for_positions N Dhat nsamp :=
  4%:R * (A * (N ^ 4 * Dhat.+1))%:R * F%:R * (9%:R / 16%:R) ^+ nsamp <= delta.
Definition enough_for_encoder S d := 16%:R * (S ^ 2)%:R * F%:R * (1 - eps / S%:R / 3%:R) ^+ d <= delta.
End Sizes.

(** Theorem 1: for every Ex-BMDP that meets the paper's assumptions, every start, and every n that is at least the bound
    on the steps, the chance that within n steps STEEL has not ended within its bound with a right answer is at most
    delta. (For N = 1 the printed n_samp.cyc. is undefined, and any positive number will do.) *)
Section RightRun.
Variables (R : realFieldType) (X A F : finType) (M : world R X A).
Variables (cl : F -> pred X) (oracle : seq X -> seq X -> F) (x0 : X) (a0 : A).
Variables (N tmix ncyc nsamp Dhat D : nat) (d : nat -> nat) (eps : R).
Definition looped_steel := steel (enum A) a0 N tmix ncyc nsamp Dhat d.
Definition looped_policy := next_action x0 cl oracle a0 looped_steel.
(** what was announced after [xs] has been seen, and the number of steps, are right *)
Definition ends_right (xs : seq X) : bool :=
  let: (answer, actions) := run (verdict x0 cl oracle xs) [::] looped_steel in
  let T' l a := odflt 0%N (look (model answer) l a) in
  let phi' := encode x0 cl oracle xs (datasets answer) in
  (size actions <= steps_bound N tmix ncyc nsamp (d #|state M|) #|state M| #|A| D)%N
    && right_answer M eps (size (datasets answer)) T' phi'.
End RightRun.

Definition theorem_1 : Prop :=
  forall (R : realFieldType) (X A F : finType) (M : world R X A) (cl : F -> pred X) (oracle : seq X -> seq X -> F)
    (x0 : X) (a0 : A) (N tmix ncyc nsamp Dhat D : nat) (d : nat -> nat) (eps delta : R),
  ex_bmdp M -> (0 < tmix)%N -> mixes_within M tmix -> (#|state M| <= N)%N ->
  diameter_at_most M D -> (D <= Dhat)%N -> realises M cl -> oracle_for cl oracle ->
  0 <= eps <= 1 -> delta < 1 -> (0 < ncyc)%N ->
  enough_for_periods delta #|A| #|F| N ncyc -> enough_for_positions delta #|A| #|F| N Dhat nsamp ->
  enough_for_encoder delta eps #|F| #|state M| (d #|state M|) ->
  forall (n : nat) (s : state M) (mu : noise M -> R),
  distr mu -> (steps_bound N tmix ncyc nsamp (d #|state M|) #|state M| #|A| D <= n)%N ->
  chance (looped_policy cl oracle x0 a0 N tmix ncyc nsamp Dhat d) n s mu
    (fun xs => ~~ ends_right M cl oracle x0 a0 N tmix ncyc nsamp Dhat D d eps xs) <= delta.
End Looped.

(** ** Located STEEL
    [accepts] is the checker, a program that is also extracted. Only two things of its file have meaning here: an
    [entry] of a record, and [name], the encoder of an answer (the first state whose classifier is 1 on a row, or
    state 0). *)
Module Located.
Import located.Checker Classes.

Section Written.
Variables (C : class) (X : finType) (r : X -> row C) (A : Type) (number : A -> nat).

(** A learner: any function from what was seen to the next action. It may write down an observation or not, and before
    each action it may announce something. *)
Record learner := Learner { acts : seq X -> A; reads : seq X -> bool; says : seq X -> option (announcement C) }.
Variable L : learner.

(** The record of a run, written as it happens: [h] is what was seen, the last observation last. What is trusted is that
    a real record was written in this way. *)
Definition announced h : record C := if says L h is Some m then [:: Said m] else [::].
Fixpoint written_after past h : record C :=
  if h is x :: h' then
    let now := rcons past x in
    Did (number (acts L past)) (if reads L now then Some (r x) else None) :: announced now ++ written_after now h'
  else [::].
Definition written h := if h is x :: h' then announced [:: x] ++ written_after [:: x] h' else [::].
End Written.

(** actions are numbered from 0 *)
Definition action (p : parameters) : finType := [finType of 'I_(actions p)].
Definition frac (R : realFieldType) (q : N * N) : R := (nat_of_bin q.1)%:R / (nat_of_bin q.2)%:R.

Section Fooled.
Variables (R : realFieldType) (C : class) (X : finType) (r : X -> row C) (p : parameters) (M : world R X (action p)).

(** The checker accepts the record of what was seen, after [t] of its steps, and the answer is not right: the
    transitions are not those of the world up to names, or the encoder errs on some state with chance more than epsilon,
    or the stated current state is not the one in which the world was after [t] steps. *)
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
  (forall (Seed : finType) (L : Seed -> learner C X (action p)) (nu : Seed * state M * noise M -> R) n, distr nu ->
     mean nu (fun z => let: (seed, s, e) := z in chance (acts (L seed)) n s (@kid R _ e) (fooled (L seed) s))
       <= frac R (delta p)).

(** what is assumed of the world, for the parameters *)
Definition assumptions_hold : Prop :=
  [/\ ex_bmdp M, mixes_within M (mixing_time p), (#|state M| <= max_states p)%N & connected M].
End Fooled.

(** Class [C], of which the classifiers in [F] are meant, is sound: if some of them realise the states, on the rows
    [r x] of the observations, then the checker is rarely fooled. *)
Definition sound_for (C : class) (F : clf C -> Prop) : Prop :=
  forall (R : realFieldType) (X : finType) (r : X -> row C) (p : parameters) (M : world R X (action p)),
  assumptions_hold M -> (forall s, exists2 f, F f & forall x, value f (r x) = (decode M x == s)) -> rarely_fooled r M.

(** Finite classes: bit [f] of a row is the value of classifier [f]. The checker itself chooses the classifiers, from the
    rows before the round. So no classifier can be picked afterwards; what is trusted to have been announced in time is
    that a round begins, its walk and its number of passes. *)
Definition located_is_sound : Prop := forall width, @sound_for (finite width) (N.lt^~ width).

(** Boxes, thresholds and conjunctions, by the rule of the certificate format, "widest margin" ([located/Classes.v]). A
    row of numbers has integers, or floating-point numbers as multiples of 2^-1074. For half-spaces it has integers above
    a common denominator, its last number; and the classifiers are trusted to have been announced with the round. *)
Definition located_is_sound_for_declared_classes : Prop :=
  [/\ forall k width, @sound_for (boxes k width) xpredT,
      forall k width, @sound_for (thresholds k width) (fun f => feature f < width)%N,
      forall width, @sound_for (conjunctions width) (literals_within width)
    & @sound_for half_spaces xpredT].

(** Any class [value f] with any complete test [decide] of whether some [f] in [F] separates two lists of rows, and any
    declared rule that chooses from the rows before the round. The rule may also look at what was announced with the
    round, such as classifiers, which is then trusted to have been announced in time. *)
Definition located_is_sound_for_any_rule : Prop :=
  forall (Row Clf Note : Type) (value : Clf -> Row -> bool) (F : Clf -> Prop)
    (decide : seq Row -> seq Row -> bool) (rule : option Note -> seq Row -> seq Row -> option Clf),
  (forall zeros ones f, F f -> (forall x, List.In x zeros -> value f x = false) ->
     (forall x, List.In x ones -> value f x) -> decide zeros ones) ->
  @sound_for (listed value decide rule) F.

(** What is written later does not change a verdict. So these bounds, which hold for the run up to each time, bound the
    chance of ever being fooled. *)
Definition verdict_is_final : Prop :=
  (forall C p (es later : record C) answer, accepts p es = Some answer -> accepts p (es ++ later) = Some answer) /\
  (forall R C X r p M L s h later, @fooled R C X r p M L s h -> fooled r L s (h ++ later)).
End Located.

(** ** Certain STEEL
    Observations show the states, and nothing is said about noise: any sequence of observations that show the right
    states is possible, also one chosen by an adversary who sees everything. No probability occurs.

    The learner knows a finite class of classifiers, numbered from 0 to [width - 1], which has a classifier for each
    state that was visited, right on the observations that were recorded. Which actions were taken, and why, is free; so
    are the number of trajectories and where they begin or end. Actions are numbers below [nA]. *)
Module Certain.
Import certain.Bits certain.Checker.
Local Open Scope nat_scope.

(** The part of a log that the checker sees: on each observation the values of the classifiers, as bits. *)
Definition row_of (X : Type) (width : nat) (F : nat -> X -> bool) (x : X) : row := pack [seq F f x | f <- iota 0 width].
Definition record_of X width (F : nat -> X -> bool) (obs : log X) : log row :=
  [seq Trajectory (row_of width F (first tr)) [seq (s.1, row_of width F s.2) | s <- steps tr] | tr <- obs].

Section Assumptions.
Variables (X : Type) (width nA : nat) (F : nat -> X -> bool) (w : dynamics X nat).

(** Action [a] leads from an observation to one that shows the next state. *)
Fixpoint follows_from (x : X) (ss : seq (nat * X)) : bool :=
  if ss is (a, y) :: ss' then [&& a < nA, decode w y == step w (decode w x) a & follows_from y ss'] else true.
Definition possible (obs : log X) : bool := all (fun tr => follows_from (first tr) (steps tr)) obs.

Definition visited (obs : log X) : pred (state w) := fun s => s \in [seq decode w x | x <- rows obs].
(** Classifier [f] is 1 exactly where the state is [s]. *)
Definition classifies (obs : log X) (f : nat) (s : state w) : bool :=
  all (fun x => F f x == (decode w x == s)) (rows obs).
Definition realised (obs : log X) : Prop := forall s, visited obs s -> exists2 f, f < width & classifies obs f s.

Definition connected_world : Prop :=
  forall s s' : state w, exists2 u, all (fun a => a < nA) u & foldl (step w) s u = s'.
Definition two_visited (obs : log X) : Prop := exists s s', [/\ visited obs s, visited obs s' & s != s'].

(** With [connected] the world has to be strongly connected. If some classifier is 1 on all rows, it is also assumed
    that there are two states, or, without [connected], that two states were visited. *)
Record fits (connected : bool) (obs : log X) : Prop := Fits {
  fits_possible : possible obs;
  fits_realised : realised obs;
  fits_connected : connected -> connected_world;
  fits_two : (exists2 f, f < width & all (F f) (rows obs)) ->
             if connected then is_true (1 < #|state w|) else two_visited obs }.

(** What is claimed: the labels of the answer are the visited states under other names, the table is the dynamics, and
    the classifiers listed for a label are exactly those that fit its state. *)
Record right (obs : log X) (r : answer) (label : state w -> nat) : Prop := Right {
  right_distinct : {in visited obs &, injective label};
  right_labels : forall l, l < size (table r) <-> exists2 s, visited obs s & label s = l;
  right_closed : forall s a, visited obs s -> a < nA -> visited obs (step w s a);
  right_table : forall s a, visited obs s -> a < nA -> label (step w s a) = next (table r) (label s) a;
  right_encoder : forall s f, visited obs s -> f < width ->
    classifies obs f s = (f \in nth [::] (encoders r) (label s)) }.
End Assumptions.

(** What the checker accepts is right in every world that fits the record. In a connected world all states were visited;
    otherwise these are all that can be reached from the starts that occurred (by [right_closed]). *)
Definition certain_is_sound : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (connected : bool) (width nA : nat) (obs : log X) (h : hint) (r : answer),
  check connected width nA (record_of width F obs) h = Some r ->
  forall w : dynamics X nat, fits width nA F w connected obs ->
  exists2 label : state w -> nat, right width nA F obs r label & connected -> forall s : state w, visited obs s.

(** Where the rows leave coarser explanations, too: the table agrees with the states, and the classifiers of a label are
    1 on its state only; but two labels may have one state. *)
Definition certain_up_to_quotients : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (connected : bool) (width nA : nat) (obs : log X) (h : hint) (r : answer),
  check_quotients connected width nA (record_of width F obs) h = Some r ->
  forall w : dynamics X nat, fits width nA F w connected obs ->
  exists sigma : nat -> state w, forall l, l < size (table r) ->
    (forall a, a < nA -> next (table r) l a < size (table r) /\ sigma (next (table r) l a) = step w (sigma l) a) /\
    (forall f, f < width -> f \in nth [::] (encoders r) l ->
       all (fun x => F f x ==> (decode w x == sigma l)) (rows obs)).

(** If one classifier is left for a label, it is the classifier of the state, also where nothing was observed, if the
    class has such a classifier [g]. *)
Definition certain_encoder_is_exact : Prop :=
  forall (X : Type) (F : nat -> X -> bool) (width nA : nat) (obs : log X) (r : answer) (w : dynamics X nat)
    (label : state w -> nat) (s : state w) (f : nat),
  right width nA F obs r label -> visited obs s -> nth [::] (encoders r) (label s) = [:: f] ->
  forall g, g < width -> (forall x, F g x = (decode w x == s)) -> forall x, F f x = (decode w x == s).
End Certain.

(** ** Tables that may be too fine
    A learner has labels and a table of what each action does to them. [sigma] gives each label its state, and the table
    agrees with the states; but two labels may have one state. *)
Module Labels.
Import certain.Checker Certain.
Definition agrees R (X A : finType) (M : world R X A) (C : Type) (table : C -> A -> C) (sigma : C -> state M) :=
  forall l a, sigma (table l a) = step M (sigma l) a.
(** A way to unite labels that the table respects: [b] gives each label its block. *)
Definition congruence (A C B : Type) (table : C -> A -> C) (b : C -> B) :=
  forall l l' a, b l = b l' -> b (table l a) = b (table l' a).
(** Classifier [f] is 1 on the observations of the block of [l], and 0 on those of other blocks. *)
Definition picks_out (X B : eqType) (C F : Type) (D : C -> seq X) (value : F -> X -> bool) (b : C -> B) l f :=
  forall l' x, x \in D l' -> value f x = (b l' == b l).

(** Located STEEL keeps true, for every noise: the table agrees with the states, and the observations [D] of a label show
    its state. If, moreover, the labels can be united in no way such that F has a classifier for each block, then the
    labels are the states. (So a located run may end without validation.) *)
Definition simple_table_is_right : Prop :=
  forall (R : realFieldType) (X A C : finType) (M : world R X A) (table : C -> A -> C) (D : C -> seq X)
    (sigma : C -> state M) (F : Type) (value : F -> X -> bool),
  connected M -> realises M value -> (1 < #|state M|)%N -> (0 < #|C|)%N ->
  agrees table sigma -> (forall l x, x \in D l -> decode M x = sigma l) ->
  (forall b : C -> C, congruence table b ->
     [\/ injective b, forall l l', b l = b l' | exists l, forall f, ~ picks_out D value b l f]) ->
  bijective sigma.

(** *** Private coins
    Two words of equal length lead to two labels. A fair coin, which influences nothing else, chooses one of them; the
    word is run, and the test is passed if the label at which it aimed is then named. If both labels are one state, this
    has chance at most 1/2, whatever was seen before, since the noise does not depend on the actions. *)
Section Coins.
Variables (X A : Type).
(** [word c] and [aim c] are for side [c] of the coin; [trial] numbers the trials of a run. *)
Record test := Test { trial : nat; word : bool -> seq A; aim : bool -> nat; names : X -> nat }.
(** A learner that tosses a coin at each time: any function from what was seen to the next action. Before the coin
    falls, it may announce a test that is about this coin. *)
Record tosser := Tosser { tests : seq X -> seq bool -> option test; moves : seq X -> seq bool -> A }.

(** A run, [h] with the coins [cs]: the action at time [t], and the tests of trial [k] that came to their end. *)
Variables (L : tosser) (h : seq X) (cs : seq bool).
Definition took t := moves L (take t.+1 h) (take t.+1 cs).
Definition tested k t q :=
  [/\ tests L (take t.+1 h) (take t cs) = Some q, trial q = k & (t + size (word q true) < size h)%N].
Definition fair q := size (word q true) = size (word q false) /\ aim q true <> aim q false.
(** The word of the coin was run, and its label was named. *)
Definition passed t q := let c := nth false cs t in let w := word q c in
  [seq took i | i <- iota t (size w)] = w /\ List.In (aim q c) [seq names q x | x <- take 1 (drop (t + size w) h)].
End Coins.

(** the mean of [f], a function of [n] fair coins *)
Fixpoint fair_coins (R : realFieldType) n (f : seq bool -> R) : R :=
  if n is m.+1 then (fair_coins m (fun cs => f (true :: cs)) + fair_coins m (fun cs => f (false :: cs))) / 2%:R
  else f [::].

Local Open Scope nat_scope.
(** The record of such a run is one trajectory. *)
Section Tossed.
Variables (X : finType) (width nA : nat) (F : nat -> X -> bool) (L : tosser X 'I_nA) (h : seq X) (cs : seq bool).
Definition tossed_log : log X := if h is x :: later then
  [:: Trajectory x (zip [seq nat_of_ord (took L h cs t) | t <- iota 0 (size later)] later)] else [::].

(** The rows leave the table and its quotients. Each test of trial [k] was passed, and began at a row on which a
    classifier of the label [label t] is 1, from where the words of both sides lead to the labels at which they aim. For
    each way [b] to unite labels that the table respects, [n] of the tests aimed at labels that are united. *)
Record accepted_with_coins (n k : nat) (r : answer) (label : nat -> nat) : Prop := AcceptedWithCoins {
  by_rows : exists hints, check_quotients true width nA (record_of width F tossed_log) hints = Some r;
  by_tests : forall t q, tested L h cs k t q ->
    [/\ fair q, passed L h cs t q,
        exists2 f, f < width & f \in nth [::] (encoders r) (label t) /\ nth false [seq F f x | x <- h] t
      & label t < size (table r) /\
        forall c, foldl (next (table r)) (label t) [seq nat_of_ord a | a <- word q c] = aim q c];
  by_number : forall b : nat -> nat,
    (forall l l' a, l < size (table r) -> l' < size (table r) -> a < nA -> b l = b l' ->
       b (next (table r) l a) = b (next (table r) l' a)) ->
    (exists l l', [/\ l < l', l' < size (table r) & b l = b l']) ->
    exists ts, [/\ uniq ts, size ts = n & forall t, t \in ts -> exists2 q, tested L h cs k t q
      & b (aim q true) = b (aim q false)] }.
End Tossed.

(** The labels are the states, under other names, and the table is the dynamics. *)
Definition is_table_of (X A : Type) (M : dynamics X A) (number : A -> nat) (r : answer) : Prop :=
  exists label : state M -> nat, [/\ injective label, forall l, l < size (table r) <-> exists s, label s = l
    & forall s a, label (step M s a) = next (table r) (label s) (number a)].

(** Let an event occur only where some trial is accepted with coins and the table is wrong. Its chance is at most the
    sum of 2^-n over the trials. *)
Definition certain_with_coins : Prop :=
  forall (R : realFieldType) (X : finType) (width nA : nat) (F : nat -> X -> bool) (M : world R X [finType of 'I_nA])
    (L : tosser X 'I_nA) (n : nat -> nat) (K T : nat) (s : state M) (mu : noise M -> R)
    (event : seq X -> seq bool -> bool),
  ex_bmdp M -> distr mu -> connected M -> 1 < #|state M| ->
  (forall s' : state M, exists2 f, f < width & forall x, F f x = (decode M x == s')) ->
  (forall h cs, event h cs -> exists k r label, [/\ k < K, accepted_with_coins width F L h cs (n k) k r label
    & ~ is_table_of M (@nat_of_ord nA) r]) ->
  (fair_coins T.+1 (fun cs => chance (fun h => moves L h (take (size h) cs)) T s mu (event^~ cs))
    <= \sum_(k < K) 2%:R ^- n k)%R.
End Labels.
