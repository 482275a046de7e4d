(** Tests along a trajectory, at fixed times at least the mixing time apart

    [pairs_le], [counts_le]: a classifier says 1 on k samples of a state and 0 on k others: (9/16)^k.
    [lemma2_traj]: the paper's Lemma 2. [validation]: the bound a_n, b_n of located STEEL.
    [cycle_test], [encoder_test]: the same for a class of classifiers, by the union bound. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tape.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Chain.
Variables (R : realFieldType) (E : finType) (P : E -> E -> R) (pi : E -> R) (t : nat).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t).
Implicit Types (f : pred E) (ms : seq nat).

Lemma f01 f e : 0 <= ((f e)%:R : R) <= 1.
Proof. by case: (f e); rewrite /= ?lexx ler01. Qed.
Lemma mean_negb f : mean pi (fun e => (~~ f e)%:R) = 1 - mean pi (fun e => (f e)%:R).
Proof.
rewrite -[X in X - _](mean_const 1 dpi) -meanB; apply: mean_eq => e.
by case: (f e); rewrite /= ?subr0 ?subrr.
Qed.

Lemma all_good_steps (l : seq (nat * pred E)) : all (fun mf => t <= mf.1)%N l ->
  all_good pi 4%:R^-1 (steps P l).
Proof.
elim: l => [|[m f] l IH] //= /andP[tm al]; split; last exact: IH.
by split=> /= [||e]; [exact: kernel_pow | exact: (mixed_ge kP dpi stP mixP tm) | exact: f01].
Qed.

(** (A) k pairs of samples: f must say 1 on the first and 0 on the second, and both
    have the same stationary chance (same endogenous state) *)
Fixpoint pairs (l : seq (nat * nat * pred E)) : seq (nat * pred E) :=
  if l is (m1, m2, f) :: l' then (m1, f) :: (m2, fun e => ~~ f e) :: pairs l' else [::].

Theorem pairs_le n l e : all (fun x => (t <= x.1.1) && (t <= x.1.2))%N l ->
  EX P n e (fun s => (passes (pairs l) e s)%:R) <= (9%:R / 16%:R) ^+ size l.
Proof.
move=> al; apply: le_trans (passes_le kP _ _ _) _.
have ag : all (fun mf => t <= mf.1)%N (pairs l).
  by elim: l al => [|[[m1 m2] f] l IH] //= /andP[/andP[-> ->]] /IH ->.
apply: le_trans (lemma1_prod dpi _ (all_good_steps ag)) _.
rewrite /steps big_map; elim: l al {ag} => [|[[m1 m2] f] l IH] /=; first by rewrite big_nil.
case/andP=> _ /IH{}IH; rewrite !big_cons /= exprS mulrA mean_negb.
set p := mean pi _; have [p0 p1] : 0 <= p /\ p <= 1.
  split; first by apply: mean_ge0 => [|x]; [case: dpi | exact: ler0n].
  by apply: mean_le => // x; case/andP: (f01 f x).
have p1' : 0 <= 1 - p by rewrite subr_ge0.
have q0 : 0 <= 4%:R^-1 :> R by rewrite invr_ge0 ler0n.
apply: ler_pmul => //; first by nonneg.
  by apply: prodr_ge0 => x _; rewrite addr_ge0 //;
     apply: mean_ge0 => [|y]; [case: dpi | exact: ler0n].
rewrite -subr_ge0.
have -> : 9%:R / 16%:R - (p + 4%:R^-1) * (1 - p + 4%:R^-1) = (p - 2%:R^-1) ^+ 2 by field.
exact: sqr_ge0.
Qed.

(** (A') any interleaving: k samples of one endogenous state must get 1, k must get 0 *)
Theorem counts_le n f (l : seq (nat * bool)) k e : all (fun x => t <= x.1)%N l ->
  count (fun x => x.2) l = k -> count (fun x => ~~ x.2) l = k ->
  EX P n e (fun s => (passes [seq (x.1, fun e => f e == x.2) | x <- l] e s)%:R)
  <= (9%:R / 16%:R) ^+ k.
Proof.
move=> al c1 c0; apply: le_trans (passes_le kP _ _ _) _.
apply: le_trans (lemma1_prod dpi _ (all_good_steps _)) _; first by rewrite all_map.
set p := mean pi (fun e => (f e)%:R).
have [p0 p1] : 0 <= p /\ 0 <= 1 - p.
  rewrite /p -mean_negb; by split; apply: mean_ge0 => [|x]; (by case: dpi) || exact: ler0n.
have q0 : 0 <= 4%:R^-1 :> R by rewrite invr_ge0 ler0n.
rewrite /steps !big_map (bigID (fun x => x.2)) /=.
rewrite (eq_bigr (fun=> p + 4%:R^-1)); last first.
  by move=> [m b] /= ->; congr (_ + _); apply: mean_eq => x; rewrite eqb_id.
rewrite [X in _ * X](eq_bigr (fun=> 1 - p + 4%:R^-1)); last first.
  by move=> [m b] /= /negbTE ->; rewrite -mean_negb; congr (_ + _); apply: mean_eq => x; rewrite eqbF_neg.
rewrite !big_const_seq !iter_mulr_1 c1 c0 -exprMn; apply: ler_expn2r; rewrite ?nnegrE; try by nonneg.
rewrite -subr_ge0.
have -> : 9%:R / 16%:R - (p + 4%:R^-1) * (1 - p + 4%:R^-1) = (p - 2%:R^-1) ^+ 2 by field.
exact: sqr_ge0.
Qed.

(** the same check repeated *)
Definition chk f ms : seq (nat * pred E) := [seq (m, f) | m <- ms].
Definition Ks ms : seq (E -> E -> R) := rcons [seq kpow P m | m <- ms] (fun=> pi).

Lemma near_self eta : 0 <= eta -> near pi eta (fun=> pi).
Proof.
by move=> h e; rewrite /tv /norm1 big1 ?mulr0 // => x _; rewrite subrr normr0.
Qed.
Lemma stat_self : stationary pi (fun=> pi).
Proof. by move=> e; rewrite /push -mulr_suml (proj2 dpi) mul1r. Qed.

Lemma W_u f ms x : (f x)%:R * W (steps P (chk f ms)) x = u (fun e => (f e)%:R) (Ks ms) x.
Proof.
elim: ms x => [|m ms IH] x /=; first by rewrite /op mean_const.
by congr (_ * _); apply: op_eq => y; rewrite IH.
Qed.
Lemma W_chk f m ms e : W (steps P (chk f (m :: ms))) e = mean (kpow P m e) (u (fun e => (f e)%:R) (Ks ms)).
Proof. by apply: mean_eq => x; rewrite -W_u. Qed.
Lemma size_Ks ms : size (Ks ms) = (size ms).+1.
Proof. by rewrite size_rcons size_map. Qed.
Lemma all_goodKs eta ms : 0 <= eta -> (forall m, m \in ms -> near pi eta (kpow P m)) ->
  all_goodK pi eta (Ks ms).
Proof.
move=> e0; elim: ms => [|m ms IH] h /=.
  by split=> //; split=> [e||]; [exact: dpi | exact: stat_self | exact: near_self].
split; last by apply: IH => i hi; apply: h; rewrite in_cons hi orbT.
by split; [exact: kernel_pow | exact: stat_pow | apply: h; rewrite in_cons eqxx].
Qed.

(** eta = 2^-(j+2): distance to stationarity after (j+1) t_mix steps; the bound of Lemma V *)
Definition eta_ (j : nat) : R := 2%:R^-1 ^+ j.+2.
Definition vbound j (eps : R) N := b_ (eta_ j) eps N + eta_ j * a_ (eta_ j) eps N.

Section OneTest.
Variables (f : pred E) (eps : R).
Hypotheses (piF : mean pi (fun e => (f e)%:R) <= 1 - eps) (eps0 : 0 <= eps) (eps1 : eps <= 1).

(** (B) the paper's Lemma 2: gaps >= t_mix between successive checks, first check at an
    arbitrary time m0, arbitrary start *)
Theorem lemma2_traj n m0 ms e : all (leq t) ms ->
  EX P n e (fun s => (passes (chk f (m0 :: ms)) e s)%:R)
  <= 8%:R / 3%:R * (1 - eps / 3%:R) ^+ (size (m0 :: ms)).
Proof.
move=> /allP al; apply: le_trans (passes_le kP _ _ _) _.
rewrite W_chk -[size (m0 :: ms)]/(size ms).+1 -size_Ks.
apply: (lemma2 dpi _ piF) => //; [exact: f01 | exact: (kernel_pow m0 kP) |].
apply: all_goodKs => [|m /al tm]; first by rewrite invr_ge0 ler0n.
exact: (mixed_ge kP dpi stP mixP).
Qed.

(** (C) validation: all gaps >= (j+1) t_mix, eta = 2^-(j+2) *)
Theorem validation j n m0 ms e : all (leq (j.+1 * t)) (m0 :: ms) ->
  EX P n e (fun s => (passes (chk f (m0 :: ms)) e s)%:R) <= vbound j eps (size (m0 :: ms)).
Proof.
move=> /allP al; rewrite /vbound; set eta : R := eta_ j; apply: le_trans (passes_le kP _ _ _) _.
have nr m : m \in m0 :: ms -> near pi eta (kpow P m).
  by move=> /al h; exact: (mixing_ge kP dpi stP mixP h).
have eta0 : 0 <= eta by rewrite /eta /eta_; nonneg.
rewrite W_chk -[size (m0 :: ms)]/(size ms).+1 -size_Ks.
apply: (lemmaV_start dpi eta0 _ piF eps0 eps1); first exact: f01.
- exact: (kernel_pow m0 kP).
- by apply: nr; rewrite in_cons eqxx.
- by apply: all_goodKs => // m h; apply: nr; rewrite in_cons h orbT.
Qed.
End OneTest.

End Chain.

(** (A) on the Ex-BMDP tape, uniformly over a class of classifiers *)
Section CycleTest.
Variables (R : realFieldType) (E X S : finType) (P : E -> E -> R) (pi : E -> R).
Variables (Q : S -> E -> X -> R) (t : nat).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t.+1).
Hypothesis kQ : forall s e, distr (Q s e).

(** samples: (gap, gap, endogenous state); classifier f *)
Definition sep (f : pred X) (l : seq (nat * nat * S)) : pred (seq (EZ E X S)) := fun tr =>
  if tr is w :: tape then
    passes (pairs [seq (x.1, fun w : EZ E X S => f (w.2 x.2)) | x <- l]) w tape else false.

(** NB: the class is an indexed family; [seq (pred X)] runs into a universe inconsistency *)
Theorem cycle_test n mu l (F : finType) (cl : F -> pred X) : distr mu ->
  all (fun x => (t.+1 <= x.1.1) && (t.+1 <= x.1.2))%N l ->
  Pr (PZ P Q) n (lift Q mu) (fun tr => [exists f, sep (cl f) l tr])
  <= #|F|%:R * (9%:R / 16%:R) ^+ size l.
Proof.
move=> dmu al; have dm := distr_lift kQ dmu; have kZ := kernel_PZ kP kQ.
apply: le_trans (Pr_exists kZ n (fun f => sep (cl f) l) dm) _.
rewrite mulr_natl -sumr_const; apply: ler_sum => f _; apply: Pr_le => // w; rewrite /sep.
set l' := map _ l; rewrite -(_ : size l' = size l); last by rewrite size_map.
apply: (pairs_le kZ (distr_lift kQ dpi) (stat_PZ stP kQ) (mixed_Z kQ mixP)).
by rewrite all_map.
Qed.

(** the paper's Lemma 1 with observations: [A] is any event of the tape up to [t1] (in
    particular of x_{<= t1}, whatever the actions), [s] the endogenous state at [t2] *)
Theorem lemma1_obs n mu t1 t2 A (f : pred X) s : distr mu -> (t1 + t.+1 <= t2 <= n)%N ->
  `| Pr (PZ P Q) n (lift Q mu) (fun tr => A (take t1.+1 tr) && at_ t2 (fun w : EZ E X S => f (w.2 s)) tr)
     - p_ pi Q f s * Pr (PZ P Q) n (lift Q mu) (fun tr => A (take t1.+1 tr)) |
  <= 4%:R^-1 * Pr (PZ P Q) n (lift Q mu) (fun tr => A (take t1.+1 tr)).
Proof.
move=> dmu ht; rewrite -(p_E pi kQ).
exact: (lemma1 (kernel_PZ kP kQ) A (fun w : EZ E X S => f (w.2 s)) (distr_lift kQ dpi)
  (stat_PZ stP kQ) (mixed_Z kQ mixP) (distr_lift kQ dmu) ht).
Qed.

(** (B) uniformly over the class: samples of endogenous state [s], gaps >= t_mix after the
    first; "f must answer b on state s" *)
Theorem encoder_test n mu m0 ms (F : finType) (cl : F -> pred X) s b (eps : R) : distr mu ->
  0 <= eps -> eps <= 1 -> all (leq t.+1) ms ->
  Pr (PZ P Q) n (lift Q mu) (fun tr => [exists f, (p_ pi Q (fun x => cl f x == b) s <= 1 - eps) &&
     if tr is w :: tape then
       passes (chk (fun w : EZ E X S => cl f (w.2 s) == b) (m0 :: ms)) w tape else false])
  <= #|F|%:R * (8%:R / 3%:R * (1 - eps / 3%:R) ^+ size (m0 :: ms)).
Proof.
move=> dmu e0 e1 al; have dm := distr_lift kQ dmu; have kZ := kernel_PZ kP kQ.
apply: le_trans (Pr_exists kZ n _ dm) _.
rewrite mulr_natl -sumr_const; apply: ler_sum => f _; apply: Pr_le => // w.
case: (leP (p_ _ _ _ _) _) => /= [h|_].
  apply: (lemma2_traj kZ (distr_lift kQ dpi) (stat_PZ stP kQ) (mixed_Z kQ mixP)) => //.
  by rewrite (p_E pi kQ (fun x => cl f x == b) s).
rewrite EXc // mulr_ge0 ?exprn_ge0 //; first by nonneg.
by by_cert (3%:R^-1 * (1 - eps) + 2%:R / 3%:R).
Qed.
End CycleTest.
