(** The probability that a run fails: one union bound over the questions of the ideal run and the classifiers of
    phase 3, all at times that are fixed beforehand (lines 653, 777, 797-801, 964-998).

    [fooled_le]: some question or some classifier is fooled with probability at most
    n1 |F| (9/16)^k1 + n2 |F| (9/16)^k2 + |J| |F| (8/3)(1 - eps/3)^d.
    [encode_right]: if no classifier is fooled, the encoder errs in every state with chance at most eps. Here |J| is
    2 |S| (the samples of each state, to be called 0 and to be called 1); the paper counts |S|^2. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests Union.
From Steel.looped Require Import Program Algorithm Questions Covering.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Failure.
Variables (R : realFieldType) (E X S A F : finType) (P : E -> E -> R) (pi : E -> R).
Variables (Q : S -> E -> X -> R) (t : nat) (T : S -> A -> S) (s0 : S) (x0 : X).
Variables (cl : F -> pred X) (oracle : seq X -> seq X -> F) (phi : X -> S).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t.+1).
Hypothesis kQ : forall s e, distr (Q s e).
Hypothesis phiP : forall s e x, Q s e x != 0 -> phi x = s.
Hypothesis oracleP : forall D0 D1 f, separates cl f D0 D1 -> separates cl (oracle D0 D1) D0 D1.
Hypothesis realP : forall s, exists f, forall x, cl f x = (phi x == s).
Notation W := (EZ E X S).
Notation tmix := t.+1.
Notation st := (st T s0).
Notation ideal := (ideal T s0).
Notation real := (real T s0 x0 cl oracle).
Notation Prob n mu := (Pr (PZ P Q) n (lift Q mu)).

(** ** Tapes on which a state is shown by a foreign observation have probability 0. *)
Definition own (w : W) := [forall s, phi (w.2 s) == s].
Lemma qz0 (w : W) : ~~ own w -> qz Q w.1 w.2 = 0.
Proof.
case/forallPn=> s ns; rewrite /qz (bigD1 s) //=; case: (eqVneq (Q s w.1 (w.2 s)) 0) => [->|/phiP e].
  by rewrite mul0r.
by rewrite e eqxx in ns.
Qed.
Lemma EX_unfaithful n w : own w -> EX (PZ P Q) n w (fun s => (~~ faithful phi (w :: s))%:R) = 0.
Proof.
elim: n w => [|n IH] w ok; first by rewrite EX0 /faithful /= -/(own w) ok.
rewrite EXS big1 // => w' _; case ok': (own w'); last by rewrite /PZ qz0 ?ok' // mulr0 mul0r.
rewrite (@EX_eq _ _ _ _ _ _ (fun s => (~~ faithful phi (w' :: s))%:R)) ?IH ?mulr0 // => s _.
by rewrite {1}/faithful /= -/(own w) ok.
Qed.
Lemma unfaithful0 n mu : Prob n mu (fun tr => ~~ faithful phi tr) = 0.
Proof.
apply: big1 => w _; case ok: (own w); first by rewrite EX_unfaithful // mulr0.
by rewrite /lift qz0 ?ok // mulr0 mul0r.
Qed.

(** ** The union bound, for schedules in lists; [J] numbers the tests of the encoder *)
Variables (k1 k2 n1 n2 : nat) (ws1 : seq (seq (nat * nat * S))) (ws2 : seq (seq (nat * bool) * S)).
Hypotheses (z1 : (size ws1 <= n1)%N) (z2 : (size ws2 <= n2)%N).
Hypotheses (a1 : all (@sched1 S tmix k1) ws1) (a2 : all (@sched2 S tmix k2) ws2).
Variables (J : finType) (times : J -> seq nat) (s3 : J -> S) (b3 : J -> bool) (d : nat) (eps : R).
Hypotheses (eps0 : 0 <= eps) (eps1 : eps <= 1).
Hypothesis timesP : forall i, apart tmix (times i) /\ size (times i) = d.+1.
(** some poor classifier looks perfect on the samples of a state *)
Definition encoder_fooled (tr : seq W) i := [exists f, (p_ pi Q (fun x => cl f x == b3 i) (s3 i) <= 1 - eps) &&
  all (fun u => at_ u (fun w : W => cl f (w.2 (s3 i)) == b3 i) tr) (times i)].
Definition fooled (tr : seq W) :=
  [|| has (pairs_fooled cl tr) ws1, has (halves_fooled cl tr) ws2 | [exists i, encoder_fooled tr i]].

Theorem fooled_le n mu : distr mu -> Prob n mu (fun tr => fooled tr || ~~ faithful phi tr)
  <= n1%:R * (#|F|%:R * (9%:R / 16%:R) ^+ k1.+1)
   + n2%:R * (#|F|%:R * (9%:R / 16%:R) ^+ k2.+1)
   + #|J|%:R * (#|F|%:R * (8%:R / 3%:R * (1 - eps / 3%:R) ^+ d.+1)).
Proof.
move=> dmu; have dm := distr_lift kQ dmu; have kZ := kernel_PZ kP kQ.
apply: le_trans (Pr_or kP kQ _ _ _ dm) _; rewrite unfaithful0 addr0.
pose l1 (i : 'I_(size ws1)) := pair_gaps (nth [::] ws1 i).
pose l2 (i : 'I_(size ws2)) := gaps 0 (nth ([::], s0) ws2 i).1.
pose s2 (i : 'I_(size ws2)) := (nth ([::], s0) ws2 i).2.
pose gap3 i := [seq x.1 | x <- gaps 0 [seq (u, tt) | u <- times i]].
have size3 i : size (gap3 i) = d.+1 by rewrite size_map size_gaps size_map; have [] := timesP i.
have l1P i : size (l1 i) = k1.+1 /\ all (fun x => (tmix <= x.1.1) && (tmix <= x.1.2))%N (l1 i).
  by have /andP[/eqP <- sp] := all_nthP [::] a1 i (ltn_ord i); exact: pair_gaps_ok.
have l2P i : [/\ all (fun x => tmix <= x.1)%N (l2 i), count (fun x => x.2) (l2 i) = k2.+1
                & count (fun x => ~~ x.2) (l2 i) = k2.+1].
  have /and3P[/eqP <- /eqP e sp] := all_nthP ([::], s0) a2 i (ltn_ord i).
  split; first exact: gaps_ge.
    exact: (count_gaps id).
  by rewrite -e; exact: (count_gaps negb).
have l3P i : size (head 0%N (gap3 i) :: behead (gap3 i)) = d.+1 /\ all (leq tmix) (behead (gap3 i)).
  have : all (leq tmix) (gap3 i) by rewrite all_map; have [sp _] := timesP i; exact: (gaps_ge sp).
  by have := size3 i; case: (gap3 i) => //= ? ? [->] /andP[].
have := @t1_union R E X S F P pi Q t cl kP dpi stP mixP kQ _ _ _ k1.+1 k2.+1 d.+1 eps
  l1 l2 s2 (fun i => head 0%N (gap3 i)) (fun i => behead (gap3 i)) s3 b3 l1P l2P l3P eps0 eps1 n mu dmu.
set bad := (fun tr => [|| _, _ | _]) => tb.
apply: (@le_trans _ _ (Pr (PZ P Q) n (lift Q mu) bad)).
  apply: Pr_sub => // tr _ /or3P[/hasP[l li fl]|/hasP[l li fl]|/existsP[i /existsP[f /andP[poor al]]]]; apply/or3P.
  - have il : (index l ws1 < size ws1)%N by rewrite index_mem.
    by apply: Or31; apply/existsP; exists (Ordinal il); rewrite /bad1 /l1 /= nth_index.
  - have il : (index l ws2 < size ws2)%N by rewrite index_mem.
    by apply: Or32; apply/existsP; exists (Ordinal il); rewrite /bad2 /l2 /s2 /= nth_index.
  apply: Or33; apply/existsP; exists i; apply/existsP; exists f.
  apply/andP; split; first exact: poor.
  case: tr al => [|w tr]; first by have [_] := timesP i; case: (times i).
  move=> al; have gE : head 0%N (gap3 i) :: behead (gap3 i) = gap3 i by have := size3 i; case: (gap3 i).
  rewrite /on gE passesE /chk /gap3 -map_comp; have [sp _] := timesP i.
  by rewrite (at_gaps (fun _ (w : W) => cl f (w.2 (s3 i)) == b3 i) sp) !all_map.
apply: le_trans tb _; rewrite !card_ord.
have q0 : 0 <= 9%:R / 16%:R :> R by nonneg.
by rewrite ler_add2r; apply: ler_add; rewrite ler_wpmul2r ?ler_nat // mulr_ge0 ?ler0n ?exprn_ge0.
Qed.

(** ** Phase 3: if no poor classifier looks perfect, the encoder is right. *)
Lemma p_union (f : pred X) (js : seq nat) (fs : nat -> pred X) s : (forall x, f x -> has (fun i => fs i x) js) ->
  p_ pi Q f s <= \sum_(i <- js) p_ pi Q (fs i) s.
Proof.
move=> sub; have [pi0 _] := dpi; elim: js f sub => [|i js IH] f sub.
  rewrite big_nil (_ : p_ pi Q f s = 0) //; apply: big1 => e _; rewrite [mean _ _]big1 ?mulr0 // => x _.
  by case: (f x) (sub x) => [/(_ isT)|]; rewrite ?mulr0.
rewrite big_cons; apply: le_trans (ler_add (lexx _) (IH (fun x => has (fun i => fs i x) js) _)) => //.
rewrite /p_ -meanD; apply: ler_mean => // e; rewrite -meanD; apply: ler_mean => [|x]; first by case: (kQ s e).
have := sub x; rewrite /=; case: (f x) => [/(_ isT)/orP[->|->]|_].
- by rewrite -natrD ler_nat.
- by rewrite -natrD ler_nat; case: (fs i x).
- by rewrite -natrD ler0n.
Qed.
Lemma p_neg (f : pred X) s : p_ pi Q (fun x => ~~ f x) s = 1 - p_ pi Q f s.
Proof.
rewrite /p_ -[X in X - _](mean_const 1 dpi) -meanB; apply: mean_eq => e.
rewrite -[X in X - _](mean_const 1 (kQ s e)) -meanB; apply: mean_eq => x.
by case: (f x); rewrite /= ?subr0 ?subrr.
Qed.
End Failure.

Section Encoder.
Variables (R : realFieldType) (E X S A F : finType) (pi : E -> R).
Variables (Q : S -> E -> X -> R) (t : nat) (T : S -> A -> S) (s0 : S) (x0 : X).
Variables (cl : F -> pred X) (oracle : seq X -> seq X -> F) (phi : X -> S).
Hypothesis dpi : distr pi.
Hypothesis kQ : forall s e, distr (Q s e).
Hypothesis oracleP : forall D0 D1 f, separates cl f D0 D1 -> separates cl (oracle D0 D1) D0 D1.
Hypothesis realP : forall s, exists f, forall x, cl f x = (phi x == s).
Notation W := (EZ E X S).
Notation tmix := t.+1.
Notation st := (st T s0).
Variables (acts : seq A) (d : nat -> nat) (h : seq A) (x : learned A) (sig : seq S) (k : nat) (eps : R).
Hypotheses (fin : finished acts T s0 tmix d h x sig) (dk : d (size sig) = k.+1).
Notation Ds := (datasets x).
Notation samples s := (nth [::] Ds (index s sig)).
Definition tested (i : S * bool) := take k.+1 (samples i.1).
Definition epsS : R := eps / #|S|%:R.
Notation encoder_fooled := (encoder_fooled pi Q cl tested fst snd epsS).

Lemma index_lt s : (index s sig < size sig)%N.
Proof. by case: fin => -[_ in_ _ _ _] _; rewrite index_mem. Qed.
Lemma data_past i : (i < size sig)%N -> all (leq^~ (size h)) (nth [::] Ds i).
Proof. by case: fin => _ dat /dat[pu _ _]; apply: sub_all pu => u /andP[]. Qed.
Lemma data_state i u : (i < size sig)%N -> u \in nth [::] Ds i -> st h u = nth s0 sig i.
Proof. by case: fin => _ dat /dat[/allP pu _ _] /pu/andP[_ /eqP]. Qed.
Lemma tested_ok i : apart tmix (tested i) /\ size (tested i) = k.+1.
Proof.
case: fin => _ dat; have [_ sp sz] := dat _ (index_lt i.1); rewrite dk in sz.
by split; [rewrite /apart map_take; apply: spaced_take | rewrite size_takel].
Qed.
Lemma others_in i u : (i < size sig)%N -> reflect (exists2 j, (j < size sig)%N && (j != i) & u \in nth [::] Ds j)
  (u \in others Ds i).
Proof.
case: fin => -[_ _ sD _ _] _ _; apply: (iffP flattenP) => [[D /mapP[j + ->] uD]|[j /andP[lt ne] uD]].
  by rewrite mem_filter mem_iota sD => /and3P[ne _ lt]; exists j; rewrite ?lt.
by exists (nth [::] Ds j) => //; apply/mapP; exists j; rewrite // mem_filter ne mem_iota sD.
Qed.

Section Observed.
Variables (xs : seq X) (tr : seq W).
Hypothesis seenP : forall D, all (leq^~ (size h)) D -> seen x0 xs D = shown T s0 x0 tr h D.
Hypotheses (fa : faithful phi tr) (long : (size h < size tr)%N).
Notation f_ := (classifier x0 oracle xs Ds).

(** The classifier of label [i] makes no error on the samples (realisability). *)
Lemma classifier_fits i j u : (i < size sig)%N -> (j < size sig)%N -> u \in nth [::] Ds j ->
  cl (f_ i) (ob T s0 x0 tr h u) = (i == j).
Proof.
move=> li lj uD; have [[un _ _ _ _] _] := fin.
have past_o : all (leq^~ (size h)) (others Ds i).
  by apply/allP => v /(others_in _ li)[j' /andP[lj' _]] vD; exact: (allP (data_past lj')).
have : separates cl (f_ i) (shown T s0 x0 tr h (others Ds i)) (shown T s0 x0 tr h (nth [::] Ds i)).
  rewrite /classifier !seenP ?data_past //.
  have [f fE] := realP (nth s0 sig i); apply: (oracleP (f := f)).
  apply/andP; split; rewrite all_map; apply/allP => v vD; rewrite /= fE ob_phi //.
  - have /(others_in _ li)[j' /andP[lj' ne] vD'] := vD.
    by rewrite (data_state lj' vD') nth_uniq.
  - exact: (allP past_o).
  - by rewrite (data_state li vD).
  - exact: (allP (data_past li)).
case/andP; rewrite !all_map => /allP f0 /allP f1; case: eqP => [e|/eqP ne]; first by apply: f1; rewrite e.
by apply/negbTE/f0/(others_in _ li); exists j; rewrite // lj eq_sym.
Qed.
Lemma classifier_right i s : (i < size sig)%N -> ~~ encoder_fooled tr (s, i == index s sig) ->
  1 - epsS < p_ pi Q (fun y => cl (f_ i) y == (i == index s sig)) s.
Proof.
move=> li; rewrite ltNge; apply: contra => poor; apply/existsP; exists (f_ i); apply/andP; split=> //=.
have [[_ in_ _ _ _] _] := fin.
apply/allP => u /mem_take uD.
rewrite (obE (T := T) (s0 := s0) (h := h) x0 (fun y => cl (f_ i) y == (i == index s sig))) //.
- by rewrite (classifier_fits li (index_lt s) uD).
- exact: (allP (data_past (index_lt s))).
- by rewrite (data_state (index_lt s) uD) nth_index.
Qed.
Lemma encode_right : (forall i, ~~ encoder_fooled tr i) ->
  forall s, 1 - eps <= p_ pi Q (fun y => encode x0 cl oracle xs Ds y == index s sig) s.
Proof.
move=> no s; have [[un in_ sD _ _] _] := fin; set j := index s sig; have lj := index_lt s; rewrite -/j in lj.
pose bad i y := ~~ (cl (f_ i) y == (i == j)).
have sub y : encode x0 cl oracle xs Ds y != j -> has (fun i => bad i y) (iota 0 (size sig)).
  apply: contraR => /hasPn ok; rewrite /encode sD.
  have okE i : (i < size sig)%N -> cl (f_ i) y = (i == j).
    by move=> il; have := ok i; rewrite mem_iota il /bad negbK => /(_ isT)/eqP.
  have jin : has (fun i => cl (f_ i) y) (iota 0 (size sig)).
    by apply/hasP; exists j; rewrite ?mem_iota // okE ?eqxx.
  have fl := jin; rewrite has_find size_iota in fl; rewrite fl.
  by have := nth_find 0%N jin; rewrite nth_iota // add0n okE.
have sz : size sig = #|S| by rewrite -(card_uniqP un); apply: eq_card => y; rewrite in_.
rewrite -[leRHS](subKr 1) -(p_neg dpi kQ) ler_add2l ler_opp2.
apply: le_trans (p_union dpi kQ _ sub) _.
apply: (@le_trans _ _ (\sum_(i <- iota 0 (size sig)) epsS)).
  rewrite !big_seq; apply: ler_sum => i; rewrite mem_iota => /= il.
  rewrite (p_neg dpi kQ) ler_subl_addl -ler_subl_addr; apply: ltW.
  exact: (classifier_right il (no _)).
rewrite big_const_seq count_predT size_iota iter_addr_0 sz /epsS -(mulr_natr (eps / _)) mulfVK //.
by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists s0.
Qed.
End Observed.
End Encoder.
