(** Claims about deterministic graphs: what must be reachable, and words that lead out of what is known. Each
    lemma is named for its claim; the lines are those of the paper. *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Graphs.
Variables (S A : finType) (T : S -> A -> S).
Implicit Types (s t : S) (w : seq A).
Definition reaches s t := exists w, foldl T s w = t.

(** l. 1653-1655 *)
Lemma I01 : (forall s t, reaches s t \/ reaches t s) ->
  ((forall s t, reaches s t) <-> forall s a, reaches (T s a) s).
Proof.
move=> one; split=> [conn s a|undo]; first exact: conn.
have back w : forall s, reaches (foldl T s w) s.
  elim: w => [|a w IH] s /=; first by exists [::].
  have [w1 e1] := IH (T s a); have [w2 e2] := undo s a.
  by exists (w1 ++ w2); rewrite foldl_cat e1 e2.
by move=> s t; case: (one s t) => // -[w <-]; apply: back.
Qed.

(** l. 1659: after swapping two actions at s, it is still not reachable from where it leads. *)
Lemma I03 s a b : ~ reaches (T s a) s ->
  let T' x c := if x == s then T s (if c == a then b else if c == b then a else c) else T x c in
  T' s b = T s a /\ ~ exists w, foldl T' (T s a) w = s.
Proof.
move=> no T'; split; first by rewrite /T' eqxx eqxx; case: eqP => // ->.
case=> w; have : forall x, reaches (T s a) x -> x != s -> forall w, foldl T' x w = s -> False.
  move=> x rx xs {}w; elim: w x rx xs => [|c w IH] x rx xs /=; first by move/eqP; rewrite (negbTE xs).
  rewrite {2}/T' (negbTE xs) => e; case: (altP (T x c =P s)) => [E|ne].
    by apply: no; case: rx => v ev; exists (rcons v c); rewrite foldl_rcons ev.
  by apply: IH ne e; case: rx => v ev; exists (rcons v c); rewrite foldl_rcons ev.
apply; first by exists [::].
by apply/eqP => e; apply: no; exists [::].
Qed.

(** ** The known part: transitions [known s a], of states of [Q] *)
Variables (Q : {set S}) (known : S -> A -> bool).
(** the word follows known transitions only *)
Fixpoint stays s w := if w is a :: w' then known s a && stays (T s a) w' else true.

(** l. 921: if a word leads out of the known part from every known state, then every repetition of it takes a
    transition that is not known, from every state; so the cycle that it falls into has one. *)
Lemma C07 w : w != [::] -> (forall s a, known s a -> s \in Q) -> (forall s, s \in Q -> ~~ stays s w) ->
  forall s k, ~~ stays (foldl T s (flatten (nseq k w))) w.
Proof.
move=> w0 part out s k; move: (foldl T s _) => t; case: (boolP (t \in Q)) => [/out //|tQ].
by case: w w0 {out} => //= a w _; apply: contra tQ => /andP[/part].
Qed.

(** l. 921: each call makes a transition known, so there are at most |S||A| calls. *)
Lemma C08 (have_ : nat -> {set S * A}) n : (forall k, k < n -> have_ k \proper have_ k.+1) -> n <= #|S| * #|A|.
Proof.
move=> grows; rewrite -card_prod; apply: leq_trans (max_card (mem (have_ n))).
elim: n grows => // n IH grows; apply: leq_ltn_trans (IH _) (proper_card (grows n _)) => // k kn.
by apply: grows; apply: ltnW.
Qed.
End Graphs.
