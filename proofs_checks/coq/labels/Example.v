(** Private coins: 2^-n cannot be smaller

    A world of one state, whose single observation is always called label 0, and a table of two labels that one action
    exchanges. At each time the coin chooses the label at which the learner aims. All of the first n coins fall on the
    side of label 0 with chance 2^-n, and then n tests are passed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Kernel Statements.
Import Labels.
From Steel.labels Require Import Coins.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Example.
Variable R : realFieldType.

Definition one_state : world R [finType of unit] [finType of bool] :=
  @World R _ _ (@Dynamics unit bool [finType of unit] (fun _ _ => tt) id)
    [finType of unit] (fun _ _ => 1) (fun _ _ _ => 1) (fun _ => 1).
Definition aims : test unit bool := Test 0 (fun c => [:: c]) nat_of_bool (fun _ => 0%N).
Definition guesser : tosser unit bool := Tosser (fun _ _ => Some aims) (fun _ => last false).
(** what the learner takes for a proof that its two labels are two states *)
Definition all_named n (h : seq unit) (cs : seq bool) := [&& size h == n.+1, size cs == n.+1 & ~~ has id (take n cs)].

Lemma sum_unit (f : unit -> R) : \sum_u f u = f tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.
Lemma one_state_ok : ex_bmdp one_state.
Proof.
have one : distr (fun _ : unit => 1 : R).
  by split=> [_|]; [exact: ler01|rewrite (sum_unit (fun=> 1))].
split=> [[]|[] []||[]|[] [] []] //; by rewrite /push (sum_unit (fun=> 1 * 1)) mulr1.
Qed.

Lemma convinced n h cs : all_named n h cs -> convinced_wrongly (M := one_state) guesser tt n 0 h cs.
Proof.
move=> /and3P[/eqP sh /eqP sc no].
have coin t : (t < n)%N -> nth false cs t = false.
  move=> lt; apply/negP => yes; move/negP: no; apply; apply/hasP; exists true => //.
  by rewrite -yes -(nth_take false lt) mem_nth // size_takel // sc.
pose table (l : 'I_2) (c : bool) : 'I_2 := if c then (if l == ord0 then ord_max else ord0) else l.
exists 2%N, table, (fun _ => tt), (fun _ => ord0); split=> //.
- by move=> inj; have := inj ord0 ord_max erefl; move/(congr1 val).
- move=> t q [[<-] _ /=]; rewrite addn1 sh => lt; split=> //.
  + by case: (state_then _ _ _ _ _).
  + by case.
  + rewrite /passed /took /= (coin t) // (take_nth false) ?sc 1?ltnW // last_rcons (coin t) //; split=> //.
    have : (0 < size (drop (t + 1) h))%N by rewrite size_drop sh addn1 subn_gt0.
    by case: (drop _ h) => //= x h' _; left.
move=> b cong noninj; exists (iota 0 n); rewrite iota_uniq size_iota; split=> // t.
rewrite mem_iota /= => lt; exists aims; first by split=> //=; rewrite sh addn1.
have two (l : 'I_2) : l = ord0 \/ l = ord_max by case: l => [[|[|//]] ?]; [left|right]; apply: val_inj.
case: (b ord0 =P b ord_max) => [e|ne].
  by case: (two (foldl table ord0 (word aims true))) => ->; case: (two (foldl table ord0 (word aims false))) => ->.
by case: noninj => l l'; case: (two l) => ->; case: (two l') => -> // e; case: ne.
Qed.

Lemma mean_one (f : unit -> R) : mean (fun=> 1) f = f tt.
Proof. by rewrite /mean (sum_unit (fun u => 1 * f u)) mul1r. Qed.
Lemma one_history act n past (Phi : seq (unit * unit) -> R) :
  expected (drift one_state) (emit one_state) (step one_state) act n tt tt past Phi = Phi (past ++ nseq n.+1 (tt, tt)).
Proof.
elim: n past => [|n IH] past; first by rewrite [LHS]/= mean_one cats1.
by rewrite [LHS]/= mean_one mean_one IH cat_rcons.
Qed.
Lemma all_tails n : fair_coins n.+1 (fun cs => (~~ has id (take n cs))%:R) = 2%:R ^- n :> R.
Proof.
have none m : fair_coins m (fun=> 0 : R) = 0 by elim: m => //= m ->; rewrite addr0 mul0r.
elim: n => [|n IH]; first by rewrite /= expr0 invr1 half.
transitivity ((fair_coins n.+1 (fun=> 0) + fair_coins n.+1 (fun cs => (~~ has id (take n cs))%:R)) / 2%:R : R) => //.
by rewrite none add0r IH exprSr invfM.
Qed.
(** So the bound of [coins_are_sound] for one trial is attained. *)
Theorem coins_are_attained n :
  fair_coins n.+1 (fun cs => chance (M := one_state) (fun h => moves guesser h (take (size h) cs)) n tt (fun=> 1)
    (all_named n ^~ cs)) = 2%:R ^- n.
Proof.
rewrite -all_tails; apply/eqP; rewrite eq_le.
have e cs : size cs = n.+1 -> chance (M := one_state) (fun h => moves guesser h (take (size h) cs)) n tt (fun=> 1) (all_named n ^~ cs) =
    (~~ has id (take n cs))%:R :> R.
  by move=> sc; rewrite /chance mean_one one_history cat0s /all_named size_map size_nseq sc !eqxx.
by apply/andP; split; apply: fair_le => cs sc; rewrite e.
Qed.
End Example.
