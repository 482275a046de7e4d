(** Located STEEL: what the checker's rules keep true, for every noise

    There is no probability in this file. [steps_ok]: after every prefix of a record that the world can have
    shown, each label stands for one true state, its rows show this state, its transitions are true ones,
    and the current label is the true state. [accept_ok]: what an accepted round says about the world. *)
From mathcomp Require Import all_ssreflect zify.
From Steel Require Import Periods.
From Steel.located Require Import Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** What is assumed and what each class has to prove. [shows x s]: row [x] was seen in state [s], and
    the one-versus-rest classifiers are right on it. [within d P]: all rows of [d] show states in [P].
    [sep_complete] is realisability together with completeness of the decision procedure. *)
Record honest (C : class) (S : finType) (shows : row C -> S -> Prop)
    (within : data C -> pred S -> Prop) : Prop := Honest {
  within_none : forall P, within (none C) P;
  within_single : forall x s (P : pred S), shows x s -> P s -> within (single x) P;
  within_join : forall d d' P, within d P -> within d' P -> within (join d d') P;
  within_sub : forall d (P Q : pred S), (forall s, P s -> Q s) -> within d P -> within d Q;
  sep_complete : forall z o (P : pred S) s,
    within z P -> ~~ P s -> within o (pred1 s) -> sep z o }.

Section Invariant.
Variable C : class.
Variables (nA N : nat).
Notation no_node := (no_node C).
Notation go := (go nA). Notation same := (same nA).

Section World.
Variables (S : finType) (T : S -> nat -> S).
Variables (shows : row C -> S -> Prop) (within : data C -> pred S -> Prop).
Hypothesis H : honest shows within.
Hypothesis few : #|S| <= N.

(** The true world passes through [s, T s a1, ...] and shows these states. *)
Fixpoint consistent s (tr : seq (nat * option (row C))) : Prop :=
  if tr is (a, ox) :: tr' then
    (if ox is Some x then shows x (T s a) else True) /\ consistent (T s a) tr'
  else True.
Definition final s (tr : seq (nat * option (row C))) := foldl T s (map fst tr).

Lemma consistent_cat s t1 t2 :
  consistent s (t1 ++ t2) <-> consistent s t1 /\ consistent (final s t1) t2.
Proof. by elim: t1 s => [|[a ox] t1 IH] s /=; [|rewrite IH]; tauto. Qed.

Lemma final_cat s t1 t2 : final s (t1 ++ t2) = final (final s t1) t2.
Proof. by rewrite /final map_cat foldl_cat. Qed.

(** sigma as a list: the true state of each label ever made. It only grows. *)
Definition means (lab : seq S) l := nth None (map Some lab) l.

Definition node_ok lab s nd :=
  [/\ means lab (rep nd) = Some s,
      forall a l, nth None (out nd) a = Some l -> means lab l = Some (T s a) &
      within (pool nd) (pred1 s)].

Definition nodes_ok lab ns := size lab = size ns /\
  forall l s, means lab l = Some s -> node_ok lab s (nth no_node ns l).

Definition inv lab st s := nodes_ok lab (nodes st) /\ means lab (cur st) = Some s.

Lemma means_lt lab l s : means lab l = Some s -> l < size lab.
Proof.
by case: (ltnP l (size lab)) => // le; rewrite /means nth_default // size_map.
Qed.

Lemma means_cat lab lab' l s : means lab l = Some s -> means (lab ++ lab') l = Some s.
Proof. by move=> e; rewrite /means map_cat nth_cat size_map (means_lt e). Qed.

Lemma node_ok_cat lab lab' s nd : node_ok lab s nd -> node_ok (lab ++ lab') s nd.
Proof. by case=> r o p; split=> // [|a l /o]; apply: means_cat. Qed.

Lemma nodes_ok_cat lab lab' ns ns' :
  nodes_ok lab ns -> size lab' = size ns' ->
  (forall i s, means lab' i = Some s -> node_ok (lab ++ lab') s (nth no_node ns' i)) ->
  nodes_ok (lab ++ lab') (ns ++ ns').
Proof.
move=> [sz ok] sz' ok'; split=> [|l s]; first by rewrite !size_cat sz sz'.
rewrite {1}/means map_cat !nth_cat size_map -sz.
by case: ltnP => _; [move/ok/node_ok_cat; apply|apply: ok'].
Qed.

Lemma root_ok lab st l s :
  nodes_ok lab (nodes st) -> means lab l = Some s -> means lab (root st l) = Some s.
Proof. by case=> _ ok /ok[]. Qed.

Lemma known_ok lab st l s a l' : nodes_ok lab (nodes st) -> means lab l = Some s ->
  known st l a = Some l' -> means lab l' = Some (T s a).
Proof. by case=> _ ok /ok[_ o _] /o. Qed.

Lemma set_ok lab st l s nd : nodes_ok lab (nodes st) -> means lab l = Some s ->
  node_ok lab s nd -> nodes_ok lab (nodes (set_node st l nd)).
Proof.
move=> [sz ok] e okn; split=> [|k s'] /=.
  by rewrite size_set_nth -sz; apply/esym/maxn_idPr/(means_lt e).
by rewrite nth_set_nth /=; case: eqP => [->|_ /ok//]; rewrite e => -[<-].
Qed.

Lemma go_ok lab st s a ox st' : inv lab st s -> go st a ox = Some st' ->
  consistent s [:: (a, ox)] -> exists lab', inv (lab ++ lab') st' (T s a).
Proof.
move=> [ok c] + [sh _]; rewrite /go; set l := root st (cur st).
have cl : means lab l = Some s by apply: root_ok.
case k: known => [l'|].
  have rl := root_ok ok (known_ok ok cl k); set r := root st l' in rl *.
  case: ox sh => [x sh|_] [<-]; exists [::]; rewrite cats0; last by [].
  split=> //=; apply: (set_ok ok rl); have [_ /(_ _ _ rl)[rr ro rp]] := ok.
  by split=> //; apply: (within_join H) => //; apply: (within_single H sh) => /=.
case: ox sh => // x sh; case: ifP => // _ [<-].
exists [:: T s a]; set n := size (nodes st).
have sz : size lab = n by case: ok.
have new : means (lab ++ [:: T s a]) n = Some (T s a).
  by rewrite /means map_cat nth_cat size_map sz ltnn subnn.
split=> //=; apply: (@set_ok _ (Labels _ n) l s) => //; last 1 first.
- have [_ /(_ _ _ cl)[rr ro rp]] := ok; split=> //= [|b k']; first exact: means_cat.
  rewrite nth_set_nth /=; case: eqP => [-> [<-] //|_ /ro]; exact: means_cat.
- apply: nodes_ok_cat => // -[|[]] //= _ [<-]; split=> //= [b k'|].
    by rewrite nth_nil.
  by apply: (within_single H sh) => /=.
exact: means_cat.
Qed.

(** *** Merging *)
Definition one_state lab (p : nat * nat) := exists s, means lab p.1 = Some s /\ means lab p.2 = Some s.

Lemma unify_ok lab (U : nat -> S) o1 o2 :
  let ok o := forall a l, nth None o a = Some l -> means lab l = Some (U a) in
  ok o1 -> ok o2 ->
  ok (unify o1 o2).1 /\ forall p, p \in (unify o1 o2).2 -> one_state lab p.
Proof.
elim: o1 o2 U => [|x o1 IH] [|y o2] U //= k1 k2; try by split.
have {}IH := IH o2 (fun a => U a.+1) (fun a => k1 a.+1) (fun a => k2 a.+1).
case: (unify o1 o2) IH => o more /= [IHo IHm].
have h1 := k1 0; have h2 := k2 0; rewrite /= in h1 h2.
case: x y h1 h2 {k1 k2} => [l|] [k|] h1 h2 /=; split=> //; try by case=> [|a] //=; auto.
by move=> p; rewrite inE => /predU1P[->|/IHm//]; exists (U 0); split; [apply: h1|apply: h2].
Qed.

Lemma redirect_ok lab st high low s : nodes_ok lab (nodes st) ->
  means lab high = Some s -> means lab low = Some s -> nodes_ok lab (nodes (redirect st high low)).
Proof.
move=> [sz ok] eh el; split=> [|l s' e] /=; first by rewrite size_map.
rewrite (nth_map no_node) -?sz ?(means_lt e) //; have [r o p] := ok _ _ e.
by case: eqP => // er; split=> //=; rewrite el -eh -er.
Qed.

Lemma close_ok lab fuel st work st' s : inv lab st s ->
  (forall p, p \in work -> one_state lab p) -> close fuel st work = Some st' -> inv lab st' s.
Proof.
elim: fuel st work => [|f IH] st [|[l1 l2] work] //= [ok c] w; [by case=> <-|by case=> <-|].
have [t [e1 e2]] : one_state lab (l1, l2) by apply: w; rewrite mem_head.
have {}w p : p \in work -> one_state lab p by move=> pin; apply: w; rewrite inE pin orbT.
have {e1 e2} [e1 e2] := (root_ok ok e1, root_ok ok e2).
case: eqP => [_|_]; first by apply: IH.
have el : means lab (minn (root st l1) (root st l2)) = Some t by case: leqP.
have eh : means lab (maxn (root st l1) (root st l2)) = Some t by case: leqP.
move: (minn _ _) (maxn _ _) el eh => low high el eh.
have [_ okn] := ok; have [rl ol pl] := okn _ _ el; have [rh oh ph] := okn _ _ eh.
have := unify_ok ol oh; rewrite -/(node_at st low) -/(node_at st high).
case: (unify _ _) => o more /= [oo om]; apply: IH.
  split=> //; apply: (redirect_ok (s := t)) => //; apply: (set_ok ok el).
  by split=> //; apply: (within_join H).
by move=> p; rewrite mem_cat => /orP[/om|/w].
Qed.

(** Rule 1: pure sets that are not apart show one state. (No set has to be nonempty.) *)
Lemma not_apart d1 d2 s1 s2 : within d1 (pred1 s1) -> within d2 (pred1 s2) ->
  ~~ apart d1 d2 -> s1 = s2.
Proof.
move=> w1 w2; apply: contraNeq => ne.
by rewrite /apart (sep_complete H (s := s2) w1) ?(sep_complete H (s := s1) w2) //= eq_sym.
Qed.

Lemma means_ex lab l : l < size lab -> exists s, means lab l = Some s.
Proof.
move=> lt; case e: (means lab l) => [s|]; first by exists s.
have [s _] : exists s : S, True by case: lab lt {e} => // s; exists s.
by move: e; rewrite /means (nth_map s).
Qed.

Lemma same_ok lab st l1 l2 st' s : inv lab st s -> same st l1 l2 = Some st' -> inv lab st' s.
Proof.
move=> i; have [[sz okn] c] := i; have ok : nodes_ok lab (nodes st) by [].
rewrite /same; case: ifP => // /and3P[]; rewrite -sz => /means_ex[s1 e1] /means_ex[s2 e2].
have {e1 e2} [e1 e2] := (root_ok ok e1, root_ok ok e2).
have [[_ _ w1] [_ _ w2]] := (okn _ _ e1, okn _ _ e2).
move=> /(not_apart w1 w2) es; apply: close_ok => // p; rewrite inE => /eqP->.
by exists s1; rewrite {2}es.
Qed.

Lemma settle_ok lab fuel st l st' s : inv lab st s -> settle nA fuel st l = Some st' -> inv lab st' s.
Proof.
elim: fuel st l => [|f IH] st l i /=; first by case=> <-.
case: twin => [m|]; last by case=> <-.
case e: same => [st1|] //=; exact/IH/(same_ok i e).
Qed.

Lemma settle_all_ok lab st ls st' s : inv lab st s -> settle_all nA st ls = Some st' -> inv lab st' s.
Proof.
rewrite /settle_all; elim: ls st => [|l ls IH] st i /=; first by case=> <-.
case e: settled_at => [st1|]; last by rewrite (_ : foldl _ None ls = None) //; elim: ls {IH}.
exact/IH/(settle_ok i e).
Qed.

(** *** Loops *)
Lemma within_data xs (P : pred S) : (forall x, List.In x xs -> exists2 s, shows x s & P s) ->
  within (data_of xs) P.
Proof.
elim: xs => [|x xs IH] h /=; first exact: (within_none H).
apply: (within_join H); last by apply: IH => y yin; apply: h; right.
by have [|s sh Ps] := h x; [left|apply: (within_single H sh Ps)].
Qed.

(** Different states can be told apart, each from all others together. *)
Lemma told_ok ss : forall ds before, uniq ss -> size ds = size ss ->
  (forall i s, means ss i = Some s -> within (nth (none C) ds i) (pred1 s)) ->
  within before [pred s | s \notin ss] ->
  (told before ds).1 /\ within (told before ds).2 [pred s | s \in ss].
Proof.
elim: ss => [|s ss IH] [|d ds] before //=; first by move=> _ _ _ _; split=> //; apply: (within_none H).
move=> /andP[nin un] [sz] w wb.
have wd : within d (pred1 s) by apply: (w 0).
have [] := IH ds (join before d) un sz (fun i => w i.+1).
  apply: (within_join H).
    by apply: (within_sub H _ wb) => // t /=; rewrite inE negb_or => /andP[].
  by apply: (within_sub H _ wd) => // t /eqP->.
case: told => b after /= -> wa; split=> /=.
  apply: (sep_complete H (P := [pred t | t != s]) _ _ wd) => /=; last by rewrite negbK.
  apply: (within_join H).
    by apply: (within_sub H _ wb) => // t /=; rewrite inE negb_or => /andP[].
  by apply: (within_sub H _ wa) => // t /=; apply: contraTneq => ->.
apply: (within_join H).
  by apply: (within_sub H _ wd) => // t /eqP-> /=; rewrite mem_head.
by apply: (within_sub H _ wa) => // t /= tin; rewrite inE tin orbT.
Qed.

Lemma capped_lcmP m ms : m \in ms -> m %| capped_lcm N ms.
Proof.
elim: ms => //= k ms IH; rewrite inE => /predU1P[->|/IH d]; case: ifP => // _.
  exact: dvdn_lcml.
exact: dvdn_trans d (dvdn_lcmr _ _).
Qed.

Section Looping.
Variables (s : S) (a : nat) (xs : seq (row C)).
Hypothesis cons : consistent s [seq (a, Some x) | x <- xs].
Let g := T ^~ a.

Lemma loop_shows i x : nth None (map Some xs) i = Some x -> shows x (iter i.+1 g s).
Proof.
elim: xs s cons i => [|y ys IH] t /= => [_ i|[sh c] [[<-] //|i e]]; first by rewrite nth_nil.
by rewrite iterSr; apply: IH.
Qed.

Lemma loop_final : final s [seq (a, Some x) | x <- xs] = iter (size xs) g s.
Proof.
rewrite /final -map_comp; elim: xs s => [|y ys IH] t //=.
by rewrite IH -iterS iterSr.
Qed.

(** A residue class of the rows shows one state, if the loop is periodic from there on. *)
Lemma class_pure k m r : 0 < m ->
  (forall q, iter (k + r + q * m).+1 g s = iter (k + r).+1 g s) ->
  within (data_of (stride m.-1 r (drop k xs))) (pred1 (iter (k + r).+1 g s)).
Proof.
move=> m0 per; apply: within_data; apply: strideP => q x; rewrite prednK // map_drop nth_drop => e.
by exists (iter (k + (r + q * m)).+1 g s); [apply: loop_shows|apply/eqP; rewrite addnA per].
Qed.

(** The true period is never refuted. *)
Lemma period_left mu p : 0 < p -> mu + p <= N ->
  (forall i j, mu <= i -> mu <= j -> (iter i g s == iter j g s) = (i == j %[mod p])) ->
  p %| capped_lcm N (left_periods N xs).
Proof.
move=> p0 le per; apply: capped_lcmP; rewrite /left_periods inE.
case: (p =P 1) => //= p1; rewrite mem_filter mem_iota.
have p2 : 2 <= p by case: p p0 p1 {le per} => [|[]].
have pN : p <= N by apply: leq_trans le; apply: leq_addl.
have -> : p < 2 + N.-1 by rewrite add2n prednK // (leq_trans p0).
rewrite p2 /= andbT /not_refuted; apply/orP; right.
have big i : mu <= (N - p + i).+1.
  by rewrite ltnW // ltnS (leq_trans _ (leq_addr _ _)) // leq_subRL // addnC.
pose ss := [seq iter (N - p + r).+1 g s | r <- iota 0 p].
have [] := told_ok (ss := ss) (ds := classes p (drop (N - p) xs)) (before := none C) => //.
- rewrite map_inj_in_uniq ?iota_uniq // => i j; rewrite !mem_iota => /andP[_ ip] /andP[_ jp] /eqP.
  by rewrite per ?big // -!addSn eqn_modDl !modn_small // => /eqP.
- by rewrite !size_map.
- move=> i t e; have := means_lt e; rewrite size_map size_iota => ip.
  move: e; rewrite /means -map_comp (nth_map 0) ?size_iota // nth_iota // add0n => -[<-].
  rewrite (nth_map 0) ?size_iota // nth_iota // add0n; apply: class_pure => // q.
  by apply/eqP; rewrite per -?addnA ?big // addnA -addSn addnC modnMDl.
- exact: (within_none H).
Qed.
End Looping.

Lemma means_catr lab lab' i : means (lab ++ lab') (size lab + i) = means lab' i.
Proof. by rewrite /means map_cat nth_cat size_map ltnNge leq_addr /= addKn. Qed.

Lemma loop_ok lab st s a xs st' : inv lab st s -> loop nA N st a xs = Some st' ->
  consistent s [seq (a, Some x) | x <- xs] ->
  exists lab', inv (lab ++ lab') st' (final s [seq (a, Some x) | x <- xs]).
Proof.
move=> [ok _] + cons; rewrite /loop; case: ifP => // /and3P[_ M0 big] [<-].
rewrite loop_final; set g := T ^~ a.
have [mu [p [p0 le per]]] := eventually_periodic g s.
have {}le : mu + p <= N := leq_trans le few.
have := period_left cons p0 le per; set M := capped_lcm _ _ in M0 big * => pM.
have muS : mu <= (settled N).+1 by rewrite /settled; lia.
have eqM i j : settled N < i -> settled N < j -> i = j %[mod M] -> iter i g s = iter j g s.
  move=> li lj e; apply/eqP; rewrite per ?(leq_trans muS) //.
  by rewrite -(modn_dvdm i pM) -(modn_dvdm j pM) e.
pose lab' := [seq iter (settled N + i).+1 g s | i <- iota 0 M].
have atl i : i < M -> means lab' i = Some (iter (settled N + i).+1 g s).
  by move=> iM; rewrite /means -map_comp (nth_map 0) ?size_iota // nth_iota.
have sz : size (nodes st) = size lab by case: ok.
have ss i : settled N < (settled N + i).+1 by rewrite ltnS leq_addr.
exists lab'; split=> /=; last first.
  rewrite sz means_catr atl ?ltn_mod //; congr Some; apply: eqM => //.
    by rewrite -addn1 (leq_trans _ big) // leq_add2l.
  have x0 : 0 < size xs by apply: leq_trans big; rewrite addn_gt0 M0 orbT.
  rewrite -addSn modnDmr addSn subnKC ?subn1 ?prednK //.
  by rewrite -ltnS prednK // (leq_trans _ big) // -addn1 leq_add2l.
apply: nodes_ok_cat => // [|i t e]; first by rewrite !size_map.
have iM : i < M by have := means_lt e; rewrite size_map size_iota.
move: e; rewrite atl // => -[<-]; rewrite (nth_map 0) ?size_iota // nth_iota // add0n sz.
split=> [|b l|] /=; first by rewrite means_catr atl.
  rewrite nth_set_nth /=; case: eqP => [-> [<-]|_]; last by rewrite nth_nil.
  rewrite means_catr atl ?ltn_mod // -[RHS]/(Some (iter (settled N + i).+2 g s)); congr Some.
  apply: eqM => //; first by rewrite -addnS.
  by rewrite -addSn modnDmr addSn addnS.
apply: (class_pure cons) => // q; apply: eqM => //; first by rewrite -addnA.
by rewrite -addSn addnC modnMDl.
Qed.

(** *** The invariant holds after every prefix of the record
    In a loop, the labels are those from before it, and the rows since then are kept. *)
Definition config_inv lab (c : config C) s :=
  if looping c is Some xs then
    exists2 s1, inv lab (explored c) s1 &
      let tr := [seq (ax.1, Some ax.2) | ax <- rev xs] in consistent s1 tr /\ final s1 tr = s
  else inv lab (explored c) s.

Lemma did_ok lab c a ox c' s : config_inv lab c s -> did nA c a ox = Some c' ->
  consistent s [:: (a, ox)] -> exists lab', config_inv (lab ++ lab') c' (T s a).
Proof.
rewrite /config_inv /did; case: (looping c) => [xs|].
  case: ox => // x [s1 i [c1 f1]] [<-] [sh _] /=; exists [::]; rewrite cats0; exists s1 => //.
  rewrite rev_cons map_rcons -cats1 final_cat f1; split=> //; rewrite consistent_cat f1.
  by split.
move=> i; case: ox => [x|] + cs.
  case e: go => [st1|] //=; case e': settled_at => [st2|] //= [<-] /=.
  by have [lab' i'] := go_ok i e cs; exists lab'; apply: settle_ok i' e'.
case e: go => [st1|] //= [<-] /=; exact: go_ok i e cs.
Qed.

Lemma ended_ok lab c st s : config_inv lab c s -> ended nA N c = Some st ->
  exists lab', inv (lab ++ lab') st s.
Proof.
rewrite /config_inv /ended; case: (looping c) => [xs|]; last first.
  by move=> i [<-]; exists [::]; rewrite cats0.
case e: (rev xs) => [|[a x] xs'] [s1 i /= [cs <-]]; first by case=> <-; exists [::]; rewrite cats0.
case: ifP => // al; case el: loop => [st1|] // es.
have e1 : (a, Some x) :: [seq (ax.1, Some ax.2) | ax <- xs'] = [seq (a, Some y) | y <- x :: unzip2 xs'].
  by congr (_ :: _); elim: xs' al {e cs el} => //= -[b y] xs' IH /= /andP[/eqP -> /IH ->].
have cs' : consistent s1 [seq (a, Some y) | y <- x :: unzip2 xs'] by rewrite -e1.
by rewrite e1; have [lab' i'] := loop_ok i el cs'; exists lab'; apply: settle_all_ok i' es.
Qed.

Lemma said_ok lab c m c' s : config_inv lab c s -> said nA N c m = Some c' ->
  exists lab', config_inv (lab ++ lab') c' s.
Proof.
rewrite /said => i; case e: ended => [st|] //= [<-]; have [lab' i'] := ended_ok i e.
by exists lab'; case: m => //=; exists s.
Qed.

Lemma trace_cons (e : entry C) es : trace (e :: es) = (if e is Did a ox then [:: (a, ox)] else [::]) ++ trace es.
Proof. by case: e. Qed.

Lemma follow_none es : foldl (follow_entry nA N) None es = None :> option (config C).
Proof. by elim: es. Qed.

Lemma config_ok es lab c s c' : config_inv lab c s -> foldl (follow_entry nA N) (Some c) es = Some c' ->
  consistent s (trace es) -> exists lab', config_inv (lab ++ lab') c' (final s (trace es)).
Proof.
elim: es lab c s => [|e es IH] lab c s i; first by case=> <- _; exists [::]; rewrite cats0.
rewrite trace_cons consistent_cat final_cat => f [c1 c2]; move: f.
rewrite [foldl _ _ _]/=; case: e c1 c2 => [a ox|m] c1 c2.
  case e: did => [c1'|]; last by rewrite follow_none.
  have [lab1 i1] := did_ok i e c1 => /(IH _ _ _ i1)/(_ c2)[lab2 i2].
  by exists (lab1 ++ lab2); rewrite catA.
case e: said => [c1'|]; last by rewrite follow_none.
have [lab1 i1] := said_ok i e => /(IH _ _ _ i1)/(_ c2)[lab2 i2].
by exists (lab1 ++ lab2); rewrite catA.
Qed.

Lemma start_ok s : config_inv [:: s] (config0 C) s.
Proof.
split=> //; split=> // -[|[]] //= _ [<-]; split=> //= [a l|]; first by rewrite nth_nil.
exact: (within_none H).
Qed.

Theorem steps_ok es s c st : follow_record nA N es = Some c -> ended nA N c = Some st ->
  consistent s (trace es) -> exists lab, inv lab st (final s (trace es)).
Proof.
move=> f e cs; have [lab i] := config_ok (start_ok s) f cs.
by have [lab' i'] := ended_ok i e; exists (([:: s] ++ lab) ++ lab').
Qed.

(** ** What an accepted round says about the world *)
Hypothesis conn : forall s s', exists w, all (fun a => a < nA) w /\ foldl T s w = s'.

(** the states to be checked along the walk *)
Definition plan_of (st : labels C) w :=
  if follow st (root st (cur st)) w is Some ls then planned (sort leq (undup ls)) ls else [::].

(** [sigma] maps the states of the model onto the true states. It need not be one to one: two states of the
    model may be one true state. Each state of the model is checked at some step of the walk. *)
Record correct (m : model C) (st : labels C) (w : seq nat) (s : S) (sigma : nat -> S) : Prop := Correct {
  current_in : current m < size (table m);
  current_ok : sigma (current m) = s;
  returns : foldl T s w = s;
  hom : forall i a, i < size (table m) -> a < nA ->
    let j := nth 0 (nth [::] (table m) i) a in
    j < size (table m) /\ sigma j = T (sigma i) a;
  onto : forall t, exists2 i, i < size (table m) & sigma i = t;
  visited : forall i, i < size (table m) -> exists v,
    [/\ v < size w, nth None (plan_of st w) v = Some i & foldl T s (take v.+1 w) = sigma i] }.

Lemma next_ok lab (st : labels C) l s a l' : nodes_ok lab (nodes st) -> means lab l = Some s ->
  next st l a = Some l' -> means lab l' = Some (T s a).
Proof.
move=> ok e; rewrite /next; case k: known => [k'|] //= [<-].
exact/root_ok/(known_ok ok e k).
Qed.

Lemma follow_ok lab (st : labels C) l s w ls : nodes_ok lab (nodes st) -> means lab l = Some s ->
  follow st l w = Some ls -> [/\ size ls = size w,
    means lab (last l ls) = Some (foldl T s w) &
    forall j, j < size w -> means lab (nth 0 ls j) = Some (foldl T s (take j.+1 w))].
Proof.
move=> ok; elim: w l s ls => [|a w IH] l s ls e /=; first by case=> <-.
case n: next => [l'|] //; case f: follow => [ls'|] //= [<-].
have e' := next_ok ok e n; have [sz la th] := IH _ _ _ e' f.
by split=> //= [|[|j] lt //=]; [rewrite sz|rewrite take0|apply: th].
Qed.

Lemma closed_ok lab (st : labels C) kept l s w : nodes_ok lab (nodes st) -> closed nA st kept ->
  l \in kept -> means lab l = Some s -> all (fun a => a < nA) w ->
  exists2 l', l' \in kept & means lab l' = Some (foldl T s w).
Proof.
move=> ok /allP cl; elim: w l s => [|a w IH] l s lin e /=; first by exists l.
move=> /andP[lt al]; have /allP/(_ a) := cl l lin.
rewrite mem_iota lt => /(_ isT); case n: next => [l'|] // l'in.
exact: IH l'in (next_ok ok e n) al.
Qed.

Theorem accept_ok lab st s rd seen m : inv lab st s -> accept nA N st rd seen = Some m ->
  exists sigma, correct m st (walk rd) s sigma.
Proof.
move=> [ok c]; rewrite /accept; set l0 := root st (cur st).
have e0 : means lab l0 = Some s by apply: root_ok.
case f: follow => [ls|] //; have [sz la th] := follow_ok ok e0 f.
set kept := sort leq (undup ls); case: (encoders _ _ _).1 => // enc.
case: ifP => // /and5P[/eqP la0 l0in cl le _] [<-] {m}.
have kin l : (l \in kept) = (l \in ls) by rewrite mem_sort mem_undup.
have ku : uniq kept by rewrite sort_uniq undup_uniq.
pose sigma i := odflt s (means lab (nth 0 kept i)).
pose visit i := index (nth 0 kept i) ls.
have vis i : i < size kept -> visit i < size (walk rd).
  by move=> lt; rewrite -sz index_mem -kin mem_nth.
have atv i : i < size kept -> means lab (nth 0 kept i) = Some (foldl T s (take (visit i).+1 (walk rd))).
  by move=> lt; rewrite -(th _ (vis _ lt)) nth_index -?kin ?mem_nth.
have atk i : i < size kept -> means lab (nth 0 kept i) = Some (sigma i).
  by move=> lt; rewrite /sigma atv.
exists sigma; split=> /=; rewrite ?size_map ?index_mem //.
- by rewrite /sigma nth_index // e0.
- by move: la; rewrite la0 e0 => -[].
- move=> i a lt al; rewrite (nth_map 0) // (nth_map 0) ?size_iota // nth_iota // add0n.
  have /allP/(_ _ (mem_nth 0 lt))/allP/(_ a) := cl.
  rewrite mem_iota al => /(_ isT); case n: next => [l'|] //= l'in.
  by rewrite index_mem l'in /sigma nth_index // (next_ok ok (atk _ lt) n).
- move=> t; have [w [al <-]] := conn s t.
  have [l lin e] := closed_ok ok cl l0in e0 al; exists (index l kept); first by rewrite index_mem.
  by rewrite /sigma nth_index // e.
move=> i lt; exists (visit i); split; first exact: vis.
  rewrite /plan_of -/l0 f (nth_map 0) ?size_iota ?sz ?vis // nth_iota ?sz ?vis // add0n.
  by rewrite /= nth_index -?kin ?mem_nth // -/(visit i) eqxx index_uniq.
by have := atv _ lt; rewrite atk // => -[].
Qed.

(** If no two states of the model are one true state, [sigma] is one to one and onto. *)
Corollary isomorphism m st w s sigma : correct m st w s sigma ->
  (forall i j, i < size (table m) -> j < size (table m) -> sigma i = sigma j -> i = j) ->
  size (table m) = #|S|.
Proof.
move=> co inj.
have u : uniq [seq sigma i | i <- iota 0 (size (table m))].
  by rewrite map_inj_in_uniq ?iota_uniq // => i j; rewrite !mem_iota; apply: inj.
have := card_uniqP u; rewrite size_map size_iota => <-; apply: eq_card => t; rewrite !inE.
by have [i lt <-] := onto co t; apply/mapP; exists i; rewrite ?mem_iota.
Qed.
End World.

(** ** The checks of an accepted round *)
Lemma checked_ok (enc : seq (clf C)) pl pass : checked enc pl pass -> size pass = size pl /\
  forall j i, nth None pl j = Some i -> exists2 x, nth None pass j = Some x & name enc x = i.
Proof.
elim: pl pass => [|o pl IH] [|p pass] //=; first by split=> // j i; rewrite nth_nil.
  by case: o.
case: o p => [i|] p; last by move=> /IH[-> ok]; split=> // -[|j] k //=; apply: ok.
case: p => // x /andP[/eqP e /IH[-> ok]].
by split=> // -[|j] k /=; [case=> <-; exists x|apply: ok].
Qed.

(** The model does not depend on the rows that judge it. *)
Lemma accept_inv st rd seen m : accept nA N st rd seen = Some m ->
  accept nA N st rd [::] = Some m /\ all (checked (encoder m) (plan_of st (walk rd))) seen.
Proof.
rewrite /accept /plan_of; case f: follow => [ls|] //; case: (encoders _ _ _).1 => // enc.
by case: ifP => // /and5P[-> -> -> -> ck] [<-] /=.
Qed.
End Invariant.
