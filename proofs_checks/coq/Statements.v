(** * The theorems, as statements

    This file and [Model.v] are the two files that a reader has to believe. [Theorems.v] proves each
    statement and prints what its proof rests on. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Export Model.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** The paper's Lemma 1
    The actions are a fixed sequence [a]. Given anything that was seen up to time [t1], an observation at
    time [t2], at least the mixing time later, is judged 1 by [f] with the stationary chance, up to 1/4.
    Written without division: [past] is any event of [x_0, ..., x_t1]. (The printed lemma has no [0 < t]; with
    a mixing time of 0 and [t1 = t2] it would be false.) *)
Definition lemma_1 : Prop :=
  forall (R : realFieldType) (X A : finType) (M : world R X A) (t t1 t2 : nat) (a : nat -> A)
    (s : state M) (mu : noise M -> R) (past : pred (seq X)) (f : pred X),
  ex_bmdp M -> (0 < t)%N -> mixes_within M t -> distr mu -> (t1 + t <= t2)%N ->
  let act (h : seq X) := a (size h).-1 in
  let s2 := foldl (step M) s [seq a i | i <- iota 0 t2] in
  let seen := chance act t2 s mu (fun h => past (take t1.+1 h)) in
  `| chance act t2 s mu (fun h => past (take t1.+1 h) && has f (drop t2 h)) - seen_in s2 f * seen |
    <= 4%:R^-1 * seen.

(** ** The paper's Lemma 2, with a smaller bound
    A chain, looked at at times [t1 :: ts] that are at least the mixing time apart, is in a set of stationary
    chance at most [1 - eps] each time with chance at most (8/3)(1 - eps/3)^N, where N is the number of
    times. ([Exponential.v]: this is at most the printed bound, 8 exp(-eps N / 3).) *)
Definition lemma_2 : Prop :=
  forall (R : realFieldType) (E : finType) (P : E -> E -> R) (pi mu : E -> R) (t n t1 : nat) (ts : seq nat)
    (f : pred E) (eps : R),
  kernel P -> distr pi -> stationary pi P -> (exists2 t', (t' <= t)%N & mixed P pi t') -> distr mu ->
  0 <= eps <= 1 -> mean pi (fun e => (f e)%:R) <= 1 - eps ->
  path (fun i j => i + t <= j)%N t1 ts -> (last t1 ts <= n)%N ->
  chain P n mu (fun h => all (fun i => if drop i h is e :: _ then f e else false) (t1 :: ts))
    <= 8%:R / 3%:R * (1 - eps / 3%:R) ^+ (size ts).+1.
