(** STEEL as functions: the paper's Algorithm 1 (lines 297-361) and Algorithm 2, CycleFind
    (lines 364-443), as programs that act and ask.

    Where the listing cannot run as printed, or leaves a choice, these are our readings:
    - both tests ask for f = 0 on D0 and f = 1 on D1 (the listing prints D0 twice);
    - a dataset D'_i is never merged into the dataset of a known state (the paper allows either);
    - so one covering cycle serves the whole of phase 2; it is run once without samples, and then
      until every state has d samples (the inner loop as printed never ends if only the current
      state is short of samples); if no state is short, it is not run;
    - the current state after CycleFind is the one at position max(c, c_init) mod (n_cyc |w|);
    - the number of calls is limited to N |A|, so that every run ends. Ideal runs need at most
      |S| |A| calls, so for them this is no limit;
    - labels are numbered in the order of discovery, positions of a cycle in order, and known
      labels are tried in increasing order (choice 2);
    - the next label to leave is the one nearest to an undefined transition, the lowest of several
      (choice 3); shortest words are the lexicographically smallest (choice 4);
    - the covering cycle goes to the nearest label not yet visited, the lowest of several, marks
      all that it passes, and goes home at the end (choice 5); if it is shorter than t_mix, the
      shortest self-loop of a label on it is inserted where it comes first (choice 6).

    Everything here computes: [acts] lists the actions. *)
From mathcomp Require Import all_ssreflect.
From Steel.looped Require Import Program.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** a / b, rounded up *)
Definition cdiv a b := (a + b.-1) %/ b.

(** The member of a list with the least cost; the smallest of several. *)
Definition better (cost : nat -> nat) l m := (cost l < cost m) || (cost l == cost m) && (l <= m).
Definition nearest (cost : nat -> nat) (B : seq nat) : nat :=
  foldr (fun l best => if better cost l best then l else best) (head 0 B) B.

Section Algorithm.
Variables (A : finType) (acts : seq A) (a0 : A).
(** The parameters: N >= |S|, t_mix, n_samp.cyc., n_samp., D^ (a bound on the diameter), and d, which
    depends on the number of states that were found. *)
Variables (N tmix ncyc nsamp Dhat : nat) (d : nat -> nat).
Implicit Types (w : seq A) (l : nat).

(** What has been learned. The observations of label [l] are those at the times [nth [::] Ds l];
    [(l, a, l')] in the table says that action [a] leads from [l] to [l']; [c] is the label of the
    current state and [u] is the current time. *)
Definition table := seq (nat * A * nat).
Definition learned := (seq (seq nat) * table * nat * nat)%type.
Definition datasets (x : learned) := x.1.1.1.
Definition model (x : learned) := x.1.1.2.

(** T'(l, a), and the label after a word; [None] is the paper's "undefined" *)
Definition look (Tm : table) l a : option nat := ohead [seq x.2 | x <- Tm & x.1 == (l, a)].
Fixpoint walk (Tm : table) l w : option nat :=
  if w is a :: w' then (if look Tm l a is Some l' then walk Tm l' w' else None) else Some l.

(** ** Algorithm 2: CycleFind with the word [w], called at time [c0] *)
Section CycleFind.
Variables (w : seq A) (c0 : nat).
Notation m := (size w).
(** The actions number i, ..., i + j - 1 of the loop. *)
Definition looped i j := [seq nth a0 w (k %% m) | k <- iota i j].

(** Phase 1, the period: settling time, c_init, and for the hypothesis [n] the numbers r and k
    and the datasets (lines 369-384). [bar i] is the time of the observation x-bar_i. *)
Definition settled := maxn (N.-1 * m) tmix.
Definition c_init := (2 * tmix + 3 * N * m - 2) * ncyc - tmix - N * m + 1 + settled.
Definition rr n := cdiv tmix (n * m) * n.
Definition kk n := (c_init + rr n * m - settled) %/ (2 * rr n * m + n * m).
Definition bar i := c0 + (settled + i * m).
Definition D1 n := [seq bar ((2 * rr n + n) * i) | i <- iota 0 (kk n)].
Definition D0 n := [seq bar (rr n + (2 * rr n + n) * i + j) | i <- iota 0 (kk n), j <- iota 1 n.-1].
(** Try the hypotheses n, n - 1, ..., 2; the period is 1 if none of them passes (lines 378-390). *)
Fixpoint period n : program A nat :=
  if n is n'.+1 then
    if n' is 0 then Return 1 else Ask (D0 n) (D1 n) (fun v => if v then Return n else period n')
  else Return 1.

(** Phase 2, the positions, when the period is [p] words (lines 395-408): the early half D^A_i and
    the late half D^B_i of the dataset of position [i], [nsamp] times each *)
Section Positions.
Variable p : nat.
Definition L := p * m.
Definition stride := L * cdiv tmix L.
Definition early0 := maxn ((N - p) * m) tmix.
Definition late0 := early0 + nsamp.-1 * stride + L + tmix.
Definition first_at start i := start + (i + (L - start %% L)) %% L.
Definition half start i := [seq c0 + (first_at start i + k * stride) | k <- iota 0 nsamp].
Definition Dpos i := half early0 i ++ half late0 i.
Definition c_last := 2 * L * (nsamp.-1 * cdiv tmix L + 1) + tmix + early0.
End Positions.

(** The first known label that the oracle cannot separate from the dataset D (lines 414-428) *)
Fixpoint seek (known : seq (seq nat)) l (D : seq nat) : program A (option nat) :=
  if known is D' :: known' then
    Ask D' D (fun v => if v then seek known' l.+1 D else Return (Some l))
  else Return None.
(** Label the positions [ix] in turn; a position that shows no known label gets a new one. *)
Fixpoint place p (ix : seq nat) (Ds : seq (seq nat)) (labels : seq nat) :
    program A (seq (seq nat) * seq nat) :=
  if ix is i :: ix' then bind (seek Ds 0 (Dpos p i)) (fun found => match found with
    | Some l => place p ix' Ds (rcons labels l)
    | None => place p ix' (rcons Ds (Dpos p i)) (rcons labels (size Ds))
    end)
  else Return (Ds, labels).
(** The transitions of the cycle (lines 436-438) *)
Definition edges p (labels : seq nat) : table :=
  [seq (nth 0 labels i, nth a0 w (i %% m), nth 0 labels (i.+1 %% L p)) | i <- iota 0 (L p)].

Definition cyclefind (Ds : seq (seq nat)) (Tm : table) : program A learned :=
  act_all (looped 0 c_init) (bind (period N) (fun p =>
  act_all (looped c_init (c_last p - c_init)) (bind (place p (iota 0 (L p)) Ds [::]) (fun r =>
  let e := maxn c_init (c_last p) in
  Return (r.1, rev (edges p r.2) ++ Tm, nth 0 r.2 (e %% L p), c0 + e))))).
End CycleFind.

(** ** Algorithm 1 *)
(** All words of a length, in lexicographic order, and the first word of a length lo, ...,
    lo + n - 1 with a property *)
Fixpoint words n : seq (seq A) :=
  if n is n'.+1 then [seq a :: w | a <- acts, w <- words n'] else [:: [::]].
Definition first_word (ok : pred (seq A)) lo n :=
  head [::] [seq w <- flatten [seq words i | i <- iota lo n] | ok w].

(** *** Phase 1 (lines 306-326) *)
(** A shortest word out of the known part; the word that leads out from every label of B *)
Definition way_out Tm l := first_word (fun w => walk Tm l w == None) 1 Dhat.+1.
Fixpoint escape (Tm : table) fuel (B : seq nat) : seq A :=
  if fuel is f.+1 then
    if B is [::] then [::] else
    let l := nearest (fun l => size (way_out Tm l)) B in
    let w := way_out Tm l in
    w ++ escape Tm f (undup (pmap (walk Tm ^~ w) (rem l B)))
  else [::].
Definition complete (Tm : table) n := all (fun l => all (fun a => look Tm l a != None) acts) (iota 0 n).
Fixpoint phase1 calls (x : learned) : program A learned :=
  let: (Ds, Tm, c, u) := x in
  if complete Tm (size Ds) then Return x else
  if calls is calls'.+1 then
    bind (cyclefind (escape Tm (size Ds) (iota 0 (size Ds))) u Ds Tm) (phase1 calls')
  else Return x.

(** *** Phase 2 (lines 328-351) *)
(** A shortest word from [c] to [l]; the labels that a word visits, its start included *)
Definition way Tm c l := first_word (fun w => walk Tm c w == Some l) 0 Dhat.+1.
Definition visits Tm c w := [seq walk Tm c (take j w) | j <- iota 0 (size w).+1].
(** From [c], visit all labels of [todo], the nearest first, and go home. *)
Fixpoint tour (Tm : table) home fuel c (todo : seq nat) : seq A :=
  if fuel is f.+1 then
    if todo is [::] then way Tm c home else
    let l := nearest (fun l => size (way Tm c l)) todo in
    let w := way Tm c l in
    w ++ tour Tm home f l [seq l' <- todo | Some l' \notin visits Tm c w]
  else way Tm c home.
(** Insert the shortest self-loop on the way, until the word has at least [tmix] actions. *)
Definition self_loop Tm l := first_word (fun w => walk Tm l w == Some l) 1 Dhat.+1.
Definition lengthen Tm c w :=
  let loop j := self_loop Tm (odflt c (walk Tm c (take j w))) in
  let j := nearest (fun j => size (loop j)) (iota 0 (size w).+1) in
  take j w ++ flatten (nseq (cdiv (tmix - size w) (size (loop j))) (loop j)) ++ drop j w.
Definition cover Tm c n := lengthen Tm c (tour Tm c n c (rem c (iota 0 n))).
(** The offset at which a pass through the word [w] first arrives at [l] is one more than this. *)
Definition first_visit Tm c w l := find (fun j => walk Tm c (take j w) == Some l) (iota 1 (size w)).
(** How often the cycle is run with samples: until every label has d of them *)
Definition passes_needed (Ds : seq (seq nat)) := foldr maxn 0 [seq d (size Ds) - size D | D <- Ds].
Definition phase2 (x : learned) : program A learned :=
  let: (Ds, Tm, c, u) := x in
  let w := cover Tm c (size Ds) in let k := passes_needed Ds in
  if k == 0 then Return x else
  act_all (flatten (nseq k.+1 w))
    (Return ([seq nth [::] Ds l ++ [seq u + (i.+1 * size w + (first_visit Tm c w l).+1) | i <- iota 0 k]
          | l <- iota 0 (size Ds)], Tm, c, u + k.+1 * size w)).

(** Phases 1 and 2; the first word is the single action [a0]. *)
Definition steel : program A learned :=
  bind (cyclefind [:: a0] 0 [::] [::]) (fun x => bind (phase1 (N * size acts) x) phase2).
End Algorithm.

(** *** Phase 3 (lines 353-360): one classifier for each label, and argmax *)
Section Encoder.
Variables (X F : Type) (x0 : X) (cl : F -> pred X) (oracle : seq X -> seq X -> F).
Variables (xs : seq X) (Ds : seq (seq nat)).
Definition others i := flatten [seq nth [::] Ds j | j <- iota 0 (size Ds) & j != i].
Definition classifier i : F := oracle (seen x0 xs (others i)) (seen x0 xs (nth [::] Ds i)).
(** The lowest label whose classifier says 1; 0 if none does *)
Definition encode (x : X) : nat :=
  let i := find (fun i => cl (classifier i) x) (iota 0 (size Ds)) in
  if i < size Ds then i else 0.
End Encoder.
