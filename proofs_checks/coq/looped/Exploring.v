(** Phase 1 of Algorithm 1: words that leave the known part, and the calls of CycleFind (lines 901-925).

    [phase1_ideal]: the ideal run ends after at most |S||A| calls (the first included) with all states and all
    transitions; words have at most |S|(D + 1) actions. *)
From mathcomp Require Import all_ssreflect zify.
From Steel Require Import Statements.
From Steel.looped Require Import Program Algorithm Proposition1 Questions LoopedWord CycleFind.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Choices *)
Lemma nearestP cost B l : l \in B -> nearest cost B \in B /\ better cost (nearest cost B) l.
Proof.
case: B => [//|b B]; rewrite /nearest [head _ _]/=.
suff gen C : let best := foldr (fun l best => if better cost l best then l else best) b C in
    best \in b :: C /\ {in b :: C, forall x, better cost best x}.
  have [h1 h2] := gen (b :: B) => lB; split; last by apply: h2; rewrite inE lB orbT.
  by move: h1; rewrite inE => /predU1P[->|//]; rewrite inE eqxx.
elim: C => [|c C [h1 h2]] /=; first by split=> [|x]; rewrite inE // => /eqP ->; rewrite /better; lia.
set best := foldr _ _ _ in h1 h2 *; case: ifPn => [cb|nb]; split=> [|x].
- by rewrite !inE eqxx orbT.
- rewrite !inE => /or3P[/eqP ->|/eqP ->|xC]; last first.
  + have /h2 : x \in b :: C by rewrite inE xC orbT.
    by move: cb; rewrite /better; lia.
  + by rewrite /better; lia.
  have /h2 : b \in b :: C by rewrite inE eqxx.
  by move: cb; rewrite /better; lia.
- by move: h1; rewrite !inE => /predU1P[->|->]; rewrite ?eqxx ?orbT.
rewrite !inE => /or3P[/eqP ->|/eqP ->|xC]; last by apply: h2; rewrite inE xC orbT.
  by apply: h2; rewrite inE eqxx.
by move: nb; rewrite /better; lia.
Qed.

Section Words.
Variables (A : finType) (acts : seq A).
Hypothesis actsP : forall a, a \in acts.
Lemma words_in n (w : seq A) : size w = n -> w \in words acts n.
Proof.
elim: n w => [|n IH] [|a w] //= [e]; apply/allpairsP; exists (a, w).
by rewrite actsP IH.
Qed.
Lemma words_size n w : w \in words acts n -> size w = n.
Proof. by elim: n w => [|n IH] w /=; [rewrite inE => /eqP -> | case/allpairsP=> -[a v] /= [_ /IH <- ->]]. Qed.
(** The first word has the property, and no shorter one has it. *)
Lemma first_wordP (ok : pred (seq A)) lo n w : ok w -> lo <= size w < lo + n ->
  let v := first_word acts ok lo n in [/\ ok v, lo <= size v & size v <= size w].
Proof.
rewrite /first_word => okw; elim: n lo => [|n IH] lo sw /=; first by lia.
rewrite filter_cat; case e: [seq v <- words acts lo | ok v] => [|v vs] /=; last first.
  have : v \in [seq v <- words acts lo | ok v] by rewrite e inE eqxx.
  by rewrite mem_filter => /andP[okv /words_size ->]; case/andP: sw.
have ne : size w != lo.
  apply/eqP => /words_in wl; have : w \in [seq v <- words acts lo | ok v] by rewrite mem_filter okw.
  by rewrite e.
by have [|h1 /ltnW h2 h3] := IH lo.+1; first by lia.
Qed.
End Words.

Lemma call_bound_mono N tmix ncyc nsamp S m m' : 0 < N -> 0 < tmix -> 0 < ncyc -> m <= m' ->
  call_bound N tmix ncyc nsamp S m <= call_bound N tmix ncyc nsamp S m'.
Proof.
move=> N0 t0 c0 le; rewrite /call_bound leq_add2r; apply: leq_add; last first.
  have := leq_mul (leqnn N.-1) le; rewrite -subn1 !mulnBl !mul1n; lia.
rewrite geq_max !leq_max; apply/andP; split; apply/orP; [left | right]; last first.
  by rewrite leq_add2r leq_mul2r leq_mul2l; apply/orP; right; have := leq_mul (leqnn S) le; lia.
case: ncyc c0 => // c _; rewrite !mulnS -!mulnA; have := leq_mul (leqnn N) le.
move: (N * m) (N * m') => y y' h.
have : (2 * tmix + 3 * y - 2) * c <= (2 * tmix + 3 * y' - 2) * c by rewrite leq_mul2r; lia.
by move: (_ * c) (_ * c); lia.
Qed.

(** Lines 1006-1014: the bound of a call, simplified (there for m = |S|(D + 1)) *)
Lemma call_bound_simple N tmix ncyc nsamp S m : 0 < N -> 0 < tmix -> 0 < ncyc -> 0 < m ->
  call_bound N tmix ncyc nsamp S m <=
  maxn ((2 * tmix + 3 * N * m - 2) * ncyc) (2 * (tmix + S * m - 1) * nsamp + 2 + (N * m - m - tmix)).
Proof.
move=> N0 t0 c0 m0; have le : m <= N * m by rewrite leq_pmull.
have : 2 * tmix + 3 * N * m - 2 <= (2 * tmix + 3 * N * m - 2) * ncyc by rewrite leq_pmulr.
rewrite /call_bound -[3 * N * m]mulnA; move: (N * m) le => x le.
by move: ((_ - 2) * ncyc) (2 * _ * nsamp) => y z; lia.
Qed.
(** Lines 148 and 90: if every state can be reached, then in at most |S| - 1 steps *)
Lemma connected_diameter (S A : finType) (T : S -> A -> S) : (forall s s', exists w, foldl T s w = s') ->
  forall s s', exists2 w, size w <= #|S|.-1 & foldl T s w = s'.
Proof.
move=> conn s s'; have [w <-] := conn s s'; pose e := [rel x y | [exists a, T x a == y]].
have pw : path e s (scanl T s w) by elim: w s => //= a w IH s; rewrite IH andbT; apply/existsP; exists a.
have <- : last s (scanl T s w) = foldl T s w by elim: w s {pw} => //= a w IH s.
case/shortenP: pw => q pq uq _.
have sq : size q < #|S| by rewrite -[(size q).+1]/(size (s :: q)) -(card_uniqP uq) max_card.
suff [v sv <-] : exists2 v, size v = size q & foldl T s v = last s q by exists v; rewrite // sv; case: #|S| sq.
elim: q s pq {uq sq} => [|y q IH] s /=; first by exists [::].
by case/andP=> /existsP[a /eqP <-] /IH[v sv ev]; exists (a :: v); rewrite /= ?sv.
Qed.
(** Lines 797-801: what the printed n_samp. is made for: one call, and all calls together *)
Lemma count_positions (a N D m : nat) : 0 < N -> m <= D.+1 * N -> N * m * (a * N) <= a * (N ^ 4 * D.+1).
Proof.
move=> N0 le; apply: (@leq_trans (N * (D.+1 * N) * (a * N))); first by rewrite leq_mul2r leq_mul2l le !orbT.
have -> : N * (D.+1 * N) * (a * N) = a * (N ^ 3 * D.+1) by rewrite !expnS expn0; ring.
by rewrite leq_mul2l leq_mul2r leq_pexp2l ?orbT.
Qed.
Lemma count_all (a S N D D' : nat) : 0 < N -> S <= N -> D <= D' -> S * a * (N * (S * D.+1)) <= a * (N ^ 4 * D'.+1).
Proof.
move=> N0 le leD; apply: (@leq_trans (N * a * (N * (N * D'.+1)))); first by rewrite !leq_mul.
have -> : N * a * (N * (N * D'.+1)) = a * (N ^ 3 * D'.+1) by rewrite !expnS expn0; ring.
by rewrite leq_mul2l leq_mul2r leq_pexp2l ?orbT.
Qed.

Section Exploring.
Variables (A S : finType) (acts : seq A) (a0 : A) (T : S -> A -> S) (s0 : S).
Hypothesis actsP : forall a, a \in acts.
Variables (N tmix ncyc nsamp Dhat D : nat).
Hypotheses (few : #|S| <= N) (tmix0 : 0 < tmix) (ncyc0 : 0 < ncyc) (nsamp0 : 0 < nsamp).
Hypothesis conn : forall s s', exists2 w, size w <= D & foldl T s w = s'.
Hypothesis D_le : D <= Dhat.
Notation st := (st T s0).
Notation ideal := (ideal T s0).
Notation covered := (covered T s0 tmix ncyc.-1 nsamp.-1).
Notation right_table := (right_table T s0).
Notation inv := (inv T s0 tmix nsamp).
Notation escape := (escape acts Dhat).
Notation call := (call_bound N tmix ncyc nsamp #|S| (#|S| * D.+1)).

Lemma walk_cat (Tm : table A) l w w' : walk Tm l (w ++ w') = obind (walk Tm ^~ w') (walk Tm l w).
Proof. by elim: w l => //= a w IH l; case: (look Tm l a) => //= l'; rewrite IH. Qed.
Lemma walk_right sig Tm l w l' : right_table sig Tm -> l < size sig -> walk Tm l w = Some l' ->
  l' < size sig /\ nth s0 sig l' = foldl T (nth s0 sig l) w.
Proof.
move=> rt; elim: w l => [|a w IH] l lt /=; first by case=> <-.
case e: (look Tm l a) => [l1|//]; have [_ lt1 e1] := rt _ _ _ (look_in e).
by case/(IH _ lt1) => ? ->; rewrite e1.
Qed.

(** Lines 909-914: an incomplete table can be left from every label, in at most D + 1 steps. *)
Lemma leave sig Tm l : uniq sig -> right_table sig Tm -> ~~ complete acts Tm (size sig) -> l < size sig ->
  exists2 w, walk Tm l w = None & 0 < size w <= D.+1.
Proof.
move=> un rt /allPn[l1 +] /allPn[a _]; rewrite mem_iota negbK => /= lt1 /eqP e1 lt.
have [w sw ww] := conn (nth s0 sig l) (nth s0 sig l1).
exists (rcons w a); last by rewrite size_rcons.
rewrite -cats1 walk_cat; case e: (walk Tm l w) => [l2|//] /=.
have [lt2 e2] := walk_right rt lt e.
have -> : l2 = l1 by apply/eqP; rewrite -(nth_uniq s0 lt2 lt1 un) e2 ww.
by rewrite e1.
Qed.
Lemma way_outP sig Tm l : uniq sig -> right_table sig Tm -> ~~ complete acts Tm (size sig) -> l < size sig ->
  walk Tm l (way_out acts Dhat Tm l) = None /\ 0 < size (way_out acts Dhat Tm l) <= D.+1.
Proof.
move=> un rt inc lt; have [w wn sw] := leave un rt inc lt.
have [||/eqP h1 h2 h3] := @first_wordP _ _ actsP (fun w => walk Tm l w == None) 1 Dhat.+1 w.
- exact/eqP.
- by lia.
by rewrite /way_out; split=> //; rewrite h2 (leq_trans h3) //; case/andP: sw.
Qed.
(** Line 921: every piece takes at least one label away ... *)
Lemma fewer_left (f : nat -> option nat) l B : l \in B -> size (undup (pmap f (rem l B))) <= (size B).-1.
Proof.
move=> lB; apply: leq_trans (size_undup _) _; rewrite size_pmap -(size_rem lB); exact: count_size.
Qed.
(** ... and the word leads out from every label. *)
Section Escape.
Variables (sig : seq S) (Tm : table A).
Hypotheses (un : uniq sig) (rt : right_table sig Tm) (inc : ~~ complete acts Tm (size sig)).
Lemma escapeS f b B : let l := nearest (fun l => size (way_out acts Dhat Tm l)) (b :: B) in
  let w := way_out acts Dhat Tm l in
  escape Tm f.+1 (b :: B) = w ++ escape Tm f (undup (pmap (walk Tm ^~ w) (rem l (b :: B)))).
Proof. by []. Qed.
Lemma escapeP f B : size B <= f -> all (ltn^~ (size sig)) B ->
  {in B, forall l, walk Tm l (escape Tm f B) = None} /\ size (escape Tm f B) <= size B * D.+1.
Proof.
elim: f B => [|f IH] [|b B] //; rewrite [size _ <= _]/= => sB all_B; rewrite escapeS.
have [] := nearestP (fun l => size (way_out acts Dhat Tm l)) (mem_head b B).
set l := nearest _ _ => lB _; have [wn /andP[_ w2]] := way_outP un rt inc (allP all_B l lB).
set w := way_out _ _ _ _ in wn w2 *; set B' := undup _.
have sB' : size B' <= size B by exact: fewer_left lB.
have [||esc sz] := IH B'; first exact: leq_trans sB' _.
  apply/allP => l1; rewrite mem_undup mem_pmap => /mapP[l2 /mem_rem l2B e].
  by have [] := walk_right rt (allP all_B _ l2B) (esym e).
split; last first.
  rewrite size_cat mulSn; apply: leq_add; first exact: w2.
  by apply: leq_trans sz _; rewrite leq_mul2r sB' orbT.
move=> l1 l1B; rewrite walk_cat; case: (eqVneq l1 l) => [->|ne]; first by rewrite wn.
case e: (walk Tm l1 w) => [l2|//] /=; apply: esc.
rewrite mem_undup mem_pmap -e; apply: map_f; apply: contraTT l1B => nin.
by rewrite (perm_mem (perm_to_rem lB)) inE (negbTE ne).
Qed.
Lemma escape_ok : let w := escape Tm (size sig) (iota 0 (size sig)) in
  sig != [::] -> [/\ w != [::], forall l, l < size sig -> walk Tm l w = None & size w <= #|S| * D.+1].
Proof.
move=> w sig0; have [||esc sz] := @escapeP (size sig) (iota 0 (size sig)).
- by rewrite size_iota.
- by apply/allP => l; rewrite mem_iota.
have e l : l < size sig -> walk Tm l w = None by move=> lt; apply: esc; rewrite mem_iota.
split=> //; last first.
  apply: leq_trans sz _; rewrite size_iota leq_mul2r; apply/orP; right.
  by rewrite -(card_uniqP un) max_card.
apply/eqP => w0; have := e 0; rewrite w0 lt0n size_eq0 => /(_ sig0) //.
Qed.
End Escape.

(** ** The calls *)
Lemma known_full (sig : seq S) (Tm : table A) : uniq sig -> #|S| * #|A| <= #|known sig Tm| ->
  complete acts Tm (size sig).
Proof.
move=> un le; have kT : known sig Tm = setT.
  by apply/eqP; rewrite eqEcard subsetT cardsT card_prod.
apply/allP => l; rewrite mem_iota => /= lt; apply/allP => a _.
have : (nth s0 sig l, a) \in known sig Tm by rewrite kT inE.
by rewrite inE /= index_uniq // => /andP[].
Qed.
Notation more sig x := (#|S| * #|A| - #|known sig (model x)|).
Lemma phase1_ideal calls h x sig : inv h x sig -> sig != [::] ->
  #|S| * #|A| <= #|known sig (model x)| + calls ->
  let p := phase1 acts a0 N tmix ncyc nsamp Dhat calls x in
  let r := run ideal h p in
  [/\ covered (more sig x * N.-1) (more sig x * (N * (#|S| * D.+1))) (asked ideal h p),
      size r.2 <= size h + more sig x * call &
      exists sig', [/\ inv r.2 r.1 sig', sig' != [::] & complete acts (model r.1) (size sig')]].
Proof.
elim: calls h x sig => [|f IH] h [[[Ds Tm] c] u] sig iv sig0 le p r.
  have [_ /all2_size sD un _ _] := iv.
  have co := known_full un (leq_trans le (eq_leq (addn0 _))).
  have pE : p = Return (Ds, Tm, c, u) by rewrite /p /= sD co.
  by rewrite /r pE; split; [exact: covered0 | exact: leq_addr | exists sig].
have [uE ok un rt _] := iv; have sD := all2_size ok.
case co: (complete acts Tm (size sig)).
  have pE : p = Return (Ds, Tm, c, u) by rewrite /p /= sD co.
  by rewrite /r pE; split; [exact: covered0 | exact: leq_addr | exists sig].
pose w := escape Tm (size sig) (iota 0 (size sig)).
have pE : p = bind (cyclefind a0 N tmix ncyc nsamp w (size h) Ds Tm) (phase1 acts a0 N tmix ncyc nsamp Dhat f).
  by rewrite /p /= sD co -uE.
have [w0 esc sw] := escape_ok un rt (negbT co) sig0; rewrite -/w in w0 esc sw.
have [cv [sig' [k [y [iv' [ext keep] [_ cyc] new steps]]]]] :=
  cyclefind_ideal a0 few tmix0 ncyc0 nsamp0 w0 ok un rt.
have next i : y i.+1 = T (y i) (nth a0 w (i %% size w)) by have [] := cyc i.
have pr := proper_card (cyclefind_learns (T := T) (s0 := s0) un rt ext keep next new w0 esc).
rewrite /r pE run_bind asked_bind; set r1 := run ideal h _ in iv' pr cv steps *; clearbody r1.
have cK : #|known sig' (model r1.1)| <= #|S| * #|A| by rewrite -card_prod max_card.
have sig0' : sig' != [::] by case: ext sig0 => e ->; case: (sig).
have [|cv' steps' ?] := IH r1.2 r1.1 sig' iv' sig0'.
  by move: pr le; rewrite /model /=; lia.
have h1 : (more sig' r1.1).+1 <= more sig (Ds, Tm, c, u) by move: pr cK; rewrite /model /=; lia.
split=> //.
  apply: covered_le (covered_cat cv cv').
    by rewrite -mulSn leq_mul2r h1 orbT.
  apply: (@leq_trans ((more sig' r1.1).+1 * (N * (#|S| * D.+1)))).
    by rewrite mulSn leq_add2r leq_mul2l sw orbT.
  by rewrite leq_mul2r h1 orbT.
apply: leq_trans steps' _; apply: (@leq_trans (size h + (more sig' r1.1).+1 * call)); last first.
  by rewrite leq_add2l leq_mul2r h1 orbT.
rewrite mulSn addnA leq_add2r; apply: leq_trans steps _; rewrite leq_add2l.
by apply: call_bound_mono => //; apply: leq_trans few; apply/card_gt0P; exists s0.
Qed.
End Exploring.
