(* steel-check-located: reads the record of a located run from standard input, one item in a line, and runs
   the checker that was extracted from Coq. This file is not verified: it only reads and prints.

     P actions max_states mixing_time epsilon delta      (fractions as 1/20), first of all
     C class width       finite, conjunctions, thresholds, boxes or half-spaces; thresholds and boxes: then
                         int64 or float64
     D action row        one step; the row that was read after it, or - if none was read
     L                   the learner begins to repeat one action
     E                   the learner explores
     V passes action…    a round of validation is announced: its number of passes and its walk
     F weight…           a classifier of this round, in base 16; for half-spaces one for each state, the bias last

   A row of bits is a number in base 16. A row of numbers has one word for each: an integer, or M*K for M 2^K; floats
   are written as multiples of 2^-1074. For half-spaces they are written above a common denominator, which is the last
   word. Prints the table line by line, then current and steps, then each classifier.
   Exit code 0: accepted, 4: rejected, 3: the input is not of this form. *)
module Big = Z
open Located

exception Malformed

let whole text =
  if text <> "" && String.for_all (fun c -> '0' <= c && c <= '9') text && String.length text <= 18
  then int_of_string text else raise Malformed

let natural base text =
  if text = "" || text.[0] = '-' || text.[0] = '+' then raise Malformed
  else try Big.of_string_base base text with Invalid_argument _ -> raise Malformed

let fraction text = match String.split_on_char '/' text with
  | [a; b] -> (natural 10 a, natural 10 b)
  | _ -> raise Malformed

let signed base text =
  if text <> "" && text.[0] = '-' then Big.neg (natural base (String.sub text 1 (String.length text - 1)))
  else natural base text

let integer text = match String.split_on_char '*' text with
  | [m] -> signed 10 m
  | [m; k] when whole k < 4096 -> Big.shift_left (signed 10 m) (whole k)
  | _ -> raise Malformed

let parameters = function
  | ["P"; a; n; t; e; d] ->
    { actions = whole a; max_states = whole n; mixing_time = whole t; epsilon = fraction e; delta = fraction d }
  | _ -> raise Malformed

(* the lines after the first two; classifiers belong to the round in the line before them *)
let rec lines row note = function
  | [] -> []
  | ["D"; a; "-"] :: rest -> Step (whole a, None) :: lines row note rest
  | ("D" :: a :: x) :: rest -> Step (whole a, Some (row x)) :: lines row note rest
  | ["L"] :: rest -> Looping :: lines row note rest
  | ["E"] :: rest -> Exploring :: lines row note rest
  | ("V" :: n :: walk) :: rest ->
    let rec announced notes = function ("F" :: f) :: rest -> announced (note f :: notes) rest | rest -> notes, rest in
    let notes, rest = announced [] rest in
    Validating (whole n, List.map whole walk, List.rev notes) :: lines row note rest
  | _ -> raise Malformed

let bits = function [x] -> natural 16 x | _ -> raise Malformed
let none _ = raise Malformed
let numbers width x = if List.length x = width then List.map integer x else raise Malformed
let kind = function "int64" -> Integers | "float64" -> Floats | _ -> raise Malformed

let print words = print_endline (String.concat " " words)
let bound = function Low -> "-inf" | At z -> Big.to_string z | High -> "inf"

(* the answer of a check, printed *)
let printed classifier = function
  | None -> print ["rejected"]; exit 4
  | Some (((table, current), classifiers), steps) ->
    List.iter (fun next -> print (List.map string_of_int next)) table;
    print ["current"; string_of_int current];
    print ["steps"; string_of_int steps];
    List.iter (fun f -> print (classifier f)) classifiers

let checked p rest = function
  | ["C"; "finite"; w] ->
    printed (fun f -> [Big.to_string f]) (check_finite (natural 10 w) p (lines bits none rest))
  | ["C"; "conjunctions"; w] ->
    printed (fun (yes, no) -> [Big.to_string yes; Big.to_string no])
      (check_conjunctions (natural 10 w) p (lines bits none rest))
  | ["C"; "thresholds"; w; k] ->
    printed (fun t -> [string_of_int t.feature; (if t.upward then ">=" else "<="); bound t.limit])
      (check_thresholds (kind k) (whole w) p (lines (numbers (whole w)) none rest))
  | ["C"; "boxes"; w; k] ->
    printed (fun (least, greatest) -> List.map bound (least @ greatest))
      (check_boxes (kind k) (whole w) p (lines (numbers (whole w)) none rest))
  | ["C"; "half-spaces"; w] ->
    let weights f = if List.length f = whole w + 1 then List.map (signed 16) f else raise Malformed in
    printed (List.map (Big.format "%x")) (check_half_spaces p (lines (numbers (whole w + 1)) weights rest))
  | _ -> raise Malformed

let rec input () = match input_line stdin with
  | text -> let words = String.split_on_char ' ' text in words :: input ()
  | exception End_of_file -> []

let () =
  try match input () with
    | first :: second :: rest -> checked (parameters first) rest second
    | _ -> raise Malformed
  with Malformed -> prerr_endline "malformed"; exit 3
