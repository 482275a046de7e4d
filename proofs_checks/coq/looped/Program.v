(** Programs that act and ask: the shape of the paper's algorithm.

    A program takes actions and asks questions. A question names two lists of past times, D0 and D1,
    and the answer is whether the oracle's classifier separates the observations made at these
    times. So a program is a tree, and it can be run with any source of answers:

    - with the answers that the oracle gives on what was observed: the real run ([verdict]);
    - with the right answers, which need no observations at all: the ideal run (Tests.v).

    The two runs are equal if the answers agree on the questions that one of them asks
    ([run_agree]). *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Program.
Variable A : Type.
Inductive program (B : Type) :=
  Return of B | Act of A & program B | Ask of seq nat & seq nat & (bool -> program B).
Arguments Return {B}. Arguments Act {B}. Arguments Ask {B}.

(** First the one program, then the other, which may use the value of the first. *)
Fixpoint bind B C (p : program B) (k : B -> program C) : program C := match p with
  | Return b => k b
  | Act a q => Act a (bind q k)
  | Ask D0 D1 q => Ask D0 D1 (fun v => bind (q v) k)
  end.
(** Take the actions of a word. *)
Definition act_all B (w : seq A) (p : program B) : program B := foldr Act p w.

(** A question is put after the actions [h]: (h, D0, D1). *)
Definition question := (seq A * seq nat * seq nat)%type.

(** The run from the actions [h] on, with the answers [v]: the value and all actions ... *)
Fixpoint run (v : question -> bool) B h (p : program B) : B * seq A := match p with
  | Return b => (b, h)
  | Act a q => run v (rcons h a) q
  | Ask D0 D1 q => run v h (q (v (h, D0, D1)))
  end.
(** ... and the questions that it asks. *)
Fixpoint asked (v : question -> bool) B h (p : program B) : seq question := match p with
  | Return _ => [::]
  | Act a q => asked v (rcons h a) q
  | Ask D0 D1 q => (h, D0, D1) :: asked v h (q (v (h, D0, D1)))
  end.

Section Runs.
Variable v : question -> bool.
Lemma run_ask B h D0 D1 (k : bool -> program B) : run v h (Ask D0 D1 k) = run v h (k (v (h, D0, D1))).
Proof. by []. Qed.
Lemma asked_ask B h D0 D1 (k : bool -> program B) :
  asked v h (Ask D0 D1 k) = (h, D0, D1) :: asked v h (k (v (h, D0, D1))).
Proof. by []. Qed.
Lemma run_bind B C h (p : program B) (k : B -> program C) :
  run v h (bind p k) = run v (run v h p).2 (k (run v h p).1).
Proof. by elim: p h => //= *; eauto. Qed.
Lemma asked_bind B C h (p : program B) (k : B -> program C) :
  asked v h (bind p k) = asked v h p ++ asked v (run v h p).2 (k (run v h p).1).
Proof. by elim: p h => [b|a p IH|D0 D1 q IH] h //=; rewrite IH. Qed.
Lemma run_act_all B w h (p : program B) : run v h (act_all w p) = run v (h ++ w) p.
Proof. by elim: w h => [|a w IH] h; rewrite ?cats0 //= IH cat_rcons. Qed.
Lemma asked_act_all B w h (p : program B) : asked v h (act_all w p) = asked v (h ++ w) p.
Proof. by elim: w h => [|a w IH] h; rewrite ?cats0 //= IH cat_rcons. Qed.

(** Actions are only appended, and a question is put after actions of the run. *)
Lemma run_prefix B h (p : program B) : exists h', (run v h p).2 = h ++ h'.
Proof.
elim: p h => [b|a p IH|D0 D1 q IH] h /=; first by exists [::]; rewrite cats0.
  by have [h' ->] := IH (rcons h a); exists (a :: h'); rewrite cat_rcons.
exact: IH.
Qed.
Lemma asked_prefix B h (p : program B) q : List.In q (asked v h p) ->
  exists h', (run v h p).2 = q.1.1 ++ h'.
Proof.
elim: p h => [b|a p IH|D0 D1 k IH] h //=; first exact: IH.
by case=> [<- /=|]; [exact: run_prefix | exact: IH].
Qed.
Lemma asked_size B h (p : program B) q : List.In q (asked v h p) ->
  size q.1.1 <= size (run v h p).2.
Proof. by case/asked_prefix=> h' ->; rewrite size_cat leq_addr. Qed.
End Runs.

(** Two sources of answers that agree on what the one run asks give the same run. *)
Lemma run_agree B (v v' : question -> bool) h (p : program B) :
  (forall q, List.In q (asked v' h p) -> v q = v' q) -> run v h p = run v' h p.
Proof.
elim: p h => [b|a p IH|D0 D1 q IH] h //= ag; first exact: IH.
by rewrite ag; [apply: IH => i ini; apply: ag; right | left].
Qed.
(** The other direction: the decisions of two runs, questions with answers, are the same only if the answers agree on
    what the one run asks (line 468: all that can go wrong is a wrong answer to a question of the ideal run). *)
Definition decisions v B h (p : program B) := [seq (q, v q) | q <- asked v h p].
Lemma decisions_agree B (v v' : question -> bool) h (p : program B) :
  decisions v h p = decisions v' h p <-> forall q, List.In q (asked v' h p) -> v q = v' q.
Proof.
rewrite /decisions; elim: p h => [b|a p IH|D0 D1 k IH] h //=; split=> [[e]|ag].
  by rewrite e => /IH ag q [<-|/ag].
have e : v (h, D0, D1) = v' (h, D0, D1) by apply: ag; left.
by rewrite e; congr (_ :: _); apply/IH => q qin; apply: ag; right.
Qed.
(** Agreement on the questions put before [m] actions gives the same first [m] actions. *)
Lemma run_agree_upto B (v v' : question -> bool) m h (p : program B) :
  (forall q, size q.1.1 < m -> v q = v' q) -> take m (run v h p).2 = take m (run v' h p).2.
Proof.
move=> ag; elim: p h => [b|a p IH|D0 D1 q IH] h //=.
case: (ltnP (size h) m) => lt; first by rewrite (ag (h, D0, D1) lt).
have [h1 ->] := run_prefix v h (q (v (h, D0, D1))).
by have [h2 ->] := run_prefix v' h (q (v' (h, D0, D1))); rewrite !takel_cat.
Qed.
End Program.
Arguments Return {A B}. Arguments Act {A B}. Arguments Ask {A B}.

(** ** The real run: the oracle answers, from what was observed. *)
Section Observed.
Variables (A X F : Type) (x0 : X) (cl : F -> pred X) (oracle : seq X -> seq X -> F).
(** The classifier [f] is 0 on D0 and 1 on D1. *)
Definition separates f (D0 D1 : seq X) := all (fun x => ~~ cl f x) D0 && all (cl f) D1.
(** The observations at the times [D], when there are [xs] so far ([x0] for a time still to come:
    the programs below never ask for one). *)
Definition seen (xs : seq X) (D : seq nat) := [seq nth x0 xs u | u <- D].
(** The answer to a question put after the actions [h] uses the observations 0, ..., |h| only. *)
Definition verdict (xs : seq X) (q : question A) : bool := let: (h, D0, D1) := q in
  let xs' := take (size h).+1 xs in
  separates (oracle (seen xs' D0) (seen xs' D1)) (seen xs' D0) (seen xs' D1).

(** What the program does next, having seen [xs]: action number |xs| - 1 of its run on [xs] (and
    [a0] for ever when it has ended). *)
Definition next_action B (a0 : A) (p : program A B) (xs : seq X) : A :=
  nth a0 (run (verdict xs) [::] p).2 (size xs).-1.

Lemma verdict_take xs m q : size q.1.1 < m -> verdict (take m xs) q = verdict xs q.
Proof. by case: q => -[h D0] D1 /= lt; rewrite take_take. Qed.
(** So the actions of the whole run are those that were chosen step by step. *)
Lemma next_action_run B a0 (p : program A B) xs i : i < size xs ->
  i < size (run (verdict xs) [::] p).2 ->
  next_action a0 p (take i.+1 xs) = nth a0 (run (verdict xs) [::] p).2 i.
Proof.
move=> ix ir; rewrite /next_action size_takel //= -(nth_take _ (ltnSn i)).
rewrite (run_agree_upto (v' := verdict xs)) ?nth_take // => q lt.
exact: verdict_take.
Qed.
End Observed.
