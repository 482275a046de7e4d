(** Located STEEL: the assumptions can be met, runs are accepted there, and the checker can be fooled

    The world is a switch with two states: action 0 flips it, action 1 does nothing. An observation is the state and a
    fair coin, in three bits: two for the state, one for the coin. A fixed learner is accepted on one sequence of
    observations and rejected on others. If the first bit is the coin instead, and the coin always equals the
    state, then a wrong encoder is accepted. This has a positive chance ([can_be_fooled]), which
    [located_is_sound] bounds ([switch_safe]). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Steel Require Import Kernel Statements.
Import Located.
From Steel.located Require Import Checker Classes Honest.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(** |A| = 2, N = 2, mixing time 1, epsilon = 1/4, delta = 1/10 *)
Definition p := Parameters 2 2 1 (1%num, 4%num) (1%num, 10%num).
Notation F := (finite 3%num).

(** ** The learner: a fixed plan, then one round *)
Definition Obs : finType := [finType of (bool * bool)%type].
Definition planned_actions : seq nat := [:: 0; 0; 0; 0; 1; 0; 1].
Definition a0 : action p := @Ordinal 2 0 isT.
Definition a1 : action p := @Ordinal 2 1 isT.
Definition L : learner F Obs (action p) := Learner (C := F)
  (fun h => if nth 0 planned_actions (size h).-1 == 0 then a0 else a1)
  (fun=> true)
  (fun h => match size h with
            | 1 => Some Loop
            | 5 => Some Explore
            | 8 => Some (Validate (Round (C := F) (nseq 8 0) 12 [::]))
            | _ => None
            end).

(** bits 0 and 1: the state; bit 2: the coin. And the other way round. *)
Definition bits (x : Obs) : N := N.add (if x.1 then 2 else 1)%num (if x.2 then 4 else 0)%num.
Definition coin_first (x : Obs) : N := N.add (if x.1 then 4 else 2)%num (if x.2 then 1 else 0)%num.

(** action 0 flips the switch *)
Definition flip (s : bool) (a : action p) := if nat_of_ord a == 0 then ~~ s else s.
(** the switch can show [h] after [past] to this learner *)
Fixpoint shown s past (h : seq Obs) :=
  if h is x :: h' then (x.1 == s) && shown (flip s (acts L (rcons past x))) (rcons past x) h' else true.

(** ** Runs *)
Definition states := [:: false; true; false; true; false; false; true; true] ++ flatten (nseq 52 [:: false; true]).
Definition coins := [:: true; false; true; true; false; true; false; true] ++ flatten (nseq 35 [:: false; true; true]).
Definition history : seq Obs := zip states coins.
Definition unlucky : seq Obs := zip states states.

Definition verdict r h := omap (fun mt : model F * nat => (table mt.1, current mt.1, encoder mt.1, mt.2))
  (accepts (C := F) p (written r (@nat_of_ord _) L h)).

Example is_accepted :
  verdict bits history = Some ([:: [:: 1; 0]; [:: 0; 1]], 0, [:: 1%num; 0%num], 111).
Proof. by vm_compute. Qed.
Example one_step_too_short : verdict bits (take 111 history) = None.
Proof. by vm_compute. Qed.
Example one_row_wrong_in_the_last_pass : verdict bits (set_nth (true, true) history 104 (true, true)) = None.
Proof. by vm_compute. Qed.
Example fooled_by_the_coin :
  verdict coin_first unlucky = Some ([:: [:: 1; 0]; [:: 0; 1]], 0, [:: 0%num; 1%num], 111).
Proof. by vm_compute. Qed.

(** ** The price of a round
    At epsilon = 1/20, a first round that may cost 1/40 needs 120 passes of a walk of one mixing time; 119 are too
    few. *)
Example enough_passes : affordable 1 20 1 20 1 120 1. Proof. by vm_compute. Qed.
Example too_few_passes : affordable 1 20 1 20 1 119 1 = false. Proof. by vm_compute. Qed.

(** ** The world *)
Local Open Scope ring_scope.

Section World.
Variable R : realFieldType.
Definition switch : world R Obs (action p) :=
  @World R Obs (action p) (@Dynamics Obs (action p) [finType of bool] flip (fun x => x.1)) [finType of Datatypes.unit]
    (fun _ _ => 1) (fun s _ x => (x.1 == s)%:R / 2%:R) (fun=> 1).

Lemma sum_unit (f : Datatypes.unit -> R) : \sum_e f e = f tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.
Lemma distr_one : @distr R [finType of Datatypes.unit] (fun=> 1).
Proof. by split=> [e|]; rewrite ?sum_unit ?ler01. Qed.

Lemma switch_ok : assumptions_hold switch.
Proof.
split; last 2 first.
- by rewrite card_bool.
- move=> s s'; exists (nseq (s != s') a0); by case: s; case: s'.
- split=> /= [e|s e|||s e x].
  + exact: distr_one.
  + split=> [x|]; first by rewrite mulr_ge0 ?invr_ge0 ?ler0n.
    rewrite -(pair_bigA _ (fun a b : bool => (a == s)%:R / 2%:R)) /= big_bool !big_bool /=.
    by case: s; rewrite /= ?mul0r ?addr0 ?add0r -splitr.
  + exact: distr_one.
  + by move=> e; rewrite /push sum_unit mulr1.
  + by case: (x.1 =P s) => //= _; rewrite mul0r eqxx.
exists 0%N => // e; rewrite /tv /norm1 sum_unit /= /kid; case: e.
by rewrite eqxx subrr normr0 mulr0 invr_ge0 ler0n.
Qed.

Theorem switch_safe s mu n : distr mu ->
  chance (M := switch) (acts L) n s mu (fooled (C := F) bits (M := switch) L s) <= frac R (delta p).
Proof.
have real s' : exists2 f, N.lt f 3 & forall x, N.testbit (bits x) f = (decode switch x == s').
  by exists (if s' then 1 else 0)%num; case: s' => // -[[] []].
by have [safe _] := @finite_sound 3%num R Obs bits p switch switch_ok real; apply: safe.
Qed.

(** *** The answer that is accepted is right *)
Lemma never_wrong s :
  seen_in (M := switch) s (fun x => name (C := F) [:: 1%num; 0%num] (bits x) == (if s then 0 else 1)%N) = 1.
Proof.
rewrite /seen_in /mean sum_unit mul1r.
rewrite (eq_bigr (fun x : Obs => (x.1 == s)%:R / 2%:R)) => [|[[] []] _]; last 4 first.
1-4: by case: s; rewrite /= ?mulr1 ?mul0r ?mulr0.
rewrite -(pair_bigA _ (fun a _ : bool => (a == s)%:R / 2%:R)) /= !big_bool /=.
by case: s; rewrite /= ?mul0r ?addr0 ?add0r -splitr.
Qed.
Lemma accepted_is_right : ~~ fooled (C := F) bits (M := switch) L false history.
Proof.
have := is_accepted; rewrite /fooled /verdict; case: accepts => [[[tb cu en] t]|] // [-> -> -> ->].
rewrite negbK; apply/existsP; exists [ffun s : bool => if s then @Ordinal 2 0 isT else @Ordinal 2 1 isT].
have -> : state_at (step switch) (acts L) false (take 112 history) = true by vm_compute.
rewrite ffunE andbT; apply/and4P; split.
- by apply/injectiveP => -[] []; rewrite !ffunE.
- by rewrite card_bool.
- by apply/forallP => -[]; apply/forallP => -[[|[|//]] i]; rewrite !ffunE.
by apply/forallP => s; rewrite ffunE; have := never_wrong s; case: s => /= ->;
  rewrite ler_subl_addr ler_addl divr_ge0 ?ler0n.
Qed.

(** *** What can happen has a positive chance *)
Section Positive.
Variables (X A : finType) (M : world R X A) (act : seq X -> A) (event : pred (seq X)).
Hypothesis ok : ex_bmdp M.

Fixpoint can_happen s e past h : Prop :=
  if h is x :: h' then
    0 < emit M s e x /\
    (if h' is [::] then event (rcons past x) : Prop
     else exists2 e', 0 < drift M e e' & can_happen (step M s (act (rcons past x))) e' (rcons past x) h')
  else False.

Lemma positive_mean (E : finType) (mu u : E -> R) e :
  distr mu -> (forall e, 0 <= u e) -> 0 < mu e -> 0 < u e -> 0 < mean mu u.
Proof.
move=> [m0 _] u0 me ue; rewrite /mean (bigD1 e) //=; apply: ltr_spaddl; first exact: mulr_gt0.
by apply: sumr_ge0 => i _; apply: mulr_ge0.
Qed.
Lemma expected_ge0 n s e past :
  0 <= expected (drift M) (emit M) (step M) act n s e past (fun h => (event (unzip2 h))%:R).
Proof.
elim: n s e past => [|n IH] s e past; apply: mean_ge0 => x; rewrite ?ler0n //; try by case: (emit_distr ok s e).
by apply: mean_ge0 => // e'; case: (drift_kernel ok e).
Qed.
Lemma positive_chance n s e past h : size h = n.+1 -> can_happen s e (unzip2 past) h ->
  0 < expected (drift M) (emit M) (step M) act n s e past (fun h => (event (unzip2 h))%:R).
Proof.
have u2 e1 x1 (q : seq (noise M * X)) : unzip2 (rcons q (e1, x1)) = rcons (unzip2 q) x1 by rewrite /unzip2 map_rcons.
elim: n h s e past => [|n IH] [|x h] s e past //= [sz] [px can].
  apply: (positive_mean (e := x)) => // [|z|]; [exact: emit_distr | exact: ler0n |].
  by case: h sz can => // _ ev /=; rewrite u2 ev ltr01.
case: h sz can => // y h sz [e' pe can].
apply: (positive_mean (e := x)) => //; first exact: emit_distr.
  by move=> z; apply: mean_ge0 => e2; [case: (drift_kernel ok e)|exact: expected_ge0].
apply: (positive_mean (e := e')) => //; first exact: drift_kernel.
  by move=> e2; apply: expected_ge0.
by rewrite u2; apply: (IH (y :: h)) => //; rewrite u2.
Qed.
End Positive.

(** *** The coin can pass for the state *)
Lemma half_wrong k :
  seen_in (M := switch) false (fun x => name (C := F) [:: 0%num; 1%num] (coin_first x) == k) <= 2%:R^-1.
Proof.
rewrite /seen_in /mean sum_unit mul1r.
pose g (a b : bool) : R := (a == false)%:R / 2%:R * (name (C := F) [:: 0%num; 1%num] (coin_first (a, b)) == k)%:R.
rewrite (eq_bigr (fun x : Obs => g x.1 x.2)) => [|[] //]; rewrite -(pair_bigA _ g) /= !big_bool /g /=.
rewrite ?mul0r ?add0r ?addr0 ?mul1r; have h0 : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
by case: k @g => [|[|k]] g; rewrite /= ?mulr0 ?mulr1 ?addr0 ?add0r.
Qed.
Lemma quarter : 2%:R^-1 < 1 - frac R (epsilon p).
Proof.
have -> : frac R (epsilon p) = 4%:R^-1 by rewrite /frac /= div1r.
rewrite ltr_subr_addl -ltr_subr_addr.
have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R by apply/eqP; rewrite subr_eq -[2%:R^-1]mul1r -splitr.
by rewrite ltf_pinv ?posrE ?ltr0n // ltr_nat.
Qed.
Lemma fooled_once : fooled (C := F) coin_first (M := switch) L false unlucky.
Proof.
have := fooled_by_the_coin; rewrite /fooled /verdict; case: accepts => [[[tb cu en] t]|] // [-> -> -> _] /=.
apply/existsP => -[sg /andP[/and4P[_ _ _ /forallP/(_ false) acc] _]].
by have := lt_le_trans quarter (le_trans acc (half_wrong _)); rewrite ltxx.
Qed.

Theorem can_be_fooled :
  0 < chance (M := switch) (acts L) 111 false (fun=> 1) (fooled (C := F) coin_first (M := switch) L false).
Proof.
rewrite /chance /mean sum_unit mul1r; have [ok _ _ _] := switch_ok.
apply: (@positive_chance _ _ switch _ _ ok 111 false tt [::] unlucky) => //.
have can h s past : shown s past h -> (0 < size h)%N -> fooled (C := F) coin_first (M := switch) L false (past ++ h) ->
    can_happen (M := switch) (acts L) (fooled (C := F) coin_first (M := switch) L false) s tt past h.
  elim: h s past => // x h IH s past /= /andP[/eqP <- sh] _ ev; split.
    by rewrite eqxx div1r invr_gt0 ltr0n.
  case: h IH sh ev => [|y h] IH sh ev; first by rewrite -cats1.
  by exists tt; [exact: ltr01 | apply: IH => //; rewrite cat_rcons].
by apply: can; [vm_compute | | exact: fooled_once].
Qed.
End World.
