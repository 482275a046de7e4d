(** Located STEEL: the chance that the checker is fooled is at most delta

    The join of [Invariant.v] (no probability) and [probability/] (no model). If a round is accepted, the answer is
    right, or some step of the walk is planned for a state on which the encoder errs. The first such step is a
    function of what was seen before the round, so its checks are a test that was fixed before it. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Steel Require Import Kernel Checks Trajectory Tape Tests Run Statements.
Import Located.
From Steel.located Require Import Checker Classes Invariant Budget Writing.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section Join.
Variables (R : realFieldType) (C : class) (X : finType) (r : X -> row C) (p : parameters).
Variables (M : world R X (action p)) (L : learner C X (action p)) (s0 : state M).
Hypothesis world_ok : assumptions_hold M.
Variables (shows : row C -> state M -> Prop) (within : data C -> pred (state M) -> Prop).
Hypothesis H : honest shows within.
Hypothesis block : forall s e x, emit M s e x != 0 -> shows (r x) s.

Notation nA := (actions p).
Notation N := (max_states p).
Notation S := (state M).
Notation W := (EZ (noise M) X S).
Notation act := (acts L).
Notation log := (log r L).
Notation before := (before r L).
Notation number := (number r L).
Notation opened := (opened r L).
Notation written := (written r (@nat_of_ord _) L).
Notation obs := (obs (step M) act s0).
Notation run := (run (step M) act s0).
Notation now := (state_at (step M) act s0).
Notation possible := (possible (emit M)).
Notation delta_ := (frac R (delta p)).
(** epsilon, at most 1/2 *)
Definition eps : R := frac R (half_at_most (epsilon p)).

Lemma kP : kernel (drift M). Proof. by case: world_ok => -[]. Qed.
Lemma kQ s e : distr (emit M s e). Proof. by case: world_ok => -[]. Qed.
Lemma dpi : distr (rest M). Proof. by case: world_ok => -[]. Qed.
Lemma stP : stationary (rest M) (drift M). Proof. by case: world_ok => -[]. Qed.
Lemma few : (#|S| <= N)%N. Proof. by case: world_ok. Qed.
Lemma mixP : mixed (drift M) (rest M) (mixing_time p).-1.+1.
Proof.
case: world_ok => _ [t le mx] _ _.
exact: (mixed_ge kP dpi stP mx (leq_trans le (leqSpred _))).
Qed.
Lemma eps_le : 0 <= eps /\ eps <= 2%:R^-1.
Proof.
rewrite /eps /half_at_most /frac; case: N.leb_spec => [_|lt] /=; first by rewrite mul1r invr_ge0 ler0n.
have q0 : N.lt 0 (epsilon p).2 by lia.
rewrite divr_ge0 ?ler0n // ler_pdivr_mulr ?(nN_gt0 R q0) // ler_pdivl_mull ?ltr0n //.
by have := nN_le R (N.lt_le_incl _ _ lt); rewrite nN_mul.
Qed.

(** the transitions, for all numbers *)
Definition T (s : S) (a : nat) : S := oapp (step M s) s (insub a).
Lemma TE s (a : action p) : T s (nat_of_ord a) = step M s a.
Proof. by rewrite /T (valK a). Qed.
Lemma connT s s' : exists w, all (fun a => a < nA)%N w /\ foldl T s w = s'.
Proof.
have [_ _ _ /(_ s s')[w <-]] := world_ok; exists [seq nat_of_ord a | a <- w]; split.
  by apply/allP => _ /mapP[a _ ->]; apply: ltn_ord.
by elim: w s => //= a w IH s; rewrite TE.
Qed.

(** ** The run on the tape *)
Fixpoint seen s past (tape : seq W) : seq X :=
  if tape is w :: tape' then let h := rcons past (w.2 s) in w.2 s :: seen (step M s (act h)) h tape' else [::].

Lemma seenE s past tape : (foldl (obs1 (step M) act) (s, past) tape).2 = past ++ seen s past tape.
Proof. by elim: tape s past => [|w tape IH] s past /=; rewrite ?cats0 // IH cat_rcons. Qed.

Lemma state_after_cat s past u v : state_after (step M) act s past (u ++ v) =
  state_after (step M) act (state_after (step M) act s past u) (past ++ u) v.
Proof. by elim: u s past => [|y u IH] s past /=; rewrite ?cats0 // IH cat_rcons. Qed.
Lemma now_cat u v : (0 < size u)%N -> now (u ++ v) = state_after (step M) act (now u) u v.
Proof. by case: u => // y u _; rewrite /= state_after_cat. Qed.
Lemma now_rcons h x : now (rcons h x) = if h is [::] then s0 else step M (now h) (act h).
Proof. by case: h => // y h; rewrite -cats1 now_cat. Qed.

Lemma run_now (tr : seq W) w :
  run (rcons tr w) = (step M (now (obs (rcons tr w))) (act (obs (rcons tr w))), obs (rcons tr w)).
Proof.
suff e : (run tr).1 = now (obs (rcons tr w)) by rewrite -e /Run.obs run_rcons.
rewrite /Run.obs run_rcons /= now_rcons.
elim/last_ind: tr {w} => // tr w IH; rewrite run_rcons /=.
case e : (rcons _ _) => [|y h]; first by case: (run tr).2 e.
by rewrite -{}e now_rcons IH.
Qed.

Lemma obs_split (tr : seq W) i : (i < size tr)%N -> let h := obs (take i.+1 tr) in
  obs tr = h ++ seen (step M (now h) (act h)) h (drop i.+1 tr).
Proof.
move=> lt h; rewrite /Run.obs /Run.run -{1}(cat_take_drop i.+1 tr) foldl_cat -/(run _).
have : take i.+1 tr != [::] by rewrite -size_eq0 size_take; case: ifP => //; case: (tr) lt.
rewrite /h; case/lastP: (take i.+1 tr) => // past w _.
by rewrite {1}run_now seenE.
Qed.

Lemma state_after_log s past h : state_after (step M) act s past h = foldl T s (unzip1 (log past h)).
Proof. by elim: h s past => // x h IH s past; rewrite log_cons /= TE IH. Qed.

Lemma seen_consistent s past tape : all possible tape ->
  consistent T shows s (log past (seen (step M s (act past)) past tape)).
Proof.
elim: tape s past => // w tape IH s past /andP[pw pt]; rewrite [seen _ _ _]/= log_cons /= TE; split.
  by rewrite /noted; case: reads => //; apply: (@block _ w.1); apply: (forallP pw).
exact: IH.
Qed.

Lemma seen_row q s past tape x :
  nth None (unzip2 (log past (seen (step M s (act past)) past tape))) q = Some x ->
  if drop q tape is w :: _ then
    x = r (w.2 (foldl T s (take q.+1 (unzip1 (log past (seen (step M s (act past)) past tape))))))
  else False.
Proof.
elim: tape q s past => [|w tape IH] q s past; first by rewrite /log nth_nil.
case: q => [|q]; rewrite [seen _ _ _]/= log_cons.
  by rewrite /= take0 /= TE /noted; case: reads => // -[<-].
by move=> e; rewrite /= TE; apply: IH.
Qed.

(** what was written before a round is about the true run *)
Lemma written_true (tr : seq W) : (0 < size tr)%N -> all possible tr ->
  consistent T shows s0 (trace (before (obs tr))) /\ final T s0 (trace (before (obs tr))) = now (obs tr).
Proof.
case: tr => // w tape _ /= /andP[_ pt].
have e : obs (w :: tape) = w.2 s0 :: seen (step M s0 (act [:: w.2 s0])) [:: w.2 s0] tape.
  by rewrite /Run.obs /Run.run -cat1s /= seenE.
rewrite trace_before e //= trace_cat trace_announced /final /=; split; first exact: seen_consistent.
by rewrite state_after_log.
Qed.

(** ** Errors *)
(** the chance, under the stationary noise, that a row seen in [s] is not called [i] *)
Definition err (m : model C) i (s : S) : R := seen_in s (fun x => name (encoder m) (r x) != i).

Definition is_right (m : model C) (s : S) : bool :=
  [exists sigma : {ffun S -> 'I_(size (table m))},
     right_by (frac R (epsilon p)) (fun i (a : action p) => nth 0%N (nth [::] (table m) i) (nat_of_ord a))
       (fun x => name (encoder m) (r x)) sigma && (val (sigma s) == current m)].

Lemma seen_in_not (s : S) (f : pred X) : seen_in s f = 1 - seen_in s (fun x => ~~ f x).
Proof.
rewrite /seen_in -[X in X - _](mean_const 1 dpi) -meanB; apply: mean_eq => e.
rewrite -[X in X - _](mean_const 1 (kQ s e)) -meanB; apply: mean_eq => x.
by case: (f x); rewrite /= ?subr0 ?subrr.
Qed.

(** Two states of the model that are one true state: no row is called by both names, so the errors add up to 1. *)
Lemma twins m i j s : i != j -> 1 <= err m i s + err m j s.
Proof.
move=> ne; rewrite /err /seen_in -meanD -[leLHS](mean_const 1 dpi); apply: ler_mean; first by case: dpi.
move=> e; rewrite -meanD -[leLHS](mean_const 1 (kQ s e)); apply: ler_mean; first by case: (kQ s e).
move=> x; rewrite -natrD ler1n; case: eqP => // ->; by rewrite ne.
Qed.


(** the step of the walk at which a state errs: fixed when the round starts *)
Definition errs (st : labels C) (w : seq nat) m s v : bool :=
  if nth None (plan_of st w) v is Some i then eps <= err m i (foldl T s (take v.+1 w)) else false.

Lemma right_or_errs st s w m sigma : eps <= frac R (epsilon p) ->
  correct nA T m st w s sigma -> is_right m s \/ has (errs st w m s) (iota 0 (size w)).
Proof.
move=> ee co; have [_ e2] := eps_le; case: (boolP (has _ _)) => [|/hasPn no]; [by right|left].
pose n := size (table m).
have ok i : (i < n)%N -> err m i (sigma i) < eps.
  move=> lt; have [v [vw pl <-]] := visited co lt; have := no v.
  by rewrite mem_iota /errs pl -ltNge; apply.
have inj i j : (i < n)%N -> (j < n)%N -> sigma i = sigma j -> i = j.
  move=> li lj e; apply/eqP; apply: contraT => ne; have := twins m (sigma i) ne.
  rewrite leNgt {2}e => /negP[]; apply: lt_le_trans (ltr_add (ok _ li) (ok _ lj)) _.
  by apply: le_trans (ler_add e2 e2) _; rewrite -[2%:R^-1]mul1r -splitr.
have sz := isomorphism co inj.
have ex_inv t : exists i : 'I_n, sigma i == t.
  by have [i lt e] := onto co t; exists (Ordinal lt); apply/eqP.
pose tau := [ffun t => xchoose (ex_inv t)].
have tauK t : sigma (tau t) = t by rewrite ffunE; apply/eqP/(xchooseP (ex_inv t)).
have tauE i (lt : (i < n)%N) t : sigma i = t -> nat_of_ord (tau t) = i.
  by move=> e; apply: inj; rewrite ?ltn_ord // tauK.
apply/existsP; exists tau; rewrite /right_by; apply/andP; split; last first.
  by apply/eqP/(tauE _ (current_in co))/(current_ok co).
apply/and4P; split.
- by apply/injectiveP => t t' e; rewrite -[t]tauK e tauK.
- by rewrite -sz.
- apply/forallP => t; apply/forallP => a; have [lt e] := hom co (ltn_ord (tau t)) (ltn_ord a).
  by apply/eqP/esym/tauE => //; rewrite e tauK TE.
apply/forallP => t; rewrite seen_in_not ler_sub // ltW // (lt_le_trans _ ee) //.
by have := ok _ (ltn_ord (tau t)); rewrite tauK.
Qed.

Definition first_err h : option (round C * nat * nat * S * model C) :=
  if opened h is Some (rd, st) then
    if accept nA N st rd [::] is Some m then
      let v := find (errs st (walk rd) m (now h)) (iota 0 (size (walk rd))) in
      if (v < size (walk rd))%N then
        if nth None (plan_of st (walk rd)) v is Some i
        then Some (rd, v, i, foldl T (now h) (take v.+1 (walk rd)), m) else None
      else None
    else None
  else None.

Definition gap_ h := if first_err h is Some (rd, v, i, s, m) then (size (walk rd) %/ mixing_time p).-1 else 0%N.
Definition m0_ h := if first_err h is Some (rd, v, i, s, m) then (size (walk rd) + v).+1 else 0%N.
Definition ms_ h := if first_err h is Some (rd, v, i, s, m) then nseq (passes rd).-1 (size (walk rd)) else [::].
Definition test_ h (w : W) := if first_err h is Some (rd, v, i, s, m)
  then name (encoder m) (r (w.2 s)) == i else true.
Definition stop_ k h := isSome (opened h) && (number h == k).

Lemma first_errP h rd v i s m : first_err h = Some (rd, v, i, s, m) ->
  [/\ exists st, opened h = Some (rd, st), (v < size (walk rd))%N & eps <= err m i s].
Proof.
rewrite /first_err; case o: opened => [[rd' st]|] //; case: accept => // m'.
set v' := find _ _; case: ltnP => // lt; case pl: nth => [i'|] // [<- <- <- <- <-].
split=> //; first by exists st.
have : has (errs st (walk rd') m' (now h)) (iota 0 (size (walk rd'))) by rewrite has_find size_iota.
by move/(nth_find 0%N); rewrite nth_iota // add0n /errs pl.
Qed.

(** what the checker demanded of a round *)
Lemma paidP k (rd : round C) : paid p k.+1 rd ->
  [/\ (0 < mixing_time p)%N, (0 < size (walk rd) %/ mixing_time p)%N, (0 < passes rd)%N, eps <= frac R (epsilon p)
    & vbound (size (walk rd) %/ mixing_time p).-1 eps (passes rd) <= delta_ * (k.+1 * k.+2)%:R^-1].
Proof.
rewrite /paid /eps; set j := (_ %/ _)%N; case e: half_at_most => [a b].
case/and5P=> j0 n0 /N.ltb_lt q0 /N.ltb_lt d0 af; split=> //.
  by move: j0; rewrite /j; case: mixing_time.
  move: e; rewrite /half_at_most; case: N.leb_spec => [le [<- <-]|_ -> //].
  rewrite /frac /= mul1r ler_pdivl_mulr ?(nN_gt0 R q0) // ler_pdivr_mull ?ltr0n //.
  by have := nN_le R le; rewrite nN_mul.
have [b0 ab] : N.lt 0 b /\ N.le a b.
  move: e q0; rewrite /half_at_most; case: N.leb_spec => [_ [<- <-] //|lt e].
  rewrite e [fst _]/= [snd _]/= in lt * => q0; split=> //; apply: N.le_trans (N.lt_le_incl _ _ lt).
  by rewrite -{1}[a]N.mul_1_l; apply: N.mul_le_mono_r.
by move: af; rewrite -(prednK j0); apply: affordableP.
Qed.

Lemma round_ok k (past : seq W) : stop_ k (obs past) -> isSome (first_err (obs past)) ->
  [/\ mean (lift (emit M) (rest M)) (fun w => (test_ (obs past) w)%:R) <= 1 - eps,
      all (leq ((gap_ (obs past)).+1 * (mixing_time p).-1.+1)) (m0_ (obs past) :: ms_ (obs past))
    & vbound (gap_ (obs past)) eps (size (m0_ (obs past) :: ms_ (obs past))) <= delta_ * (k.+1 * k.+2)%:R^-1].
Proof.
move: (obs past) => h; rewrite /stop_ => /andP[_ /eqP <-].
case fe: (first_err h) => [[[[[rd v] i] s] m]|] // _.
have [[st op] vL er] := first_errP fe; have [_ pd _] := openedP op.
have [t0 j0 n0 _ vb] := paidP pd; rewrite (prednK t0).
rewrite /test_ /gap_ /m0_ /ms_ fe; split.
- rewrite (p_E (rest M) kQ (fun x => name (encoder m) (r x) == i) s).
  by rewrite -[p_ _ _ _ _]/(seen_in s (fun x => name (encoder m) (r x) == i)) seen_in_not ler_sub.
- have Lt : ((size (walk rd) %/ mixing_time p).-1.+1 * mixing_time p <= size (walk rd))%N.
    by rewrite prednK // leq_trunc_div.
  rewrite /= (leq_trans Lt) ?leqW ?leq_addr //=.
  by apply/allP => x /nseqP[-> _].
by rewrite /= size_nseq prednK.
Qed.

(** the walk comes back to where it started, each time *)
Lemma walk_state s w n q v : foldl T s w = s -> (v < size w)%N -> (q <= n)%N ->
  foldl T s (take (q * size w + v).+1 (flatten (nseq n.+1 w))) = foldl T s (take v.+1 w).
Proof.
move=> back vL; elim: q n => [|q IH] n qn; first by rewrite mul0n add0n /= takel_cat.
case: n qn => // n qn; rewrite -[flatten _]/(w ++ flatten (nseq n.+1 w)).
rewrite mulSn -addnA -addnS take_cat ltnNge leq_addr /= addKn foldl_cat back.
exact: IH.
Qed.
Lemma walks_return s w n : foldl T s w = s -> foldl T s (flatten (nseq n w)) = s.
Proof. by move=> back; elim: n => //= n IH; rewrite foldl_cat back. Qed.

Lemma verdict_lucky tr i rd st m : (i < size tr)%N -> all possible tr ->
  opened (obs (take i.+1 tr)) = Some (rd, st) ->
  verdict nA N st rd (log (obs (take i.+1 tr)) (drop i.+1 (obs tr))) = Some m ->
  now (take (i + (passes rd).+1 * size (walk rd)).+1 (obs tr)) = now (obs (take i.+1 tr)) /\
  (~~ is_right m (now (obs (take i.+1 tr))) ->
  lucky (fun k past => stop_ k (obs past)) (fun past => isSome (first_err (obs past)))
    (fun past => test_ (obs past)) (fun past => m0_ (obs past)) (fun past => ms_ (obs past))
    (number (obs (take i.+1 tr))) tr).
Proof.
move=> lt poss; have split_obs := obs_split lt; cbv zeta in split_obs.
set h := obs (take i.+1 tr) in split_obs *; set tape := drop i.+1 tr in split_obs *.
have sh : size h = i.+1 by rewrite /h size_obs size_takel.
have -> : drop i.+1 (obs tr) = seen (step M (now h) (act h)) h tape.
  by rewrite split_obs drop_size_cat // sh.
move=> op ve.
have [sy pd [c fc en]] := openedP op; have [_ _ n0 ee _] := paidP pd.
move: ve; rewrite /verdict; set w := walk rd; set f0 := log h _; set f := take _ f0; set n := passes rd in n0 *.
case: eqP => // acts acc; have [acc0 ck] := accept_inv acc.
(* the record is about the true run *)
have [poss1 poss2] : all possible (take i.+1 tr) /\ all possible tape.
  by apply/andP; rewrite -all_cat cat_take_drop.
have h0 : (0 < size (take i.+1 tr))%N by rewrite size_takel.
have [cons fin] := written_true h0 poss1; rewrite -/h in cons fin.
have [lab iv] := steps_ok H few fc en cons; rewrite fin in iv.
have [sigma co] := accept_ok connT iv acc.
have back := returns co.
have szf : size f = (n.+1 * size w)%N.
  by rewrite -(size_map fst) -/(unzip1 f) acts size_flatten /shape map_nseq sumn_nseq mulnC.
split.
  have -> : take (i + n.+1 * size w).+1 (obs tr) = h ++ take (n.+1 * size w) (seen (step M (now h) (act h)) h tape).
    by rewrite split_obs -addSn -sh take_cat ltnNge leq_addr /= addKn.
  by rewrite now_cat ?sh // state_after_log log_take -/f0 -/f acts walks_return.
move=> wr; have [rt|er] := right_or_errs ee co; first by rewrite rt in wr.
(* the first error *)
have [v [i0 [fe vL pl]]] : exists v i0, [/\ first_err h = Some (rd, v, i0, foldl T (now h) (take v.+1 w), m),
    (v < size w)%N & nth None (plan_of st w) v = Some i0].
  rewrite /first_err op acc0 -/w; set v := find _ _.
  have vlt : (v < size w)%N by rewrite /v; move: er; rewrite has_find size_iota.
  rewrite vlt; have := nth_find 0%N er; rewrite -/v nth_iota // add0n /errs.
  by case pl: nth => [i0|] // _; exists v, i0.
(* its checks *)
have passed q : (q < n)%N -> at_ (q.+1 * size w + v) (test_ h) tape.
  move=> qn; have := all_nthP [::] ck q; rewrite size_map size_iota => /(_ qn)/checked_ok[_ /(_ v i0 pl)[x]].
  rewrite (nth_map 0%N) ?size_iota // nth_iota // add1n nth_take // nth_drop => px nx.
  have qL : (q.+1 * size w + v < n.+1 * size w)%N.
    apply: (@leq_trans (q.+2 * size w)); last by rewrite leq_mul2r ltnS qn orbT.
    by rewrite [leqRHS]mulSn addnC ltn_add2r.
  move: px; rewrite /f /unzip2 map_take nth_take // => /seen_row.
  rewrite -/f0 /at_; case: (drop _ tape) => // z _ ex; rewrite /test_ fe.
  suff -> : foldl T (now h) (take v.+1 w) = foldl T (now h) (take (q.+1 * size w + v).+1 (unzip1 f0)).
    by rewrite -ex nx.
  have tk : take (n.+1 * size w) (unzip1 f0) = unzip1 f by rewrite /f /unzip1 map_take.
  by rewrite -(take_take qL) tk acts walk_state.
(* the event of the tape *)
have [e0 [s1 etr]] : exists e s, tr = e :: s by case: (tr) lt => // e s; exists e, s.
rewrite /lucky etr; rewrite etr in lt.
apply: (@run_untilP _ _ _ i) => //; rewrite -?etr ?cat0s -/h.
- move=> i' lti; rewrite /stop_; apply/negP => /andP[o /eqP e].
  have lt' : (i < size (obs tr))%N by rewrite size_obs etr.
  move: o; case o: (opened _) => [[rd2 st2]|] // _; have [sy2 _ _] := openedP o.
  by rewrite -!take_obs in e sy2; have := number_lt r lti lt' sy2; rewrite e take_obs ltnn.
- by rewrite /stop_ op eqxx.
apply/andP; split; first by rewrite fe.
rewrite passesE.
have -> : last e0 (take i s1) :: drop i s1 = drop i tr.
  rewrite etr; elim: (i) (s1) (e0) (lt : (i <= size s1)%N) => [|k IH] [|x s'] e' //= hk.
  exact: IH.
have at_tape k : at_ k.+1 (test_ h) (drop i tr) = at_ k (test_ h) tape.
  by rewrite /at_ /tape !drop_drop addSnnS.
rewrite /m0_ /ms_ fe /= -/w at_tape -{1}[size w]mul1n passed //=.
apply: all_times => q qn; rewrite [X in at_ X]/= addSn at_tape addnAC -mulSn; apply: passed.
by rewrite -ltn_predRL.
Qed.

(** ** The theorem *)
Theorem fooled_rarely n mu : distr mu -> chance (acts L) n s0 mu (fooled r L s0) <= delta_.
Proof.
move=> dmu; have d0 : 0 <= delta_ by rewrite divr_ge0 ?ler0n.
have [eps0 e2] := eps_le; have eps1 : eps <= 1.
  by apply: le_trans e2 _; rewrite invf_le1 ?ltr0n // ler1n.
rewrite /chance -(obs_law (drift M) kQ).
apply: le_trans (rounds_stop (kernel_PZ kP kQ) (distr_lift kQ dpi) (stat_PZ stP kQ) (mixed_Z kQ mixP)
  eps0 eps1 d0 round_ok n n.+1 (distr_lift kQ dmu)).
apply: Pr_supp => //; [exact: kP|exact: kQ|] => tr sz poss; rewrite /fooled.
case acc: accepts => [[m t]|] // wrong.
have [i [rd [st []]]] := accepted acc; rewrite size_obs => lt op ve te.
rewrite take_obs in op ve; have [same lucky] := verdict_lucky lt poss op ve.
apply/hasP; exists (number (obs (take i.+1 tr))).
  by rewrite mem_iota /= add0n -sz -take_obs -(size_obs (step M) act s0) number_size // size_obs.
by apply: lucky; rewrite -same -te.
Qed.
End Join.
