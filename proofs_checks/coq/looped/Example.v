(** Examples for Theorem 1.

    - [sizes_exist]: sample sizes that are large enough exist, for every 0 < eps <= 1 and 0 < delta.
    - [least_loss_oracle]: an oracle that makes the fewest errors will do.
    - [two_rooms_learned]: a world with two states and correlated noise that meets every assumption of the theorem.
    - [two_rooms_run]: the ideal run there, computed: its number of steps beside the bound.
    - [pairs_sharp]: the rate 9/16 cannot be smaller. For this noise, k pairs of samples, t_mix apart, look different
      although the state is the same, with chance exactly (9/16)^k; so with fewer pairs than the least number with
      (9/16)^k <= delta, a single test is fooled with chance more than delta ([fewer_pairs_fail]). (This is about the
      test, at gaps of exactly t_mix. The gaps of CycleFind are often longer.) *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Steel Require Import Statements Kernel Checks Trajectory Tests.
From Steel.looped Require Import Program Algorithm Proposition1 Questions Theorem1.
Import Looped.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Sample sizes exist. *)
Section Sizes.
Variable R : archiFieldType.
Lemma bernoulli (x : R) n : 0 <= x -> 1 + n%:R * x <= (1 + x) ^+ n.
Proof.
move=> x0; elim: n => [|n IH]; first by rewrite mul0r addr0 expr0.
rewrite exprS; move: IH; set z := (1 + x) ^+ n => IH.
have n0 := ler0n R n; rewrite -addn1 natrD; move: (n%:R) n0 IH => m m0 IH.
by by_cert ((1 + x) * (z - (1 + m * x)) + m * (x * x)).
Qed.
Lemma power_small (c q delta : R) : 0 <= c -> 0 < q -> q < 1 -> 0 < delta ->
  exists2 n : nat, (0 < n)%N & c * q ^+ n <= delta.
Proof.
move=> c0 q0 q1 d0; pose x := q^-1 - 1; have x0 : 0 < x by rewrite subr_gt0 invf_gt1.
have [n hn] : exists n : nat, c / (delta * x) < n%:R.
  by exists (Num.bound (c / (delta * x))); apply: archi_boundP; rewrite divr_ge0 // mulr_ge0 ?ltW.
exists n.+1 => //; have qE : q = (1 + x)^-1 by rewrite /x addrCA subrr addr0 invrK.
clearbody x; have x1 : 0 < 1 + x by rewrite addr_gt0 ?ltr01.
rewrite qE exprVn ler_pdivr_mulr ?exprn_gt0 //.
have big := ler_wpmul2l (ltW d0) (bernoulli n.+1 (ltW x0)); apply: (le_trans _ big) => {big}.
move: hn; rewrite ltr_pdivr_mulr ?mulr_gt0 // => hn; have d0' := ltW d0; have x0' := ltW x0.
have hn' := ltW hn; rewrite -addn1 natrD; move: (n%:R) hn' => m hn'.
by by_cert ((m * (delta * x) - c) + delta + delta * x).
Qed.
Lemma sizes_exist (S N A F Dhat : nat) (eps delta : R) : 0 < eps <= 1 -> 0 < delta -> (0 < S)%N ->
  exists ncyc nsamp d, [/\ (0 < ncyc)%N, enough_for_periods delta A F N ncyc,
    enough_for_positions delta A F N Dhat nsamp & enough_for_encoder delta eps F S d].
Proof.
move=> /andP[e0 e1] d0 S0; have q0 : 0 < 9%:R / 16%:R :> R by rewrite divr_gt0 ?ltr0n.
have q1 : 9%:R / 16%:R < 1 :> R by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
have S1 : 0 < S%:R :> R by rewrite ltr0n.
pose r : R := eps / S%:R / 3%:R; have r0 : 0 < r by rewrite !divr_gt0 ?ltr0n.
have r1 : r < 1.
  rewrite /r ltr_pdivr_mulr ?ltr0n // mul1r ltr_pdivr_mulr // (le_lt_trans e1) // -natrM ltr1n.
  by case: S S0 {S1 r r0} => // S _; rewrite mulnS.
have c0 (i j k : nat) : 0 <= i%:R * j%:R * k%:R :> R by rewrite !mulr_ge0 ?ler0n.
have [nc nc0 h1] := power_small (c0 4%N (A * (N * N.-1))%N F) q0 q1 d0.
have [ns _ h2] := power_small (c0 4%N (A * (N ^ 4 * Dhat.+1))%N F) q0 q1 d0.
have r2 : 0 < 1 - r by rewrite subr_gt0.
have r3 : 1 - r < 1 by rewrite ltr_subl_addr ltr_addl.
have [d _ h3] := power_small (c0 16%N (S ^ 2)%N F) r2 r3 d0.
by exists nc, ns, d.
Qed.
End Sizes.

(** ** Line 154: an oracle that makes the fewest errors is a training oracle. *)
Lemma least_loss_oracle (X F : Type) (cl : F -> pred X) (oracle : seq X -> seq X -> F) :
  let loss f D0 D1 := (count (cl f) D0 + count (fun x => ~~ cl f x) D1)%N in
  (forall D0 D1 f, loss (oracle D0 D1) D0 D1 <= loss f D0 D1)%N -> oracle_for cl oracle.
Proof.
move=> loss least D0 D1 f; have sepE g : separates cl g D0 D1 = (loss g D0 D1 == 0%N).
  by rewrite /separates addn_eq0 -[all _ D1]negbK -has_predC -[all _ D0]negbK -has_predC !has_count -!eqn0Ngt;
     congr (_ && _); congr (_ == _); apply: eq_count => x /=; rewrite ?negbK.
by rewrite !sepE -!leqn0; exact: leq_trans (least D0 D1 f).
Qed.

(** ** Two rooms; action [a] leads to room [a]. The noise is a bit that changes with chance 3/4, and an observation shows
    the room and the bit. The class knows the rooms, and one misleading classifier reads the bit. *)
Definition Bit := [finType of bool].
Definition flip (e e' : Bit) : rat := if e == e' then 4%:R^-1 else 3%:R / 4%:R.
Definition even (e : Bit) : rat := 2%:R^-1.
Definition Obs := [finType of bool * bool].
Definition two_rooms : world [realFieldType of rat] Obs Bit :=
  @World _ Obs Bit (@Dynamics Obs Bit Bit (fun _ a => a) fst) Bit flip (fun s e x => (x == (s, e))%:R) even.
Definition reads (f : option bool) : pred Obs := fun x => if f is Some room then x.1 == room else x.2.
Definition search (D0 D1 : seq Obs) : option bool := odflt None [pick f | separates reads f D0 D1].

Lemma flip_kernel : kernel flip.
Proof. by move=> e; split=> [e'|]; rewrite ?big_bool /flip; [case: ifP | case: e]. Qed.
Lemma even_distr : distr even. Proof. by split=> [//|]; rewrite big_bool. Qed.
Lemma even_stationary : stationary even flip.
Proof. by move=> e; rewrite /push big_bool; case: e. Qed.
Lemma flip_mixed : mixed flip even 1.
Proof. by move=> e; rewrite /tv /norm1 !big_bool /= /kcomp /push !big_bool; case: e. Qed.
Lemma two_rooms_ok : ex_bmdp two_rooms.
Proof.
split; [exact: flip_kernel | | exact: even_distr | exact: even_stationary |].
  move=> s e; split=> [x|]; first exact: ler0n.
  by rewrite (bigD1 (s, e)) //= eqxx big1 ?addr0 // => x /negbTE ->.
by move=> s e x /=; case: (x =P (s, e)) => [-> //|_]; rewrite eqxx.
Qed.
Lemma search_ok : oracle_for reads search.
Proof. by move=> D0 D1 f h; rewrite /search; case: pickP => //= /(_ f); rewrite h. Qed.

Theorem two_rooms_learned (eps delta : rat) : 0 < eps <= 1 -> 0 < delta < 1 -> exists ncyc nsamp d,
  forall n (s : Bit) (mu : Bit -> rat), distr mu -> (steps_bound 2 1 ncyc nsamp d #|Bit| #|Bit| 1 <= n)%N ->
  chance (M := two_rooms) (looped_policy reads search (true, true) true 2 1 ncyc nsamp 1 (fun=> d)) n s mu
    (fun xs => ~~ ends_right two_rooms reads search (true, true) true 2 1 ncyc nsamp 1 1 (fun=> d) eps xs) <= delta.
Proof.
move=> e01 /andP[d0 d1].
have S0 : (0 < #|Bit|)%N by rewrite card_bool.
have [nc [ns [d [nc0 h1 h2 h3]]]] := sizes_exist 2 #|Bit| #|{: option bool}| 1 e01 d0 S0.
exists nc, ns, d => n s mu dmu len.
apply: (@theorem_1_proved _ Obs Bit _ two_rooms) dmu len => //.
- exact: two_rooms_ok.
- by exists 1%N => //; exact: flip_mixed.
- by rewrite card_bool.
- by move=> u v; exists [:: v].
- by move=> r; exists (Some r).
- exact: search_ok.
by case/andP: e01 => /ltW -> ->.
Qed.

(** The ideal run in this world, with the printed sizes for delta = eps = 1/2 (8, 13 and 72): the number of steps, the
    model that it learns, and the bound *)
Lemma two_rooms_run : let r := run (ideal (fun _ a : Bit => a) true) [::]
    (steel [:: false; true] false 2 1 8 13 1 (fun=> 72%N)) in
  [/\ size r.2 = 282%N, steps_bound 2 1 8 13 72 2 2 1 = 998%N
    & [seq look (model r.1) x.1 x.2 | x <- [:: (0, false); (0, true); (1, false); (1, true)]%N]
      = [:: Some 0; Some 1; Some 0; Some 1]%N].
Proof. by split; vm_compute. Qed.

(** ** The rate 9/16 is attained. *)
Definition bit_pairs k : seq (nat * pred Bit) := pairs (nseq k (1%N, 1%N, id : pred Bit)).
Lemma op_flip (v : Bit -> rat) e : op (kpow flip 1) v e = 4%:R^-1 * v e + 3%:R / 4%:R * v (~~ e).
Proof. by rewrite /= op_comp (op_eq _ (op_id v)) /op /mean big_bool; case: e => //=; rewrite addrC. Qed.
Theorem pairs_sharp k : EX flip (2 * k) false (fun s => (passes (bit_pairs k) false s)%:R) = (9%:R / 16%:R) ^+ k.
Proof.
rewrite (passes_eq flip_kernel); last by rewrite /bit_pairs; elim: k => //= k IH; rewrite mulnS.
elim: k => [|k IH]; first by rewrite expr0.
rewrite exprS -IH [W _ _]op_flip /= mul0r mulr0 add0r mul1r [op _ _ _]op_flip /= mul0r mulr0 add0r mul1r.
by rewrite mulrA; congr (_ * _); field.
Qed.
Corollary fewer_pairs_fail (delta : rat) k : delta < (9%:R / 16%:R) ^+ k ->
  delta < EX flip (2 * k) false (fun s => (passes (bit_pairs k) false s)%:R).
Proof. by rewrite pairs_sharp. Qed.
