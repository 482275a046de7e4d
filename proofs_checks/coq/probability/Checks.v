(** Passing a sequence of checks: Lemma 1 as a product over the samples ([lemma1_prod]); the recursion a_n, b_n of
    the validation of located STEEL ([lemmaV]); Lemma 2 without eigenvalues and without [exp] ([lemma2]). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Checks.
Variables (R : realFieldType) (E : finType) (pi : E -> R) (eta : R).
Hypotheses (dpi : distr pi) (eta0 : 0 <= eta).
Implicit Types (g u : E -> R) (K : E -> E -> R).

(** [W l e]: from state [e], run the kernel, then check with pass chance [g], and so on *)
Fixpoint W (l : seq ((E -> E -> R) * (E -> R))) (e : E) : R :=
  if l is (K, g) :: l' then op K (fun x => g x * W l' x) e else 1.

Definition good_step (s : (E -> E -> R) * (E -> R)) :=
  [/\ kernel s.1, near pi eta s.1 & forall e, 0 <= s.2 e <= 1].
Fixpoint all_good l := if l is s :: l' then good_step s /\ all_good l' else True.

Lemma near_op K u a e : kernel K -> near pi eta K -> (forall e, 0 <= u e <= a) ->
  `|op K u e - mean pi u| <= eta * a.
Proof.
move=> k nr h; apply: le_trans (tv_test _ h) _.
  by case: (k e) => _ ->; case: dpi.
apply: ler_wpmul2r (nr e); case/andP: (h e); exact: le_trans.
Qed.

Lemma W_ge0 l e : all_good l -> 0 <= W l e.
Proof.
elim: l e => [|[K g] l IH] e /=; first by rewrite ler01.
case=> -[/= k _ g01] al; apply: mean_ge0 => [|x]; first by case: (k e).
by rewrite mulr_ge0 ?IH //; case/andP: (g01 x).
Qed.

(** Lemma 1 in the form in which the paper uses it (product over the samples) *)
Theorem lemma1_prod l e : all_good l -> W l e <= \prod_(s <- l) (mean pi s.2 + eta).
Proof.
elim: l e => [|[K g] l IH] e /=; first by rewrite big_nil.
case=> -[/= k nr g01] al; rewrite big_cons /=.
set B := \prod_(s <- l) _.
have B0 : 0 <= B by apply: le_trans (W_ge0 e al) (IH e al).
apply: (@le_trans _ _ (B * op K g e)).
  rewrite /op -meanZ; apply: ler_mean => [|x]; first by case: (k e).
  by rewrite [leRHS]mulrC ler_wpmul2l ?IH //; case/andP: (g01 x).
rewrite mulrC; apply: ler_wpmul2r => //.
have := near_op e k nr g01; rewrite ler_norml => /andP[_].
by rewrite ler_subl_addl mulr1.
Qed.

(** *** Lemma V *)
Section LemmaV.
Variables (g : E -> R) (eps : R).
Hypotheses (g01 : forall e, 0 <= g e <= 1) (piG : mean pi g <= 1 - eps).
Hypotheses (eps0 : 0 <= eps) (eps1 : eps <= 1).

(** chance of passing the checks, the first now, the next after K_1, ... *)
Fixpoint u (Ks : seq (E -> E -> R)) (e : E) : R :=
  if Ks is K :: Ks' then g e * op K (u Ks') e else 1.
Fixpoint ab (n : nat) : R * R := if n is n'.+1 then
  let: (a, b) := ab n' in
  (Num.min a (eta * a + b), Num.min b ((1 - eps) * b + eps * eta * a)) else (1, 1).
Definition a_ n := (ab n).1.
Definition b_ n := (ab n).2.
Lemma a_S n : a_ n.+1 = Num.min (a_ n) (eta * a_ n + b_ n).
Proof. by rewrite /a_ /b_ /=; case: (ab n). Qed.
Lemma b_S n : b_ n.+1 = Num.min (b_ n) ((1 - eps) * b_ n + eps * eta * a_ n).
Proof. by rewrite /a_ /b_ /=; case: (ab n). Qed.

Definition good_kernel K := [/\ kernel K, stationary pi K & near pi eta K].
Fixpoint all_goodK Ks := if Ks is K :: Ks' then good_kernel K /\ all_goodK Ks' else True.

(** one step *)
Lemma V_step K v a b : good_kernel K -> (forall e, 0 <= v e <= a) -> mean pi v <= b ->
  let v' := fun e => g e * op K v e in
  [/\ forall e, 0 <= v' e <= Num.min a (eta * a + b) &
      mean pi v' <= Num.min b ((1 - eps) * b + eps * eta * a)].
Proof.
move=> [k st nr] va vb v'.
have v0 e : 0 <= v e by case/andP: (va e).
have Kv0 e : 0 <= op K v e by apply: mean_ge0 => //; case: (k e).
have g0 e : 0 <= g e by case/andP: (g01 e).
have g1 e : 0 <= 1 - g e by rewrite subr_ge0; case/andP: (g01 e).
have v'K e : v' e <= op K v e by rewrite /v'; by_cert ((1 - g e) * op K v e).
have Kva e : op K v e <= a by apply: mean_le => // x; case/andP: (va x).
have nv e : mean pi v - eta * a <= op K v e <= eta * a + mean pi v.
  have := near_op e k nr va; rewrite ler_norml => /andP[h1 h2].
  by rewrite ler_subl_addr -ler_subl_addl -opprB ler_oppl h1 -ler_subl_addr h2.
split=> [e|].
  rewrite le_minr mulr_ge0 //= (le_trans (v'K e)) //=; apply: le_trans (v'K e) _.
  by case/andP: (nv e) => _ h; apply: le_trans h _; rewrite ler_add2l.
have p0 : 0 <= mean pi (fun e => (1 - g e) * op K v e).
  by apply: mean_ge0 => [|e]; [case: dpi | rewrite mulr_ge0].
have pv' : mean pi v' = mean pi v - mean pi (fun e => (1 - g e) * op K v e).
  rewrite -[in RHS](mean_stat v st) -meanB; apply: mean_eq => e; rewrite /v'; ring.
have pv'v : mean pi v' <= mean pi v by rewrite pv' ler_subl_addr ler_addl.
rewrite le_minr (le_trans pv'v vb) /=.
case: (leP (mean pi v) (eta * a)) => [small|/ltW big].
  apply: le_trans pv'v _; have e1 : 0 <= 1 - eps by rewrite subr_ge0.
  by by_cert ((1 - eps) * (b - mean pi v) + eps * (eta * a - mean pi v)).
have lb : (1 - mean pi g) * (mean pi v - eta * a) <= mean pi (fun e => (1 - g e) * op K v e).
  have -> : (1 - mean pi g) * (mean pi v - eta * a) = mean pi (fun e => (mean pi v - eta * a) * (1 - g e)).
    by rewrite meanZ meanB (mean_const _ dpi) mulrC.
  apply: ler_mean => [|e]; first by case: dpi.
  by rewrite mulrC ler_wpmul2l //; case/andP: (nv e).
rewrite pv'; move: lb; set q := mean pi (fun e => (1 - g e) * op K v e); set p := mean pi v in vb big * => lb.
have := piG; set G := mean pi g in lb * => piG'.
have e1 : 0 <= 1 - eps by rewrite subr_ge0.
have eG : 0 <= 1 - eps - G by rewrite subr_ge0.
by by_cert ((1 - eps) * (b - p) + (q - (1 - G) * (p - eta * a)) + (1 - eps - G) * (p - eta * a)).
Qed.

Theorem lemmaV Ks : all_goodK Ks ->
  (forall e, 0 <= u Ks e <= a_ (size Ks)) /\ mean pi (u Ks) <= b_ (size Ks).
Proof.
elim: Ks => [_|K Ks IH] /=.
  by rewrite /a_ /b_ /=; split=> [e|]; rewrite ?lexx ?ler01 // mean_const.
by case=> gk /IH[h1 h2]; rewrite a_S b_S; case: (V_step gk h1 h2).
Qed.

Lemma ab_ge0 n : 0 <= a_ n /\ 0 <= b_ n.
Proof.
have e1 : 0 <= 1 - eps by rewrite subr_ge0.
elim: n => [|n [IHa IHb]]; first by rewrite /a_ /b_ /= ler01.
by rewrite a_S b_S !le_minr IHa IHb /=; split; nonneg.
Qed.

(** start law within eta of pi *)
Theorem lemmaV_start mu Ks : distr mu -> tv mu pi <= eta -> all_goodK Ks ->
  mean mu (u Ks) <= b_ (size Ks) + eta * a_ (size Ks).
Proof.
move=> dmu near_mu al; have [h1 h2] := lemmaV al.
have := @tv_test _ _ mu pi (u Ks) (a_ (size Ks)); case: dmu => _ ->.
case: dpi => _ -> /(_ erefl h1); rewrite ler_norml => /andP[_ h3].
have [a0 _] := ab_ge0 (size Ks).
move: h3; set m := mean mu _; set T := tv mu pi in near_mu *; set A := a_ _ in a0 *; set B := b_ _ in h2 *.
set p := mean pi _ in h2 * => h3.
by by_cert ((B - p) + (eta - T) * A + (T * A - (m - p))).
Qed.

(** closed form of the recursion, any admissible (rho, r) *)
Lemma ab_geom rho r : 0 <= rho -> 1 <= r -> 0 <= r ->
  (1 - eps) + eps * eta * r <= rho -> eta * r + 1 <= rho * r ->
  forall n, b_ n <= rho ^+ n /\ a_ n <= r * rho ^+ n.
Proof.
move=> rho0 r1 r0 h1 h2; elim=> [|n [IHb IHa]]; first by rewrite !expr0 mulr1 /a_ /b_ /=.
rewrite a_S b_S !le_minl exprS; set q : R := rho ^+ n in IHa IHb *.
have q0 : 0 <= q by rewrite exprn_ge0.
have e1 : 0 <= 1 - eps by rewrite subr_ge0.
split; apply/orP; right.
  by by_cert ((1 - eps) * (q - b_ n) + eps * eta * (r * q - a_ n) + (rho - ((1 - eps) + eps * eta * r)) * q).
by by_cert (eta * (r * q - a_ n) + (q - b_ n) + (rho * r - (eta * r + 1)) * q).
Qed.
End LemmaV.
End Checks.

(** *** Lemma 2: eta = 1/4, rho = 1 - eps/3 <= exp(-eps/3).
    First check time arbitrary (the first kernel [K0] is any kernel, start law arbitrary),
    constant 8/3 instead of the paper's 8. *)
Section Lemma2.
Variables (R : realFieldType) (E : finType) (pi : E -> R) (g : E -> R) (eps : R).
Hypotheses (dpi : distr pi) (g01 : forall e, 0 <= g e <= 1) (piG : mean pi g <= 1 - eps).
Hypotheses (eps0 : 0 <= eps) (eps1 : eps <= 1).

Theorem lemma2 mu Ks : distr mu -> all_goodK pi 4%:R^-1 Ks ->
  mean mu (u g Ks) <= 8%:R / 3%:R * (1 - eps / 3%:R) ^+ size Ks.
Proof.
move=> dmu al; set rho := 1 - eps / 3%:R.
have q0 : 0 <= 4%:R^-1 :> R by rewrite invr_ge0 ler0n.
have rho0 : 0 <= rho by rewrite /rho; by_cert (3%:R^-1 * (1 - eps) + 2%:R / 3%:R).
have r1 : 1 <= 8%:R / 3%:R :> R by by_cert (5%:R / 3%:R : R).
have r0 : 0 <= 8%:R / 3%:R :> R by nonneg.
have h1 : (1 - eps) + eps * 4%:R^-1 * (8%:R / 3%:R) <= rho by rewrite /rho; by_cert (0 * eps).
have h2 : 4%:R^-1 * (8%:R / 3%:R) + 1 <= rho * (8%:R / 3%:R).
  by rewrite /rho; by_cert (8%:R / 9%:R * (1 - eps) + 9%:R^-1).
have [h3 _] := lemmaV dpi g01 piG eps0 eps1 al.
have [_ h4] := ab_geom q0 eps0 eps1 rho0 r1 r0 h1 h2 (size Ks).
by apply: mean_le => // e; apply: le_trans h4; case/andP: (h3 e).
Qed.
End Lemma2.

