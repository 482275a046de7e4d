(** The steps of the paper's proof of Lemma 2 (l. 1121-1300, 1491-1501), for finitely many states of the noise.

    A signed measure is a function [v]; [mass v] is its integral and [norm1 v] its norm. [Gamma] multiplies by
    [g], the chance that f is 1 on an observation of e. [K] is any number of steps of the chain that is at least
    the mixing time ([mixed_ge]); M^i v is [push v K], and Delta^i v is what it differs from [mass v] times pi by.
    Each lemma is named for its claim. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Measures.
Variables (R : realFieldType) (E : finType) (pi : E -> R) (K : E -> E -> R).
Hypotheses (dpi : distr pi) (kK : kernel K) (stK : stationary pi K).
Implicit Types (v z w : E -> R) (a b : R).
Definition mass v := \sum_e v e.
Definition Delta v e := push v K e - mass v * pi e.

Lemma norm1Z a v : norm1 (fun e => a * v e) = `|a| * norm1 v.
Proof. by rewrite /norm1 mulr_sumr; apply: eq_bigr => e _; rewrite normrM. Qed.
Lemma norm1_eq v w : v =1 w -> norm1 v = norm1 w.
Proof. by move=> h; apply: eq_bigr => e _; rewrite h. Qed.
Lemma norm1D v w : norm1 (fun e => v e + w e) <= norm1 v + norm1 w.
Proof. by rewrite /norm1 -big_split; apply: ler_sum => e _; apply: ler_norm_add. Qed.
Lemma mass_pi : mass pi = 1. Proof. by case: dpi. Qed.
Lemma massD v w : mass (fun e => v e + w e) = mass v + mass w.
Proof. exact: big_split. Qed.
Lemma massZ a v : mass (fun e => a * v e) = a * mass v.
Proof. by rewrite /mass mulr_sumr. Qed.
Lemma mass_push v : mass (push v K) = mass v.
Proof.
rewrite /mass sum_mean mean_push sum_mean; apply: mean_eq => e.
by rewrite /op mean_const //; apply: kK.
Qed.
Lemma DeltaE v e : Delta v e = \sum_x v x * (K x e - pi e).
Proof. by rewrite /Delta /push /mass mulr_suml -sumrB; apply: eq_bigr => x _; rewrite mulrBr. Qed.
Lemma DeltaD v w e : Delta (fun x => v x + w x) e = Delta v e + Delta w e.
Proof. by rewrite !DeltaE -big_split; apply: eq_bigr => x _; rewrite mulrDl. Qed.
Lemma DeltaZ a v e : Delta (fun x => a * v x) e = a * Delta v e.
Proof. by rewrite !DeltaE mulr_sumr; apply: eq_bigr => x _; rewrite mulrA. Qed.

(** l. 1121-1124 *)
Lemma G03 v : mass (Delta v) = 0.
Proof. by rewrite /mass sumrB -/(mass _) mass_push -mulr_sumr -/(mass pi) mass_pi mulr1 subrr. Qed.
(** l. 1137-1140 *)
Lemma G05 e : Delta pi e = 0.
Proof. by rewrite /Delta stK mass_pi mul1r subrr. Qed.
(** l. 1185-1188 *)
Lemma G10 v e : push v K e = mass v * pi e + Delta v e.
Proof. by rewrite /Delta addrC subrK. Qed.

(** l. 1145-1165: of a measure without mass, at most half of the norm is in an event, or in what passes. *)
Lemma G07 z g : (forall e, 0 <= g e <= 1) -> mass z = 0 ->
  `|mass (fun e => g e * z e)| <= 2%:R^-1 * norm1 z.
Proof.
move=> g01 z0; have := @tv_test _ _ z (fun=> 0) g 1.
rewrite /tv mulr1 (norm1_eq (w := z)); last by move=> e; rewrite subr0.
rewrite [\sum_e z e]z0 big1 // => /(_ erefl g01).
rewrite (_ : mean z g - _ = mass (fun e => g e * z e)) //.
by rewrite /mean [X in _ - X]big1 ?subr0 => [|e _]; [apply: eq_bigr => e _; rewrite mulrC | rewrite mul0r].
Qed.
(** l. 1134-1136: the event where it is positive has exactly half of the norm. *)
Lemma G04_attained z : mass z = 0 -> mass (fun e => (0 < z e)%R%:R * z e) = 2%:R^-1 * norm1 z.
Proof.
move=> z0; apply: (mulfI (x := 2%:R)); first by rewrite pnatr_eq0.
rewrite mulrA mulfV ?pnatr_eq0 // mul1r.
rewrite (_ : norm1 z = \sum_e (2%:R * ((0 < z e)%R%:R * z e) - z e)).
  by rewrite sumrB -mulr_sumr -/(mass z) z0 subr0.
apply: eq_bigr => e _; case: (ltrP 0 (z e)) => h; first by rewrite gtr0_norm //= mul1r mulr_natl mulr2n addrK.
by rewrite ler0_norm //= mul0r mulr0 sub0r.
Qed.

(** l. 1171-1175: there is exactly one decomposition. *)
Lemma G09 v : exists a z, [/\ (forall e, v e = a * pi e + z e), mass z = 0
  & forall a' z', (forall e, v e = a' * pi e + z' e) -> mass z' = 0 -> a' = a /\ z' =1 z].
Proof.
have massv a z : (forall e, v e = a * pi e + z e) -> mass z = 0 -> a = mass v.
  move=> h z0; have -> : mass v = mass (fun e => a * pi e + z e) by apply: eq_bigr => e _; exact: h.
  by rewrite massD massZ mass_pi mulr1 z0 addr0.
exists (mass v), (fun e => v e - mass v * pi e); split=> [e||a' z' h z0].
- by rewrite addrC subrK.
- by rewrite /mass sumrB -mulr_sumr -/(mass pi) mass_pi mulr1 subrr.
have e := massv _ _ h z0; split=> // x; by rewrite h e addrAC subrr add0r.
Qed.

Section Mixed.
Hypothesis nK : near pi 4%:R^-1 K.

(** l. 1125-1136 *)
Lemma G04 v : norm1 (Delta v) <= 2%:R^-1 * norm1 v.
Proof.
apply: (@le_trans _ _ (\sum_e \sum_x `|v x| * `|K x e - pi e|)).
  apply: ler_sum => e _; rewrite DeltaE; apply: le_trans (ler_norm_sum _ _ _) _.
  by apply: ler_sum => x _; rewrite normrM.
rewrite exchange_big /= /norm1 mulr_sumr; apply: ler_sum => x _.
rewrite -mulr_sumr [leRHS]mulrC; apply: ler_wpmul2l => //.
have := nK x; rewrite /tv /norm1 => h; rewrite -(ler_pmul2l (x := 2%:R^-1)) ?invr_gt0 ?ltr0n //.
by apply: le_trans h _; rewrite -invfM -natrM.
Qed.

Variables (g : E -> R) (eps : R).
Hypotheses (g01 : forall e, 0 <= g e <= 1) (piG : mean pi g = 1 - eps).
Definition Gamma v e := g e * v e.

Lemma eps_ge0 : 0 <= eps.
Proof. by have := mean_le dpi (fun e => (andP (g01 e)).2); rewrite piG ler_subl_addr ler_addl. Qed.
Lemma eps_le1 : eps <= 1.
Proof. by rewrite -subr_ge0 -piG; apply: mean_ge0 => [|e]; [case: dpi | case/andP: (g01 e)]. Qed.
Lemma norm1_Gamma v : norm1 (Gamma v) <= norm1 v.
Proof.
apply: ler_sum => e _; rewrite normrM; case/andP: (g01 e) => g0 g1.
by rewrite ger0_norm // -[leRHS]mul1r; apply: ler_wpmul2r.
Qed.

(** l. 1209-1219, sharper: half of the smaller one of eps and 1 - eps *)
Lemma S_G14 : norm1 (Delta (Gamma pi)) <= 2%:R^-1 * eps /\ norm1 (Delta (Gamma pi)) <= 2%:R^-1 * (1 - eps).
Proof.
have pi0 e : 0 <= pi e by case: dpi.
split; last first.
  apply: le_trans (G04 _) _; rewrite -piG /norm1 /mean le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _).
  apply: eq_bigr => e _; case/andP: (g01 e) => g0 _; rewrite /Gamma ger0_norm; first exact: mulrC.
  exact: mulr_ge0.
have -> : norm1 (Delta (Gamma pi)) = norm1 (Delta (fun e => (1 - g e) * pi e)).
  apply: eq_bigr => e _; rewrite -normrN; congr `|_|; apply/eqP; rewrite eq_sym -subr_eq0 opprK.
  rewrite -DeltaD -(G05 e); apply/eqP; rewrite !DeltaE; apply: eq_bigr => x _.
  by congr (_ * _); rewrite /Gamma; ring.
apply: le_trans (G04 _) _; apply: ler_wpmul2l; first by rewrite invr_ge0 ler0n.
rewrite /norm1 (_ : \sum_e _ = mean pi (fun e => 1 - g e)); first by rewrite meanB (mean_const _ dpi) piG; rewrite opprB addrCA subrr addr0.
apply: eq_bigr => e _; case/andP: (g01 e) => _ g1; rewrite ger0_norm; first exact: mulrC.
by apply: mulr_ge0; rewrite ?subr_ge0.
Qed.

(** One sample: [v = a pi + z] becomes [push (Gamma v) K = a' pi + z'] with a' = [mass (Gamma v)] and
    z' = [Delta (Gamma v)]. (l. 1190-1196) *)
Section Sample.
Variables (a : R) (z : E -> R).
Hypotheses (a0 : 0 <= a) (z0 : mass z = 0).
Definition sum_of e := a * pi e + z e.
Lemma GammaE e : Gamma sum_of e = a * Gamma pi e + Gamma z e.
Proof. by rewrite /Gamma /sum_of; ring. Qed.
Lemma G12 : mass (push (Gamma sum_of) K) = a * (1 - eps) + mass (Gamma z) /\
  norm1 (Delta (Gamma sum_of)) <= a * norm1 (Delta (Gamma pi)) + norm1 (Delta (Gamma z)).
Proof.
split.
  rewrite mass_push (_ : mass _ = mass (fun e => a * Gamma pi e + Gamma z e)); last first.
    by apply: eq_bigr => e _; exact: GammaE.
  rewrite massD massZ -piG; congr (_ * _ + _); apply: eq_bigr => e _; exact: mulrC.
have -> : norm1 (Delta (Gamma sum_of)) = norm1 (fun e => a * Delta (Gamma pi) e + Delta (Gamma z) e).
  apply: norm1_eq => e; rewrite -DeltaZ -DeltaD !DeltaE; apply: eq_bigr => x _.
  by rewrite GammaE.
apply: le_trans (norm1D _ _) _; by rewrite norm1Z ger0_norm.
Qed.
(** l. 1197-1205 *)
Lemma G13 : mass (push (Gamma sum_of) K) <= a * (1 - eps) + 2%:R^-1 * norm1 z.
Proof.
case: G12 => -> _; rewrite ler_add2l; apply: le_trans (G07 g01 z0); exact: ler_norm.
Qed.
(** l. 1206-1221 *)
Lemma G14 : norm1 (Delta (Gamma sum_of)) <= a * (2%:R^-1 * eps) + 2%:R^-1 * norm1 z.
Proof.
case: G12 => _ h; apply: le_trans h _; apply: ler_add.
  by apply: ler_wpmul2l => //; case: S_G14.
apply: le_trans (G04 _) _; apply: ler_wpmul2l; [by rewrite invr_ge0 ler0n | exact: norm1_Gamma].
Qed.
End Sample.
End Mixed.
End Measures.

(** ** N samples: the measure after each of them (l. 1166-1170, 1268-1300) *)
Section Samples.
Variables (R : realFieldType) (E : finType) (pi : E -> R) (g : E -> R) (eps : R).
Hypotheses (dpi : distr pi) (g01 : forall e, 0 <= g e <= 1) (piG : mean pi g = 1 - eps).
Implicit Types (Ks : seq (E -> E -> R)) (mu : E -> R).
(** the measure after samples that are followed by the kernels [Ks] *)
Definition after Ks mu := foldl (fun v K => push (Gamma g v) K) mu Ks.

(** l. 1166-1170: one sample gives the chance to pass times the law after it, given that it passed. *)
Lemma G08 mu K : distr mu -> kernel K -> let a := mass (Gamma g mu) in
  (a = 0 -> forall e, push (Gamma g mu) K e = 0) /\
  (a != 0 -> let given e := Gamma g mu e / a in
    distr given /\ forall e, push (Gamma g mu) K e = a * push given K e).
Proof.
move=> [m0 _] kK a; have G0 e : 0 <= Gamma g mu e by rewrite mulr_ge0 //; case/andP: (g01 e).
split=> [a0 e|an given].
  by rewrite /push big1 // => x _; rewrite (psumr_eq0P _ a0) ?mul0r // => i _.
split; first split=> [e|].
- by rewrite divr_ge0 // sumr_ge0.
- by rewrite -mulr_suml -/(mass _) mulfV.
move=> e; rewrite /push mulr_sumr; apply: eq_bigr => x _.
by rewrite /given mulrA mulrCA mulfV // mulr1.
Qed.

(** l. 1268-1275: the measure at the end, tested with [h], is the mean of [h] at the end over the runs in which
    all samples pass. ([u] of [Checks] is the case h = 1.) *)
Fixpoint passed Ks (h : E -> R) (e : E) : R :=
  if Ks is K :: Ks' then g e * op K (passed Ks' h) e else h e.
Lemma G16 Ks mu h : mean (after Ks mu) h = mean mu (passed Ks h).
Proof.
elim: Ks mu => //= K Ks IH mu; rewrite -/(after Ks _) IH mean_push.
by apply: eq_bigr => e _; rewrite /Gamma mulrCA mulrA.
Qed.
(** l. 1276-1285: its mass is the chance that all samples pass, and the kernel after the last one is free. *)
Lemma G17 Ks mu : mass (after Ks mu) = mean mu (u g Ks).
Proof.
rewrite /mass sum_mean G16; apply: mean_eq => e.
by elim: Ks e => //= K Ks IH e; congr (_ * _); apply: op_eq.
Qed.
Lemma G17_last Ks K mu : kernel K -> mass (after (rcons Ks K) mu) = mean (after Ks mu) g.
Proof.
move=> kK; rewrite /after -cats1 foldl_cat /= mass_push //; apply: eq_bigr => e _; exact: mulrC.
Qed.

Lemma after_ge0 Ks mu : (forall e, 0 <= mu e) -> (forall K, List.In K Ks -> kernel K) -> forall e, 0 <= after Ks mu e.
Proof.
elim: Ks mu => //= K Ks IH mu m0 kKs; apply: IH => [e|L hL]; last by apply: kKs; right.
rewrite sumr_ge0 // => x _; have [k0 _] := kKs K (or_introl erefl) x.
by rewrite !mulr_ge0 //; case/andP: (g01 x).
Qed.
(** l. 1281-1300 *)
Lemma G18 Ks mu : distr mu -> (forall K, List.In K Ks -> kernel K) ->
  (forall e, 0 <= after Ks mu e) /\ 0 <= mass (after Ks mu) <= 1.
Proof.
move=> dmu kKs; have p0 := after_ge0 (proj1 dmu) kKs; split=> //; rewrite sumr_ge0 //=.
rewrite /mass sum_mean G16 -[leRHS](mean_const 1 dmu); apply: ler_mean => [|e]; first by case: dmu.
suff /andP[] : 0 <= passed Ks (fun=> 1) e <= 1 by [].
elim: Ks e kKs {p0} => [|K Ks IH] e kKs /=; first by rewrite ler01 lexx.
have kK := kKs K (or_introl erefl); have {}IH x := IH x (fun L hL => kKs L (or_intror hL)).
have /andP[g0 g1] := g01 e; have k0 : forall x, 0 <= K e x by case: (kK e).
have o1 : op K (passed Ks (fun=> 1)) e <= 1 by apply: mean_le => // x; case/andP: (IH x).
have o0 : 0 <= op K (passed Ks (fun=> 1)) e by apply: mean_ge0 => // x; case/andP: (IH x).
by rewrite mulr_ge0 // mulr_ile1.
Qed.

(** l. 1491-1501: after the first, each sample passes with chance at most 5/4 - eps, given that all before did. *)
Lemma G36 Ks K L mu : distr mu -> (forall K, List.In K Ks -> kernel K) -> good_kernel pi 4%:R^-1 K -> kernel L ->
  mass (after (rcons (rcons Ks K) L) mu) <= (5%:R / 4%:R - eps) * mass (after (rcons Ks K) mu).
Proof.
move=> dmu kKs [kK stK nK] kL; rewrite G17_last // /after -cats1 foldl_cat /= -/(after Ks mu).
set v := after Ks mu; have v0 : forall e, 0 <= v e by apply: after_ge0 => //; case: dmu.
rewrite mass_push // mean_push mulrC /mass mulr_suml; apply: ler_sum => e _.
apply: ler_wpmul2l; first by rewrite mulr_ge0 //; case/andP: (g01 e).
have := @near_op _ _ pi 4%:R^-1 dpi K g 1 e kK nK g01; rewrite mulr1 piG => h.
have := le_trans (ler_norm _) h; rewrite ler_subl_addl => h'.
by apply: le_trans h' _; rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(** l. 1288-1416: (a_j, b_j) <= A^j (a_0, b_0) elementwise, with A = [[1 - eps, 1/2], [eps/2, 1/2]]. *)
Fixpoint powers n (ab : R * R) : R * R := if n is m.+1 then let: (a, b) := powers m ab in
  ((1 - eps) * a + 2%:R^-1 * b, 2%:R^-1 * eps * a + 2%:R^-1 * b) else ab.
Definition spread mu := norm1 (fun e => mu e - mass mu * pi e).
(** one sample: l. 1222-1267 *)
Lemma G15 mu K : (forall e, 0 <= mu e) -> good_kernel pi 4%:R^-1 K ->
  mass (after [:: K] mu) <= (1 - eps) * mass mu + 2%:R^-1 * spread mu /\
  spread (after [:: K] mu) <= 2%:R^-1 * eps * mass mu + 2%:R^-1 * spread mu.
Proof.
move=> m0 [kK stK nK]; pose z e := mu e - mass mu * pi e.
have z0 : mass z = 0 by rewrite /mass sumrB -mulr_sumr (proj2 dpi) mulr1 subrr.
have a0 : 0 <= mass mu by exact: sumr_ge0.
have muE : mu =1 sum_of pi (mass mu) z by move=> e; rewrite /sum_of /z addrC subrK.
have GE e : Gamma g mu e = Gamma g (sum_of pi (mass mu) z) e by rewrite /Gamma -muE.
have pE e : push (Gamma g mu) K e = push (Gamma g (sum_of pi (mass mu) z)) K e.
  by apply: eq_bigr => x _; rewrite GE.
have h1 : mass (push (Gamma g (sum_of pi (mass mu) z)) K) <= mass mu * (1 - eps) + 2%:R^-1 * norm1 z.
  exact: G13.
have h2 : norm1 (Delta pi K (Gamma g (sum_of pi (mass mu) z))) <= mass mu * (2%:R^-1 * eps) + 2%:R^-1 * norm1 z.
  exact: G14.
split.
  rewrite [_ * mass mu]mulrC; apply: le_trans h1; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => e _; exact: pE.
rewrite [_ * mass mu]mulrC; apply: le_trans h2; rewrite /spread le_eqVlt; apply/orP; left; apply/eqP.
rewrite /= mass_push //; apply: norm1_eq => e; rewrite /Delta pE; congr (_ - _ * _).
by apply: eq_bigr => x _; rewrite GE.
Qed.
Lemma G19 Ks mu : distr mu -> all_goodK pi 4%:R^-1 Ks -> let v := after Ks mu in
  let: (a, b) := powers (size Ks) (mass mu, spread mu) in mass v <= a /\ spread v <= b.
Proof.
have e0 := eps_ge0 dpi g01 piG; have e1 := eps_le1 dpi g01 piG.
move=> dmu; elim/last_ind: Ks => [_|Ks K IH] //=.
have split_good : all_goodK pi 4%:R^-1 (rcons Ks K) -> all_goodK pi 4%:R^-1 Ks /\ good_kernel pi 4%:R^-1 K.
  by elim: Ks {IH} => [[]|L Ks IH] //= [gl /IH [? ?]].
case/split_good=> gKs gK; have {IH} := IH gKs; rewrite size_rcons /= /after -cats1 foldl_cat -/(after Ks mu) /=.
have kKs L : List.In L Ks -> kernel L.
  by elim: Ks gKs {split_good} => //= M Ks IH [[kM _ _] /IH h] [<-|/h].
have v0 := after_ge0 (proj1 dmu) kKs; have [h1 h2] := G15 v0 gK.
case: (powers _ _) => a b [ha hb]; have s0 : 0 <= spread (after Ks mu) by exact: sumr_ge0.
split; [apply: le_trans h1 _ | apply: le_trans h2 _]; apply: ler_add.
- by apply: ler_wpmul2l => //; rewrite subr_ge0.
- by apply: ler_wpmul2l => //; rewrite invr_ge0 ler0n.
- by apply: ler_wpmul2l => //; rewrite mulr_ge0 // invr_ge0 ler0n.
by apply: ler_wpmul2l => //; rewrite invr_ge0 ler0n.
Qed.
(** l. 1454 *)
Lemma G24 mu : distr mu -> spread mu <= 2%:R.
Proof.
case=> m0 m1; have [p0 p1] := dpi; rewrite /spread /mass m1.
apply: (@le_trans _ _ (\sum_e (mu e + pi e))); last by rewrite big_split /= m1 p1.
apply: ler_sum => e _; rewrite mul1r; apply: le_trans (ler_norm_sub _ _) _.
by rewrite !ger0_norm.
Qed.
End Samples.
