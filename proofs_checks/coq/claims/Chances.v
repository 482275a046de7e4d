(** Claims about chances: mixing, products of chains, union bounds, bets of the self-check, slips. Sets are
    finite. Each lemma is named for its claim; the lines are those of the paper. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Lemma 1 (l. 1074-1098): after the mixing time, from one state and from any law *)
Section Lemma1.
Variables (R : realFieldType) (E : finType) (P : E -> E -> R) (pi : E -> R) (t : nat).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t).

Lemma F04_any n (g : E -> R) e : (t <= n)%N -> (forall e, 0 <= g e <= 1) ->
  `|op (kpow P n) g e - mean pi g| <= 4%:R^-1.
Proof.
move=> tn g01; rewrite -[leRHS]mulr1; apply: (near_op dpi) => //; first exact: kernel_pow.
exact: (mixed_ge kP dpi stP mixP tn).
Qed.
(** l. 1074 *)
Lemma F02 n (A : pred E) e : (t <= n)%N ->
  `|\sum_(x | A x) kpow P n e x - \sum_(x | A x) pi x| <= 4%:R^-1.
Proof.
move=> tn; have := @F04_any n (fun x => (A x)%:R) e tn.
have ind (mu : E -> R) : mean mu (fun x => (A x)%:R) = \sum_(x | A x) mu x.
  by rewrite [RHS]big_mkcond; apply: eq_bigr => x _; case: (A x); rewrite ?mulr1 ?mulr0.
by rewrite /op !ind; apply=> x; case: (A x); rewrite /= ?lexx ler01.
Qed.
(** l. 1084-1088: the distance from the worst start never grows, and is at most 1/4 from the mixing time on. *)
Lemma F03 : (forall eta n, near pi eta (kpow P n) -> near pi eta (kpow P n.+1)) /\
  forall n, (t <= n)%N -> near pi 4%:R^-1 (kpow P n).
Proof.
split=> [eta n h|n tn]; first exact: (near_comp kP dpi h).
exact: (mixed_ge kP dpi stP mixP tn).
Qed.
(** l. 1089-1098: the same for the average over the law [w] of the state at t_1 *)
Lemma F04 n (g : E -> R) (w : E -> R) : (t <= n)%N -> (forall e, 0 <= g e <= 1) -> distr w ->
  `|mean w (op (kpow P n) g) - mean pi g| <= 4%:R^-1.
Proof.
move=> tn g01 dw; rewrite -(mean_const (mean pi g) dw) -meanB.
have h e := F04_any e tn g01; rewrite ler_norml; apply/andP; split.
  rewrite -[leLHS](mean_const _ dw); apply: ler_mean => [|e]; first by case: dw.
  by move: (h e); rewrite ler_norml => /andP[].
by apply: mean_le => // e; move: (h e); rewrite ler_norml => /andP[].
Qed.
(** l. 142, 380-408: every bound on the mixing time will do. Samples of the rounds k < l, a stride of at least the
    bound apart from round to round, are far enough apart. *)
Lemma P24 bound stride k l : (t <= bound <= stride)%N -> (k < l)%N -> near pi 4%:R^-1 (kpow P ((l - k) * stride)).
Proof.
case/andP=> tb bs kl; apply: (mixed_ge kP dpi stP mixP); apply: leq_trans (leq_trans tb bs) _.
by rewrite leq_pmull // subn_gt0.
Qed.

(** Self-check: a sample j t_mix steps later shows a symbol with chance at most p + 2^-(j+1). *)
Lemma S_T07 j n (g : E -> R) e : (j.+1 * t <= n)%N -> (forall e, 0 <= g e <= 1) ->
  op (kpow P n) g e <= mean pi g + 2%:R^-1 ^+ j.+2.
Proof.
move=> tn g01; have nr := mixing_ge kP dpi stP mixP tn.
have := @near_op _ _ pi _ dpi (kpow P n) g 1 e (kernel_pow n kP) nr g01; rewrite mulr1.
by move/(le_trans (ler_norm _)); rewrite ler_subl_addl.
Qed.
End Lemma1.

(** ** Pairs and blocks of samples (l. 615-631, 765-772) *)
Lemma A24 (R : realFieldType) (p : R) : (p + 4%:R^-1) * (1 - (p - 4%:R^-1)) = - p ^+ 2 + p + 5%:R / 16%:R /\
  9%:R / 16%:R - (- p ^+ 2 + p + 5%:R / 16%:R) = (p - 2%:R^-1) ^+ 2 /\
  (p + 4%:R^-1) * (1 - (p - 4%:R^-1)) <= 9%:R / 16%:R.
Proof.
have e1 : (p + 4%:R^-1) * (1 - (p - 4%:R^-1)) = - p ^+ 2 + p + 5%:R / 16%:R by field.
have e2 : 9%:R / 16%:R - (- p ^+ 2 + p + 5%:R / 16%:R) = (p - 2%:R^-1) ^+ 2 by field.
by split=> //; split=> //; rewrite e1 -subr_ge0 e2 sqr_ge0.
Qed.

(** l. 1491-1498: the chance that all samples pass is a product of conditional chances. *)
Lemma G35 (R : realFieldType) (a : nat -> R) n : (forall i, a i != 0) ->
  a n = a 0%N * \prod_(i < n) (a i.+1 / a i).
Proof.
move=> some; elim: n => [|n IH]; first by rewrite big_ord0 mulr1.
by rewrite big_ord_recr /= mulrA -IH mulrCA mulfV // mulr1.
Qed.

(** ** Products (l. 1537, 1634-1641) *)
Section Products.
Variable R : realFieldType.
Lemma H01 (E E' : finType) (A B : E -> R) (C D : E' -> R) : distr B -> distr C ->
  \sum_(x : E * E') `|A x.1 * C x.2 - B x.1 * D x.2|
    <= norm1 (fun e => A e - B e) + norm1 (fun e => C e - D e).
Proof.
move=> [B0 B1] [C0 C1].
apply: (@le_trans _ _ (\sum_e \sum_e' (`|A e - B e| * C e' + B e * `|C e' - D e'|))).
  rewrite pair_bigA /=; apply: ler_sum => -[e e'] _ /=.
  have -> : A e * C e' - B e * D e' = (A e - B e) * C e' + B e * (C e' - D e') by ring.
  by apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm (C0 e')) (ger0_norm (B0 e)).
under eq_bigr do rewrite big_split /= -!mulr_sumr C1 mulr1.
by rewrite big_split /= -mulr_suml B1 mul1r.
Qed.

(** [n] independent copies, with laws mu 0, ..., mu (n - 1) *)
Variable E : finType.
Fixpoint copies n : finType := if n is m.+1 then [finType of (E * copies m)%type] else [finType of unit].
Fixpoint law_of (mu : nat -> E -> R) n : copies n -> R :=
  if n is m.+1 then fun x => mu m x.1 * law_of mu x.2 else fun=> 1.
Lemma distr_law_of mu n : (forall i, distr (mu i)) -> distr (@law_of mu n).
Proof.
move=> dmu; elim: n => [|n [p0 p1]] /=.
  by split=> [x|]; [exact: ler01 | rewrite (big_pred1 tt) // => -[]].
have [m0 m1] := dmu n; split=> [x|]; first by rewrite mulr_ge0.
by rewrite -(pair_bigA _ (fun a b => mu n a * law_of mu b)) /=; under eq_bigr do rewrite -mulr_sumr p1 mulr1.
Qed.
Lemma H10 (mu nu : nat -> E -> R) n (d : R) : (forall i, distr (mu i)) -> (forall i, distr (nu i)) ->
  (forall i, norm1 (fun e => mu i e - nu i e) <= d) -> n%:R * d <= 2%:R^-1 ->
  tv (@law_of mu n) (@law_of nu n) <= 4%:R^-1.
Proof.
move=> dmu dnu near_ few.
have : norm1 (fun x => @law_of mu n x - @law_of nu n x) <= n%:R * d.
  elim: n {few} => [|n IH] /=; first by rewrite mul0r /norm1 big1 // => x _; rewrite subrr normr0.
  apply: le_trans (H01 (mu n) (@law_of nu n) (dnu n) (distr_law_of n dmu)) _.
  by rewrite -add1n natrD mulrDl mul1r; apply: ler_add.
move=> h; rewrite /tv; apply: (@le_trans _ _ (2%:R^-1 * 2%:R^-1)); last by rewrite -invfM -natrM.
by apply: ler_wpmul2l; [rewrite invr_ge0 ler0n | apply: le_trans few].
Qed.
End Products.

(** ** Union bounds *)
Section Union.
Variables (R : realFieldType) (O : finType) (law : O -> R).
Hypothesis dlaw : distr law.

Lemma union (I : finType) (bad : I -> pred O) :
  mean law (fun o => [exists i, bad i o]%:R) <= \sum_i mean law (fun o => (bad i o)%:R).
Proof.
rewrite /mean exchange_big; apply: ler_sum => o _; rewrite -mulr_sumr; apply: ler_wpmul2l.
  by case: dlaw.
case: existsP => [[i bi]|_]; last by apply: sumr_ge0 => i _; exact: ler0n.
by rewrite (bigD1 i) //= bi ler_addl; apply: sumr_ge0 => j _; exact: ler0n.
Qed.

(** l. 245, 964: one classifier for each state, each right with its chance *)
Lemma E01 (S : finType) (f : S -> pred O) s0 (eps : R) :
  (forall s, mean law (fun x => (f s x != (s == s0))%:R) <= eps / #|S|%:R) ->
  1 - eps <= mean law (fun x => [forall s, f s x == (s == s0)]%:R) /\
  forall x, [forall s, f s x == (s == s0)] -> [pick s | f s x] = Some s0.
Proof.
move=> rare; split; last first.
  move=> x /forallP h; case: pickP => [s fs|none]; first by move: (h s); rewrite fs => /eqP/esym/eqP ->.
  by have := none s0; rewrite (eqP (h s0)) eqxx.
have S0 : #|S|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists s0.
have := union (fun s x => f s x != (s == s0)); have <- : 1 - mean law (fun x => [forall s, f s x == (s == s0)]%:R) =
    mean law (fun o => [exists s, f s o != (s == s0)]%:R).
  rewrite -{1}(mean_const 1 dlaw) -meanB; apply: mean_eq => x; rewrite -negb_forall.
  by case: [forall s, _]; rewrite /= ?subrr ?subr0.
rewrite ler_subl_addl -ler_subl_addr => h; apply: le_trans h; rewrite ler_sub //.
apply: le_trans (ler_sum _ (fun s _ => rare s)) _.
by rewrite sumr_const -[eps / _ *+ _]mulr_natr divfK.
Qed.

(** Located STEEL (claim L1.two): a label that errs, or that shares its state with a label that is recognised at
    least as often, is recognised with chance at most 1 - eps. *)
Lemma L1_two (g : O -> R) (eps : R) : eps <= 2%:R^-1 ->
  mean law g <= 1 - eps \/ (exists2 other, forall o, g o + other o <= 1 & mean law g <= mean law other) ->
  mean law g <= 1 - eps.
Proof.
move=> half [//|[other one worse]].
have : mean law g + mean law other <= 1 by rewrite -meanD; apply: mean_le.
move=> sum; have two : 2%:R * mean law g <= 1.
  by apply: le_trans sum; rewrite mulr_natl mulr2n ler_add2l.
have h : mean law g <= 2%:R^-1 by rewrite -(ler_pmul2l (x := 2%:R)) ?ltr0n // mulfV ?pnatr_eq0.
by apply: le_trans h _; rewrite -(ler_add2r eps) subrK -[leRHS](@divff _ 2%:R) ?pnatr_eq0 // mulr_natl mulr2n ler_add2l.
Qed.

(** Self-check (claim S.T11): alpha is divided equally among the kinds of bets, and the part of a kind among its
    bets; a bet is won if it pays 1/share or more. *)
Lemma S_T11 (B Kind : finType) (kind : B -> Kind) (pay : B -> O -> R) (alpha : R) :
  let share b := alpha / #|Kind|%:R / #|[pred b' | kind b' == kind b]|%:R in
  0 < alpha -> (forall b o, 0 <= pay b o) -> (forall b, mean law (pay b) <= 1) ->
  mean law (fun o => [exists b, (share b)^-1 <= pay b o]%:R) <= alpha.
Proof.
move=> share a0 p0 fair; apply: le_trans (union _) _.
have n0 b : (0 < #|[pred b' | kind b' == kind b]|)%N by apply/card_gt0P; exists b; rewrite inE.
have k0 (b : B) : (0 < #|Kind|)%N by apply/card_gt0P; exists (kind b).
have s0 b : 0 < share b by rewrite !divr_gt0 ?ltr0n ?(k0 b).
apply: (@le_trans _ _ (\sum_b share b)).
  apply: ler_sum => b _; apply: (@le_trans _ _ (mean law (fun o => share b * pay b o))).
    apply: ler_mean => [|o]; first by case: dlaw.
    case: (boolP ((share b)^-1 <= pay b o)) => h.
      by rewrite -[leLHS](@mulfV _ (share b)) ?gt_eqF // ler_pmul2l.
    by apply: mulr_ge0 => //; apply: ltW.
  by rewrite meanZ -[leRHS]mulr1 ler_pmul2l.
rewrite (partition_big kind predT) //=; apply: (@le_trans _ _ (\sum_(k : Kind) alpha / #|Kind|%:R)).
  apply: ler_sum => k _; rewrite (eq_bigr (fun=> alpha / #|Kind|%:R / #|[pred b' | kind b' == k]|%:R)); last first.
    by move=> b /eqP <-.
  rewrite sumr_const; case: (posnP #|[pred b' | kind b' == k]|) => [e|pos].
    by rewrite (_ : #|_| = 0%N) ?mulr0n ?divr_ge0 ?ler0n ?ltW // -e; apply: eq_card.
  rewrite -mulr_natr (_ : #|_| = #|[pred b' | kind b' == k]|); last exact: eq_card.
  by rewrite divfK // pnatr_eq0 -lt0n.
rewrite sumr_const -[_ *+ _]mulr_natr; case: (posnP #|Kind|) => [e|pos].
  by rewrite [X in _ * X%:R](_ : _ = 0%N) ?mulr0 ?ltW.
by rewrite divfK // pnatr_eq0 -lt0n.
Qed.

(** Slips (claim S.S03): the candidates c = 1, 2, ... are wrong and believed with chance at most delta/(c(c+1)). *)
Lemma S_S03 n (believed : 'I_n -> pred O) (delta : R) : 0 <= delta ->
  (forall c, mean law (fun o => (believed c o)%:R) <= delta / (c.+1 * c.+2)%:R) ->
  mean law (fun o => [exists c, believed c o]%:R) <= delta.
Proof.
move=> d0 rare; apply: le_trans (union _) _; apply: le_trans (ler_sum _ (fun c _ => rare c)) _.
have step (c : nat) : delta / (c.+1 * c.+2)%:R = delta / c.+1%:R - delta / c.+2%:R.
  have x0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
  have x1 : c.+1%:R + 1 != 0 :> R by rewrite -(natrD _ c.+1 1) addn1 pnatr_eq0.
  rewrite natrM -[c.+2]addn1 natrD; move: (c.+1%:R : R) x0 x1 => x x0 x1.
  by field; rewrite x0 x1.
have -> : \sum_(c < n) delta / (c.+1 * c.+2)%:R = delta - delta / n.+1%:R.
  elim: n {believed rare} => [|n IH]; first by rewrite big_ord0 divr1 subrr.
  by rewrite big_ord_recr /= IH step addrA subrK.
by rewrite ler_subl_addr ler_addl divr_ge0 ?ler0n.
Qed.
End Union.

(** Two runs (claim L1.fallback): the first fails with chance at most delta/2; after every outcome of it, the
    second does. *)
Lemma L1_fallback (R : realFieldType) (O O' : finType) (before : O -> R) (later : O -> O' -> R)
    (accepted first : pred O) (second : O -> pred O') (delta : R) : distr before -> (forall c, distr (later c)) ->
  0 <= delta -> mean before (fun c => (first c)%:R) <= delta / 2%:R ->
  (forall c, mean (later c) (fun o => (second c o)%:R) <= delta / 2%:R) ->
  mean before (fun c => mean (later c) (fun o => ((accepted c && first c) || (~~ accepted c && second c o))%:R))
    <= delta.
Proof.
move=> db dl d0 h1 h2; have -> : delta = delta / 2%:R + delta / 2%:R by field.
apply: le_trans (ler_add h1 (mean_le db h2)); rewrite -meanD; apply: ler_mean => [|c]; first by case: db.
rewrite -[X in X + _](mean_const (first c)%:R (dl c)) -meanD; apply: ler_mean => [|o]; first by case: (dl c).
by case: (accepted c); case: (first c); case: (second c o); rewrite /= -natrD ler_nat.
Qed.

(** ** Bets of the self-check *)
Section Bets.
Variables (R : realFieldType) (E Sym : finType) (pi : E -> R) (eta : R).
Hypotheses (dpi : distr pi) (eta0 : 0 < eta).
(** The next sample: [K] leads to it, and then [g x s] is the chance that it shows [s]. *)
Definition sample := ((E -> E -> R) * (E -> Sym -> R))%type.
Definition good_sample (k : sample) :=
  [/\ kernel k.1, near pi eta k.1, (forall x s, 0 <= k.2 x s) & forall x, \sum_s k.2 x s = 1].
Definition most (k : sample) s := Num.min 1 (mean pi (fun x => k.2 x s) + eta).
(** The forecast [F h s] for the next symbol after the symbols [h]; [last h] is what is left of the pay in the end. *)
Variables (F : seq Sym -> Sym -> R) (left : seq Sym -> R).
Hypotheses (F0 : forall h s, 0 <= F h s) (F1 : forall h, \sum_s F h s <= 1).
Hypothesis left01 : forall h, 0 <= left h <= 1.
Fixpoint pay (l : seq sample) h (y : E) : R :=
  if l is k :: l' then
    mean (k.1 y) (fun x => \sum_s k.2 x s * (F h s / most k s * pay l' (rcons h s) x))
  else left h.

Lemma most_gt0 k s : good_sample k -> 0 < most k s.
Proof.
case=> _ _ g0 _; rewrite lt_minr ltr01 /= ltr_paddl //; apply: mean_ge0 => [|x]; last exact: g0.
by case: dpi.
Qed.
(** claim S.T08: no forecast pays more than 1 on average. *)
Lemma S_T08 l h y : (forall k, List.In k l -> good_sample k) -> 0 <= pay l h y <= 1.
Proof.
elim: l h y => [|k l IH] h y good /=; first exact: left01.
have gk := good k (or_introl erefl); have m0 s := most_gt0 s gk; case: (gk) => kK nr g0 g1.
have {}IH h' x := IH h' x (fun k' hk => good k' (or_intror hk)).
have K0 x : 0 <= k.1 y x by case: (kK y).
have f0 s : 0 <= F h s / most k s by rewrite divr_ge0 // ltW.
apply/andP; split.
  apply: mean_ge0 => // x; apply: sumr_ge0 => s _.
  by apply: mulr_ge0 => //; apply: mulr_ge0 => //; case/andP: (IH (rcons h s) x).
apply: (@le_trans _ _ (\sum_s F h s / most k s * op k.1 (fun x => k.2 x s) y)).
  rewrite /op /mean; under [leRHS]eq_bigr do rewrite mulr_sumr.
  rewrite exchange_big; apply: ler_sum => x _; rewrite mulr_sumr; apply: ler_sum => s _.
  rewrite [leRHS]mulrCA; apply: ler_wpmul2l => //; rewrite mulrCA; apply: ler_wpmul2l => //.
  by rewrite -[leRHS]mulr1; apply: ler_wpmul2l => //; case/andP: (IH (rcons h s) x).
apply: le_trans (F1 h); apply: ler_sum => s _; rewrite -mulrA -[leRHS]mulr1; apply: ler_wpmul2l => //.
rewrite mulrC ler_pdivr_mulr // mul1r /most le_minr; apply/andP; split.
  apply: mean_le => // x; rewrite -(g1 x) (bigD1 s) //= ler_addl; exact: sumr_ge0.
have gs x : 0 <= k.2 x s <= 1.
  by rewrite g0 -(g1 x) (bigD1 s) //= ler_addl; exact: sumr_ge0.
have := @near_op _ _ pi eta dpi k.1 (fun x => k.2 x s) 1 y kK nr gs; rewrite mulr1.
by move/(le_trans (ler_norm _)); rewrite ler_subl_addl.
Qed.
End Bets.

(** claim S.T09: the chances of Krichevsky and Trofimov sum to 1, and how `forecast` grows. *)
Lemma S_T09 (R : realFieldType) (Sym : finType) (a : Sym -> nat) : (0 < #|Sym|)%N ->
  let m := (\sum_s a s)%N in
  \sum_s ((a s)%:R + 2%:R^-1) / (m%:R + #|Sym|%:R / 2%:R) = 1 :> R /\
  forall n : nat, (2%:R * n%:R + 2%:R) * (2%:R * n%:R + 1) / (4%:R * (n%:R + 1)) = n%:R + 2%:R^-1 :> R.
Proof.
move=> some m; split; last first.
  by move=> n; field; rewrite -(natrD _ n 1) pnatr_eq0 addn1.
rewrite -mulr_suml big_split /= sumr_const -natr_sum -/m -[2%:R^-1 *+ _]mulr_natl mulfV //.
by rewrite gt_eqF // ltr_paddl ?ler0n // mulr_gt0 ?invr_gt0 ?ltr0n.
Qed.

(** ** Slips *)
Section Slips.
Variables (R : realFieldType) (O : finType).
Implicit Types (L : seq O -> O -> R) (ev : seq O -> R).
(** the chance of an event of the next [n] outcomes, after [h]; [L h] is the law of the next outcome *)
Fixpoint within L n h ev : R :=
  if n is m.+1 then mean (L h) (fun o => within L m (rcons h o) ev) else ev h.
Lemma within01 L n h ev : (forall h, distr (L h)) -> (forall h, 0 <= ev h <= 1) -> 0 <= within L n h ev <= 1.
Proof.
move=> dL e01; elim: n h => //= n IH h; apply/andP; split.
  by apply: mean_ge0 => [|o]; [case: (dL h) | case/andP: (IH (rcons h o))].
by apply: mean_le => // o; case/andP: (IH (rcons h o)).
Qed.
(** claim S.S01: the chance of an event grows by at most p in each step. *)
Lemma S_S01 L Z (slip : seq O -> R) (p : R) n h ev :
  (forall h, distr (L h)) -> (forall h, distr (Z h)) -> (forall h, 0 <= slip h <= p) -> p <= 1 ->
  (forall h, 0 <= ev h <= 1) ->
  within (fun h o => (1 - slip h) * L h o + slip h * Z h o) n h ev <= within L n h ev + p * n%:R.
Proof.
move=> dL dZ s0p p1 e01; set L' := fun h o => _.
have dL' g : distr (L' g).
  have [l0 l1] := dL g; have [z0 z1] := dZ g; have /andP[s0 sp] := s0p g; split=> [o|].
    by rewrite addr_ge0 ?mulr_ge0 // subr_ge0 (le_trans sp).
  by rewrite big_split /= -!mulr_sumr l1 z1 !mulr1 subrK.
elim: n h => [|n IH] h /=; first by rewrite mulr0 addr0.
set V := fun o => within L' n (rcons h o) ev; have V01 o : 0 <= V o <= 1 by exact: within01.
have -> : mean (L' h) V = (1 - slip h) * mean (L h) V + slip h * mean (Z h) V.
  rewrite /mean !mulr_sumr -big_split; apply: eq_bigr => o _ /=; rewrite /L'; ring.
have /andP[s0 sp] := s0p h; have z1 : mean (Z h) V <= 1 by apply: mean_le => // o; case/andP: (V01 o).
have l0 : 0 <= mean (L h) V by apply: mean_ge0 => [|o]; [case: (dL h) | case/andP: (V01 o)].
apply: (@le_trans _ _ (mean (L h) V + p)).
  rewrite mulrBl mul1r -addrA ler_add2l; apply: le_trans (_ : slip h * mean (Z h) V <= _).
    by rewrite ger_addr oppr_le0 mulr_ge0.
  by apply: le_trans sp; rewrite -[leRHS]mulr1; apply: ler_wpmul2l.
rewrite -addn1 natrD mulrDr mulr1 addrA ler_add2r.
apply: le_trans (ler_mean (proj1 (dL h)) (fun o => IH (rcons h o))) _.
by rewrite meanD (mean_const _ (dL h)).
Qed.

(** claim S.S02: the score falls by 1 in every attempt that is not bad, and rises by 1 in a bad one.
    [rises n m h]: the chance that within [n] attempts it is [m] higher at some time. *)
Variables (L : seq O -> O -> R) (bad : seq O -> pred O) (theta : R).
Hypotheses (dL : forall h, distr (L h)) (theta0 : 0 <= theta) (theta2 : theta < 2%:R^-1).
Hypothesis rare : forall h, mean (L h) (fun o => (bad h o)%:R) <= theta.
Fixpoint rises n m h : R :=
  if m is m'.+1 then
    if n is n'.+1 then mean (L h) (fun o => rises n' (if bad h o then m' else m.+1) (rcons h o)) else 0
  else 1.
Lemma S_S02 n m h : rises n m h <= (theta / (1 - theta)) ^+ m.
Proof.
set r := theta / _.
have t1 : 0 < 1 - theta.
  by rewrite subr_gt0 (lt_trans theta2) // invf_lt1 ?ltr0n // ltr1n.
have r0 : 0 <= r by rewrite divr_ge0 // ltW.
have r1 : r <= 1.
  rewrite ler_pdivr_mulr // mul1r ler_subr_addr -mulr2n -mulr_natl.
  by apply: ltW; rewrite -[ltRHS](@mulfV _ 2%:R) ?pnatr_eq0 // ltr_pmul2l ?ltr0n.
elim: n m h => [|n IH] [|m] h /=; rewrite ?expr0 ?exprn_ge0 //.
apply: (@le_trans _ _ (mean (L h) (fun o => (bad h o)%:R * (r ^+ m - r ^+ m.+2) + r ^+ m.+2))).
  apply: ler_mean => [|o]; first by case: (dL h).
  by case: (bad h o); rewrite /= ?mul1r ?mul0r ?subrK ?add0r.
rewrite meanD (mean_const _ (dL h)) (mean_eq _ (v := fun o => (r ^+ m - r ^+ m.+2) * (bad h o)%:R)); last first.
  by move=> o; rewrite mulrC.
have d0 : 0 <= r ^+ m - r ^+ m.+2 by rewrite subr_ge0 -addn2 exprD ler_pimulr ?exprn_ge0 // exprn_ile1.
rewrite meanZ; apply: le_trans (_ : (r ^+ m - r ^+ m.+2) * theta + r ^+ m.+2 <= _).
  by rewrite ler_add2r ler_wpmul2l.
have tr : theta = r * (1 - theta) by rewrite /r divfK // gt_eqF.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite !exprS.
have -> : (r ^+ m - r * (r * r ^+ m)) * theta + r * (r * r ^+ m) = r ^+ m * (theta + r * (r * (1 - theta))) by ring.
by rewrite -tr (_ : theta + r * theta = r) 1?mulrC //; rewrite {1}tr; ring.
Qed.
End Slips.

(** claim S.S04: one check less at most doubles the bound b + eta a. *)
Lemma S_S04 (R : realFieldType) (eta eps : R) n : 0 <= eta <= 1 -> 0 <= eps <= 2%:R^-1 ->
  b_ eta eps n + eta * a_ eta eps n <= 2%:R * (b_ eta eps n.+1 + eta * a_ eta eps n.+1).
Proof.
move=> /andP[t0 t1] /andP[e0 e2].
have h1 : eps <= 1 by apply: le_trans e2 _; rewrite invf_le1 ?ltr0n // ler1n.
have ge0 m := ab_ge0 t0 e0 h1 m.
have near_ : forall m, eta * a_ eta eps m <= b_ eta eps m.
  elim=> [|m IH]; first by rewrite /a_ /b_ /= mulr1.
  have [am bm] := ge0 m; rewrite a_S b_S le_minr; apply/andP; split.
    by apply: le_trans IH; apply: ler_wpmul2l => //; rewrite le_minl lexx.
  apply: (@le_trans _ _ (eta * a_ eta eps m)); first by apply: ler_wpmul2l => //; rewrite le_minl lexx.
  rewrite -subr_ge0 (_ : _ - _ = (1 - eps) * (b_ eta eps m - eta * a_ eta eps m)); last by ring.
  by rewrite mulr_ge0 ?subr_ge0.
have [am bm] := ge0 n; have [aS bS] := ge0 n.+1.
apply: (@le_trans _ _ (2%:R * b_ eta eps n.+1)); last by rewrite ler_pmul2l ?ltr0n // ler_addl mulr_ge0.
rewrite b_S minr_pmulr ?ler0n // le_minr; apply/andP; split.
  by rewrite mulr_natl mulr2n ler_add2l near_.
have -> : 2%:R * ((1 - eps) * b_ eta eps n + eps * eta * a_ eta eps n) =
  b_ eta eps n + eta * a_ eta eps n + (1 - 2%:R * eps) * (b_ eta eps n - eta * a_ eta eps n) by ring.
rewrite ler_addl; apply: mulr_ge0; rewrite subr_ge0 ?near_ //.
by rewrite -[leRHS](@mulfV _ 2%:R) ?pnatr_eq0 // ler_pmul2l ?ltr0n.
Qed.
