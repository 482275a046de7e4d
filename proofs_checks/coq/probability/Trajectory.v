(** The probability of finite trajectories of a chain: the Markov property, the union bound, checks at fixed times,
    and events that begin at a time which the past decides ([run_until_le]). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Traj.
Variables (R : realFieldType) (E : finType) (P : E -> E -> R).
Implicit Types (e : E) (s : seq E) (F G : seq E -> R) (A B : pred (seq E)).

(** weight of the path [e :: s], given its first state *)
Fixpoint wt e s : R := if s is x :: s' then P e x * wt x s' else 1.

(** expectation of [F] (a function of the next [n] states) from [e] *)
Definition EX n e F : R := \sum_(t : n.-tuple E) wt e t * F t.

(** probability of an event on trajectories of n+1 states, start law [mu] *)
Definition Pr n (mu : E -> R) A : R := mean mu (fun e => EX n e (fun s => (A (e :: s))%:R)).

Lemma sum_tuple0 (F : 0.-tuple E -> R) : \sum_t F t = F [tuple].
Proof. by rewrite (big_pred1 [tuple]) // => t; apply/esym/eqP/tuple0. Qed.

Lemma sum_tupleS n (F : n.+1.-tuple E -> R) :
  \sum_t F t = \sum_x \sum_(t : n.-tuple E) F [tuple of x :: t].
Proof.
rewrite pair_big /=.
rewrite (reindex (fun p : E * n.-tuple E => [tuple of p.1 :: p.2])) /=.
  by apply: eq_bigl.
exists (fun t => (thead t, [tuple of behead t])) => [[x t] _|t _] /=.
  by congr (_, _); apply: val_inj.
by rewrite [in RHS](tuple_eta t).
Qed.

Lemma EX0 e F : EX 0 e F = F [::].
Proof. by rewrite /EX sum_tuple0 mul1r. Qed.

Lemma EXS n e F : EX n.+1 e F = \sum_x P e x * EX n x (fun s => F (x :: s)).
Proof.
rewrite /EX sum_tupleS; apply: eq_bigr => x _ /=.
by rewrite mulr_sumr; apply: eq_bigr => t _; rewrite mulrA.
Qed.

Lemma EX_eq n e F G : (forall s, size s = n -> F s = G s) -> EX n e F = EX n e G.
Proof. by move=> h; apply: eq_bigr => t _; rewrite h ?size_tuple. Qed.

(** Markov property *)
Lemma EX_cat m n e F :
  EX (m + n) e F = EX m e (fun s => EX n (last e s) (fun s' => F (s ++ s'))).
Proof.
elim: m e F => [|m IH] e F; first by rewrite add0n EX0.
by rewrite addSn !EXS; apply: eq_bigr => x _; rewrite IH.
Qed.

Lemma EX_last n e h : EX n e (fun s => h (last e s)) = op (kpow P n) h e.
Proof.
elim: n e => [|n IH] e; first by rewrite EX0 op_id.
by rewrite EXS /= op_comp; apply: eq_bigr => x _ /=; rewrite IH.
Qed.

Lemma EXZ n e a F : EX n e (fun s => a * F s) = a * EX n e F.
Proof. by rewrite /EX mulr_sumr; apply: eq_bigr => t _; rewrite mulrCA. Qed.
Lemma EXD n e F G : EX n e (fun s => F s + G s) = EX n e F + EX n e G.
Proof. by rewrite /EX -big_split /=; apply: eq_bigr => t _; rewrite mulrDr. Qed.
Lemma EXB n e F G : EX n e (fun s => F s - G s) = EX n e F - EX n e G.
Proof. by rewrite /EX -sumrB; apply: eq_bigr => t _; rewrite mulrBr. Qed.
Lemma EX_sum n e (I : Type) (r : seq I) (F : I -> seq E -> R) :
  EX n e (fun s => \sum_(i <- r) F i s) = \sum_(i <- r) EX n e (F i).
Proof. by rewrite /EX exchange_big /=; apply: eq_bigr => t _; rewrite mulr_sumr. Qed.

Hypothesis kP : kernel P.

Lemma wt_ge0 e s : 0 <= wt e s.
Proof. by elim: s e => [|x s IH] e //=; rewrite ?ler01 ?mulr_ge0 //; case: (kP e). Qed.
Lemma EX_le n e F G : (forall s, size s = n -> F s <= G s) -> EX n e F <= EX n e G.
Proof. by move=> h; apply: ler_sum => t _; apply: ler_wpmul2l; rewrite ?wt_ge0 ?h ?size_tuple. Qed.
Lemma EX_norm n e F : `|EX n e F| <= EX n e (fun s => `|F s|).
Proof.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => t _.
by rewrite normrM ger0_norm ?wt_ge0.
Qed.
Lemma EXc n e a : EX n e (fun=> a) = a.
Proof. by rewrite (EX_last n e (fun=> a)) /op mean_const //; apply: kernel_pow. Qed.

Lemma Pr_sub n mu A B : distr mu -> (forall t, size t = n.+1 -> A t -> B t) -> Pr n mu A <= Pr n mu B.
Proof.
case=> m _ h; apply: ler_mean => // e; apply: EX_le => s hs; rewrite ler_nat.
by have := h (e :: s); rewrite /= hs; case: (A _) => // /(_ erefl isT) ->.
Qed.
(** union bound *)
Lemma Pr_union n mu (I : Type) (r : seq I) (A : I -> pred (seq E)) : distr mu ->
  Pr n mu (fun t => has (fun i => A i t) r) <= \sum_(i <- r) Pr n mu (A i).
Proof.
case=> m _; rewrite /Pr /mean exchange_big /=; apply: ler_sum => e _.
rewrite -mulr_sumr -EX_sum; apply: ler_wpmul2l => //; apply: EX_le => s _.
elim: r => [|i r IH] /=; first by rewrite big_nil.
rewrite big_cons; case: (A i _) => /=; last by rewrite add0r.
by rewrite ler_addl sumr_ge0 // => j _; apply: ler0n.
Qed.
Lemma Pr_exists n mu (I : finType) (A : I -> pred (seq E)) : distr mu ->
  Pr n mu (fun t => [exists i, A i t]) <= \sum_i Pr n mu (A i).
Proof.
move=> d; apply: le_trans (Pr_union n (index_enum I) A d); apply: Pr_sub => // t _.
by case/existsP=> i h; apply/hasP; exists i => //; apply: mem_index_enum.
Qed.
Lemma Pr_le n mu A a : distr mu -> (forall e, EX n e (fun s => (A (e :: s))%:R) <= a) -> Pr n mu A <= a.
Proof. exact: mean_le. Qed.

(** *** the paper's Lemma 1: [A] any event of the first [t1+1] states (multiplicative
    form of the conditional statement), [t2 - t1 >= t_mix] *)
Definition at_ (k : nat) (f : pred E) (tr : seq E) := if drop k tr is x :: _ then f x else false.
Lemma at_E k f e s : (k <= size s)%N -> at_ k f (e :: s) = f (last e (take k s)).
Proof.
elim: k e s => [|k IH] e [|x s] //= h.
by rewrite -IH.
Qed.

Theorem lemma1 pi (t t1 t2 n : nat) mu A (f : pred E) :
  distr pi -> stationary pi P -> mixed P pi t -> distr mu -> (t1 + t <= t2 <= n)%N ->
  `| Pr n mu (fun tr => A (take t1.+1 tr) && at_ t2 f tr)
     - mean pi (fun e => (f e)%:R) * Pr n mu (fun tr => A (take t1.+1 tr)) |
  <= 4%:R^-1 * Pr n mu (fun tr => A (take t1.+1 tr)).
Proof.
move=> dpi st mx [mu0 _] /andP[h1 h2].
pose past tr := A (take t1.+1 tr).
have hd : (t <= t2 - t1)%N by rewrite leq_subRL // (leq_trans (leq_addr _ _) h1).
have nE : n = (t1 + ((t2 - t1) + (n - t2)))%N.
  by rewrite addnA subnKC ?subnKC // (leq_trans (leq_addr _ _) h1).
have t2E : t2 = (t1 + (t2 - t1))%N by rewrite subnKC // (leq_trans (leq_addr _ _) h1).
rewrite /Pr -!meanZ -meanB.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => e _.
rewrite normrM ger0_norm //; apply: ler_wpmul2l => //.
move: hd nE t2E; set d := (t2 - t1)%N; set r := (n - t2)%N => hd nE t2E.
(* split the trajectory at t1 *)
have E1 : EX n e (fun s => (past (e :: s))%:R) = EX t1 e (fun s => (A (e :: s))%:R).
  rewrite nE EX_cat; apply: EX_eq => s ss; rewrite -[RHS](EXc (d + r) (last e s)).
  by apply: EX_eq => s' _; rewrite /past /= take_size_cat.
have E2 : EX n e (fun s => (past (e :: s) && at_ t2 f (e :: s))%:R) =
  EX t1 e (fun s => (A (e :: s))%:R * op (kpow P d) (fun x => (f x)%:R) (last e s)).
  rewrite nE EX_cat; apply: EX_eq => s ss; rewrite -EX_last -EXZ EX_cat.
  apply: EX_eq => s1 s1s; rewrite -[RHS](EXc r (last (last e s) s1)).
  apply: EX_eq => s2 s2s; rewrite /past /= take_size_cat //.
  rewrite at_E; last by rewrite !size_cat ss s1s s2s t2E leq_add2l leq_addr.
  rewrite catA take_size_cat ?size_cat ?ss ?s1s // last_cat.
  by case: (A _); rewrite ?mul1r ?mul0r.
rewrite E1 E2 -!EXZ -EXB; apply: le_trans (EX_norm _ _ _) _; apply: EX_le => s _.
case: (A _) => /=; last by rewrite mul0r !mulr0 subrr normr0.
rewrite mul1r !mulr1.
apply: le_trans (near_op dpi (a := 1) _ (kernel_pow _ kP) (mixed_ge kP dpi st mx hd) _) _.
  by move=> x; case: (f x); rewrite /= ?lexx ler01.
by rewrite mulr1.
Qed.

(** *** checks at fixed times.  [l]: list of (gap, predicate) *)
Fixpoint passes (l : seq (nat * pred E)) e s : bool :=
  if l is (m, f) :: l' then
    [&& (m <= size s)%N, f (last e (take m s)) & passes l' (last e (take m s)) (drop m s)]
  else true.
Definition steps (l : seq (nat * pred E)) :=
  [seq (kpow P mf.1, fun e => (mf.2 e : bool)%:R : R) | mf <- l].

(** the same event by absolute times *)
Fixpoint at_times k (l : seq (nat * pred E)) : seq (nat * pred E) :=
  if l is (m, f) :: l' then ((k + m)%N, f) :: at_times (k + m)%N l' else [::].
Lemma passesE l e s : passes l e s = all (fun kf => at_ kf.1 kf.2 (e :: s)) (at_times 0 l).
Proof.
suff gen k tr : (drop k tr = e :: s) ->
  passes l e s = all (fun kf => at_ kf.1 kf.2 tr) (at_times k l) by apply: gen; rewrite drop0.
elim: l e s k => [|[m f] l IH] e s k //= hk.
rewrite /at_ addnC -drop_drop hk.
case: (leqP m (size s)) => [ms|sm] /=; last by rewrite drop_oversize.
have hd : drop m (e :: s) = last e (take m s) :: drop m s.
  elim: m s e ms {hk IH} => [|m IHm] [|x s] e //= ms.
  exact: IHm.
by rewrite hd; congr (_ && _); apply: IH; rewrite -drop_drop hk.
Qed.

Lemma W_steps_ge0 l e : 0 <= W (steps l) e.
Proof.
elim: l e => [|[m f] l IH] e /=; first exact: ler01.
by apply: mean_ge0 => [|x]; [case: (kernel_pow m kP e) | rewrite mulr_ge0 ?ler0n].
Qed.

Lemma passes_cat n m f l e : (m <= n)%N ->
  EX n e (fun s => (passes ((m, f) :: l) e s)%:R) =
  op (kpow P m) (fun x => (f x)%:R * EX (n - m) x (fun s => (passes l x s)%:R)) e.
Proof.
move=> mn; rewrite -{1}(subnKC mn) EX_cat -EX_last; apply: EX_eq => s sm.
rewrite -EXZ; apply: EX_eq => s' _ /=.
rewrite size_cat sm leq_addr take_size_cat ?drop_size_cat //=.
by case: (f _); rewrite ?mul1r ?mul0r.
Qed.

Theorem passes_le n l e : EX n e (fun s => (passes l e s)%:R) <= W (steps l) e.
Proof.
elim: l n e => [|[m f] l IH] n e; first by rewrite EXc.
case: (leqP m n) => [mn|nm]; last first.
  rewrite (@EX_eq _ _ _ (fun=> 0)) ?EXc ?W_steps_ge0 // => s /= ->.
  by rewrite leqNgt nm.
rewrite passes_cat //=; apply: ler_mean => [|x]; first by case: (kernel_pow m kP e).
by rewrite ler_wpmul2l ?ler0n.
Qed.

Theorem passes_eq n l e : (sumn (unzip1 l) <= n)%N ->
  EX n e (fun s => (passes l e s)%:R) = W (steps l) e.
Proof.
elim: l n e => [|[m f] l IH] n e; first by rewrite EXc.
rewrite [sumn _]/= => h; have mn := leq_trans (leq_addr _ _) h.
rewrite passes_cat //=; apply: op_eq => x.
by rewrite IH // leq_subRL.
Qed.

(** *** stopping rule: wait until [stop past], then an event of the future that may
    depend on the past *)
Fixpoint run_until (stop : pred (seq E)) (ev : seq E -> E -> pred (seq E)) past e s : bool :=
  if stop (rcons past e) then ev (rcons past e) e s
  else if s is x :: s' then run_until stop ev (rcons past e) x s' else false.

Theorem run_until_le (stop : pred (seq E)) (ev : seq E -> E -> pred (seq E)) (beta : R) : 0 <= beta ->
  (forall past e n, stop (rcons past e) -> EX n e (fun s => (ev (rcons past e) e s)%:R) <= beta) ->
  forall n past e, EX n e (fun s => (run_until stop ev past e s)%:R) <= beta.
Proof.
move=> b0 h; elim=> [|n IH] past e.
  case st: (stop (rcons past e)).
    by rewrite (@EX_eq _ _ _ (fun s => (ev (rcons past e) e s)%:R)) ?h // => -[] //=; rewrite st.
  by rewrite EX0 /= st.
case st: (stop (rcons past e)).
  by rewrite (@EX_eq _ _ _ (fun s => (ev (rcons past e) e s)%:R)) ?h // => -[] //= x s; rewrite st.
rewrite EXS; apply: (@mean_le _ _ (P e)) => // x.
apply: le_trans (IH (rcons past e) x); apply: EX_le => s _ /=.
by rewrite st.
Qed.
End Traj.

(** *** rounds: sum of delta / (k (k+1)) *)
Section Rounds.
Variable R : realFieldType.
Lemma telescope n : \sum_(k < n) (k.+1 * k.+2)%:R^-1 = 1 - n.+1%:R^-1 :> R.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0 invr1 subrr.
rewrite big_ord_recr /= IH natrM; field.
by rewrite -[1]/(1%:R) -!natrD !pnatr_eq0.
Qed.
Lemma telescope_le n (delta : R) : 0 <= delta ->
  \sum_(k < n) delta * (k.+1 * k.+2)%:R^-1 <= delta.
Proof.
move=> d0; rewrite -mulr_sumr telescope -[leRHS]mulr1; apply: ler_wpmul2l => //.
by rewrite ler_subl_addr ler_addl invr_ge0 ler0n.
Qed.
End Rounds.
