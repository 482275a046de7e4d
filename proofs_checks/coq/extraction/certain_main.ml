(* Reads a record of certain STEEL with its hint from standard input and runs the extracted checker. Not verified:
   it turns lines into the checker's types and prints the answer.

     certain WIDTH ACTIONS connected|log      first line; then the trajectories:
     start ROW                                the first row of a trajectory, in hexadecimal: bit f is classifier f
     ACTION ROW                               an action and the row after it
     claim F F ...                            the hint: one classifier for each label
     row F T                                  row T shows that classifier F belongs to no cover
     closed F F ...                           not all of these belong to the cover: they could not be left
     clause +F -F ...                         a learned clause

   Exit code 0: accepted, 3: malformed, 4: rejected. *)
open Certain

let malformed why = prerr_endline ("malformed: " ^ why); exit 3
let number text =
  if text <> "" && String.length text < 9 && String.for_all (fun c -> '0' <= c && c <= '9') text
  then Z.of_string text else malformed ("not a number, or too large: " ^ text)
let row text =
  let digit c = ('0' <= c && c <= '9') || ('a' <= c && c <= 'f') in
  if text <> "" && String.for_all digit text then Z.of_string ("0x" ^ text) else malformed ("not a row: " ^ text)
let bit_set = List.fold_left (fun set f -> Z.logor set (Z.shift_left Z.one (Z.to_int (number f)))) Z.zero
let rest literal = String.sub literal 1 (String.length literal - 1)
let clause literals =
  let signed sign = List.filter (fun l -> l <> "" && l.[0] = sign) literals in
  let yes, no = signed '+', signed '-' in
  if List.length yes + List.length no <> List.length literals then malformed "a literal is +F or -F";
  Learn (bit_set (List.map rest yes), bit_set (List.map rest no))

type reading = {
  trajectories : Z.t trajectory list; here : (Z.t * (Z.t * Z.t) list) option;
  claimed : Z.t list; rows : (Z.t * Z.t) list; learned : proof_step list }
let close r = match r.here with
  | None -> r
  | Some (first, steps) -> { r with here = None; trajectories = { first; steps = List.rev steps } :: r.trajectories }
let read r line = match String.split_on_char ' ' line with
  | ["start"; x] -> { (close r) with here = Some (row x, []) }
  | "claim" :: fs -> { (close r) with claimed = List.map number fs }
  | ["row"; f; t] -> { (close r) with rows = (number f, number t) :: r.rows }
  | "closed" :: fs -> { (close r) with learned = Closed (List.map number fs) :: r.learned }
  | "clause" :: literals -> { (close r) with learned = clause literals :: r.learned }
  | [a; x] -> (match r.here with
      | Some (first, steps) -> { r with here = Some (first, (number a, row x) :: steps) }
      | None -> malformed "a step before the first row")
  | _ -> malformed ("not understood: " ^ line)

let rec lines reading = match input_line stdin with
  | line -> lines (read reading line)
  | exception End_of_file -> close reading

let () =
  let width, actions, connected =
    match String.split_on_char ' ' (try input_line stdin with End_of_file -> "") with
    | ["certain"; w; a; "connected"] -> number w, number a, true
    | ["certain"; w; a; "log"] -> number w, number a, false
    | _ -> malformed "the first line is: certain WIDTH ACTIONS connected|log" in
  let r = lines { trajectories = []; here = None; claimed = []; rows = []; learned = [] } in
  let hint = { claim = r.claimed; removals = List.rev r.rows; proof = List.rev r.learned } in
  match check connected width actions (List.rev r.trajectories) hint with
  | None -> print_endline "rejected"; exit 4
  | Some { table; encoders } ->
    let words numbers = String.concat " " (List.map Z.to_string numbers) in
    List.iter2 (fun next fs -> Printf.printf "%s : %s\n" (words next) (words fs)) table encoders;
    print_endline "accepted"
