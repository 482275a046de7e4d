(** Claims about the repetition of a word: [g] is what one word does to the state. Each lemma is named for its claim;
    the lines are those of the paper. (More about looped words is in looped/LoopedWord.v.) *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** l. 548-550: n_trn + n_cyc <= |S|; the first n_trn + n_cyc states are all different, so those of the transient come
    once and those of the cycle are different; then the state after the transient comes again. *)
Lemma A09 (S : finType) (g : S -> S) x : exists trn cyc, [/\ 0 < cyc, trn + cyc <= #|S|,
  uniq (traject g x (trn + cyc)) & iter (trn + cyc) g x = iter trn g x].
Proof.
have := looping_order g x; rewrite /looping => /trajectP[i lt e].
exists i, (order g x - i); rewrite subnKC ?(ltnW lt) // subn_gt0 lt; split=> //.
  by rewrite /order max_card.
by rewrite -/(orbit g x) orbit_uniq.
Qed.
