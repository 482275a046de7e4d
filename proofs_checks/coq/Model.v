(** * The model: finite distributions, mixing, exogenous block MDPs, the law of a run

    What the theorems are about; a reader has to believe this file and the files of statements ([Statements.v] lists
    them). Everything else is proof, or a program that the theorems quantify over.

    Real numbers: any ordered field [R] ([realFieldType]), so the rational numbers as well as the real
    ones. Sets are finite: the states, the noise, the observations and the actions. (The paper also
    allows continuous noise; that is not shown here.) *)
From mathcomp Require Import all_ssreflect all_algebra.
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

(** the chance of an event of the first [n.+1] states of the chain [K], with start law [mu] *)
Fixpoint chain_from K n e past (event : pred (seq E)) : R :=
  if n is m.+1 then mean (K e) (fun e' => chain_from K m e' (rcons past e) event)
  else (event (rcons past e))%:R.
Definition chain K n mu event := mean mu (fun e => chain_from K n e [::] event).
End Distributions.

(** ** The law of a run
    The noise [e_0] is given. At each time the world shows [x_t] with chance [Q s_t e_t x_t]; the learner,
    who has seen [x_0, ..., x_t], chooses the action [a_t]; then [s_{t+1} = T s_t a_t], and [e_{t+1}] is
    drawn by [P e_t]. [expected n s e past Phi] is the mean of [Phi], a function of the noise and the
    observations up to [x_n], if the run stands in [s] and [e] after [past]. *)
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

(** ** Exogenous block MDPs *)
Record world (R : realFieldType) (X A : finType) := World {
  state : finType;                      (* S, the endogenous states *)
  noise : finType;                      (* E, the exogenous states *)
  step : state -> A -> state;           (* T, deterministic *)
  drift : noise -> noise -> R;          (* T_e *)
  emit : state -> noise -> X -> R;      (* Q(s, e) *)
  decode : X -> state;                  (* phi*, the true encoder *)
  rest : noise -> R }.                  (* pi_E, the stationary law of the noise *)
Arguments state {R X A} M : rename. Arguments noise {R X A} M : rename.
Arguments step {R X A} M s a : rename. Arguments drift {R X A} M e e' : rename.
Arguments emit {R X A} M s e x : rename. Arguments decode {R X A} M x : rename.
Arguments rest {R X A} M e : rename.

Section Worlds.
Variables (R : realFieldType) (X A : finType) (M : world R X A).

(** What makes it an Ex-BMDP. [one_state] is the block assumption: an observation is shown by one state. *)
Record ex_bmdp : Prop := ExBMDP {
  drift_kernel : kernel (drift M);
  emit_distr : forall s e, distr (emit M s e);
  rest_distr : distr (rest M);
  rest_stationary : stationary (rest M) (drift M);
  one_state : forall s e x, emit M s e x != 0 -> decode M x = s }.

(** [t] is at least the mixing time. (Then the noise has only one stationary law. That the chain is
    irreducible and aperiodic, as the paper assumes, is not needed beside this.) *)
Definition mixes_within t := exists2 t', (t' <= t)%N & mixed (drift M) (rest M) t'.
(** every state can be reached from every state *)
Definition connected := forall s s', exists w, foldl (step M) s w = s'.
Definition diameter_at_most D := forall s s', exists2 w, (size w <= D)%N & foldl (step M) s w = s'.

(** Realisability: a class of classifiers [value f : X -> bool] has one for each state against the rest. *)
Definition realises (F : Type) (value : F -> X -> bool) :=
  forall s, exists f, forall x, value f x = (decode M x == s).

(** the chance that an observation of state [s] has property [f], under the stationary noise (p_s of the paper) *)
Definition seen_in s (f : pred X) : R :=
  mean (rest M) (fun e => mean (emit M s e) (fun x => (f x)%:R)).

(** The chance of an event of the observations [x_0, ..., x_n], from state [s] and noise of law [mu] on. *)
Definition chance (act : seq X -> A) n s mu (event : pred (seq X)) : R :=
  mean mu (fun e => expected (drift M) (emit M) (step M) act n s e [::] (fun h => (event (unzip2 h))%:R)).

(** A right answer: [m] states with transitions [T'] and an encoder [phi'] such that [sigma] gives each
    true state its name, one to one and onto, the transitions agree, and in each state the encoder errs
    with chance at most [eps]. *)
Definition right_by (eps : R) m (T' : nat -> A -> nat) (phi' : X -> nat) (sigma : {ffun state M -> 'I_m}) :=
  [&& injectiveb sigma, m == #|state M|,
      [forall s, forall a, T' (sigma s) a == sigma (step M s a)]
    & [forall s, 1 - eps <= seen_in s (fun x => phi' x == sigma s)]].
Definition right_answer eps m T' phi' := [exists sigma, @right_by eps m T' phi' sigma].
End Worlds.
