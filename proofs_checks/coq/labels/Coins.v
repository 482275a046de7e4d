(** Private coins: n tests in vain are all passed with chance at most 2^-n.

    The tape ([Tape.v]) says what would be observed at each time in each state. On a given tape, the two words of a test
    in vain end in one state at one time, and so in one observation, which the earlier coins decide: only one side of
    the coin passes. So to pass is to guess a coin, and n coins are guessed with chance 2^-n. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Kernel Trajectory Tape Run Statements.
Import Labels.
From Steel.labels Require Import Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The statement *)
Section Convinced.
Variables (R : realFieldType) (X A : finType) (M : world R X A) (L : tosser X A) (s : state M).
Implicit Types (h : seq X) (cs : seq bool).
(** the state at time [t], if [s] was the first one *)
Definition state_then h cs t := foldl (step M) s [seq took L h cs i | i <- iota 0 t].
(** each observation shows its state (others have chance 0) *)
Definition can_be_seen h cs := [seq decode M x | x <- h] = [seq state_then h cs t | t <- iota 0 (size h)].
(** The labels of a table are not all different states. Nevertheless every test of trial [k] was passed, and for each
    way to unite labels, [n] of the tests aimed at labels that are united. [label t] is the label from which the test at
    time [t] began. *)
Definition convinced_wrongly n k h cs : Prop :=
  exists (m : nat) (table : 'I_m -> A -> 'I_m) (sigma : 'I_m -> state M) (label : nat -> 'I_m),
  [/\ agrees table sigma, ~ injective sigma,
      forall t q, tested L h cs k t q -> [/\ sigma (label t) = state_then h cs t, fair q,
        forall c, nat_of_ord (foldl table (label t) (word q c)) = aim q c & passed L h cs t q]
    & forall b : 'I_m -> 'I_m, congruence table b -> ~ injective b ->
        exists ts, [/\ uniq ts, size ts = n & forall t, t \in ts -> exists2 q, tested L h cs k t q
          & b (foldl table (label t) (word q true)) = b (foldl table (label t) (word q false))]].
End Convinced.

(** Let an event (a checker accepts, but the table is wrong) occur only where some trial convinces wrongly. Its chance
    is at most the sum of 2^-n over the trials. (Not over the ways to unite labels.) *)
Definition coins_are_sound : Prop :=
  forall (R : realFieldType) (X A : finType) (M : world R X A) (L : tosser X A) (n : nat -> nat) (K T : nat)
    (s : state M) (mu : noise M -> R) (event : seq X -> seq bool -> bool),
  ex_bmdp M -> distr mu ->
  (forall h cs, can_be_seen L s h cs -> event h cs -> exists2 k, (k < K)%N & convinced_wrongly L s (n k) k h cs) ->
  fair_coins T.+1 (fun cs => chance (fun h => moves L h (take (size h) cs)) T s mu (event^~ cs))
    <= \sum_(k < K) 2%:R ^- n k.

(** ** Coins *)
Section Guesses.
Variable R : realFieldType.
Implicit Types (f : seq bool -> R) (g : seq bool -> option bool).

Lemma half (x : R) : (x + x) / 2%:R = x.
Proof. by rewrite -mulr2n -[_ *+ 2]mulr_natr mulfK ?pnatr_eq0. Qed.
Lemma fair_le n f f' : (forall cs, size cs = n -> f cs <= f' cs) -> fair_coins n f <= fair_coins n f'.
Proof.
elim: n f f' => [|n IH] f f' le /=; first exact: le.
by apply: ler_wpmul2r; rewrite ?invr_ge0 ?ler0n // ler_add // IH // => cs sz; apply: le; rewrite /= sz.
Qed.
Lemma fair_sum n (I : Type) (r : seq I) (w : I -> R) (f : I -> seq bool -> R) :
  fair_coins n (fun cs => \sum_(i <- r) w i * f i cs) = \sum_(i <- r) w i * fair_coins n (f i).
Proof.
elim: n f => [//|n IH] f /=; rewrite !IH -big_split mulr_suml; apply: eq_bigr => i _ /=.
by rewrite -mulrDr mulrA.
Qed.

(** [g] guesses some coins from those before: at least [n], and all of them are right. *)
Fixpoint guessed g n (cs : seq bool) : bool :=
  if cs is c :: cs' then
    if g [::] is Some v then (c == v) && guessed (fun past => g (c :: past)) n.-1 cs'
    else guessed (fun past => g (c :: past)) n cs'
  else n == 0%N.
Lemma guessed_le g n m : fair_coins m (fun cs => (guessed g n cs)%:R) <= 2%:R ^- n :> R.
Proof.
have ge0 k : 0 <= 2%:R ^- k :> R by rewrite invr_ge0 exprn_ge0 ?ler0n.
have zero k (f : seq bool -> bool) : (forall cs, f cs = false) -> fair_coins k (fun cs => (f cs)%:R) = 0 :> R.
  elim: k f => [|k IH] f no /=; first by rewrite no.
  by rewrite !IH ?addr0 ?mul0r // => cs.
elim: m g n => [|m IH] g n /=; first by case: n => [|n] //=; rewrite expr0 invr1.
case: (g [::]) => [v|]; last by rewrite -[leRHS]half ler_wpmul2r ?invr_ge0 ?ler0n // ler_add.
have step k : guessed (fun past => g (v :: past)) n.-1 = k ->
    fair_coins m (fun cs => (k cs)%:R) / 2%:R <= 2%:R ^- n :> R.
  move=> <-; apply: le_trans (ler_wpmul2r _ (IH _ n.-1)) _; first by rewrite invr_ge0 ler0n.
  case: n => [|n] /=; last by rewrite exprSr invfM.
  by rewrite expr0 invr1 mul1r invf_le1 ?ltr0n // ler1n.
by case: v step => step; [rewrite addrC|]; rewrite (zero _ _ (fun cs => erefl)) add0r; apply: step.
Qed.
Lemma guessedP g n cs : (forall t v, (t < size cs)%N -> g (take t cs) = Some v -> nth false cs t = v) ->
  (n <= count (fun t => g (take t cs) : bool) (iota 0 (size cs)))%N -> guessed g n cs.
Proof.
elim: cs g n => [|c cs IH] g n right /=; first by rewrite leqn0.
rewrite -[1%N]addn0 iotaDl count_map => many.
have IH' k : (k <= count (fun t => g (c :: take t cs) : bool) (iota 0 (size cs)))%N ->
    guessed (fun past => g (c :: past)) k cs by apply: IH => t v; apply: (right t.+1).
case e: (g [::]) many => [v|] /= many; last exact: IH'.
have /= <- := right 0%N v isT e; rewrite eqxx /=; apply: IH'; by case: (n) many.
Qed.
End Guesses.

(** ** The run on a tape *)
Section OnTape.
Variables (R : realFieldType) (X A : finType) (M : world R X A) (L : tosser X A) (s : state M).
Notation W := (EZ (noise M) X (state M)).
Variables (k : nat) (w0 : W) (tr : seq W).
Definition act cs (h : seq X) := moves L h (take (size h) cs).
Definition at_time cs t := Run.run (step M) (act cs) s (take t tr).
Definition seen_by cs t := rcons (at_time cs t).2 ((nth w0 tr t).2 (at_time cs t).1).

(** The guess of the next coin, if a test in vain is announced: the side whose label will be named. *)
Definition guess (past : seq bool) : option bool :=
  let t := size past in let s' := (at_time past t).1 in
  if tests L (seen_by past t) past is Some q then
    let e := foldl (step M) s' (word q true) in
    if [&& trial q == k, (t + size (word q true) < size tr)%N & e == foldl (step M) s' (word q false)]
    then Some (names q ((nth w0 tr (t + size (word q true))).2 e) == aim q true) else None
  else None.

Section Coins.
Variable cs : seq bool.
Let h := obs (step M) (act cs) s tr.
Lemma size_h : size h = size tr. Proof. exact: size_obs. Qed.

Lemma at_timeS t : (t < size tr)%N -> at_time cs t.+1 = obs1 (step M) (act cs) (at_time cs t) (nth w0 tr t).
Proof. by move=> lt; rewrite /at_time (take_nth w0 lt) run_rcons. Qed.
Lemma take_h t : (t < size tr)%N -> take t.+1 h = seen_by cs t.
Proof. by move=> lt; rewrite take_obs /obs -/(at_time cs t.+1) at_timeS. Qed.
Lemma state_h t : (t <= size tr)%N ->
  (at_time cs t).1 = state_then L s h cs t.
Proof.
elim: t => [|t IH] lt; first by rewrite /at_time take0.
rewrite /state_then -addn1 iotaD map_cat foldl_cat -/(state_then L s h cs t) -IH 1?ltnW // addn1 at_timeS //= add0n.
rewrite /took take_h // /act /seen_by.
by rewrite size_rcons -/(obs _ _ _ (take t tr)) size_obs size_takel // ltnW.
Qed.
(** what happens up to time t depends on the coins before it *)
Lemma at_past t : (t <= size tr)%N -> at_time (take t cs) t = at_time cs t.
Proof.
move=> lt; suff ag i : (i <= t)%N -> at_time (take t cs) i = at_time cs i by apply: ag.
elim: i => [|i IH] le; first by rewrite /at_time take0.
have lti := leq_trans le lt; rewrite at_timeS // /at_time (take_nth w0 lti) run_rcons -/(at_time _ i) IH 1?ltnW //.
rewrite /obs1 /act size_rcons -/(obs _ _ _ (take i tr)) size_obs size_takel 1?ltnW // take_take //.
Qed.
Lemma seen_h : ex_bmdp M -> all (possible (emit M)) tr -> can_be_seen L s h cs.
Proof.
case=> _ _ _ _ one poss; apply: (@eq_from_nth _ s); rewrite !size_map ?size_iota // size_h => t lt.
rewrite (nth_map ((nth w0 tr t).2 s)) ?size_h // (nth_map 0%N) ?size_iota ?size_h // nth_iota ?size_h // add0n.
rewrite -state_h 1?ltnW //.
have := take_h lt; rewrite /seen_by (take_nth ((nth w0 tr t).2 s)) ?size_h // => /rcons_inj[_ ->].
by apply: (one _ (nth w0 tr t).1); have /forallP := allP poss _ (mem_nth w0 lt); apply.
Qed.
Lemma name_h t (f : X -> nat) n : List.In n [seq f x | x <- take 1 (drop t h)] ->
  (t < size tr)%N -> f ((nth w0 tr t).2 (at_time cs t).1) = n.
Proof.
move=> inn lt; have := take_h lt; rewrite /seen_by (take_nth ((nth w0 tr t).2 (at_time cs t).1)) ?size_h //.
case/rcons_inj => _ <-; move: inn; rewrite (drop_nth ((nth w0 tr t).2 (at_time cs t).1)) ?size_h //= take0.
by case.
Qed.
End Coins.

(** A coin is guessed right if its test is passed. *)
Lemma wrongly_guessed n cs : size cs = size tr -> convinced_wrongly L s n k (obs (step M) (act cs) s tr) cs ->
  guessed guess n cs.
Proof.
move=> sz; set h := obs _ _ _ _.
case=> m [table [sigma [label [ok noninj all many]]]].
have walk l w : sigma (foldl table l w) = foldl (step M) (sigma l) w.
  by elim: w l => [|a w IH] l //=; rewrite IH ok.
have guessE t : (t < size tr)%N -> guess (take t cs) =
    if tests L (take t.+1 h) (take t cs) is Some q then
      let e := foldl (step M) (at_time cs t).1 (word q true) in
      if [&& trial q == k, (t + size (word q true) < size tr)%N & e == foldl (step M) (at_time cs t).1 (word q false)]
      then Some (names q ((nth w0 tr (t + size (word q true))).2 e) == aim q true) else None else None.
  move=> lt; have le : (t <= size tr)%N by apply: ltnW.
  by rewrite /guess size_takel ?sz // take_h // /seen_by at_past.
apply: guessedP => [t v|]; rewrite sz.
  move=> lt; rewrite guessE //; case e: (tests _ _ _) => [q|//] /=.
  case: ifP => // /and3P[/eqP ek fin /eqP blind] [<-].
  have [| sg [szw aims] _ [did named]] := all t q; first by split; rewrite // size_h.
  set c := nth false cs t in did named *; have szc : size (word q c) = size (word q true) by case: (c).
  move/name_h: named; rewrite szc => /(_ fin); rewrite state_h 1?ltnW // /state_then iotaD map_cat foldl_cat add0n.
  rewrite -/(state_then L s h cs t) -state_h 1?ltnW // -szc did szc.
  have -> : foldl (step M) (at_time cs t).1 (word q c) = foldl (step M) (at_time cs t).1 (word q true) by case: (c).
  by move=> ->; case: (c); rewrite ?eqxx //; apply/esym/eqP/nesym.
have [|ts [us <- inq]] := many (united sigma) (united_congruence (sigma_congruence ok)).
  by move=> inj; apply: noninj; apply: united_injective.
rewrite -size_filter; apply: uniq_leq_size => // t tin; have [q tq /eqP] := inq t tin.
have [e ek] := tq; rewrite size_h => fin; have [sg _ _ _] := all t q tq.
have lt : (t < size tr)%N by apply: leq_ltn_trans fin; apply: leq_addr.
rewrite unitedE !walk sg -state_h 1?ltnW // => blind.
by rewrite mem_filter mem_iota add0n lt guessE // e /= ek eqxx fin blind.
Qed.
End OnTape.

Theorem coins_sound : coins_are_sound.
Proof.
move=> R X A M L n K T s mu event exM dmu wrongly; have [kP kQ _ _ _] := exM.
pose W := EZ (noise M) X (state M); pose luck tr k (w0 : W) cs := guessed (guess L s k w0 tr) (n k) cs.
pose real tr cs := event (obs (step M) (act L cs) s tr) cs && all (possible (emit M)) tr.
have le cs w0 tr : size cs = size tr -> (real tr cs)%:R <= \sum_(k <- iota 0 K) 1 * (luck tr k w0 cs)%:R :> R.
  move=> sz; have ge0 r : 0 <= \sum_(k <- r) 1 * (luck tr k w0 cs)%:R :> R.
    by apply: sumr_ge0 => i _; rewrite mul1r ler0n.
  case: (boolP (real tr cs)) => [/andP[ev poss]|_]; last exact: ge0.
  have [k lt cw] := wrongly _ _ (seen_h L s w0 cs exM poss) ev.
  rewrite (big_rem k) ?mem_iota //= /luck (wrongly_guessed w0 sz cw) mul1r -/(luck tr _ _ cs) ler_addl; exact: ge0.
pose p (w : W) tr := fair_coins T.+1 (fun cs => (real (w :: tr) cs)%:R) : R.
apply: le_trans (_ : mean (lift (emit M) mu) (fun w => EX (PZ (drift M) (emit M)) T w (p w)) <= _).
  rewrite [leRHS](_ : _ = fair_coins T.+1 (fun cs => Pr (PZ (drift M) (emit M)) T (lift (emit M) mu) (real^~ cs))).
    apply: fair_le => cs _; rewrite -[leLHS](obs_law _ kQ _ _ _ _ _ (event^~ cs)).
    by apply: Pr_supp => // tr _ poss ev; rewrite /real ev.
  by rewrite /Pr /mean /EX fair_sum; apply: eq_bigr => w _; rewrite fair_sum.
apply: mean_le => [|w]; first exact: distr_lift.
rewrite -[leRHS](EXc (kernel_PZ kP kQ) T w); apply: EX_le => [|tr sz]; first exact: kernel_PZ.
apply: le_trans (fair_le (f' := fun cs => \sum_(k <- iota 0 K) 1 * (luck (w :: tr) k w cs)%:R) _) _.
  by move=> cs szc; apply: le; rewrite szc /= sz.
rewrite fair_sum -val_enum_ord big_map enumT; apply: ler_sum => k _; rewrite mul1r; exact: guessed_le.
Qed.
