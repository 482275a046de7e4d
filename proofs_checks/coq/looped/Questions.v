(** Which questions can be answered wrongly, and that nothing else can go wrong.

    The ideal answer to a question (h, D0, D1) is: no state is shown both at a time of D0 and at a time
    of D1. It is a function of the actions, not of the noise; so the ideal run of a program is fixed by
    the dynamics and the start.

    - If D1 shows one state that D0 does not show ([clear]), the real answer is always right.
    - If many times of D1 and of D0 show the same state and are at least t_mix apart ([pairs_alike],
      [halves_alike]), a wrong answer needs a classifier that is wrong at all these times.

    [real_is_ideal]: the real run is equal to the ideal run unless one of these events happens, at times
    that are fixed beforehand (the paper's lines 466-468, 561, 788, 923). *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Steel Require Import Statements Kernel Checks Trajectory Tape Tests Union.
From Steel.looped Require Import Program.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Schedules: times with tags *)
Section Schedules.
Variable B : Type.
(** successive times at least [g] apart, the first at least [g] after time [k] *)
Fixpoint spaced g k (l : seq (nat * B)) : bool :=
  if l is (u, _) :: l' then (k + g <= u) && spaced g u l' else true.
(** times as gaps *)
Fixpoint gaps k (l : seq (nat * B)) : seq (nat * B) :=
  if l is (u, b) :: l' then (u - k, b) :: gaps u l' else [::].
Lemma size_gaps k l : size (gaps k l) = size l.
Proof. by elim: l k => //= -[u b] l IH k /=; rewrite IH. Qed.
Lemma gaps_ge g k l : spaced g k l -> all (fun x => g <= x.1) (gaps k l).
Proof. by elim: l k => //= -[u b] l IH k /= /andP[h /IH ->]; rewrite andbT; lia. Qed.
Lemma count_gaps (a : pred B) k l : count (fun x => a x.2) (gaps k l) = count (fun x => a x.2) l.
Proof. by elim: l k => //= -[u b] l IH k /=; rewrite IH. Qed.
Lemma at_gaps (E : finType) (f : B -> pred E) g k l : spaced g k l ->
  at_times k [seq (x.1, f x.2) | x <- gaps k l] = [seq (x.1, f x.2) | x <- l].
Proof.
elim: l k => //= -[u b] l IH k /= /andP[h sp].
by rewrite subnKC ?IH //; lia.
Qed.
Lemma spaced_pairs g (f f' : nat -> nat) (s : nat -> B) i n k : k + g <= f i ->
  (forall i, f i + g <= f' i) -> (forall i, f' i + g <= f i.+1) ->
  spaced g k (flatten [seq [:: (f i, s i); (f' i, s i)] | i <- iota i n]).
Proof. by move=> + h h'; elim: n i k => //= n IH i k ->; rewrite h IH. Qed.
Lemma spaced_iota g (f : nat -> nat) (s : nat -> B) i n k : k + g <= f i ->
  (forall i, f i + g <= f i.+1) -> spaced g k [seq (f i, s i) | i <- iota i n].
Proof. by move=> + h; elim: n i k => //= n IH i k ->; rewrite IH. Qed.
Lemma spaced_cat g M k (l l' : seq (nat * B)) : spaced g k l -> all (fun x => x.1 <= M) l -> k <= M ->
  spaced g M l' -> spaced g k (l ++ l').
Proof.
move=> + + + sp; elim: l k => [|[u b] l IH] k /=.
  by move=> _ _ kM; case: l' sp => //= -[u b] l' /andP[h ->]; rewrite andbT; lia.
by move=> /andP[-> sp'] /andP[uM al] _; apply: IH.
Qed.
Lemma spaced_take g m (l : seq (nat * B)) k : spaced g k l -> spaced g k (take m l).
Proof. by elim: l m k => [|[u b] l IH] [|m] k //= /andP[-> /IH]; apply. Qed.
Lemma spaced_drop g M m (l : seq (nat * B)) k : spaced g k l -> all (fun x => M + g <= x.1) (drop m l) ->
  spaced g M (drop m l).
Proof.
elim: l m k => [|[u b] l IH] [|m] k //= /andP[_ sp]; last exact: IH sp.
by rewrite sp => /andP[->].
Qed.
End Schedules.
Lemma spaced_tag (B C : Type) (f : nat -> B) (f' : nat -> C) g k (D : seq nat) :
  spaced g k [seq (u, f u) | u <- D] = spaced g k [seq (u, f' u) | u <- D].
Proof. by elim: D k => //= u D IH k; rewrite IH. Qed.
(** a list of times, at least [g] apart, the first not before [g] *)
Definition apart g (D : seq nat) := spaced g 0 [seq (u, tt) | u <- D].

Section World.
Variables (E X S A F : finType) (T : S -> A -> S) (s0 : S) (x0 : X).
Variables (cl : F -> pred X) (oracle : seq X -> seq X -> F) (phi : X -> S).
Notation W := (EZ E X S).
(** the state at time [u], when the actions [h] are taken *)
Definition st (h : seq A) u := foldl T s0 (take u h).

Hypothesis oracleP : forall D0 D1 f, separates cl f D0 D1 -> separates cl (oracle D0 D1) D0 D1.
Hypothesis realP : forall s, exists f, forall x, cl f x = (phi x == s).

(** What the tape shows along the actions [h], and the real answers on it *)
Definition ob (tr : seq W) h u : X :=
  if drop u (take (size h).+1 tr) is w :: _ then w.2 (st h u) else x0.
Definition shown tr h := map (ob tr h).
Definition real tr (q : question A) : bool := let: (h, D0, D1) := q in
  separates cl (oracle (shown tr h D0) (shown tr h D1)) (shown tr h D0) (shown tr h D1).
(** The right answers *)
Definition ideal (q : question A) : bool := let: (h, D0, D1) := q in
  ~~ has (mem (map (st h) D0)) (map (st h) D1).

(** The tape shows every state by one of its own observations (this has probability 1). *)
Definition faithful (tr : seq W) := all (fun w : W => [forall s, phi (w.2 s) == s]) tr.

Lemma obE tr h u (g : pred X) s : u <= size h -> size h < size tr -> st h u = s ->
  at_ u (fun w : W => g (w.2 s)) tr = g (ob tr h u).
Proof.
move=> th ht <-; rewrite /at_ /ob; case: tr ht => // w tr ht.
have lt : u < size (take (size h).+1 (w :: tr)) by rewrite size_takel.
by rewrite (drop_nth w) ?(leq_ltn_trans th) // [in RHS](drop_nth w lt) nth_take.
Qed.
Lemma ob_phi tr h u : u <= size h -> size h < size tr -> faithful tr -> phi (ob tr h u) = st h u.
Proof.
move=> th ht /allP fa; have := obE (fun x => phi x == st h u) th ht erefl.
move=> e; apply/eqP; rewrite -e /at_; case: tr ht fa {e} => // w tr ht fa.
rewrite (drop_nth w) ?(leq_ltn_trans th) //.
have /fa/forallP/(_ (st h u)) // : nth w (w :: tr) u \in w :: tr.
by apply: mem_nth; exact: leq_ltn_trans ht.
Qed.

(** ** Kinds of questions *)
Variable g : nat.  (* t_mix *)
(** All times are in the past. *)
Definition past (q : question A) := let: (h, D0, D1) := q in all (leq^~ (size h)) (D0 ++ D1).
(** D1 shows one state, and D0 does not show it. *)
Definition clear (q : question A) := let: (h, D0, D1) := q in
  exists s, all (fun u => st h u == s) D1 /\ all (fun u => st h u != s) D0.
(** [k] pairs of a time of D1 and a later time of D0 that show the same state *)
Definition pair_times (l : seq (nat * nat * S)) := flatten [seq [:: (x.1.1, x.2); (x.1.2, x.2)] | x <- l].
Definition pairs_alike k (q : question A) (l : seq (nat * nat * S)) := let: (h, D0, D1) := q in
  [/\ size l = k, spaced g 0 (pair_times l) &
      all (fun x => [&& x.1.1 \in D1, x.1.2 \in D0, st h x.1.1 == x.2 & st h x.1.2 == x.2]) l].
(** [k] times of D1 and [k] times of D0, all of which show the state [s] *)
Definition halves_alike k (q : question A) (l : seq (nat * bool)) (s : S) := let: (h, D0, D1) := q in
  [/\ count (fun x => x.2) l = k, count (fun x => ~~ x.2) l = k, spaced g 0 l &
      all (fun x => (x.1 \in if x.2 then D1 else D0) && (st h x.1 == s)) l].

Lemma clear_ideal q : clear q -> ideal q.
Proof.
case: q => -[h D0] D1 [s [/allP p1 /allP p0]] /=; apply/hasPn => _ /mapP[u /p1/eqP -> ->].
by apply/negP => /mapP[u' /p0 + e]; rewrite e eqxx.
Qed.
(** No false negative: by realisability, and as the oracle finds a separating classifier if there is one *)
Lemma clear_real tr q : clear q -> past q -> size q.1.1 < size tr -> faithful tr -> real tr q.
Proof.
case: q => -[h D0] D1 [s [/allP p1 /allP p0]] /allP pa /= ht fa.
have [f fE] := realP s; apply: (oracleP (f := f)); apply/andP; split; rewrite all_map; apply/allP => u uin /=.
  by rewrite fE ob_phi ?p0 // pa // mem_cat uin.
by rewrite fE ob_phi ?p1 // pa // mem_cat uin orbT.
Qed.
Lemma pairs_ideal k q l : pairs_alike k.+1 q l -> ideal q = false.
Proof.
case: q => -[h D0] D1 []; case: l => // -[[u1 u0] s] l _ _ /= /andP[/and4P[i1 i0 /eqP e1 /eqP e0] _].
by apply/negbF/hasP; exists (st h u1); [exact: map_f | rewrite /= e1 -e0 map_f].
Qed.
Lemma halves_ideal k q l s : halves_alike k.+1 q l s -> ideal q = false.
Proof.
case: q => -[h D0] D1 [c1 c0 _ /allP al]; apply/negbF/hasP.
have /hasP[[u1 []//] /al/andP[/= i1 /eqP e1] _] : has (fun x => x.2) l by rewrite has_count c1.
have /hasP[[u0 []//] /al/andP[/= i0 /eqP e0] _] : has (fun x => ~~ x.2) l by rewrite has_count c0.
by exists (st h u1); [exact: map_f | rewrite /= e1 -e0 map_f].
Qed.

(** ** The bad events, at gaps as in [t1_union] *)
Definition pair_gaps (l : seq (nat * nat * S)) : seq (nat * nat * S) :=
  (fix go k (l : seq (nat * nat * S)) := if l is (u1, u0, s) :: l' then (u1 - k, u0 - u1, s) :: go u0 l'
   else [::]) 0 l.
Definition pairs_fooled (tr : seq W) l := [exists f, sep (cl f) (pair_gaps l) tr].
Definition halves_fooled (tr : seq W) (l : seq (nat * bool) * S) := [exists f,
  on (passes [seq (x.1, fun w : W => cl f (w.2 l.2) == x.2) | x <- gaps 0 l.1]) tr].

Lemma sep_pairs (f : pred X) l tr : spaced g 0 (pair_times l) -> 0 < size tr ->
  sep f (pair_gaps l) tr = all (fun x => at_ x.1.1 (fun w : W => f (w.2 x.2)) tr &&
                                     at_ x.1.2 (fun w : W => ~~ f (w.2 x.2)) tr) l.
Proof.
case: tr => // w tr + _; rewrite /sep passesE /pair_gaps; move: 0.
elim: l => //= -[[u1 u0] s] l IH k /= /and3P[h1 h0 /IH{}IH].
by rewrite !subnKC ?IH ?andbA //; lia.
Qed.
Lemma pair_gaps_ok l : spaced g 0 (pair_times l) ->
  size (pair_gaps l) = size l /\ all (fun x => (g <= x.1.1) && (g <= x.1.2)) (pair_gaps l).
Proof.
rewrite /pair_gaps /pair_times; move: 0; elim: l => //= -[[u1 u0] s] l IH k /= /and3P[h1 h0 /IH[-> ->]].
by split=> //; rewrite andbT; apply/andP; split; lia.
Qed.
(** A wrong answer is a bad event. *)
Lemma pairs_real k q l tr : pairs_alike k q l -> past q -> size q.1.1 < size tr -> real tr q ->
  pairs_fooled tr l.
Proof.
case: q => -[h D0] D1 [_ sp /allP al] /allP pa ht /= /andP[].
set f := oracle _ _; rewrite !all_map => /allP f0 /allP f1; apply/existsP; exists f.
rewrite sep_pairs //; last by apply: leq_ltn_trans ht.
apply/allP => x /al/and4P[i1 i0 /eqP e1 /eqP e0].
rewrite (obE (cl f) _ ht e1) ?(obE (fun x => ~~ cl f x) _ ht e0) ?pa ?mem_cat ?i1 ?i0 ?orbT //.
by apply/andP; split; [exact: f1 | exact: f0].
Qed.
Lemma halves_real k q l s tr : halves_alike k q l s -> past q -> size q.1.1 < size tr -> real tr q ->
  halves_fooled tr (l, s).
Proof.
case: q => -[h D0] D1 [_ _ sp /allP al] /allP pa ht /= /andP[].
set f := oracle _ _; rewrite !all_map => /allP f0 /allP f1; apply/existsP; exists f.
case: tr ht @f f1 f0 => // w tr ht f f1 f0; rewrite /on passesE.
rewrite (at_gaps (fun b (w : W) => cl f (w.2 s) == b) sp) all_map; apply/allP => -[u b] /= xl.
have /andP[/= i /eqP e] := al _ xl; rewrite (obE (fun x => cl f x == b) _ ht e); last first.
  by rewrite pa // mem_cat; case: b i {xl} => ->; rewrite ?orbT.
case: b i {xl} => i; first by have /= -> := f1 _ i.
by have /= /negbTE -> := f0 _ i.
Qed.

(** ** [covered]: every question is clear, or alike by one of few schedules *)
Variables k1 k2 : nat.
Definition fine (ws1 : seq (seq (nat * nat * S))) (ws2 : seq (seq (nat * bool) * S)) (q : question A) :=
  past q /\ (clear q \/ (exists2 l, l \in ws1 & pairs_alike k1.+1 q l) \/
             (exists2 l, l \in ws2 & halves_alike k2.+1 q l.1 l.2)).
Definition sched1 (l : seq (nat * nat * S)) := (size l == k1.+1) && spaced g 0 (pair_times l).
Definition sched2 (l : seq (nat * bool) * S) :=
  [&& count (fun x => x.2) l.1 == k2.+1, count (fun x => ~~ x.2) l.1 == k2.+1 & spaced g 0 l.1].
Definition covered n1 n2 (qs : seq (question A)) := exists ws1 ws2,
  [/\ (size ws1 <= n1 /\ size ws2 <= n2), all sched1 ws1, all sched2 ws2 &
      forall q, List.In q qs -> fine ws1 ws2 q].

Lemma fine_sub ws1 ws2 us1 us2 q : {subset ws1 <= us1} -> {subset ws2 <= us2} ->
  fine ws1 ws2 q -> fine us1 us2 q.
Proof.
move=> s1 s2 [pa h]; split=> //; case: h => [|[[l li w]|[l li w]]]; first by left.
  by right; left; exists l; first exact: s1.
by right; right; exists l; first exact: s2.
Qed.
Lemma covered_cat n1 n2 m1 m2 qs qs' : covered n1 n2 qs -> covered m1 m2 qs' ->
  covered (n1 + m1) (n2 + m2) (qs ++ qs').
Proof.
move=> [ws1 [ws2 [[z1 z2] a1 a2 h]]] [us1 [us2 [[y1 y2] b1 b2 h']]].
exists (ws1 ++ us1), (ws2 ++ us2); split; rewrite ?all_cat ?a1 ?a2 //.
  by rewrite !size_cat; split; exact: leq_add.
move=> q /(@List.in_app_or _ _ _ _) [/h|/h']; apply: fine_sub => x; rewrite mem_cat => -> //;
  by rewrite orbT.
Qed.
Lemma covered0 n1 n2 : covered n1 n2 [::].
Proof. by exists [::], [::]. Qed.
Lemma covered_le n1 n2 m1 m2 qs : n1 <= m1 -> n2 <= m2 -> covered n1 n2 qs -> covered m1 m2 qs.
Proof.
move=> h1 h2 [ws1 [ws2 [[z1 z2] ? ? ?]]]; exists ws1, ws2; split=> //.
by split; [exact: leq_trans h1 | exact: leq_trans h2].
Qed.
Lemma covered_clear qs : (forall q, List.In q qs -> past q /\ clear q) -> covered 0 0 qs.
Proof. by move=> h; exists [::], [::]; split=> // q /h[? ?]; split=> //; left. Qed.
Lemma covered_pairs q l : past q -> pairs_alike k1.+1 q l -> covered 1 0 [:: q].
Proof.
move=> pa w; exists [:: l], [::]; split=> //=; last first.
  by move=> _ [<-|//]; split=> //; right; left; exists l => //; rewrite inE.
by rewrite andbT /sched1; case: q w {pa} => -[h D0] D1 [-> -> _]; rewrite eqxx.
Qed.
Lemma covered_halves q l s : past q -> halves_alike k2.+1 q l s -> covered 0 1 [:: q].
Proof.
move=> pa w; exists [::], [:: (l, s)]; split=> //=; last first.
  by move=> _ [<-|//]; split=> //; right; right; exists (l, s) => //; rewrite inE.
by rewrite andbT /sched2; case: q w {pa} => -[h D0] D1 [-> -> -> _]; rewrite !eqxx.
Qed.

(** The real run is the ideal run, unless a bad event that is fixed beforehand happens. *)
Theorem real_is_ideal (B : Type) (p : program A B) ws1 ws2 tr :
  (forall q, List.In q (asked ideal [::] p) -> fine ws1 ws2 q) ->
  size (run ideal [::] p).2 < size tr -> faithful tr ->
  ~~ has (pairs_fooled tr) ws1 -> ~~ has (halves_fooled tr) ws2 ->
  run (real tr) [::] p = run ideal [::] p.
Proof.
move=> fi ht fa /hasPn no1 /hasPn no2; apply: run_agree => q qin; have [pa h] := fi q qin.
have hq : size q.1.1 < size tr by apply: leq_ltn_trans ht; exact: asked_size.
case: h => [c|[[l li w]|[[l s] li w]]].
- by rewrite clear_ideal ?clear_real.
- rewrite (pairs_ideal w); apply: contraNF (no1 l li) => r; exact: pairs_real w pa hq r.
- rewrite (halves_ideal w); apply: contraNF (no2 (l, s) li) => r; exact: halves_real w pa hq r.
Qed.
End World.
