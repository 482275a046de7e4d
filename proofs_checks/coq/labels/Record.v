(** Private coins, for records that the checker of certain STEEL accepts up to quotients ([certain_with_coins]).
    The rows give each label its state ([Sound.up_to_quotients]); if two labels have one state, coins were passed that
    are in vain ([Coins.coins_sound]). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Statements.
From Steel.certain Require Import Bits Checker Sound.
From Steel.labels Require Import Tables Coins.
Import Certain Labels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Record.
Variables (R : realFieldType) (X : finType) (width nA : nat) (F : nat -> X -> bool) (M : world R X [finType of 'I_nA]).
Variables (L : tosser X 'I_nA) (s : state M) (h : seq X) (cs : seq bool).
Hypotheses (con : connected M) (two : 1 < #|state M|).
Hypothesis realised : forall s' : state M, exists2 f, f < width & forall x, F f x = (decode M x == s').
Hypothesis seen : can_be_seen L s h cs.

(** the latent world, with numbers as actions *)
Definition stepN (s' : state M) (a : nat) := if insub a is Some i then step M s' i else s'.
Definition numbered : dynamics X nat := @Dynamics X nat (state M) stepN (decode M).
Lemma stepNE s' (a : 'I_nA) : stepN s' a = step M s' a.
Proof. by rewrite /stepN valK. Qed.

Notation obs := (tossed_log L h cs).
Lemma rows_tossed : rows obs = h.
Proof.
rewrite /rows /tossed_log; case: h => //= x later; rewrite cats0; congr (_ :: _).
by rewrite -/unzip2 unzip2_zip // size_map size_iota.
Qed.
Lemma actions_tossed t a : nth None (actions obs) t = Some a -> t.+1 < size h /\ a = took L h cs t.
Proof.
rewrite /actions /tossed_log; case: h => [|x later] /=; first by rewrite nth_nil.
rewrite cats0 (map_comp Some fst) -/unzip1 unzip1_zip; last by rewrite size_map size_iota.
rewrite nth_rcons !size_map size_iota; case: ltnP => [lt|_]; last by case: eqP.
by rewrite (nth_map 0) ?size_map ?size_iota // (nth_map 0) ?size_iota // nth_iota // => -[<-].
Qed.
Lemma state_seen t : t < size h -> at_row numbered obs t = Some (state_then L s h cs t).
Proof.
move=> lt; rewrite /at_row rows_tossed (map_comp Some (decode numbered)) -/(map (decode M) h) seen -map_comp.
by rewrite (nth_map 0) ?size_iota // nth_iota.
Qed.
Lemma fits_tossed : fits width nA F numbered true obs.
Proof.
split=> [|s' _|_ s1 s2|_].
- apply/possibleP => t a /actions_tossed[lt ->]; exists (state_then L s h cs t).
    by apply: state_seen; apply: ltnW.
  by split; rewrite ?ltn_ord // state_seen // /state_then -addn1 iotaD map_cat foldl_cat /= stepNE.
- have [f lt fE] := realised s'; exists f => //; rewrite /classifies.
  by rewrite (eq_all (a2 := xpredT)) ?all_predT // => x /=; rewrite fE eqxx.
- have [u <-] := con s1 s2; exists [seq nat_of_ord a | a <- u].
    by rewrite all_map; apply/allP => a _; apply: ltn_ord.
  by elim: u s1 => //= a u IH s1; rewrite IH stepNE.
exact: two.
Qed.

Lemma row_at t : t < size h -> exists x, [/\ x \in h, forall (B : Type) (d : B) g, nth d (map g h) t = g x
  & decode M x = state_then L s h cs t].
Proof.
move=> lt; case dr: (drop t h) => [|x later]; first by move: lt; rewrite -subn_gt0 -size_drop dr.
have nthE (B : Type) (d : B) g : nth d (map g h) t = g x by rewrite -[t in LHS]addn0 -nth_drop -map_drop dr.
exists x; split=> //; first by apply: (@mem_drop t); rewrite dr mem_head.
by have := state_seen lt; rewrite /at_row rows_tossed nthE => -[].
Qed.

Lemma accepted_wrongly n k r label : accepted_with_coins width F L h cs n k r label ->
  ~ is_table_of M (@nat_of_ord nA) r -> convinced_wrongly L s n k h cs.
Proof.
case=> [[hints acc] tests number] wrong; have [sigma sg] := up_to_quotients acc fits_tossed.
have m0 : 0 < size (table r).
  by move: acc; rewrite /check_quotients; case: ifP => // /and3P[_ /andP[/ltnW gt _] _] [<-] /=; rewrite size_map.
set m := size (table r) in tests number sg m0; pose T := next (table r).
have lt_T (i : 'I_m) (a : 'I_nA) : T i a < m by have [/(_ a (ltn_ord a))[]] := sg i (ltn_ord i).
pose tab (i : 'I_m) (a : 'I_nA) := Ordinal (lt_T i a); pose sig (i : 'I_m) : state M := sigma i.
have agree : agrees tab sig.
  by move=> i a; rewrite /sig /=; have [/(_ a (ltn_ord a))[_ ->] _] := sg i (ltn_ord i); apply: stepNE.
have walk w (i : 'I_m) : nat_of_ord (foldl tab i w) = foldl T i [seq nat_of_ord a | a <- w].
  by elim: w i => //= a w IH i; rewrite IH.
pose lab t := insubd (Ordinal m0) (label t).
have labE t : label t < m -> nat_of_ord (lab t) = label t by rewrite /lab val_insubd => ->.
exists m, tab, sig, lab; split=> [//|inj|t q tq|b conb ninj].
- apply: wrong; have [|g gK Kg] := sigma_bijective agree con _ inj; first by rewrite card_ord.
  exists (fun s' => nat_of_ord (g s')); split=> [s1 s2 /ord_inj/(can_inj Kg) //|l|s' a].
    by split=> [lt|[s' <-]]; [exists (sig (Ordinal lt)); rewrite gK|apply: ltn_ord].
  by rewrite -{1}(Kg s') -agree gK.
- have [fr pa [f ltf [fin ft]] [ltl aims]] := tests t q tq.
  split=> // [|c]; last by rewrite walk labE // aims.
  have lt : t < size h by rewrite ltnNge; apply: contraL ft => le; rewrite nth_default ?size_map.
  have [x [xin nthE <-]] := row_at lt; rewrite nthE in ft.
  have [_ /(_ f ltf fin)] := sg _ ltl; rewrite rows_tossed => /allP/(_ x xin); rewrite ft /sig labE // => /eqP ->.
  by [].
pose b' l := if insub l is Some i then nat_of_ord (b i) else l.
have b'E (i : 'I_m) : b' i = b i by rewrite /b' valK.
have [l l' a ltl ltl' lta||ts [u sz inq]] := number b'.
- rewrite (b'E (Ordinal ltl)) (b'E (Ordinal ltl')) => /ord_inj/(conb _ _ (Ordinal lta)) e.
  by rewrite -[next _ l a]/(nat_of_ord (tab (Ordinal ltl) (Ordinal lta))) b'E e -b'E.
- have /injectivePn[i [j ne e]] : ~~ injectiveb b by apply/injectiveP.
  case: (ltngtP i j) => [lt|lt|/ord_inj eq]; last by rewrite eq eqxx in ne.
    by exists i, j; rewrite !b'E e.
  by exists j, i; rewrite !b'E e.
exists ts; split=> // t /inq[q tq e]; exists q => //; have [_ _ _ [ltl aims]] := tests t q tq.
by apply: ord_inj; rewrite -!b'E !walk labE // !aims.
Qed.
End Record.

Theorem with_coins : certain_with_coins.
Proof.
move=> R X width nA F M L n K T s mu event exM dmu con two real wrongly; apply: coins_sound => // h cs seen ev.
have [k [r [label [lt acc wrong]]]] := wrongly h cs ev; exists k => //.
exact: (accepted_wrongly con two real seen acc wrong).
Qed.
