#!/bin/bash
# The program as its user calls it: exit statuses, streams, formats, the verbs end to end.
set -u
cairn=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# expect NAME WANTED ACTUAL
expect() {
  if [ "$2" != "$3" ]; then
    printf 'FAILED %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"
    failed=1
  fi
}
# contains NAME PIECE TEXT
contains() {
  case "$3" in
    *"$2"*) ;;
    *) printf 'FAILED %s\n  wanted: ...%s...\n  got:    %s\n' "$1" "$2" "$3"; failed=1 ;;
  esac
}

db=$dir/db
expect "a statement's rows" '{"a":1}' "$("$cairn" "$db" --create --format jsonl -c 'RETURN 1 AS a')"
expect "exit status of success" 0 "$("$cairn" "$db" -c 'CREATE (:P {name: "Ada"})' >/dev/null; echo $?)"
expect "exit status of an error" 1 "$("$cairn" "$db" -c 'RETRUN 1' >/dev/null 2>&1; echo $?)"
expect "an error leaves standard output alone" "" "$("$cairn" "$db" -c 'RETRUN 1' 2>/dev/null)"
contains "an error has its caret" "^" "$("$cairn" "$db" -c 'RETRUN 1' 2>&1)"
expect "statements on standard input" '{"n":1}' \
  "$(echo 'MATCH (p:P) RETURN count(*) AS n;' | "$cairn" "$db" --format jsonl)"
expect "parameters" '{"x":"a","y":[1,2]}' \
  "$("$cairn" "$db" --format jsonl --param 'x="a"' --param 'y=[1,2]' -c 'RETURN $x AS x, $y AS y')"
echo '{"x": {"deep": true}}' >"$dir/params.json"
expect "a file of parameters" '{"deep":true}' \
  "$("$cairn" "$db" --format jsonl --params "$dir/params.json" -c 'RETURN $x.deep AS deep')"
expect "a parameter wins over the file's" '{"x":2,"y":3}' "$("$cairn" "$db" --format jsonl \
  --param x=2 --params <(echo '{"x": 1, "y": 3}') -c 'RETURN $x AS x, $y AS y')"
contains "a text without quotes is told how to be written" "'name=\"text\"'" \
  "$("$cairn" "$db" --param x=tea -c 'RETURN $x AS x' 2>&1)"
contains "a file of parameters that cannot be read is named" "/proc/self/mem cannot be read" \
  "$("$cairn" "$db" --params /proc/self/mem -c 'RETURN 1' 2>&1)"
contains "a number beyond 64 bits is refused" "99999999999999999999" \
  "$("$cairn" "$db" --param x=99999999999999999999 -c 'RETURN $x AS x' 2>&1)"
expect "EXPLAIN prints its plan once" 1 \
  "$("$cairn" "$db" -c 'EXPLAIN MATCH (p:P) RETURN p' | grep -c ScanNodes)"
expect "PROFILE prints it behind the rows" 1 \
  "$("$cairn" "$db" -c 'PROFILE MATCH (p:P) RETURN p' | grep -c ScanNodes)"
# refuses_full ARGUMENTS...: checks that output to a full device ends in an error message and status 1.
refuses_full() {
  expect "exit status of a full disk: $*" 1 "$("$cairn" "$@" >/dev/full 2>"$dir/told"; echo $?)"
  expect "its message: $*" "error (io_error): standard output: No space left on device" \
    "$(grep "standard output" "$dir/told")"
}
for format in table json jsonl csv toon rag llm markdown; do
  refuses_full "$db" --format $format -c 'MATCH (p:P) RETURN p'
done
refuses_full "$db" --format jsonl -c 'UNWIND range(1, 100000) AS i RETURN i' -c 'CREATE (:Unseen)'
expect "and ends the statements" '{"n":0}' \
  "$("$cairn" "$db" --format jsonl -c 'MATCH (n:Unseen) RETURN count(*) AS n' 2>/dev/null)"
refuses_full "$db" -c .help
refuses_full stats "$db"
refuses_full check "$db"
refuses_full export "$db"
refuses_full import --help
refuses_full --version
told=$("$cairn" --version)
expect "the version comes first" "cairn " "$(head -n 1 <<<"$told" | grep -oxE 'cairn [0-9]+\.[0-9]+\.[0-9]+' | grep -o 'cairn ')"
for line in 'format version  [0-9]+' 'RocksDB         [0-9.]+' 'FlatBuffers     [0-9.]+' \
  'Boost           [0-9.]+' 'utf8proc        [0-9.]+'; do
  expect "a line like '$line'" 1 "$(grep -cxE "$line" <<<"$told")"
done
expect "every line but the first has a name and a value" "" \
  "$(tail -n +2 <<<"$told" | grep -vxE '[A-Za-z0-9_ ]{15} [0-9a-f.]+(, with changes)?')"
expect "a full disk behind a pipe of statements" 1 \
  "$(echo 'RETURN 1;' | "$cairn" "$db" >/dev/full 2>&1; echo $?)"
expect "a closed output is told too, and becomes no file" "1 1 no problem found" "$(
  "$cairn" "$db" -c 'CREATE (:Closed)' >&- 2>"$dir/told"
  echo $? "$(grep -c "standard output" "$dir/told")" "$("$cairn" check "$db")")"
expect "a reader that ends early stays unremarked" '{"i":1}' "$("$cairn" "$db" --format jsonl \
  -c 'UNWIND range(1, 100000) AS i RETURN i' 2>&1 | head -n 1)"
contains "a database is not made by asking" "there is no database" \
  "$("$cairn" "$dir/unmade" -c 'RETURN 1' 2>&1; ls "$dir/unmade" 2>/dev/null)"
contains "nor by a script that begins so" "there is no database" \
  "$(printf '.mode csv\nBEGIN;\nRETURN 1;\nCREATE (:P);\n' | "$cairn" "$dir/unmade" 2>&1; ls "$dir/unmade" 2>/dev/null)"
expect "but by one that writes" '{"n":1}' "$(
  printf 'BEGIN;\nCREATE (:P);\nCOMMIT;\nMATCH (n) RETURN count(*) AS n;\n' |
    "$cairn" "$dir/made" --format jsonl 2>/dev/null)"
# A heading of two lines, a new heading after an empty line where the numbers become wider, and the count.
expect "a pipe gets all rows, without colours" "12350 0" "$("$cairn" "$db" \
  -c 'UNWIND range(1, 12344) AS i RETURN i' | tee "$dir/rows" | wc -l) $(grep -c $'\x1b' "$dir/rows")"
printf 'name,born\nAda,1815\nBob,\n' >"$dir/people.csv"
contains "a CSV file needs a label" "--label" "$("$cairn" import "$dir/csv" "$dir/people.csv" 2>&1)"
contains "and is imported" "2 nodes and 0 relationships loaded" \
  "$("$cairn" import "$dir/csv" "$dir/people.csv" --label Person --id name 2>/dev/null)"
expect "with its types" '{"n":1}' \
  "$("$cairn" "$dir/csv" --format jsonl -c 'MATCH (p:Person {born: 1815}) RETURN count(*) AS n')"
expect "LOAD CSV reads beneath --file-root" '{"n":"Bob"}' "$("$cairn" "$db" --format jsonl \
  --file-root "$dir" -c "LOAD CSV WITH HEADERS FROM 'people.csv' AS p WITH p WHERE p.born IS NULL RETURN p.name AS n")"
expect "or beneath the working directory" '{"n":3}' "$(cd "$dir" && "$cairn" "$db" --format jsonl \
  -c "LOAD CSV FROM 'people.csv' AS p RETURN count(*) AS n")"
contains "and nothing above it" "only beneath --file-root" "$(mkdir "$dir/below" && cd "$dir/below" && "$cairn" "$db" \
  -c "LOAD CSV FROM '../people.csv' AS p RETURN p" 2>&1)"

# A database in an object store: its directory is a copy, and may be another one each time.
"$cairn" "$dir/node" --home "dir:$dir/store" -c 'CREATE (:A {n: 1}), (:A {n: 2})' >/dev/null 2>&1
rm -rf "$dir/node"
expect "a database lives in its home" '{"n":3}' "$("$cairn" "$dir/elsewhere" --home "dir:$dir/store" \
  --format jsonl -c 'MATCH (a:A) RETURN sum(a.n) AS n')"
contains "a copy says that it is one" "lives in an object store" "$("$cairn" "$dir/elsewhere" -c 'CREATE (:A)' 2>&1)"
contains "a home has an address" 'neither `dir:PATH` nor' "$("$cairn" "$dir/none" --home nowhere -c 'RETURN 1' 2>&1)"
home=dir:$dir/store
"$cairn" "$dir/elsewhere" --home "$home" -c 'CREATE (:A {n: 4})' >/dev/null 2>&1
history=$("$cairn" home history "$home" --json)
id=$(grep -oE '"database_id":"[0-9a-f]{32}"' <<<"$history" | cut -d '"' -f 4)
contains "a home lists its commits" '"commits":[{"bytes":' "$history"
contains "and its states, with their times" '"commit":1,"files":' "$history"
expect "which are two" 2 "$(grep -o '"made_at":"20' <<<"$history" | wc -l)"
contains "and for people" "owner     none" "$("$cairn" home history "$home")"
contains "with a table" "made_at" "$("$cairn" home history "$home")"
expect "a commit is restored" "commit 1 of database $id, restored to $dir/before" \
  "$("$cairn" home restore "$home" "$dir/before" --to 1)"
expect "with what it had" '{"n":3}' "$("$cairn" "$dir/before" --format jsonl -c 'MATCH (a:A) RETURN sum(a.n) AS n')"
contains "the newest one otherwise" "commit 2 of" "$("$cairn" home restore "$home" "$dir/newest")"
contains "or that of a time" "commit 2 of" "$("$cairn" home restore "$home" "$dir/by_time" --to 2100-01-01T00:00:00Z)"
made=$(grep -oE '"made_at":"[^"]*"' <<<"$history" | tail -n 1 | cut -d '"' -f 4)
contains "as the history shows it" "commit 2 of" "$("$cairn" home restore "$home" "$dir/by_shown_time" --to "$made")"
contains "no state is as old" "keeps no state from this time or earlier" \
  "$("$cairn" home restore "$home" "$dir/none" --to 2001-01-01T00:00Z 2>&1)"
contains "what is not kept is told" "does not keep the state of commit 9" \
  "$("$cairn" home restore "$home" "$dir/none" --to 9 2>&1)"
contains "what names no state too" "expected a commit such as 41" \
  "$("$cairn" home restore "$home" "$dir/none" --to yesterday 2>&1)"
contains "a fork says what it has" "a fork in dir:$dir/fork" "$("$cairn" home fork "$home" "dir:$dir/fork" --at 1)"
expect "it goes on by itself" '{"n":13}' "$("$cairn" "$dir/forked" --home "dir:$dir/fork" --format jsonl \
  -c 'CREATE (:A {n: 10})' -c 'MATCH (a:A) RETURN sum(a.n) AS n' 2>/dev/null | tail -n 1)"
expect "as its origin does" '{"n":7}' "$("$cairn" "$dir/elsewhere" --home "$home" --format jsonl \
  -c 'MATCH (a:A) RETURN sum(a.n) AS n')"
contains "no fork replaces a home" "already_exists" "$("$cairn" home fork "$home" "dir:$dir/fork" 2>&1)"
contains "a store is probed" "can hold a home" "$("$cairn" home probe "$home")"
contains "a deletion names the database" "--yes" "$("$cairn" home delete "$home" 2>&1)"
contains "and no other one" "nothing was deleted" "$("$cairn" home delete "$home" --yes 0 2>&1)"
contains "then it is deleted" "is deleted" "$("$cairn" home delete "$home" --yes "$id")"
expect "and one object stays" head "$(find "$dir/store" -type f -not -name '.*' -printf '%f\n')"
contains "which an opening shows" "was deleted at 20" "$("$cairn" "$dir/third" --home "$home" -c 'RETURN 1' 2>&1)"
"$cairn" "$dir/keeper" --home "dir:$dir/home_kept" -c 'CREATE (:A)' >/dev/null 2>&1
"$cairn" "$dir/keeper" --home "dir:$dir/home_kept" --keep-days 7 -c 'RETURN 1' >/dev/null 2>&1
contains "a home says how long it keeps states" "kept for  7 days" "$("$cairn" home history "dir:$dir/home_kept")"
contains "and to programs" '"kept_for_seconds":604800' "$("$cairn" home history "dir:$dir/home_kept" --json)"
contains "in days" "expected a whole number from 0 to 36525" \
  "$("$cairn" "$dir/keeper" --home "dir:$dir/home_kept" --keep-days week -c 'RETURN 1' 2>&1)"
contains "home needs a verb" "subcommand" "$("$cairn" home 2>&1)"

for format in json jsonl csv toon rag llm markdown; do
  expect "no summary among the rows of $format" 0 "$("$cairn" "$dir/machine" --format $format \
    -c 'CREATE (:Foo)' 2>/dev/null | grep -c created)"
done
expect "but on standard error" "(1 node created, 1 label added)" \
  "$("$cairn" "$dir/machine" --format json -c 'CREATE (:Foo)' 2>&1 >/dev/null)"
contains "dot commands on standard input" ".labels" "$(printf '.help\n' | "$cairn" "$db")"
contains "dot commands among the statements" ".labels" "$("$cairn" "$db" -c '.help')"
expect "and .quit ends them" '{"a":1}' \
  "$("$cairn" "$db" -c '.format jsonl' -c 'RETURN 1 AS a' -c .quit -c 'RETURN 2 AS a')"
expect "a division by zero prints no result" "" "$("$cairn" "$db" -c 'RETURN 5/0' 2>/dev/null)"
contains "and shows its place" "line 1, column 8" "$("$cairn" "$db" -c 'RETURN 5/0' 2>&1)"
contains "an empty result says so" "(no rows)" "$("$cairn" "$db" -c 'MATCH (n:P {name: "Bob"}) RETURN n')"
expect "the size of a transaction can be chosen" 1 \
  "$("$cairn" "$db.small" --transaction-mib 1 -c 'UNWIND range(1, 5000) AS i CREATE (:P {a: i})' 2>&1 >/dev/null |
    grep -c 'more than 1MiB of changes (--transaction-mib)')"
expect "read-only refuses to write" 1 \
  "$("$cairn" "$db" --read-only -c 'CREATE (:P)' >/dev/null 2>&1; echo $?)"
expect "an unknown format is refused" 1 "$("$cairn" "$db" --format xml -c 'RETURN 1' >/dev/null 2>&1; echo $?)"
contains "a mistyped verb makes no database" "did you mean the command stats?" \
  "$(cd "$dir" && "$cairn" staats </dev/null 2>&1; ls "$dir/staats" 2>/dev/null)"
expect "but a database may be called so" '{"a":1}' \
  "$(cd "$dir" && "$cairn" ./staats --create --format jsonl -c 'RETURN 1 AS a' && "$cairn" staats -c 'RETURN 2' >/dev/null)"
contains "a mistyped verb is told" "did you mean the command stats?" "$("$cairn" stat "$db" 2>&1)"
contains "a mistyped option is told" "did you mean --format?" "$("$cairn" "$db" --fromat json 2>&1)"
contains "so is one of sqlite3" "did you mean --read-only?" "$("$cairn" "$db" -readonly -c 'RETURN 1' 2>&1)"
contains "and one of a verb" "did you mean --skip-errors?" "$("$cairn" import "$db" "$0" --skip-error 2>&1)"
expect "a statement needs no option" '{"a":1} {"b":2}' \
  "$("$cairn" "$db" --format jsonl 'RETURN 1 AS a' 'RETURN 2 AS b' | xargs -d '\n')"
printf 'RETURN 1 AS a;\n.print two\n' >"$dir/two words.cypher"
expect "files come first" '{"a":1} two {"b":2}' \
  "$("$cairn" "$db" --format jsonl -c 'RETURN 2 AS b' -f "$dir/two words.cypher" | xargs -d '\n')"
expect "help of a verb" "$("$cairn" import --help)" "$("$cairn" help import)"
expect "help of the program" "$("$cairn" --help)" "$("$cairn" help)"
expect "an import of standard input" '{"n":1}' "$(
  echo '{"type":"node","id":"1","labels":["In"]}' | "$cairn" import "$dir/in" - >/dev/null &&
    "$cairn" "$dir/in" --format jsonl -c 'MATCH (n:In) RETURN count(*) AS n')"
expect "an import into a namespace" '{"n":2}' "$(
  "$cairn" import "$dir/in" "$dir/people.csv" --label P --namespace acme >/dev/null &&
    "$cairn" "$dir/in" --namespace acme --format jsonl -c 'MATCH (n:P) RETURN count(*) AS n')"
printf 'id;name\n1;Ada\n' >"$dir/semi.csv"
contains "another delimiter is guessed" '--delimiter ";" splits it' \
  "$("$cairn" import "$dir/in" "$dir/semi.csv" --label S 2>&1)"
contains "an error of standard input has its line" "line 3, column 1: " \
  "$(printf 'RETURN 1;\n\nRETRUN 1;\n' | "$cairn" "$db" 2>&1)"
contains "one of a file its name" "$dir/err.cypher, line 2, column 1: " \
  "$(printf 'RETURN 1;\nRETRUN 1;\n' >"$dir/err.cypher"; "$cairn" "$db" -f "$dir/err.cypher" 2>&1)"
# The input never ends, so that the signal always comes first.
{ echo i && yes 1; } | "$cairn" import "$dir/stopped" - --label N --batch 1000 >"$dir/told" 2>&1 &
importing=$!
for _ in $(seq 200); do [ -d "$dir/stopped/store" ] && break; sleep 0.05; done
sleep 0.5
kill -INT $importing
wait $importing
expect "exit status of an import that is stopped" 130 $?
contains "and what is committed" "committed" "$(cat "$dir/told")"
expect "bench is no verb" 1 "$(cd "$dir" && "$cairn" bench metadata x >/dev/null 2>&1; echo $?)"
contains "and the help names its program" "cairn-bench" "$("$cairn" --help)"
contains "a range is told in short" "at least 1, got 0" \
  "$("$cairn" import "$db" "$0" --batch 0 2>&1)"
contains "help shows defaults" "10000" "$("$cairn" import --help)"
contains "help names the verbs" "import|export|ingest|embed" "$("$cairn" --help)"

"$cairn" export "$db" "$dir/out.jsonl" >/dev/null || failed=1
"$cairn" import "$dir/copy" "$dir/out.jsonl" >/dev/null 2>&1 || failed=1
expect "an import of an export" "$(cat "$dir/out.jsonl")" "$("$cairn" export "$dir/copy")"
"$cairn" import "$dir/bulk" "$dir/out.jsonl" --bulk >/dev/null 2>&1 || failed=1
expect "a bulk import" '{"n":1}' "$("$cairn" "$dir/bulk" --format jsonl -c 'MATCH (n:P) RETURN count(*) AS n')"
contains "a bulk import adds to nothing" "loads into a new database only" \
  "$("$cairn" import "$dir/bulk" "$dir/out.jsonl" --bulk 2>&1)"

# In each of two namespaces, one record is hidden.
cat >"$dir/hidden.jsonl" <<'END'
{"type":"node","id":"1","labels":["P"],"system":{"created":1,"updated":1}}
{"type":"node","id":"2","labels":["P"],"system":{"created":1,"updated":2,"deletedAt":2}}
{"type":"node","id":"4096","labels":["P"],"system":{"namespace":"a","created":1,"updated":1,"validFrom":3}}
{"type":"node","id":"4097","labels":["P"],"system":{"namespace":"a","created":1,"updated":1,"expiresAt":2}}
{"type":"relationship","id":"1","label":"R","start":{"id":"1"},"end":{"id":"4096"},"system":{"created":1,"updated":1}}
END
"$cairn" import "$dir/hidden" "$dir/hidden.jsonl" >/dev/null 2>&1 || failed=1
expect "an export has every namespace and what is hidden" "$(cat "$dir/hidden.jsonl")" \
  "$("$cairn" export "$dir/hidden")"
expect "and says nothing then" "" "$("$cairn" export "$dir/hidden" 2>&1 >/dev/null)"
expect "one namespace, without what is hidden" "$(sed -n 1p "$dir/hidden.jsonl")" \
  "$("$cairn" export "$dir/hidden" --namespace '' --visible-only 2>"$dir/told")"
expect "what is left out is told" "left out, as asked for:
  of other namespaces: 2 nodes, 0 relationships
  hidden (softly deleted or expired): 1 node, 0 relationships
  with an end that is left out: 0 nodes, 1 relationship" "$(cat "$dir/told")"
contains "to a file, too" "4 nodes and 1 relationship written" \
  "$("$cairn" export "$dir/hidden" "$dir/all.jsonl" 2>&1)"
contains "a namespace that is not there" 'there is no namespace "b"; the namespaces are the default one, "a"' \
  "$("$cairn" export "$dir/hidden" --namespace b 2>&1)"
expect "and that is an error" 1 "$("$cairn" export "$dir/hidden" --namespace b >/dev/null 2>&1; echo $?)"

expect "no file of indexes where there are none" "" "$(ls "$dir" | grep indexes)"
"$cairn" "$db" -c 'CREATE FULLTEXT INDEX names FOR (p:P) ON EACH [p.name]' >/dev/null || failed=1
contains "indexes beside an export" "out.jsonl.indexes.cypher" "$("$cairn" export "$db" "$dir/out.jsonl")"
expect "and nothing else" "out.jsonl out.jsonl.indexes.cypher" "$(ls "$dir" | grep '^out' | xargs)"
mkfifo "$dir/fifo"
cat "$dir/fifo" >"$dir/piped" &
"$cairn" export "$db" "$dir/fifo" >/dev/null 2>&1 || failed=1
wait $!
expect "an export goes through a pipe" "$(cat "$dir/out.jsonl")" "$(cat "$dir/piped")"
rm "$dir/fifo.indexes.cypher"
contains "and made again" "1 index made" "$("$cairn" import "$dir/indexed" "$dir/out.jsonl" 2>/dev/null)"
"$cairn" "$db" -c "CREATE CONSTRAINT once FOR (n:Once) REQUIRE n.i IS UNIQUE" >/dev/null || failed=1
"$cairn" export "$db" "$dir/once.jsonl" >/dev/null || failed=1
contains "constraints are counted apart" "1 constraint and 1 index made" \
  "$("$cairn" import "$dir/once" "$dir/once.jsonl" 2>/dev/null)"
"$cairn" "$db" -c "DROP CONSTRAINT once" >/dev/null || failed=1
expect "which find" '{"n":1}' "$("$cairn" "$dir/indexed" --format jsonl \
  -c "MATCH (p) SEARCH p IN (FULLTEXT INDEX names FOR 'ada' LIMIT 3) RETURN count(*) AS n")"
"$cairn" "$dir/indexed" -c 'BEGIN' -c 'CREATE (:T)' -c 'COMMIT' >/dev/null || failed=1
expect "several statements form a transaction" '{"n":1}' \
  "$("$cairn" "$dir/indexed" --format jsonl -c 'MATCH (n:T) RETURN count(*) AS n')"
expect "errors that are gone on behind" '1 {"n":2}' "$(
  printf 'CREATE (:T);\nRETRUN 1;\nMATCH (n:T) RETURN count(*) AS n;\n' |
    "$cairn" "$dir/indexed" --format jsonl --keep-going >"$dir/kept" 2>/dev/null
  echo $? "$(cat "$dir/kept")")"

# Namespaces, and limits of statements.
spaces=$dir/spaces
expect "statements in a namespace" '{"n":2}' "$("$cairn" "$spaces" --namespace acme --format jsonl \
  -c 'CREATE (), ()' -c 'MATCH (n) RETURN count(*) AS n' 2>/dev/null)"
expect "the default one beside it" '{"n":0}' \
  "$("$cairn" "$spaces" --namespace '' --format jsonl -c 'MATCH (n) RETURN count(*) AS n')"
for option in '--timeout 5' '--memory 64' '--max-rows 0'; do
  contains "a wrong $option" "${option%% *}: expected a" "$("$cairn" "$db" $option -c 'RETURN 1' 2>&1)"
  contains "what it was" ", got ${option##* }" "$("$cairn" "$db" $option -c 'RETURN 1' 2>&1)"
done
contains "too many rows" "limit of 2 rows" \
  "$("$cairn" "$db" --max-rows 2 -c 'UNWIND [1, 2, 3] AS i RETURN i' 2>&1)"
contains "too much memory" "of memory" \
  "$("$cairn" "$db" --memory 1MiB -c 'RETURN range(1, 1000000) AS i' 2>&1)"
contains "too long" "limit of 20ms" \
  "$("$cairn" "$db" --timeout 20ms -c 'UNWIND range(1, 100000000) AS i RETURN sum(i)' 2>&1)"
# Killed at any point of a drop.
"$cairn" "$spaces" --namespace big -c 'UNWIND range(1, 30000) AS i CREATE (:B {i: i})' >/dev/null
"$cairn" "$spaces" -c 'DROP NAMESPACE big' >/dev/null 2>&1 &
dropping=$!
sleep 0.2
kill -9 $dropping 2>/dev/null
wait $dropping 2>/dev/null
expect "a drop that was killed is finished by another" 0 \
  "$("$cairn" "$spaces" -c 'DROP NAMESPACE big IF EXISTS' >/dev/null; echo $?)"
expect "what is left" '{"name":"","nodes":0,"relationships":0} {"name":"acme","nodes":2,"relationships":0}' \
  "$(echo $("$cairn" "$spaces" --format jsonl -c 'SHOW NAMESPACES'))"
expect "and is in order" "no problem found" "$("$cairn" check "$spaces")"

printf '{"type":"node","id":"1"}\nbroken\n' >"$dir/broken.jsonl"
contains "a broken line is named" "line 2" "$("$cairn" import "$dir/copy" "$dir/broken.jsonl" 2>&1)"

"$cairn" import "$dir/none" "$dir/no.jsonl" >/dev/null 2>&1
"$cairn" import "$dir/none" "$dir/broken.jsonl" >/dev/null 2>&1
"$cairn" import "$dir/none" "$dir/broken.jsonl" --bulk >/dev/null 2>&1
"$cairn" ingest "$dir/none" "$dir/no-files" >/dev/null 2>&1
expect "a failed command leaves no new database" "" "$(ls "$dir" | grep none)"
"$cairn" import "$dir/part" "$dir/broken.jsonl" --batch 1 >/dev/null 2>&1
expect "unless something was kept" '{"n":1}' \
  "$("$cairn" "$dir/part" --format jsonl -c 'MATCH (n) RETURN count(*) AS n')"

mkdir "$dir/files"
echo '# Notes on rivers' >"$dir/files/notes.md"
contains "ingest reports" "1 file added" "$("$cairn" ingest "$dir/memory" "$dir/files" 2>/dev/null)"
contains "ingest names the properties of its own" "content, embedding" "$("$cairn" ingest \
  "$dir/memory" "$dir/files" --set 'content="x"' --set 'embedding=1' 2>&1)"
printf 'of 0.1 0 1\nrivers 1 0 0.1\nnotes 0.9 0.1 0.1\n' >"$dir/words.txt"
"$cairn" convert-vectors "$dir/words.txt" "$dir/words.cwv" >/dev/null || failed=1
contains "an embedder of a name" "1 file added" \
  "$("$cairn" ingest "$dir/meant" "$dir/files" --embedder "words:$dir/words.cwv" 2>/dev/null)"
expect "makes the vectors" '{"n":3}' "$("$cairn" "$dir/meant" --format jsonl -c \
  'MATCH (c:Chunk) RETURN size(c.embedding) AS n')"
contains "another one is refused" "vectors of" "$("$cairn" ingest "$dir/meant" "$dir/files" 2>&1)"
contains "an unknown embedder" "there is no embedder hsah" \
  "$("$cairn" ingest "$dir/unmade" "$dir/files" --embedder hsah 2>&1)"
expect "makes no database" "" "$(ls "$dir" | grep unmade)"
contains "stats lists labels" "Chunk" "$("$cairn" stats "$dir/memory")"
expect "check finds nothing" "no problem found" "$("$cairn" check "$dir/memory")"
for file in "$dir"/memory/store/*.sst; do
  rm -rf "$dir/damaged"
  cp -r "$dir/memory" "$dir/damaged"
  name=store/$(basename "$file")
  printf '\377\0\377' | dd of="$dir/damaged/$name" bs=1 seek=20 conv=notrunc status=none
  found=$("$cairn" check "$dir/damaged" 2>/dev/null)
  expect "exit status of a damaged $name" 1 $?
  contains "check names it" "$name: it contains" "$found"
  case "$found" in
    *"check --repair"*)
      expect "a repair rebuilds it" "no problem found" \
        "$("$cairn" check --repair "$dir/damaged" 2>/dev/null)" ;;
    *)
      contains "a repair refuses" "nothing was repaired" \
        "$("$cairn" check --repair "$dir/damaged" 2>&1)" ;;
  esac
done

contains "a file is no database" "is a file, and a database is a directory" \
  "$("$cairn" "$dir/out.jsonl" -c 'RETURN 1' 2>&1)"
printf 'the 0 0 1\nof 0 0 1\nto 0 0 1\ntea 1 0 0.1\ncup 0.9 0.1 0.1\n' >"$dir/words.txt"
expect "word vectors are converted" "5 words" \
  "$("$cairn" convert-vectors "$dir/words.txt" "$dir/words.cwv")"
contains "the grammar is printed" "statement ::= " "$("$cairn" grammar)"
contains "the grammar for decoding is printed" "root ::= " "$("$cairn" grammar --format gbnf)"
contains "another format of the grammar is refused" "one of ebnf, gbnf" \
  "$("$cairn" grammar --format bnf 2>&1)"
contains "stats has the text of Prometheus" "# TYPE cairn_nodes gauge
cairn_nodes" "$("$cairn" stats "$dir/memory" --format prometheus)"
contains "stats knows two formats" "text or prometheus" "$("$cairn" stats "$dir/memory" --format xml 2>&1)"
# Scrubs: erasing values from the files.
scrubbed=$dir/scrubbed
"$cairn" "$scrubbed" -c 'CREATE (:P {secret: "zq8841"})' >/dev/null
"$cairn" backup "$scrubbed" "$dir/unscrubbed" >/dev/null
"$cairn" "$scrubbed" -c 'MATCH (p:P) WHERE p.secret = "zq8841" DELETE p' >/dev/null
expect "an erased value stays in the files" 0 "$(grep -rqa zq8841 "$scrubbed"; echo $?)"
told=$("$cairn" scrub "$scrubbed" --by ada)
contains "a scrub prints its receipt" "no file of the database contains data erased" "$told"
contains "with who asked for it" "ada" "$told"
contains "and the backups of before" "$dir/unscrubbed of commit 1 still has" "$told"
expect "a scrub leaves no byte" 1 "$(grep -rqa zq8841 "$scrubbed"; echo $?)"
# Backups. Progress is shown on a terminal only.
saved=$dir/saved
"$cairn" "$saved" -c 'CREATE (:P {name: "Ada"})' >/dev/null
told=$("$cairn" backup "$saved" "$dir/backup" 2>"$dir/told")
contains "a backup says what it holds" "commit 1 of database " "$told"
contains "and where" "backed up to $dir/backup: " "$told"
expect "and nothing beside that" "" "$(cat "$dir/told")"
"$cairn" "$saved" -c 'CREATE (:P {name: "Bob"})' >/dev/null
contains "a second one brings it up to date" "commit 2 of" "$("$cairn" backup "$saved" "$dir/backup")"
contains "a backup is verified" ", whole in $dir/backup" "$("$cairn" backup --verify "$dir/backup")"
contains "a backup is restored" ", restored to $dir/again" \
  "$("$cairn" restore "$dir/backup" "$dir/again")"
expect "with all that was in it" '{"name":"Ada"}{"name":"Bob"}' "$("$cairn" "$dir/again" --format jsonl \
  -c 'MATCH (p:P) RETURN p.name AS name ORDER BY name' | tr -d '\n')"
expect "and is whole" "no problem found" "$("$cairn" check "$dir/again")"
"$cairn" "$dir/once_saved" --create -c "CREATE CONSTRAINT once FOR (n:Once) REQUIRE n.i IS UNIQUE" \
  -c "CREATE (:Once {i: 1})" >/dev/null || failed=1
{ "$cairn" backup "$dir/once_saved" "$dir/once_backup" && "$cairn" restore "$dir/once_backup" "$dir/once_again"; } \
  >/dev/null || failed=1
contains "a restored backup has the constraints" '(constraint "once")' \
  "$("$cairn" "$dir/once_again" -c "CREATE (:Once {i: 1})" 2>&1)"
expect "which refuse the duplicate" '{"n":1}' \
  "$("$cairn" "$dir/once_again" --format jsonl -c "MATCH (n:Once) RETURN count(*) AS n")"
expect "exit status of a used directory" 1 \
  "$("$cairn" restore "$dir/backup" "$dir/again" >/dev/null 2>&1; echo $?)"
contains "its reason" "exists and is not empty" "$("$cairn" restore "$dir/backup" "$dir/again" 2>&1)"
table=$(find "$dir/backup" -name '*.sst' | head -n 1)
cp "$table" "$dir/table" && rm "$table" && head -c -1 "$dir/table" >"$table"
contains "a cut file is named" "$table has " "$("$cairn" backup --verify "$dir/backup" 2>&1)"
expect "exit status of a damaged backup" 1 \
  "$("$cairn" backup --verify "$dir/backup" >/dev/null 2>&1; echo $?)"
contains "two directories are needed" "DB DIR" "$("$cairn" backup "$saved" 2>&1)"
contains "or one" "DIR" "$("$cairn" backup --verify "$saved" "$dir/backup" 2>&1)"
contains "no database is made for a backup" "nowhere" "$("$cairn" backup "$dir/nowhere" "$dir/b" 2>&1)"
expect "nor a directory" "no" "$([ -e "$dir/nowhere" ] || [ -e "$dir/b" ] || echo no)"
# Statements may use files of the working directory only.
expect "a statement backs up beneath the working directory" '{"commit":2}' "$(cd "$dir" && "$cairn" saved \
  --format jsonl -c 'BACKUP TO "beneath" YIELD commit RETURN commit')"
contains "the backup is there" ", whole in" "$("$cairn" backup --verify "$dir/beneath")"
expect "and is listed" '{"n":2}' "$("$cairn" "$saved" --format jsonl \
  -c 'SHOW BACKUPS YIELD path RETURN count(*) AS n')"
contains "not above it" "only beneath --file-root" "$(mkdir "$dir/low" && cd "$dir/low" && "$cairn" ../saved \
  -c 'BACKUP TO "../above"' 2>&1)"
contains "nor elsewhere" "is absolute" "$("$cairn" "$saved" -c "BACKUP TO '$dir/above'" 2>&1)"
expect "nothing was written there" "no" "$([ -e "$dir/above" ] || echo no)"

# Tokens: standard output has only the secret, and the database only its hash.
secret=$("$cairn" token create "$db" agent --role write --home acme --namespace other --namespace '*' 2>"$dir/told")
expect "a secret of 256 bits" 1 "$(grep -cxE 'cairn_[A-Za-z0-9_-]{43}' <<<"$secret")"
contains "and a sentence beside it" "shown this once" "$(cat "$dir/told")"
expect "the name is taken" 1 "$("$cairn" token create "$db" agent >/dev/null 2>&1; echo $?)"
"$cairn" token create "$db" plain >/dev/null 2>&1
expect "tokens are listed" "agent │ write │ acme │ other, *" \
  "$("$cairn" token list "$db" | grep -o 'agent .*\*' | tr -s ' ')"
expect "with their defaults" 1 "$("$cairn" token list "$db" | tr -s ' ' | grep -cE "plain │ read │ '' │ │ │ 20")"
"$cairn" token create "$db" reader --also-read shared,'' >/dev/null 2>&1
expect "and what they read besides" 1 \
  "$("$cairn" token list "$db" | tr -s ' ' | grep -cE "reader │ read │ '' │ │ shared, '' │ 20")"
"$cairn" "$dir/two.db" --create -c "CREATE ({k: 1})" >/dev/null
"$cairn" "$dir/two.db" --namespace y -c "CREATE ({k: 2})" >/dev/null
for list in "y,''" "'',y" ",y"; do
  contains "the default namespace in a list: $list" '{"n":2}' "$("$cairn" "$dir/two.db" \
    --namespace x --also-read "$list" --format jsonl -c 'MATCH (n) RETURN count(*) AS n')"
done
contains "which is no star" "by name, not by" "$("$cairn" token create "$db" every --also-read '*' 2>&1)"
"$cairn" "$dir/shared" --namespace shared -c 'CREATE (:A)' >/dev/null 2>&1
expect "a statement reads namespaces besides" '{"n":1}' "$("$cairn" "$dir/shared" --namespace acme \
  --also-read shared,other --format jsonl -c 'MATCH (n) RETURN count(*) AS n')"
expect "and without secrets" 0 "$("$cairn" token list "$db" | grep -c cairn_)"
expect "no file has the secret" "" "$(grep -rlF "${secret#cairn_}" "$db")"
expect "an export has no token" 0 "$("$cairn" export "$db" 2>/dev/null | grep -ci 'token\|agent')"
expect "a token is no finding" "no problem found" "$("$cairn" check "$db")"
expect "revoking says so on standard error alone" "" "$("$cairn" token revoke "$db" agent 2>/dev/null)"
contains "and a second time that there is none" 'no token "agent"' "$("$cairn" token revoke "$db" agent 2>&1)"
expect "exit status of that" 1 "$("$cairn" token revoke "$db" agent >/dev/null 2>&1; echo $?)"
expect "the other token stays" 1 "$("$cairn" token list "$db" | grep -c plain)"
contains "a wrong role is told the names" "read, write, forget, admin" \
  "$("$cairn" token create "$db" other --role root 2>&1)"
contains "token needs a verb" "subcommand" "$("$cairn" token 2>&1)"
contains "no database is made for a token" "nowhere" "$("$cairn" token create "$dir/nowhere" a 2>&1)"
expect "nor a directory for it" "no" "$([ -e "$dir/nowhere" ] || echo no)"

# A server: prints its address, answers, ends by a signal.
served=$dir/served
"$cairn" "$served" --create -c 'CREATE (:P)' >/dev/null
contains "without a token nothing is served" "cairn token create $served NAME --role write" \
  "$("$cairn" serve "$served" --bolt :0 2>&1)"
expect "which is an error" 1 "$("$cairn" serve "$served" --bolt :0 >/dev/null 2>&1; echo $?)"
"$cairn" token create "$served" agent >/dev/null 2>&1
contains "another machine needs TLS" "needs TLS" "$("$cairn" serve "$served" --bolt 0.0.0.0:0 2>&1)"
contains "a wrong address is told" "expected host:port" "$("$cairn" serve "$served" --bolt a:b:c 2>&1)"
contains "no database is made to be served" "nowhere" "$("$cairn" serve "$dir/nowhere" 2>&1)"
contains "the usual port is in the help" "127.0.0.1:7687" "$("$cairn" serve --help)"
# start_server OPTION...: starts a server and waits until it has printed what it serves, which is in $dir/said.
start_server() {
  : >"$dir/said"  # what an earlier one said
  "$cairn" serve "$served" "$@" >"$dir/said" 2>&1 &
  server=$!
  for _ in $(seq 100); do [ -s "$dir/said" ] && break; sleep 0.1; done
}
# serve_until SIGNAL OPTION...: prints what the server said, the answer to a handshake, and the exit status.
serve_until() {
  local signal=$1 server port
  shift
  start_server "$@"
  port=$(sed -n 's|.*bolt://127.0.0.1:\([0-9]*\) .*|\1|p' "$dir/said")
  sed "s|$port|PORT|" "$dir/said"
  exec 3<>"/dev/tcp/127.0.0.1/$port" &&
    printf '\x60\x60\xb0\x17\0\0\x08\x05\0\0\0\0\0\0\0\0\0\0\0\0' >&3 && head -c 4 <&3 | od -An -tx1
  "$cairn" "$served" -c 'RETURN 1' >/dev/null 2>&1 && echo "open elsewhere"
  kill -"$signal" "$server"
  wait "$server"
  echo "status $?"
  exec 3>&-
}
expect "a server until SIGTERM" "serving $served at bolt://127.0.0.1:PORT (Ctrl-C ends)
 00 00 08 05
open elsewhere
status 0" "$(serve_until TERM --bolt :0)"
expect "or an interrupt, as Ctrl-C is one" "status 0" "$(set -m; serve_until INT --bolt 127.0.0.1:0 | tail -n 1)"
start_server --bolt :0 --log-statements "$dir/sent.jsonl"
# The shell over the network.
address=$(sed -n 's|.* at \(bolt://[^ ]*\) .*|\1|p' "$dir/said")
"$cairn" token create "$served" shell --role write >"$dir/secret" 2>/dev/null
contains "a remote shell needs a token" "CAIRN_TOKEN" "$(CAIRN_TOKEN='' "$cairn" "$address" 'RETURN 1' 2>&1)"
expect "its statements run there" '[
{"n":2}
]' "$("$cairn" "$address" --token-file "$dir/secret" --format json --param x=1 -c 'RETURN $x + 1 AS n')"
expect "also in a transaction" 2 "$(printf 'BEGIN;\nCREATE (:P);\nMATCH (p:P) RETURN count(*) AS n;\nROLLBACK;\n' |
  "$cairn" "$address" --token-file "$dir/secret" --format csv 2>/dev/null | tail -n 1 | tr -d '\r')"
"$cairn" token create "$served" everywhere --role write --namespace '*' >"$dir/everywhere" 2>/dev/null
contains "and in the namespace that a command sets" "there is no namespace acme yet" \
  "$(printf '.namespace acme\n' | "$cairn" "$address" --token-file "$dir/everywhere" 2>&1)"
expect "without an error" 1 "$(printf '.namespace acme\nCREATE (:InAcme);\n.namespace acme\nMATCH (p:InAcme) RETURN count(*) AS n;\n' |
  "$cairn" "$address" --token-file "$dir/everywhere" --format csv 2>/dev/null | tail -n 1 | tr -d '\r')"
contains "if the token may use it" "may not use the namespace" \
  "$(printf '.namespace acme\n' | "$cairn" "$address" --token-file "$dir/secret" 2>&1)"
: >"$dir/empty"
contains "a token file is missing" "--token-file: cannot open $dir/none: No such file" \
  "$("$cairn" "$address" --token-file "$dir/none" 'RETURN 1' 2>&1)"
contains "a token file is empty" "$dir/empty is empty" "$("$cairn" "$address" --token-file "$dir/empty" 'RETURN 1' 2>&1)"
contains "a token file is a directory" "is a directory" "$("$cairn" "$address" --token-file "$dir" 'RETURN 1' 2>&1)"
contains "an option that a server ignores" "--author has no effect" \
  "$("$cairn" "$address" --token-file "$dir/secret" --author me 'RETURN 1' 2>&1)"
contains "a command that needs the directory" "runs only statements, and not this command" \
  "$(printf '.database\n' | "$cairn" "$address" --token-file "$dir/secret" 2>&1)"
contains "a token needs a database and a name" "Usage: cairn token create DB NAME" "$("$cairn" token create agent 2>&1)"
contains "an error has its place" "^^^" "$("$cairn" "$address" --token-file "$dir/secret" 'RETURN 1/0' 2>&1)"
contains "a command for a directory says so" "needs a directory" "$("$cairn" stats "$address" 2>&1)"
contains "an option of a directory too" "--read-only is for a directory" \
  "$("$cairn" "$address" --read-only --token-file "$dir/secret" 'RETURN 1' 2>&1)"
expect "a log of statements is the user's alone" 600 "$(stat -c %a "$dir/sent.jsonl")"
kill "$server"; wait "$server"
contains "a log that cannot be written is named" "/nowhere/sent.jsonl" \
  "$("$cairn" serve "$served" --bolt :0 --log-statements /nowhere/sent.jsonl 2>&1)"
contains "a certificate needs its key" "--tls-key" "$("$cairn" serve "$served" --tls-cert "$dir/said" 2>&1)"
if command -v openssl >/dev/null; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 1 \
    -keyout "$dir/server.key" -out "$dir/server.pem" 2>/dev/null
  start_server --bolt 0.0.0.0:0 --tls-cert "$dir/server.pem" --tls-key "$dir/server.key"
  port=$(sed -n 's|.*bolt+s://0.0.0.0:\([0-9]*\) .*|\1|p' "$dir/said")
  expect "with TLS other machines reach it" " 00 00 08 05" \
    "$({ printf '\x60\x60\xb0\x17\0\0\x08\x05\0\0\0\0\0\0\0\0\0\0\0\0'; sleep 1; } |
      openssl s_client -quiet -connect "127.0.0.1:$port" 2>/dev/null | head -c 4 | od -An -tx1)"
  kill "$server"; wait "$server"
else
  echo "SKIPPED: there is no openssl to make a certificate with" >&2
fi
expect "behind it the database is whole" "no problem found" "$("$cairn" check "$served")"

# Several processes on one database: the first is the host.
start_server --no-bolt
host=$server
expect "a host that does nothing else" "serving $served to programs of this user (Ctrl-C ends)" "$(cat "$dir/said")"
"$cairn" "$served" -c "CREATE (:Q {x: 1})" >/dev/null
expect "another process writes" '[{"n":1}]' \
  "$("$cairn" "$served" --format json -c 'MATCH (q:Q) RETURN count(*) AS n' | tr -d ' \n')"
contains "and says to whom it is attached" "attached (to process $host)" "$("$cairn" "$served" -c '.database')"
contains "what only reads asks the host" "nodes" "$("$cairn" stats "$served")"
expect "a check does too" "no problem found" "$("$cairn" check "$served")"
expect "and an export" 3 "$("$cairn" export "$served" 2>/dev/null | grep -c '"type":"node"')"
printf '{"type":"node","id":"9","labels":["R"],"properties":{"y":2}}\n' >"$dir/one.jsonl"
contains "an import writes through the host" "1 node" "$("$cairn" import "$served" "$dir/one.jsonl" 2>&1)"
contains "a token is made beside it" "another" \
  "$("$cairn" token create "$served" another 2>&1 >/dev/null; "$cairn" token list "$served")"
contains "a repair asks for the database alone" "process $host" "$("$cairn" check "$served" --repair 2>&1)"
mkdir "$dir/many"
for i in $(seq 400); do echo "# File $i" >"$dir/many/$i.md"; done
{ echo number; seq 20000; } >"$dir/numbers.csv"
# outlives STATEMENT ARGUMENTS...: kills the host as soon as the statement returns true; prints what the
# command then says.
outlives() {
  local statement=$1 writer
  shift
  "$cairn" "$@" >"$dir/written" 2>&1 &
  writer=$!
  for _ in $(seq 200); do
    [ "$("$cairn" "$served" --format csv -c "$statement" 2>/dev/null | tail -n 1 | tr -d '\r')" = true ] && break
  done
  kill -KILL "$host"
  wait "$writer" || echo "it failed"
  cat "$dir/written"
}
contains "an ingest attached outlives its host" "400 files added" \
  "$(outlives 'MATCH (d:Document) RETURN count(*) > 20' ingest "$served" "$dir/many")"
wait "$host" 2>/dev/null
expect "each file is there once" '{"n":400,"m":400}' "$("$cairn" "$served" --format jsonl -c \
  'MATCH (d:Document) RETURN count(*) AS n, count(DISTINCT d.file_path) AS m')"
start_server --no-bolt
host=$server
contains "an import attached outlives its host" "20,000 nodes" "$(outlives \
  'MATCH (n:Number) RETURN count(*) > 1000' import "$served" "$dir/numbers.csv" --label Number --batch 500)"
wait "$host" 2>/dev/null
expect "each line is there once" '{"n":20000,"m":20000}' "$("$cairn" "$served" --format jsonl -c \
  'MATCH (n:Number) RETURN count(*) AS n, count(DISTINCT n.number) AS m')"
expect "a host that was killed has lost nothing" '[{"n":1}]' \
  "$("$cairn" "$served" --format json -c 'MATCH (r:R) RETURN count(*) AS n' | tr -d ' \n')"
expect "and all is whole" "no problem found" "$("$cairn" check "$served")"

contains "a missing database is named" "nowhere" "$("$cairn" stats "$dir/nowhere" 2>&1)"
exit $failed
