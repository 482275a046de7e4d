(** Clauses and proofs by reverse unit propagation (RUP), as SAT solvers write them.

    A variable is a number. A partial assignment is a pair of bit sets: the variables known to be true and the
    ones known to be false. Unit propagation is then a few operations on bit sets for each clause. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From Steel.certain Require Import Bits.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** [Clause p q]: some variable of [p] is true or some variable of [q] is false.
    [Excludes p m]: no variable of [p] is true together with one of [m] (many clauses of length two). *)
Inductive fact := Clause of N & N | Excludes of N & N.
Definition assignment := (N * N)%type.

(** ** Executable part *)
(** What one fact adds to an assignment; [None] if they contradict each other. *)
Definition apply_fact (known : assignment) (x : fact) : option assignment :=
  let: (yes, no) := known in
  match x with
  | Clause p q =>
    let p' := N.ldiff p no in
    let q' := N.ldiff q yes in
    if empty q' then
      if empty p' then None else if single p' then Some (N.lor yes p', no) else Some known
    else if empty p' && single q' then Some (yes, N.lor no q') else Some known
  | Excludes p m =>
    if meets yes p then if meets yes m then None else Some (yes, N.lor no m) else Some known
  end.
Fixpoint apply_facts (xs : seq fact) (known : assignment) : option assignment :=
  if xs is x :: xs' then if apply_fact known x is Some known' then apply_facts xs' known' else None
  else Some known.
(** Whether unit propagation finds a contradiction. [fuel] bounds the number of rounds. *)
Fixpoint contradictory (fuel : seq fact) (xs : seq fact) (known : assignment) : bool :=
  if apply_facts xs known is Some known' then
    if N.eqb known'.1 known.1 && N.eqb known'.2 known.2 then false
    else if fuel is _ :: fuel' then contradictory fuel' xs known' else false
  else true.
(** A clause follows by reverse unit propagation if its negation leads to a contradiction. *)
Definition follows (xs : seq fact) (p q : N) : bool := contradictory xs xs (q, p).

(** ** Soundness *)
Section Sound.
Variable v : nat -> bool.

Definition holds (x : fact) : Prop :=
  match x with
  | Clause p q => exists f, p.[f] && v f || q.[f] && ~~ v f
  | Excludes p m => forall f g, p.[f] -> m.[g] -> v f -> ~~ v g
  end.
Fixpoint all_hold (xs : seq fact) : Prop := if xs is x :: xs' then holds x /\ all_hold xs' else True.
Definition agrees (known : assignment) : Prop :=
  (forall f, known.1.[f] -> v f) /\ (forall f, known.2.[f] -> ~~ v f).

Lemma apply_fact_sound known x : agrees known -> holds x ->
  exists2 known', apply_fact known x = Some known' & agrees known'.
Proof.
case: known x => yes no [p q|p m] [/= Y No].
  case=> f; set p' := N.ldiff p no; set q' := N.ldiff q yes => some.
  have : p'.[f] && v f || q'.[f] && ~~ v f.
    case/orP: some => /andP[h vf]; rewrite !bit_ldiff h vf /= ?orbF ?andbF ?orFb.
      by apply/orP; left; rewrite andbT; apply: contraL vf => /No.
    by apply/orP; right; rewrite andbT; apply: contra vf => /Y.
  case: (boolP (empty q')) => [/emptyP no_q|_].
    rewrite no_q orbF => /andP[pf vf]; rewrite ifN; last by apply/nonemptyP; exists f.
    case: ifP => [one|_]; last by exists (yes, no).
    exists (N.lor yes p', no) => //; split=> //= g.
    by rewrite bit_lor => /orP[/Y //|pg]; rewrite (single_eq one pg pf).
  case: (boolP (empty p' && single q')) => [/andP[/emptyP no_p one]|_ _]; last by exists (yes, no).
  rewrite no_p orFb => /andP[qf vf]; exists (yes, N.lor no q') => //.
  by split=> //= g; rewrite bit_lor => /orP[/No //|qg]; rewrite (single_eq one qg qf).
move=> ex; case: ifP => [/meetsP[f /Y vf pf]|_]; last by exists (yes, no).
rewrite ifN; last by apply/negP => /meetsP[g /Y vg /(ex f g pf)/(_ vf)]; rewrite vg.
exists (yes, N.lor no m) => //; split=> //= g.
by rewrite bit_lor => /orP[/No //|/(ex f g pf)]; apply.
Qed.

Lemma apply_facts_sound xs known : agrees known -> all_hold xs ->
  exists2 known', apply_facts xs known = Some known' & agrees known'.
Proof.
elim: xs known => [|x xs IH] known ok /=; first by exists known.
by case=> /(apply_fact_sound ok)[known' -> ok']; apply: IH.
Qed.

Lemma contradictory_sound fuel xs known : all_hold xs -> agrees known -> contradictory fuel xs known = false.
Proof.
move=> all_; elim: fuel known => [|x fuel IH] known /apply_facts_sound/(_ all_)[known' e ok']; rewrite /= e.
  by case: ifP.
by case: ifP => // _; apply: IH.
Qed.

Lemma follows_sound xs p q : all_hold xs -> follows xs p q -> ~ ~ holds (Clause p q).
Proof.
move=> all_ fl no; move: fl; rewrite /follows contradictory_sound //.
split=> f /= h; last by apply/negP => vf; apply: no; exists f; rewrite h vf.
by apply: contraT => vf; case: no; exists f; rewrite h vf orbT.
Qed.
End Sound.
