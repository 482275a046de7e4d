(** Claims about classifiers and tests: what separates two datasets, which period is reported, and
    what a model that is right says about later rows. Each lemma is named for its claim. *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Classifiers.
Variables (X F : Type) (S : eqType) (value : F -> X -> bool) (state : X -> S).
Implicit Types (f g : F) (D : seq X).

Definition separates f (D0 D1 : seq X) := all (fun x => ~~ value f x) D0 && all (value f) D1.
Definition errors f (D0 D1 : seq X) := count (value f) D0 + count (fun x => ~~ value f x) D1.

(** l. 388, 419: a test passes if and only if there is no error. *)
Lemma P13_test f D0 D1 : separates f D0 D1 = (errors f D0 D1 == 0).
Proof.
rewrite addn_eq0 /separates all_count; congr (_ && _).
  by rewrite -(count_predC (value f) D0) -[X in X == _]add0n eqn_add2r eq_sym.
by rewrite all_count -(count_predC (value f) D1) -[X in X == _]addn0 eqn_add2l eq_sym.
Qed.

(** l. 154: a classifier with the least loss separates if some classifier does. *)
Lemma M09 f g D0 D1 : separates g D0 D1 -> (forall h, errors f D0 D1 <= errors h D0 D1) ->
  separates f D0 D1.
Proof. by rewrite !P13_test => /eqP e /(_ g); rewrite e leqn0. Qed.

Hypothesis realizable : forall s, exists f, forall x, value f x = (state x == s).

(** l. 753 *)
Lemma B14 (D0 D1 : seq X) s0 s1 : s0 != s1 -> all (fun x => state x == s0) D0 -> all (fun x => state x == s1) D1 ->
  exists f, separates f D0 D1.
Proof.
move=> ne h0 h1; have [f fP] := realizable s1; exists f; apply/andP; split.
  by apply: sub_all h0 => x /eqP e; rewrite fP e.
by apply: sub_all h1 => x; rewrite fP.
Qed.

(** Located STEEL: if no classifier is 1 on the data of a label and 0 on all other data, then some of the
    other data shows the state of the label. *)
Lemma L1_together (label others : seq X) s : all (fun x => state x == s) label ->
  (forall f, ~~ separates f others label) -> has (fun x => state x == s) others.
Proof.
move=> h no; have [f fP] := realizable s; apply: contraR (no f); rewrite -all_predC => away.
by apply/andP; split; [apply: sub_all away | apply: sub_all h] => x; rewrite fP.
Qed.
End Classifiers.

(** l. 355-359: with F = {1[phi = s]}, a classifier that is 1 on data of a state is the one of this state; so the
    classifiers trained on all D(s) name the state of every observation. *)
Lemma P10 (X : Type) (S : eqType) (state : X -> S) (D : S -> seq X) (f : S -> S) :
  (forall s, 0 < size (D s)) -> (forall s, all (fun x => state x == s) (D s)) ->
  (forall s, all (fun x => state x == f s) (D s)) -> forall s x, (state x == f s) = (state x == s).
Proof.
move=> full shows fits s x; move: (full s) (shows s) (fits s).
by case: (D s) => // y D' _ /= /andP[/eqP e _] /andP[/eqP e' _]; rewrite -e' e.
Qed.

(** The period that is reported: the first of n, n - 1, ..., 2 whose test passes, otherwise 1. *)
Fixpoint reported (passes : pred nat) n :=
  if n is n'.+1 then if n' is 0 then 1 else if passes n then n else reported passes n' else 1.

(** l. 207 *)
Lemma M16 (passes : pred nat) n : let r := reported passes n in
  (forall k, r < k <= n -> 1 < k -> ~~ passes k) /\ (r = 1 \/ 1 < r <= n /\ passes r).
Proof.
elim: n => [|n [IH1 IH2]] /=; first by split=> [k|]; [lia | left].
case: n IH1 IH2 => [|n] IH1 IH2; first by split=> [k|]; [lia | left].
case: ifP => [ok|no]; first by split=> [k|]; [lia | right; split=> //; lia].
split=> [k hk k1|]; first by case: (altP (k =P n.+2)) => [->|ne]; [rewrite no | apply: IH1 => //; lia].
by case: IH2 => [->|[h1 h2]]; [left | right; split=> //; lia].
Qed.

(** l. 561 *)
Lemma A13 (passes : pred nat) p n : 0 < p <= n -> (1 < p -> passes p) ->
  p <= reported passes n /\ (reported passes n = p <-> forall k, p < k <= n -> ~~ passes k).
Proof.
move=> pn ok; have [no yes] := M16 passes n; set r := reported passes n in no yes *.
have pr : p <= r.
  by rewrite leqNgt; apply/negP => lt; have := no p; rewrite ok; lia.
split=> //; split=> [e k hk|h]; first by apply: no; lia.
case: yes => [|[rn pass]]; first by lia.
by apply/eqP; apply: contraLR pass => ne; apply: h; lia.
Qed.

(** ** A model that is right, followed from the right label of one row *)
Section Retraced.
Variables (X F A : Type) (S L : eqType) (value : F -> X -> bool) (state : X -> S).
Variables (T : S -> A -> S) (step : L -> A -> L) (sigma : L -> S).
Hypothesis realizable : forall s, exists f, forall x, value f x = (state x == s).
Hypothesis one_label : injective sigma.
Hypothesis follows : forall l a, T (sigma l) a = sigma (step l a).

(** Each later row shows the state of the label that the model gives it; so does the end of the run. *)
Lemma S_T12_placed l (w : seq A) : foldl T (sigma l) w = sigma (foldl step l w).
Proof. by elim: w l => //= a w IH l; rewrite follows IH. Qed.
(** A classifier for each label is 1 on the rows that get this label and 0 on those that get another. *)
Lemma S_T12_told_apart l : exists f, forall x l', state x = sigma l' -> value f x = (l' == l).
Proof.
have [f fP] := realizable (sigma l); exists f => x l' e; rewrite fP e.
by apply/eqP/eqP => [/one_label|->].
Qed.
(** The same classifier is 0 on rows that show a state without a label. *)
Lemma S_T13_before l : exists f, (forall x l', state x = sigma l' -> value f x = (l' == l)) /\
  forall x, (forall l', state x <> sigma l') -> value f x = false.
Proof.
have [f fP] := realizable (sigma l); exists f; split=> [x l' e|x no]; rewrite fP.
  by rewrite e; apply/eqP/eqP => [/one_label|->].
by apply/eqP => e; case: (no l).
Qed.
End Retraced.
