(** Claims that count: tests of a call, plans and passes of phase 2, steps of two runs. Each lemma is named
    for its claim; the lines are those of the paper. *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** l. 775-777: position [i] of [L] is compared with at most all [S] states, or, if it shows a new state, with
    those that were known before and those found earlier in this call. There are m new states. *)
Section Comparing.
Variables (known S : nat) (fresh : nat -> bool) (cost : nat -> nat).
Definition new i := \sum_(0 <= j < i) fresh j.
Hypothesis compared : forall i, cost i <= (if fresh i then known + new i else S).

Lemma B18 L : known + new L <= S ->
  2 * (\sum_(0 <= i < L) cost i) <= 2 * ((L - new L) * S + new L * known) + new L * (new L - 1) <= 2 * (S * L).
Proof.
have newS i : new i.+1 = new i + fresh i by rewrite /new big_nat_recr.
have le i : new i <= i by elim: i => [|i IH]; [rewrite /new big_geq | rewrite newS; case: (fresh i); lia].
move=> few; apply/andP; split.
  elim: L few => [|L IH] few; first by rewrite big_geq.
  rewrite big_nat_recr //= newS; move: few; rewrite newS => few.
  have {}IH := IH (leq_trans (leq_add (leqnn _) (leq_addr _ _)) few).
  have := compared L; have := le L; move: (cost L) (new L) (\sum_(0 <= i < L) cost i) few IH => c m s.
  case: (fresh L); rewrite ?addn0 ?addn1 => few IH ml cL; last by rewrite subSn // mulSn; lia.
  by rewrite subSS; nia.
have := le L; move: (new L) few => m few mL; nia.
Qed.
End Comparing.

(** l. 331-339, 948: [have k s] samples of state [s] after [k] plans. If each plan fills a state that lacked
    samples, as long as there is one, then at most |S| plans are made. *)
Lemma P06 (S : finType) (have_ : nat -> S -> nat) d :
  (forall k s, have_ k s <= have_ k.+1 s) ->
  (forall k, (exists s, have_ k s < d) -> exists s, have_ k s < d <= have_ k.+1 s) ->
  exists2 k, k <= #|S| & forall s, d <= have_ k s.
Proof.
move=> grows fills; pose short k := [set s | have_ k s < d].
have : forall n, (exists2 k, k <= n & short k = set0) \/ n + #|short n| <= #|S|.
  elim=> [|n [[k kn e]|le]]; first by right; rewrite max_card.
    by left; exists k => //; apply: leqW.
  case: (set_0Vmem (short n)) => [e|[s]]; first by left; exists n.
  rewrite inE => sn; have [t /andP[t1 t2]] := fills n (ex_intro _ s sn).
  right; rewrite addSnnS; apply: leq_trans le; rewrite leq_add2l; apply: proper_card.
  apply/properP; split; first by apply/subsetP => u; rewrite !inE => h; apply: leq_ltn_trans h.
  by exists t; rewrite !inE // -leqNgt.
move=> /(_ #|S|) [[k kS e]|h].
  by exists k => // s; rewrite leqNgt; have /setP/(_ s) := e; rewrite !inE => ->.
exists #|S| => // s; rewrite leqNgt; have : #|short #|S| | = 0 by lia.
by move/cards0_eq/setP/(_ s); rewrite !inE => ->.
Qed.

(** l. 947: each dataset has a sample at first and gains one in each pass, so d - 1 passes are enough. *)
Lemma D08 (have_ : nat -> nat) d : 0 < have_ 0 -> (forall k, have_ k < have_ k.+1) -> d <= have_ (d - 1).
Proof.
move=> some gain; have : forall k, k < have_ k by elim=> // k IH; apply: leq_ltn_trans (gain k).
by case: d => // d /(_ d); rewrite subn1.
Qed.

(** l. 947-948, sharper: all datasets begin with [2 n] samples and gain one in each pass, so after d - 2 n
    passes all of them have d, and before no one has. *)
Lemma S_D08 (S : Type) (have_ : nat -> S -> nat) n d :
  (forall s, have_ 0 s = 2 * n) -> (forall k s, have_ k.+1 s = (have_ k s).+1) -> 2 * n <= d ->
  (forall s, have_ (d - 2 * n) s = d) /\ forall k s, k < d - 2 * n -> have_ k s < d.
Proof.
move=> start gain le; have e : forall k s, have_ k s = 2 * n + k.
  by elim=> [|k IH] s; rewrite ?start ?gain ?IH; lia.
by split=> [s|k s]; rewrite e; lia.
Qed.

(** l. 953: at most d - 1 passes with samples and |S| without, each of at most [most] steps. *)
Lemma D10 (len : nat -> nat) d S most passes : passes <= d - 1 + S -> (forall i, i < passes -> len i <= most) ->
  \sum_(0 <= i < passes) len i <= (d - 1 + S) * most.
Proof.
move=> few short; apply: (@leq_trans (passes * most)); last by rewrite leq_mul2r few orbT.
rewrite -{2}[passes]subn0 -sum_nat_const_nat big_nat [X in _ <= X]big_nat.
by apply: leq_sum => i /andP[_ /short].
Qed.

(** Located STEEL with the paper's algorithm as a fallback: the first run stops at a tenth of the bound B, the
    second is made only if the first is not accepted, so both together take at most 1.1 B steps. *)
Lemma L1_either_steps B budget first second (accepted : bool) :
  10 * budget <= B -> first <= budget -> second <= (if accepted then 0 else B) ->
  10 * (first + second) <= 11 * B.
Proof. by case: accepted; lia. Qed.
