#!/bin/bash
# cairn-bench as its user calls it: each verb end to end, and what it refuses.
set -u
bench=$1
cairn=$2
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

contains "bench graph answers all questions" "rank1" "$("$bench" graph "$dir/network" --persons 100 \
  --seconds 0 2>&1)"
contains "an unknown question is refused" 'there is no question "nothing"; there are point, hop1' \
  "$("$bench" graph "$dir/other" --questions nothing 2>&1)"
agents=$("$bench" mcp "$dir/agents" --program "$cairn" --memories 300 --starts 2 --calls 5 2>&1)
contains "bench mcp measures a start" "start to the first answer" "$agents"
contains "and searches" "search_memory, a question: p50" "$agents"
contains "and what an attached process takes" "memory of an attached process" "$agents"
contains "it needs the program" "there is no program $dir/none" \
  "$("$bench" mcp "$dir/more" --program "$dir/none" 2>&1)"
printf '{"n":1}\n{"n":2}\n' >"$dir/nodes.jsonl"
printf '\0\0\200\77\0\0\0\0\0\0\0\0\0\0\200\77' >"$dir/vectors.f32"
contains "bench load reports" '"nodes":2' "$("$bench" load --db "$dir/db" \
  --nodes "$dir/nodes.jsonl" --vectors "$dir/vectors.f32" --dimension 2 --label W --property v \
  --metric cosine --threads 1 --json -)"
contains "bench search reports" '"qps"' "$("$bench" search --db "$dir/db" --index w_v \
  --queries "$dir/vectors.f32" --k 1 --ef 8,16 --where 'n.n > 1' --seconds 0 \
  --ids "$dir/ids.i32" --json -)"
contains "a negative ef of a list is refused" "at least 0, got -5" "$("$bench" search \
  --db "$dir/db" --index w_v --queries "$dir/vectors.f32" --k 1 --ef 8,-5 --seconds 0 --json - 2>&1)"
contains "bench search knows the classes of recall" '"recall":"high"' "$("$bench" search \
  --db "$dir/db" --index w_v --queries "$dir/vectors.f32" --k 1 --accuracy fast,default,high,exact \
  --seconds 0 --json -)"
expect "and no others" 1 "$("$bench" search --db "$dir/db" --index w_v \
  --queries "$dir/vectors.f32" --accuracy low --json - >/dev/null 2>&1; echo $?)"
expect "and writes ids" "1 1 1 1" "$(od -An -td4 "$dir/ids.i32" | xargs)"
echo '{"statement":"MATCH (n:W) RETURN count(*) AS n"}' >"$dir/work.jsonl"
contains "bench statements reports" '"rate"' "$("$bench" statements --db "$dir/db" \
  --file "$dir/work.jsonl" --seconds 0.01 --json - --results "$dir/results.jsonl")"
expect "time is not negative" 1 "$("$bench" statements --db "$dir/db" \
  --file "$dir/work.jsonl" --seconds -1 >/dev/null 2>&1; echo $?)"
echo '{"statement":"RETURN 1/0"}' >"$dir/failing.jsonl"
expect "a statement that fails is the exit status" 1 "$("$bench" statements --db "$dir/db" \
  --file "$dir/failing.jsonl" >/dev/null 2>&1; echo $?)"
contains "and writes results" '"rows":[[2]]' "$(cat "$dir/results.jsonl")"
printf 'the 0 0 1\nof 0 0 1\nto 0 0 1\ntea 1 0 0.1\ncup 0.9 0.1 0.1\n' >"$dir/words.txt"
"$cairn" convert-vectors "$dir/words.txt" "$dir/words.cwv" >/dev/null || failed=1
mkdir -p "$dir/set/qrels"
echo '{"_id": "d", "text": "a cup"}' >"$dir/set/corpus.jsonl"
echo '{"_id": "q", "text": "tea"}' >"$dir/set/queries.jsonl"
printf 'q\td\ts\nq\td\t1\n' >"$dir/set/qrels/test.tsv"
contains "and judged" "text + word vectors        | no  |   100.0" \
  "$("$bench" retrieval "$dir/set" --word-vectors "$dir/words.cwv" 2>/dev/null)"
contains "by an embedder of a name" "text + vectors             | no  |   100.0" \
  "$("$bench" retrieval "$dir/set" --embedder "words:$dir/words.cwv" 2>/dev/null)"
contains "or by one of both" "give --word-vectors or --embedder" \
  "$("$bench" retrieval "$dir/set" --embedder hash --word-vectors "$dir/words.cwv" 2>&1)"
expect "what --exclude must be is told" 1 "$("$bench" retrieval "$dir/set" --exclude nonsense \
  >/dev/null 2>"$dir/told"; echo $?)"
contains "with a repair" "name=value" "$(cat "$dir/told")"

contains "metadata reports" "filter and 10 % range" \
  "$("$bench" metadata "$dir/metadata" --nodes 100 --updates 10 2>/dev/null)"
contains "and makes a new directory only" "exists: name a directory" \
  "$("$bench" metadata "$dir/metadata" --nodes 100 2>&1)"
contains "facets reports" "faceted search, median" "$("$bench" facets "$dir/facets" --nodes 100 --tags 5)"
contains "an unknown analyzer is refused" "not in {english,none}" \
  "$("$bench" text "$dir/more" --analyzer latin 2>&1)"
contains "a range is told in short" "at least 1, got 0" "$("$bench" metadata "$dir/more" --nodes 0 2>&1)"
contains "from both sides" "from 1 to 4096, got 5000" "$("$bench" changes --db "$dir/more" \
  --vectors "$dir/vectors.f32" --dimension 5000 2>&1)"
shared=$("$bench" attach "$dir/shared" --nodes 300 --dimension 8 --seconds 0.1 --takeovers 2)
expect "bench attach ends well" 0 $?
for figure in "opening, automatic" "next answered write" "point, attached" "search, attached" \
  "by four attached processes" "import, attached"; do
  contains "bench attach reports" "$figure" "$shared"
done
contains "bench similarity finds the rows of a scan" "30 of 30" "$("$bench" similarity "$dir/similarity" \
  --entities 300 --dimension 8 --calls 3)"
contains "help shows defaults" "1000000" "$("$bench" metadata --help)"
contains "help names the verbs" "retrieval" "$("$bench" --help)"
expect "exit status without a verb" 1 "$("$bench" >/dev/null 2>&1; echo $?)"
exit $failed
