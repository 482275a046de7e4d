(** Claims about deterministic graphs: diameter, ways out of what is known, and what must be reachable. Each
    lemma is named for its claim; the lines are those of the paper. *)
From mathcomp Require Import all_ssreflect zify.
From Steel.looped Require Import Exploring.
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

(** ** The known part: transitions [known s a], among states [Q]; known transitions of these lead into [Q]. *)
Variables (Q : {set S}) (known : S -> A -> bool).
Hypothesis inside : forall s a, s \in Q -> known s a -> T s a \in Q.
(** the word follows known transitions only *)
Fixpoint stays s w := if w is a :: w' then known s a && stays (T s a) w' else true.

Lemma stays_cat s w w' : stays s (w ++ w') = stays s w && stays (foldl T s w) w'.
Proof. by elim: w s => //= a w IH s; rewrite IH andbA. Qed.

(** l. 909-914: if some transition of a known state is not known, then from every known state a word of at most
    D + 1 actions leads to a transition that is not known, and all before it are known. *)
Lemma C05 D : (forall s t, exists2 w, size w <= D & foldl T s w = t) ->
  (exists2 t, t \in Q & exists a, ~~ known t a) -> forall s, s \in Q ->
  exists w a, [/\ size w <= D, stays s w & ~~ known (foldl T s w) a].
Proof.
move=> conn [t tQ [a na]] s sQ; have [w le e] := conn s t.
have [st|[i [iw st no]]] : stays s w \/ exists i, [/\ i < size w, stays s (take i w)
    & ~~ known (foldl T s (take i w)) (nth a w i)].
- elim: w s {sQ le e} => [|b w IH] s /=; first by left.
  case: (boolP (known s b)) => [kb|nb] /=; last by right; exists 0; rewrite take0.
  by case: (IH (T s b)) => [|[i [iw st no]]]; [left | right; exists i.+1; split=> //=; rewrite kb].
- by exists w, a; rewrite e.
by exists (take i w), (nth a w i); split=> //; rewrite size_take iw; lia.
Qed.
(** l. 909: in particular such a transition can be reached inside the known part. *)
Lemma C04 : (forall s t, reaches s t) -> (exists2 t, t \in Q & exists a, ~~ known t a) ->
  forall s, s \in Q -> exists w a, stays s w && ~~ known (foldl T s w) a.
Proof.
move=> conn some s sQ; have [|w [a [_ st no]]] := @C05 #|S|.-1 _ some s sQ.
  by move=> x y; have [w sw e] := connected_diameter conn x y; exists w.
by exists w, a; rewrite st.
Qed.

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

(** l. 925: names of different states that are closed under all actions are names of all states. *)
Lemma C09 : (forall s t, reaches s t) -> Q != set0 -> (forall s a, s \in Q -> T s a \in Q) -> Q = setT.
Proof.
move=> conn /set0Pn[s sQ] closed; apply/setP => t; rewrite inE; have [w <-] := conn s t.
by elim: w s sQ => //= a w IH s sQ; apply: IH; apply: closed.
Qed.
End Graphs.

(** ** Tours (l. 939-945) *)
Section Tours.
Variables (S A : finType) (T : S -> A -> S) (D : nat).
Hypothesis conn : forall s t, exists2 w, size w <= D & foldl T s w = t.

(** l. 945: the stops of a tour are different states; each leg, and the way home, takes at most D steps. *)
Lemma D03 (stops : seq S) (leg : nat -> nat) : uniq stops -> 0 < size stops ->
  (forall i, i < size stops -> leg i <= D) -> \sum_(0 <= i < size stops) leg i <= #|S| * D.
Proof.
move=> u some short; apply: (@leq_trans (size stops * D)).
  rewrite -{2}[size stops]subn0 -sum_nat_const_nat big_nat [X in _ <= X]big_nat.
  by apply: leq_sum => i /andP[_ /short].
by rewrite leq_mul2r -(card_uniqP u) max_card orbT.
Qed.
(** l. 945 *)
Lemma D04 (a : A) s : exists2 w, 0 < size w <= D + 1 & foldl T s w = s.
Proof. by have [w le e] := conn (T s a) s; exists (a :: w); rewrite //= addn1 ltnS. Qed.
(** l. 939: a closed tour of at most |S| D steps, lengthened by copies of a loop of at most D + 1 steps until it
    has at least t steps, has at most max(|S| D, t + D) steps. *)
Lemma D01 n l t : n <= #|S| * D -> 0 < l <= D + 1 ->
  t <= n + (t - n + l.-1) %/ l * l <= maxn (#|S| * D) (t + D).
Proof.
move=> nS lD; have := leq_trunc_div (t - n + l.-1) l; have := @ltn_ceil (t - n + l.-1) l.
rewrite mulSn; case: (leqP t n) => h.
  have -> : (t - n + l.-1) %/ l = 0 by rewrite divn_small //; lia.
  by lia.
by move: (_ %/ l * l) => x; lia.
Qed.
(** l. 941: a loop that is inserted into a closed walk leaves it closed, and it visits all that it visited. *)
Lemma D02 s (w1 w2 loop : seq A) k : foldl T s (w1 ++ w2) = s -> foldl T (foldl T s w1) loop = foldl T s w1 ->
  let w := w1 ++ flatten (nseq k loop) ++ w2 in
  foldl T s w = s /\ forall i, i <= size (w1 ++ w2) ->
    exists2 j, j <= size w & foldl T s (take j w) = foldl T s (take i (w1 ++ w2)).
Proof.
move=> closed loops w.
have rep : foldl T (foldl T s w1) (flatten (nseq k loop)) = foldl T s w1.
  by elim: k {w} => //= k IH; rewrite foldl_cat loops IH.
split; first by rewrite !foldl_cat rep -foldl_cat.
move=> i; rewrite size_cat => le; case: (leqP i (size w1)) => iw.
  exists i; first by rewrite !size_cat; lia.
  by rewrite !takel_cat.
have [m em] : exists m, i = size w1 + m by exists (i - size w1); lia.
exists (size w1 + (size (flatten (nseq k loop)) + m)); first by rewrite !size_cat; lia.
rewrite em /w !takeD !(take_size_cat _ erefl, drop_size_cat _ erefl).
by rewrite !foldl_cat rep.
Qed.
End Tours.
