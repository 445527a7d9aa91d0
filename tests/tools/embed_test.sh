#!/bin/bash
# `cairn embed --pending`: if it is killed at a request, it loses no vector and makes none twice.
set -u
cairn=$1
model=$2
dir=$(mktemp -d)
failed=0
trap 'rm -rf "$dir"' EXIT

# expect NAME WANTED GOT
expect() {
  [ "$2" = "$3" ] && return
  printf 'FAILED %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"
  failed=1
}
# contains NAME PIECE TEXT
contains() {
  case "$3" in
    *"$2"*) ;;
    *) printf 'FAILED %s\n  wanted: ...%s...\n  got:    %s\n' "$1" "$2" "$3"; failed=1 ;;
  esac
}
count() { "$cairn" "$dir/db" --format jsonl -c "MATCH (m:Memory) WHERE $1 RETURN count(*) AS n"; }

"$cairn" "$dir/db" -c "UNWIND range(1, 300) AS i CREATE (:Memory {kind: 'note', embedding_pending: true,
  content: reduce(t = '', x IN range(1, i) | t + 'x')})" >/dev/null || failed=1
contains "no action" "give --pending" "$("$cairn" embed "$dir/db" 2>&1)"
contains "no model" "embed needs the model" "$("$cairn" embed "$dir/db" --pending 2>&1)"

# The model is asked what it is, and then hangs at the third batch; in the next run at the second.
for plan in ...h ..h; do
  rm -f "$dir/state"
  "$cairn" embed "$dir/db" --pending --embedder "command:'$model' '$plan' '$dir/state'" >/dev/null 2>&1 &
  embedding=$!
  for _ in $(seq 200); do
    [ "$(cat "$dir/state" 2>/dev/null)" = ${#plan} ] && break
    sleep 0.05
  done
  hanging=$(pgrep -P $embedding)
  kill -9 $embedding $hanging
  wait $embedding 2>/dev/null
  made=$(count "m.embedding IS NOT NULL AND m.embedding_pending IS NULL")
  open=$(count "m.embedding IS NULL AND m.embedding_pending")
  contains "some are made" '"n":' "$made"
  expect "each is made or pending" 300 $(($(echo "$made" | tr -dc 0-9) + $(echo "$open" | tr -dc 0-9)))
done
expect "three batches are made" '{"n":192}' "$(count "m.embedding IS NOT NULL")"
rm -f "$dir/state"
contains "the rest is made" "108 vectors made" \
  "$("$cairn" embed "$dir/db" --pending --embedder "command:'$model' '' '$dir/state'" 2>/dev/null)"
expect "nothing is pending" '{"n":0}' "$(count "m.embedding_pending IS NOT NULL")"
expect "each vector is that of its text" '{"n":300}' "$(count "toFloat(size(m.content)) = m.embedding[0]")"
expect "the database is in order" "no problem found" "$("$cairn" check "$dir/db")"
contains "nothing is left to do" "0 vectors made; 0 pending" \
  "$("$cairn" embed "$dir/db" --pending --embedder "command:'$model' '' '$dir/state'" 2>/dev/null)"
"$cairn" "$dir/db" --embedder "command:'$model' '' '$dir/state'" -c 'RETURN 1' >/dev/null || failed=1
contains "the embedder of the model is known" "made with --embedder command:$model" \
  "$("$cairn" embed "$dir/db" --pending 2>&1)"

# A memory is written even if the model cannot be reached at the start, and an import makes its vector.
late=$("$cairn" "$dir/db" --embedder "command:$dir/away" -c "CALL memory.add({content: 'late'})" 2>&1)
contains "the model is away" "until it answers, vectors are pending" "$late"
expect "the memory is there" '{"n":1}' "$(count "m.content = 'late' AND m.embedding_pending")"
contains "words find it" '"late"' "$("$cairn" "$dir/db" --embedder "command:$dir/away" --format jsonl \
  -c "CALL memory.recall({query: 'late'}) YIELD record RETURN record.content AS text" 2>/dev/null)"
contains "without a known model it is an error" "cannot be started" \
  "$("$cairn" "$dir/new" --create --embedder "command:$dir/away" -c 'RETURN 1' 2>&1)"
"$cairn" export "$dir/db" "$dir/all.jsonl" >/dev/null 2>&1 || failed=1
contains "an import makes what is pending" "1 vector made" \
  "$("$cairn" import "$dir/copy" "$dir/all.jsonl" --embedder "command:'$model' '' '$dir/state'" 2>/dev/null)"
"$cairn" embed "$dir/db" --pending --embedder "command:'$model' '' '$dir/state'" >/dev/null 2>&1 || failed=1

# A process that is attached to a host with the same embedder does not start the model again.
rm -f "$dir/state"
spec="command:'$model' '' '$dir/state'"
"$cairn" serve "$dir/db" --no-bolt --embedder "$spec" >"$dir/served" 2>&1 &
serving=$!
for _ in $(seq 200); do
  grep -q serving "$dir/served" && break
  sleep 0.05
done
expect "the host has asked its model once" 1 "$(cat "$dir/state")"
"$cairn" "$dir/db" -c "CREATE (:Memory {kind: 'note', embedding_pending: true, content: 'shared'})" >/dev/null || failed=1
contains "the model of the host embeds" "1 vector made" "$("$cairn" embed "$dir/db" --pending --embedder "$spec" 2>/dev/null)"
expect "and was asked for the vector alone" 2 "$(cat "$dir/state")"
expect "which is that of the text" '{"n":1}' "$(count "m.content = 'shared' AND m.embedding[0] = 6.0")"
contains "statements use it" '"text":"also shared"' "$("$cairn" "$dir/db" --format jsonl -c \
  "CALL memory.add({content: 'also shared'}) YIELD id MATCH (m) WHERE id(m) = id AND m.embedding[0] = 11.0 RETURN m.content AS text" 2>&1)"
contains "another model is refused" '"made"' "$("$cairn" "$dir/db" --embedder hash -c 'RETURN 1' 2>&1)"
kill $serving
wait $serving 2>/dev/null
exit $failed
