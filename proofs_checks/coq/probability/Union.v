(** The union bound of the paper's Theorem 1: tests of periods, tests of positions and tests of classifiers, each at
    times that were fixed beforehand. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests.

Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section T1.
Variables (R : realFieldType) (E X S F : finType) (P : E -> E -> R) (pi : E -> R).
Variables (Q : S -> E -> X -> R) (t : nat) (cl : F -> pred X).
Hypotheses (kP : kernel P) (dpi : distr pi) (stP : stationary pi P) (mixP : mixed P pi t.+1).
Hypothesis kQ : forall s e, distr (Q s e).
Notation W := (EZ E X S).

(** the three families of tests, each on a schedule fixed in advance *)
Variables (I1 I2 I3 : finType) (k1 k2 d : nat) (eps : R).
Variable l1 : I1 -> seq (nat * nat * S).
Variables (l2 : I2 -> seq (nat * bool)) (s2 : I2 -> S).
Variables (m3 : I3 -> nat) (l3 : I3 -> seq nat) (s3 : I3 -> S) (b3 : I3 -> bool).
Hypothesis l1P : forall i, size (l1 i) = k1 /\ all (fun x => (t.+1 <= x.1.1) && (t.+1 <= x.1.2))%N (l1 i).
Hypothesis l2P : forall i, [/\ all (fun x => t.+1 <= x.1)%N (l2 i),
  count (fun x => x.2) (l2 i) = k2 & count (fun x => ~~ x.2) (l2 i) = k2].
Hypothesis l3P : forall i, size (m3 i :: l3 i) = d /\ all (leq t.+1) (l3 i).
Hypotheses (eps0 : 0 <= eps) (eps1 : eps <= 1).

Definition on (A : W -> pred (seq W)) (tr : seq W) := if tr is w :: tape then A w tape else false.
(** some classifier separates samples although the endogenous states agree *)
Definition bad1 i (tr : seq W) := [exists f, sep (cl f) (l1 i) tr].
Definition bad2 i (tr : seq W) := [exists f,
  on (passes [seq (x.1, fun w : W => cl f (w.2 (s2 i)) == x.2) | x <- l2 i]) tr].
(** some bad classifier looks perfect on the sample of state s *)
Definition bad3 i (tr : seq W) := [exists f, (p_ pi Q (fun x => cl f x == b3 i) (s3 i) <= 1 - eps) &&
  on (passes (chk (fun w : W => cl f (w.2 (s3 i)) == b3 i) (m3 i :: l3 i))) tr].

Lemma Pr_or n mu (A B : pred (seq W)) : distr mu ->
  Pr (PZ P Q) n mu (fun tr => A tr || B tr) <= Pr (PZ P Q) n mu A + Pr (PZ P Q) n mu B.
Proof.
case=> m _; rewrite /Pr -meanD; apply: ler_mean => // w; rewrite -EXD.
apply: EX_le => [|s _]; first exact: kernel_PZ.
by case: (A _); case: (B _); rewrite /= -natrD ler_nat.
Qed.

Theorem t1_union n mu : distr mu ->
  Pr (PZ P Q) n (lift Q mu) (fun tr => [|| [exists i, bad1 i tr], [exists i, bad2 i tr] | [exists i, bad3 i tr]])
  <= #|I1|%:R * (#|F|%:R * (9%:R / 16%:R) ^+ k1)
   + #|I2|%:R * (#|F|%:R * (9%:R / 16%:R) ^+ k2)
   + #|I3|%:R * (#|F|%:R * (8%:R / 3%:R * (1 - eps / 3%:R) ^+ d)).
Proof.
move=> dmu; have dm := distr_lift kQ dmu; have kZ := kernel_PZ kP kQ.
have many (I : finType) (A : I -> pred (seq W)) b : (forall i, Pr (PZ P Q) n (lift Q mu) (A i) <= b) ->
  Pr (PZ P Q) n (lift Q mu) (fun tr => [exists i, A i tr]) <= #|I|%:R * b.
  move=> h; apply: le_trans (Pr_exists kZ n A dm) _.
  by rewrite mulr_natl -sumr_const; apply: ler_sum => i _.
rewrite -addrA; apply: le_trans (Pr_or _ _ _ dm) (ler_add _ _).
  by apply: many => i; case: (l1P i) => <- ?; apply: (cycle_test kP dpi stP mixP kQ).
apply: le_trans (Pr_or _ _ _ dm) (ler_add _ _).
  apply: (many _ bad2) => i; apply: (many _ (fun f => on _)) => f; apply: Pr_le => // w /=.
  case: (l2P i) => ? ? ?.
  exact: (counts_le kZ (distr_lift kQ dpi) (stat_PZ stP kQ) (mixed_Z kQ mixP) n
            (fun w : W => cl f (w.2 (s2 i)))).
by apply: many => i; case: (l3P i) => <- ?; apply: (encoder_test kP dpi stP mixP kQ).
Qed.
End T1.
