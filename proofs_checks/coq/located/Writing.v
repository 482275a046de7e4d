(** Located STEEL: the record that a learner writes, and what the checker makes of it

    [accepted]: if the checker accepts the record of a history, then one round in it was opened, paid for and passed.
    [number_lt]: rounds are numbered by their announcements. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect zify.
From Steel Require Import Statements.
Import Located.
From Steel.located Require Import Checker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Writing.
Variables (C : class) (X : finType) (r : X -> row C) (p : parameters) (L : learner C X (action p)).
Notation nA := (actions p).
Notation N := (max_states p).
Notation act := (acts L).
Notation written := (written r (@nat_of_ord _) L).
Notation written_after := (written_after r (@nat_of_ord _) L).
Notation announced := (announced L).
Definition noted h x : option (row C) := if reads L (rcons h x) then Some (r x) else None.

(** actions and rows after [past] *)
Definition log past h := trace (written_after past h).

Lemma trace_cat (u v : record C) : trace (u ++ v) = trace u ++ trace v.
Proof. exact: pmap_cat. Qed.
Lemma trace_announced h : trace (announced h) = [::].
Proof. by rewrite /Located.announced; case: says. Qed.
Lemma log_cons past x h : log past (x :: h) = (nat_of_ord (act past), noted past x) :: log (rcons past x) h.
Proof. by rewrite /log /= trace_cat trace_announced. Qed.
Lemma size_log past h : size (log past h) = size h.
Proof. by elim: h past => // x h IH past; rewrite log_cons /= IH. Qed.
Lemma log_take k past h : log past (take k h) = take k (log past h).
Proof.
elim: h k past => [|x h IH] [|k] past //.
by rewrite log_cons [in RHS]/= -IH -log_cons.
Qed.

Lemma written_after_cat past u v : written_after past (u ++ v) = written_after past u ++ written_after (past ++ u) v.
Proof. by elim: u past => [|x u IH] past /=; rewrite ?cats0 // IH cat_rcons -catA. Qed.
Lemma written_cat u v : 0 < size u -> written (u ++ v) = written u ++ written_after u v.
Proof. by case: u => //= x u _; rewrite written_after_cat catA. Qed.

(** what was written before the last announcement; the number of earlier rounds *)
Definition before h : record C :=
  let h0 := take (size h).-1 h in
  if h0 is [::] then [::]
  else rcons (written h0) (Did (act h0) (if reads L h then last None [seq Some (r x) | x <- h] else None)).
Definition number h := rounds_in (before h).

Lemma before_rcons h x : 0 < size h -> before (rcons h x) = rcons (written h) (Did (act h) (noted h x)).
Proof.
have e : take (size h) (rcons h x) = h by rewrite -cats1 take_size_cat.
by rewrite /before size_rcons [_.-1]/= e map_rcons last_rcons; case: (h).
Qed.
Lemma written_rcons h x : 0 < size h -> written (rcons h x) = before (rcons h x) ++ announced (rcons h x).
Proof. by move=> h0; rewrite before_rcons // -cats1 written_cat // cat_rcons /= cats1 cats0. Qed.
Lemma written_before h : 0 < size h -> written h = before h ++ announced h.
Proof.
case/lastP: h => // h x _; case: (posnP (size h)) => [/size0nil ->|]; last exact: written_rcons.
by rewrite /= cats0.
Qed.
Lemma trace_before h : 0 < size h -> trace (before h) = trace (written h).
Proof. by move=> h0; rewrite (written_before h0) trace_cat trace_announced cats0. Qed.

(** ** Rounds *)
Definition opened h : option (round C * labels C) :=
  if says L h is Some (Validate rd) then
    if follow_record nA N (before h) is Some c then
      if ended nA N c is Some st then if paid p (number h).+1 rd then Some (rd, st) else None else None
    else None
  else None.

Lemma openedP h rd st : opened h = Some (rd, st) -> [/\ says L h = Some (Validate rd), paid p (number h).+1 rd
  & exists2 c, follow_record nA N (before h) = Some c & ended nA N c = Some st].
Proof.
rewrite /opened; case: says => // -[] // rd'; case f: follow_record => [c|] //; case e: ended => [st'|] //.
by case: ifP => // pd [<- <-]; split=> //; exists c.
Qed.

Lemma rounds_cat (u v : record C) : rounds_in (u ++ v) = rounds_in u + rounds_in v.
Proof. exact: count_cat. Qed.
Lemma follow_cat (u v : record C) c : follow_record nA N u = Some c ->
  follow_record nA N (u ++ v) = foldl (follow_entry nA N) (Some c) v.
Proof. by rewrite /follow_record foldl_cat => ->. Qed.

Lemma scan_said c k t m (es : record C) : scan p c k t (Said m :: es) =
  if m is Validate rd then
    if ended nA N c is Some st then
      if judged p k t st rd (stretch es) is Some ans then Some ans else scan p (Config st None) k.+1 t es
    else None
  else obind (fun c' => scan p c' k t es) (said nA N c m).
Proof. by case: m. Qed.

(** a round that passed has passed, whatever comes later *)
Lemma verdict_more st rd k (tr : seq (nat * option (row C))) m :
  verdict nA N st rd (take k tr) = Some m -> verdict nA N st rd tr = Some m.
Proof.
rewrite /verdict; set K := (passes rd).+1 * _; case: eqP => // acts.
suff e : take K (take k tr) = take K tr by rewrite -e acts eqxx.
have : size (unzip1 (take K (take k tr))) = K.
  by rewrite acts size_flatten /shape map_nseq sumn_nseq mulnC.
rewrite size_map => sz; case: (leqP K k) => [le|lt]; first by rewrite take_take.
have := size_take k tr; rewrite -(take_oversize (n := K) (s := take k tr)) ?sz; first by case: ifP; lia.
by rewrite size_take; case: ifP; lia.
Qed.
Lemma stretchE (es : record C) : stretch es = take (size (stretch es)) (trace es).
Proof. by elim: es => // -[a ox|m] es IH /=; [rewrite -IH | rewrite take0]. Qed.

(** an accepted record has an accepted round *)
Lemma scan_from h2 : forall h c m t, 0 < size h -> follow_record nA N (before h) = Some c ->
  scan p c (number h).+1 (size h).-1 (announced h ++ written_after h h2) = Some (m, t) ->
  exists i rd st, let h' := h ++ take i h2 in [/\ i <= size h2, opened h' = Some (rd, st),
    verdict nA N st rd (log h' (drop i h2)) = Some m & t = (size h').-1 + (passes rd).+1 * size (walk rd)].
Proof.
elim: h2 => [|x h2 IH] h c m t h0 fc.
  rewrite cats0 /Located.announced; case sy: says => [[||rd]|] //=; try by case: said.
  case en: ended => [st|] //; rewrite /judged; case: ifP => // pd; case ve: verdict => [m'|] // -[<- <-].
  by exists 0, rd, st; rewrite cats0 /opened sy fc en pd; split=> //; apply: verdict_more ve.
have tail c' : follow_record nA N (written h) = Some c' ->
    scan p c' (rounds_in (written h)).+1 (size h).-1 (written_after h (x :: h2)) = Some (m, t) ->
  exists i rd st, let h' := h ++ take i (x :: h2) in [/\ i <= (size h2).+1, opened h' = Some (rd, st),
    verdict nA N st rd (log h' (drop i (x :: h2))) = Some m
    & t = (size h').-1 + (passes rd).+1 * size (walk rd)].
  move=> fc' /=; case dd: did => [c1|] //= sc.
  have b1 : follow_record nA N (before (rcons h x)) = Some c1.
    by rewrite before_rcons // -cats1 (follow_cat _ fc').
  have s1 : 0 < size (rcons h x) by rewrite size_rcons.
  have [|i [rd [st [le op ve te]]]] := IH _ c1 m t s1 b1.
    by rewrite -sc /number before_rcons // -cats1 rounds_cat addn0 size_rcons prednK.
  by exists i.+1, rd, st; rewrite -cat_rcons.
have wb := written_before h0.
have := wb; rewrite {1 2}/Located.announced; case sy: says => [an|]; last first.
  by rewrite cats0 => wb0 sc; apply: (tail c); rewrite wb0.
move=> wb1; rewrite scan_said.
have next c1 : said nA N c an = Some c1 -> follow_record nA N (written h) = Some c1.
  by move=> sd; rewrite wb1 (follow_cat _ fc) /= sd.
have rounds : rounds_in (written h) = number h + (if an is Validate _ then 1 else 0).
  by rewrite wb1 rounds_cat; case: (an).
case: an sy next rounds {wb1} => [||rd] sy next rounds.
1,2: rewrite addn0 in rounds; case sd: (said _ _ _ _) => [c1|] // sc; apply: (tail c1 (next _ sd));
  by rewrite rounds.
rewrite addn1 in rounds; case en: (ended _ _ _) => [st|] //; case ju: judged => [[m' t']|].
  case=> <- <-; exists 0, rd, st; rewrite cats0.
  move: ju; rewrite /judged; case: ifP => // pd; case ve: verdict => [m''|] // -[<- <-].
  rewrite /opened sy fc en pd; split=> //; apply: (@verdict_more _ _ (size (stretch (written_after h (x :: h2))))).
  by rewrite /log -stretchE.
move=> sc; apply: (tail (Config st None)); last by rewrite rounds.
by apply: next; rewrite /said en.
Qed.

Lemma accepted h m t : accepts p (written h) = Some (m, t) ->
  exists i rd st, let h' := take i.+1 h in [/\ i < size h, opened h' = Some (rd, st),
    verdict nA N st rd (log h' (drop i.+1 h)) = Some m & t = i + (passes rd).+1 * size (walk rd)].
Proof.
case: h => // x h acc.
have [|||i [rd [st [le op ve te]]]] := @scan_from h [:: x] (config0 C) m t => //.
by exists i, rd, st; split=> //; rewrite te /= size_takel.
Qed.

(** the verdict on a record is final *)
Lemma scan_more c k t (es es' : record C) ans : scan p c k t es = Some ans -> scan p c k t (es ++ es') = Some ans.
Proof.
elim: es c k t => // e es IH c k t; rewrite cat_cons; case: e => [a ox|m] /=.
  by case: did => //= c1; apply: IH.
case: m => [||rd]; [by case: said => //= c1; apply: IH|by case: said => //= c1; apply: IH|].
case: ended => // st; rewrite /judged; case: ifP => [pd|_]; last exact: IH.
case: (boolP (all (fun e => if e is Did _ _ then true else false) es)) => [al|no].
  case ve: verdict => [m|] /=; last first.
    rewrite (_ : scan _ _ _ _ es = None) // {IH ve}.
    by elim: es al (Config st None) k.+1 t => // -[a ox|//] es IH al c1 k1 t1 /=; case: did => //= c2; apply: IH.
  have -> : verdict nA N st rd (stretch (es ++ es')) = Some m.
    apply: (@verdict_more _ _ (size (stretch es))).
    rewrite (_ : take _ _ = stretch es) //.
    by elim: es al {IH ve} => [|[a ox|//] es IH al] /=; rewrite ?take0 // IH.
  by [].
have -> : stretch (es ++ es') = stretch es.
  by elim: es no {IH} => // -[a ox|m] es IH //= no; rewrite IH.
by case: verdict => [m|] //=; apply: IH.
Qed.

(** the answer comes within the record *)
Lemma accepted_time h m t : accepts p (written h) = Some (m, t) -> t < size h.
Proof.
case/accepted=> i [rd [st /= [lt _ ve ->]]]; move: ve; rewrite /verdict; set K := _ * _; case: eqP => // acts _.
have : size (unzip1 (take K (log (take i.+1 h) (drop i.+1 h)))) = K.
  by rewrite acts size_flatten /shape map_nseq sumn_nseq mulnC.
by rewrite size_map size_take size_log size_drop; case: ifP; lia.
Qed.

(** rounds are numbered by their announcements *)
Lemma number_lt h i i' rd : i' < i -> i < size h -> says L (take i'.+1 h) = Some (Validate rd) ->
  number (take i'.+1 h) < number (take i.+1 h).
Proof.
move=> lt ih sy; set u := take i'.+1 h in sy *.
have u0 : 0 < size u by rewrite size_takel // (ltn_trans lt ih).
have [v e] : exists v, take i h = u ++ v.
  by exists (drop i'.+1 (take i h)); rewrite -[LHS](cat_take_drop i'.+1) take_take.
have i0 : 0 < size (take i h) by rewrite e size_cat ltn_addr.
have [x ex] : exists x, take i.+1 h = rcons (take i h) x.
  by case: h ih {e i0 u u0 sy} => // y h ih; exists (nth y (y :: h) i); rewrite (take_nth y).
rewrite /number ex before_rcons // -cats1 rounds_cat e written_cat // rounds_cat (written_before u0).
by rewrite rounds_cat /Located.announced sy /rounds_in /= -addnA -addnA -[X in X < _]addn0 ltn_add2l.
Qed.
Lemma rounds_written h : rounds_in (written h) <= size h.
Proof.
have ann u : rounds_in (announced u) <= 1 by rewrite /Located.announced; case: says => [[]|].
have after u v : rounds_in (written_after u v) <= size v.
  elim: v u => // x v IH u.
  have -> : rounds_in (written_after u (x :: v)) =
      rounds_in (announced (rcons u x)) + rounds_in (written_after (rcons u x) v) by rewrite -rounds_cat.
  by rewrite -[size _]add1n leq_add ?ann ?IH.
by case: h => // x h; rewrite rounds_cat -[size _]add1n leq_add.
Qed.
Lemma number_size h i : i < size h -> number (take i.+1 h) < size h.
Proof.
move=> ih; have : size (take i.+1 h) = i.+1 by rewrite size_takel.
case/lastP: (take i.+1 h) => [//|u x]; rewrite size_rcons => -[su].
case: (posnP (size u)) => [/size0nil ->|u0]; first exact: leq_ltn_trans ih.
rewrite /number before_rcons // -cats1 rounds_cat addn0; apply: leq_ltn_trans (rounds_written _) _.
by rewrite su.
Qed.
End Writing.

Lemma final_verdict : verdict_is_final.
Proof.
split=> [C p es later answer|R C X r p M L s h later]; first exact: scan_more.
rewrite /fooled; case acc: accepts => [[m t]|] // wrong; have lt := accepted_time acc.
have h0 : 0 < size h by apply: leq_ltn_trans lt.
by rewrite written_cat // /accepts (scan_more _ acc) takel_cat.
Qed.
