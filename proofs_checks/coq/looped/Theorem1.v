(** Theorem 1 and Proposition 1 of the paper, proved. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests Run Union.
From Steel.looped Require Import Program Algorithm Proposition1 Questions CycleFind Exploring Covering Policy Failure.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Local Notation run := Program.run.

Lemma no_I0 (i : 'I_0) : False. Proof. by case: i. Qed.

(** ** Shares of delta *)
Section Shares.
Variables (R : realFieldType) (delta : R).
Lemma share (a b c F : nat) (q : R) : 0 <= q -> (a * c <= b)%N -> (0 < c)%N ->
  4%:R * b%:R * F%:R * q <= delta -> a%:R * (F%:R * q) <= delta / (4 * c)%:R.
Proof.
move=> q0 le c0 h; rewrite ler_pdivl_mulr ?ltr0n ?muln_gt0 ?c0 // natrM; apply: le_trans h.
have : (a * c)%:R <= b%:R :> R by rewrite ler_nat.
rewrite natrM; move: (a%:R) (b%:R) (c%:R) (F%:R) (ler0n R F) => a' b' c' F' F0 h'.
by by_cert (4%:R * F' * q * (b' - a' * c')).
Qed.
Lemma share_encoder (S F : nat) (z : R) : 0 <= z -> (0 < S)%N ->
  16%:R * (S ^ 2)%:R * F%:R * z <= delta -> (S * 2)%:R * (F%:R * (8%:R / 3%:R * z)) <= delta / 2%:R.
Proof.
move=> z0 S0 h; have S1 : 1 <= S%:R :> R by rewrite ler1n.
rewrite ler_pdivl_mulr ?ltr0n //; apply: le_trans h; rewrite natrX natrM.
move: (S%:R) (F%:R) (ler0n R S) (ler0n R F) S1 => s f s0 f0 s1.
by by_cert (16%:R * f * z * s * (s - 1) + 16%:R / 3%:R * f * z * s).
Qed.
(** a sample size of 0 is never enough *)
Lemma sample_needed (c b F n : nat) (q : R) : (0 < c)%N -> (0 < b)%N -> (0 < F)%N -> delta < 1 ->
  c%:R * b%:R * F%:R * q ^+ n <= delta -> (0 < n)%N.
Proof.
move=> c0 b0 F0 d1; case: n => // h; exfalso.
have : 1 <= delta by apply: le_trans h; rewrite mulr1 -!natrM ler1n !muln_gt0 c0 b0.
by rewrite leNgt d1.
Qed.
End Shares.

Section World.
Variables (R : realFieldType) (X A F : finType) (M : world R X A) (cl : F -> pred X).
Variables (oracle : seq X -> seq X -> F) (x0 : X) (a0 : A) (N t ncyc nsamp Dhat : nat) (delta : R).
Notation tmix := t.+1.
Notation S := (Statements.state M).
Hypotheses (exM : ex_bmdp M) (mixM : mixes_within M tmix) (few : (#|S| <= N)%N).
Hypotheses (real_cl : realises M cl) (oracleP : oracle_for cl oracle).
Hypotheses (ncyc0 : (0 < ncyc)%N) (nsamp0 : (0 < nsamp)%N).
Variable s : S.
Notation ideal := (ideal (step M) s).
Notation real := (real (step M) s x0 cl oracle).
Notation Prob n mu := (Pr (PZ (drift M) (emit M)) n (lift (emit M) mu)).
Notation q := (9%:R / 16%:R : R).
Let kP := drift_kernel exM. Let kQ := emit_distr exM. Let dpi := rest_distr exM. Let stP := rest_stationary exM.

Lemma mixM' : mixed (drift M) (rest M) tmix.
Proof. by case: mixM => t' le mx; exact: (mixed_ge kP dpi stP mx). Qed.
Lemma S_gt0 : (0 < #|S|)%N. Proof. by apply/card_gt0P; exists s. Qed.
Lemma N_gt0 : (0 < N)%N. Proof. exact: leq_trans S_gt0 few. Qed.
Lemma A_gt0 : (0 < #|A|)%N. Proof. by apply/card_gt0P; exists a0. Qed.
Lemma F_gt0 : (0 < #|F|)%N. Proof. by have [f _] := real_cl s; apply/card_gt0P; exists f. Qed.
Lemma q_ge0 : 0 <= q. Proof. by nonneg. Qed.

Section Runs.
Variables (B : Type) (p : program A B).
Notation act := (next_action x0 cl oracle a0 p).
Notation observed := (Run.obs (step M) act s).
(** Events of what the policy sees, on the tape *)
Lemma chance_tape n mu (event : pred (seq X)) :
  chance act n s mu event = Prob n mu (fun tr => event (observed tr)).
Proof. by rewrite (obs_law _ kQ). Qed.
(** The real run equals the ideal run, unless a question is fooled at its fixed times. *)
Theorem run_is_ideal ws1 ws2 (tr : seq (EZ (noise M) X S)) :
  (forall c, List.In c (asked ideal [::] p) -> fine (step M) s tmix ncyc.-1 nsamp.-1 ws1 ws2 c) ->
  (size (run ideal [::] p).2 < size tr)%N -> faithful (decode M) tr ->
  ~~ has (pairs_fooled cl tr) ws1 -> ~~ has (halves_fooled cl tr) ws2 ->
  run (verdict x0 cl oracle (observed tr)) [::] p = run ideal [::] p.
Proof. by move=> fi long fa no1 no2; rewrite -policy_run; exact: (real_is_ideal x0 oracleP real_cl fi). Qed.

(** ... so it is another one only if a question is fooled. *)
Lemma run_differs (n1 n2 n : nat) mu : distr mu -> covered (step M) s tmix ncyc.-1 nsamp.-1 n1 n2 (asked ideal [::] p) ->
  (size (run ideal [::] p).2 <= n)%N ->
  forall (event : pred (seq X)),
  (forall xs, run (verdict x0 cl oracle xs) [::] p = run ideal [::] p -> ~~ event xs) ->
  chance act n s mu event <= n1%:R * (#|F|%:R * q ^+ ncyc) + n2%:R * (#|F|%:R * q ^+ nsamp).
Proof.
move=> dmu [ws1 [ws2 [[z1 z2] a1 a2 fi]]] len event out; rewrite chance_tape.
have kZ := kernel_PZ kP kQ; have dm := distr_lift kQ dmu.
have := @fooled_le R (noise M) X S F (drift M) (rest M) (emit M) t s cl (decode M) kP dpi stP mixM' kQ
  (one_state exM) ncyc.-1 nsamp.-1 n1 n2 ws1 ws2 z1 z2 a1 a2 [finType of 'I_0] (fun=> [::]) (fun=> s) (fun=> true)
  0 1 ler01 (lexx _) (fun i => False_rect _ (no_I0 i)) n mu dmu.
rewrite card_ord mul0r addr0 !prednK //; apply: le_trans; apply: Pr_sub => // tr sz.
apply: contraLR => /norP[/norP[no1 /norP[no2 _]] /negPn fa]; rewrite out //.
by apply: run_is_ideal fi _ fa no1 no2; rewrite sz ltnS.
Qed.
End Runs.

(** ** Proposition 1 *)
Lemma knows_good h Ds Tm (sig : seq S) : knows (step M) s tmix nsamp h Ds Tm sig ->
  [/\ all2 (good_for (step M) s tmix nsamp h (size h)) Ds sig, uniq sig & right_table (step M) s sig Tm].
Proof.
case=> un rt sz dat; split=> //; elim: sig Ds sz dat {un rt} => [|s1 sig IH] [|D Ds] //= [sz] dat.
rewrite IH //= ?andbT; last by move=> l lt; exact: (dat l.+1).
have [pu sp le] := dat 0%N isT; rewrite apart_timesE in sp; apply/and4P; split=> //.
by apply/allP => u /mem_take uD; have /andP[] := allP pu u uD.
Qed.
Lemma good_knows h Ds Tm (sig : seq S) : all2 (good_for (step M) s tmix nsamp h (size h)) Ds sig -> uniq sig ->
  right_table (step M) s sig Tm -> knows (step M) s tmix nsamp h Ds Tm sig.
Proof.
move=> ok un rt; split=> //; first exact: all2_size ok.
move=> l lt; have /and4P[pu le sp _] := all2_nth [::] s ok lt.
by split=> //; rewrite apart_timesE.
Qed.
Lemma proposition_1_here (w h0 : seq A) Ds Tm (sig : seq S) :
  enough_for_periods delta #|A| #|F| N ncyc -> enough_for_positions delta #|A| #|F| N Dhat nsamp ->
  w != [::] -> (size w <= Dhat.+1 * N)%N -> knows (step M) s tmix nsamp h0 Ds Tm sig ->
  exists (Ds' : seq (seq nat)) (Tm' : table A) (c u : nat) (h : seq A),
    let p := act_all h0 (cyclefind a0 N tmix ncyc nsamp w (size h0) Ds Tm) in
    let call := call_bound N tmix ncyc nsamp #|S| (size w) in
    (exists sig', let state_of := nth s sig' in
      [/\ knows (step M) s tmix nsamp h Ds' Tm' sig',
          (exists new, sig' = sig ++ new) /\ (forall l a, look Tm l a != None -> look Tm' l a != None),
          exists (ncyc : nat) (cycle : nat -> nat), (0 < ncyc <= #|S|)%N /\ forall i : nat,
            [/\ (cycle i < size sig')%N, cycle (i %% (ncyc * size w))%N = cycle i
              & look Tm' (cycle i) (nth a0 w (i %% size w)) = Some (cycle i.+1)],
          (c < size sig')%N /\ foldl (step M) s h = state_of c
        & u = size h /\ (size h <= size h0 + call)%N]) /\
    forall (n : nat) (mu : noise M -> R), distr mu -> (size h0 + call <= n)%N ->
    chance (next_action x0 cl oracle a0 p) n s mu
      (fun xs => run (verdict x0 cl oracle xs) [::] p != (Ds', Tm', c, u, h)) <= delta / (2 * #|A| * N)%:R.
Proof.
move=> en1 en2 w0 sw kn; have [ok un rt] := knows_good kn.
have [cv [sig' [k [y [iv [ext keep] [kS cyc] new steps]]]]] :=
  cyclefind_ideal a0 few (ltn0Sn t) ncyc0 nsamp0 w0 ok un rt.
move: cv iv keep new steps; set cf := cyclefind _ _ _ _ _ _ _ _ _ => cv.
have E1 v : run v [::] (act_all h0 cf) = run v h0 cf by rewrite run_act_all.
case e: (run ideal h0 cf) => [[[[Ds' Tm'] c] u] h] /=; rewrite /model /= => iv keep new steps.
have [uE ok' un' rt' [lc sc]] := iv; exists Ds', Tm', c, u, h.
set p := act_all h0 cf; split.
  exists sig'; split=> //; first exact: good_knows.
    exists k, (fun i => index (y i) sig'); split=> // i; have [ym yn] := cyc i.
    have yin j : y j \in sig' by have := new j; rewrite inE => /andP[].
    have := new i; rewrite inE /= => /andP[_ ky].
    split; rewrite ?index_mem ?ym //; apply: (look_right un' rt' ky); rewrite ?index_mem //.
    by rewrite !nth_index.
  by split=> //; rewrite -sc /st take_size.
move=> n mu dmu len.
apply: le_trans (@run_differs _ p N.-1 (N * size w) n mu dmu _ _ _ _) _.
- by rewrite /p asked_act_all cat0s.
- by rewrite /p E1 e (leq_trans steps).
- by move=> xs; rewrite /p !E1 e => ->; rewrite eqxx.
have sh1 : N.-1%:R * (#|F|%:R * q ^+ ncyc) <= delta / (4 * (#|A| * N))%:R.
  apply: share en1; rewrite ?exprn_ge0 ?q_ge0 ?muln_gt0 ?A_gt0 ?N_gt0 //.
  by rewrite [(N.-1 * _)%N]mulnC -mulnA.
have sh2 : (N * size w)%:R * (#|F|%:R * q ^+ nsamp) <= delta / (4 * (#|A| * N))%:R.
  apply: share en2; rewrite ?exprn_ge0 ?q_ge0 ?muln_gt0 ?A_gt0 ?N_gt0 //.
  exact: count_positions N_gt0 sw.
apply: le_trans (ler_add sh1 sh2) _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have : (#|A| * N)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n muln_gt0 A_gt0 N_gt0.
by rewrite -mulnA; move: (#|A| * N)%N => c' c0; rewrite !natrM; field.
Qed.

(** ** Theorem 1 *)
Variables (D : nat) (d : nat -> nat) (eps : R).
Hypotheses (conn : diameter_at_most M D) (D_le : (D <= Dhat)%N) (eps01 : 0 <= eps <= 1) (delta1 : delta < 1).
Notation bound := (steps_bound N tmix ncyc nsamp (d #|S|) #|S| #|A| D).
Notation p := (looped_steel a0 N tmix ncyc nsamp Dhat d).
Notation good := (run ideal [::] p).

Lemma finished_right h (x : learned A) (sig : seq S) (phi' : X -> nat) :
  finished (enum A) (step M) s tmix d h x sig ->
  (forall s', 1 - eps <= seen_in s' (fun y => phi' y == index s' sig)) ->
  right_answer M eps (size (datasets x)) (fun l a => odflt 0%N (look (model x) l a)) phi'.
Proof.
case=> -[un in_ sD rt co] _ enc.
have lt s' : (index s' sig < size (datasets x))%N by rewrite sD index_mem.
apply/existsP; exists [ffun s' => Ordinal (lt s')]; apply/and4P; split.
- apply/injectiveP => s1 s2; rewrite !ffunE => /(congr1 val) /= e.
  by rewrite -(nth_index s (in_ s1)) e nth_index.
- by rewrite sD -(card_uniqP un); apply/eqP/eq_card => y; rewrite in_.
- apply/forallP => s'; apply/forallP => a; rewrite !ffunE /=.
  have actsP b : b \in enum A by rewrite mem_enum.
  have ls : (index s' sig < size sig)%N by rewrite index_mem.
  have [l e ll] := look_total actsP rt co a ls; have [_ _ eT] := rt _ _ _ (look_in e).
  by rewrite e /= -{1}(nth_index s (in_ s')) eT index_uniq.
by apply/forallP => s'; rewrite ffunE; exact: enc.
Qed.

Theorem theorem_1_here : enough_for_periods delta #|A| #|F| N ncyc ->
  enough_for_positions delta #|A| #|F| N Dhat nsamp -> enough_for_encoder delta eps #|F| #|S| (d #|S|) ->
  forall n mu, distr mu -> (bound <= n)%N ->
  chance (looped_policy cl oracle x0 a0 N tmix ncyc nsamp Dhat d) n s mu
    (fun xs => ~~ ends_right M cl oracle x0 a0 N tmix ncyc nsamp Dhat D d eps xs) <= delta.
Proof.
move=> en1 en2 en3 n mu dmu len; rewrite /looped_policy chance_tape.
have [e0 e1] := andP eps01; have S1 : 1 <= #|S|%:R :> R by rewrite ler1n S_gt0.
have S0 : 0 < #|S|%:R :> R by rewrite ltr0n S_gt0.
have d0 : (0 < d #|S|)%N by apply: sample_needed en3; rewrite // ?expn_gt0 ?S_gt0 ?F_gt0.
have actsP b : b \in enum A by rewrite mem_enum.
have [cv steps [sig fin]] := @steel_ideal A S (enum A) a0 (step M) s actsP N tmix ncyc nsamp Dhat D d few
  (ltn0Sn t) ncyc0 nsamp0 conn D_le (esym (cardE A)).
rewrite -/(looped_steel a0 N tmix ncyc nsamp Dhat d) in cv steps fin.
have [ws1 [ws2 [[z1 z2] a1 a2 fi]]] := cv.
have sS : size sig = #|S|.
  by case: fin => -[un in_ _ _ _] _; rewrite -(card_uniqP un); apply: eq_card => y; rewrite in_.
have dk : d (size sig) = (d #|S|).-1.+1 by rewrite sS prednK.
have eS0 : 0 <= epsS S eps by rewrite divr_ge0 ?ler0n.
have eS1 : epsS S eps <= 1 by rewrite /epsS ler_pdivr_mulr // mul1r (le_trans e1).
have kZ := kernel_PZ kP kQ; have dm := distr_lift kQ dmu.
have := @fooled_le R (noise M) X S F (drift M) (rest M) (emit M) t s cl (decode M) kP dpi stP mixM' kQ
  (one_state exM) ncyc.-1 nsamp.-1 _ _ ws1 ws2 z1 z2 a1 a2 [finType of S * bool]
  (tested good.1 sig (d #|S|).-1) fst snd (d #|S|).-1 (epsS S eps) eS0 eS1 (tested_ok fin dk) n mu dmu.
rewrite !prednK // => le; apply: le_trans _ (le_trans le _).
  apply: Pr_sub => // tr sz; apply: contraLR => /norP[/norP[no1 /norP[no2 no3]] /negPn fa].
  have long : (size good.2 < size tr)%N by rewrite sz ltnS (leq_trans steps).
  have e := run_is_ideal fi long fa no1 no2; rewrite negbK /ends_right e.
  have pe : (run (verdict x0 cl oracle (Run.obs (step M) (next_action x0 cl oracle a0 p) s tr)) [::] p).2 = good.2.
    by rewrite e.
  case eg: good fin steps long e pe no3 => [x h] /= fin steps long e pe no3; rewrite steps /=.
  have no i : ~~ encoder_fooled (rest M) (emit M) cl (tested x sig (d #|S|).-1) fst snd (epsS S eps) tr i.
    by move/existsPn: no3 => /(_ i).
  have seenP Dl : all (leq^~ (size h)) Dl -> seen x0 (Run.obs (step M) (next_action x0 cl oracle a0 p) s tr) Dl
      = shown (step M) s x0 tr h Dl.
    by move=> pa; rewrite policy_seen pe.
  have enc := encode_right dpi kQ oracleP real_cl fin seenP fa long no.
  exact: (finished_right fin enc).
have q0 := q_ge0; have z0 : 0 <= (1 - epsS S eps / 3%:R) ^+ d #|S|.
  rewrite exprn_ge0 // subr_ge0 ler_pdivr_mulr ?ltr0n // mul1r (le_trans eS1) // ler1n //.
have sh1 : (#|S| * #|A| * N.-1)%:R * (#|F|%:R * q ^+ ncyc) <= delta / (4 * 1)%:R.
  by apply: share en1; rewrite ?exprn_ge0 // muln1 -mulnA mulnCA leq_mul2l leq_mul2r few !orbT.
have sh2 : (#|S| * #|A| * (N * (#|S| * D.+1)))%:R * (#|F|%:R * q ^+ nsamp) <= delta / (4 * 1)%:R.
  by apply: share en2; rewrite ?exprn_ge0 // muln1; apply: count_all; rewrite ?N_gt0.
have sh3 := share_encoder z0 S_gt0 en3; rewrite card_prod card_bool.
apply: le_trans (ler_add (ler_add sh1 sh2) sh3) _; rewrite muln1.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.
End World.

Theorem proposition_1_proved : proposition_1.
Proof.
move=> R X A F M cl oracle x0 a0 N [//|t] ncyc nsamp Dhat delta s w h0 Ds Tm sig exM _ mixM few rl or nc0 ns0 e1 e2.
move=> w0 sw kn.
exact: (proposition_1_here x0 a0 exM mixM few rl or nc0 ns0 e1 e2 w0 sw kn).
Qed.

Theorem theorem_1_proved : theorem_1.
Proof.
move=> R X A F M cl oracle x0 a0 N [//|t] ncyc nsamp Dhat D d eps delta exM _ mixM few conn D_le rl or e01 d1 nc0 e1 e2.
move=> e3 n s mu.
have ns0 : (0 < nsamp)%N.
  apply: sample_needed e2 => //; last exact: F_gt0 rl s.
  by rewrite !muln_gt0 (N_gt0 few s) (A_gt0 a0).
exact: theorem_1_here.
Qed.
