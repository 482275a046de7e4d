(* steel-check-located: reads the record of a located run from standard input, one item in a line, and runs
   the checker that was extracted from Coq. This file is not verified: it only reads and prints.

     P actions max_states mixing_time epsilon delta width     (fractions as 1/20), first of all
     D action row        one step; the row that was read after it in base 16, or - if none was read
     L                   the learner begins to repeat one action
     E                   the learner explores
     V passes action…    a round of validation is announced: its number of passes and its walk

   Prints the table line by line, then current, classifiers and steps. Exit code 0: accepted, 4: rejected,
   3: the input is not of this form. *)
open Located

exception Malformed

let whole text =
  if text <> "" && String.for_all (fun c -> '0' <= c && c <= '9') text && String.length text <= 18
  then int_of_string text else raise Malformed

let number base text =
  if text = "" || text.[0] = '-' || text.[0] = '+' then raise Malformed
  else try Z.of_string_base base text with Invalid_argument _ -> raise Malformed

let fraction text = match String.split_on_char '/' text with
  | [a; b] -> (number 10 a, number 10 b)
  | _ -> raise Malformed

let parameters = function
  | ["P"; a; n; t; e; d; width] ->
    ({ actions = whole a; max_states = whole n; mixing_time = whole t; epsilon = fraction e; delta = fraction d },
     number 10 width)
  | _ -> raise Malformed

let line = function
  | ["D"; a; "-"] -> Step (whole a, None)
  | ["D"; a; x] -> Step (whole a, Some (number 16 x))
  | ["L"] -> Looping
  | ["E"] -> Exploring
  | "V" :: n :: walk -> Validating (whole n, List.map whole walk)
  | _ -> raise Malformed

let rec words () = match input_line stdin with
  | text -> let fields = String.split_on_char ' ' text in fields :: words ()
  | exception End_of_file -> []

let print name f xs = print_endline (String.concat " " (name @ List.map f xs))

let () =
  match words () with
  | exception Malformed | [] -> prerr_endline "malformed"; exit 3
  | first :: rest ->
    match let (p, width) = parameters first in check width p (List.map line rest) with
    | exception Malformed -> prerr_endline "malformed"; exit 3
    | None -> print_endline "rejected"; exit 4
    | Some (((table, current), classifiers), steps) ->
      List.iter (print [] string_of_int) table;
      print ["current"] string_of_int [current];
      print ["classifiers"] Z.to_string classifiers;
      print ["steps"] string_of_int [steps]
