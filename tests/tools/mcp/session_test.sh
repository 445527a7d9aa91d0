#!/bin/bash
# `cairn mcp` as clients start it: raw JSON lines by pipes, several servers on one database, what --print-config prints.
set -u
cairn=$1
dir=$(mktemp -d)
failed=0
servers=()
finish() {
  [ ${#servers[@]} = 0 ] || kill "${servers[@]}" 2>/dev/null
  wait
  rm -rf "$dir"
}
trap finish EXIT

# contains NAME PIECE TEXT
contains() {
  case "$3" in
    *"$2"*) ;;
    *) printf 'FAILED %s\n  wanted: ...%s...\n  got:    %s\n' "$1" "$2" "$3"; failed=1 ;;
  esac
}
# lacks NAME PIECE TEXT
lacks() {
  case "$3" in
    *"$2"*) printf 'FAILED %s\n  unwanted: %s\n  got:    %s\n' "$1" "$2" "$3"; failed=1 ;;
  esac
}
expect() {
  [ "$2" = "$3" ] || { printf 'FAILED %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"; failed=1; }
}
# call ID TOOL ARGUMENTS
call() {
  printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"
}
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}'
ready='{"jsonrpc":"2.0","method":"notifications/initialized"}'

# One client, request by request.
coproc SERVER { "$cairn" mcp "$dir/db" 2>"$dir/stderr"; }
server=$SERVER_PID
ask() { printf '%s\n' "$1" >&"${SERVER[1]}" && IFS= read -r -t 20 answer <&"${SERVER[0]}"; }
ask "$hello"
contains "the handshake" '"protocolVersion":"2025-11-25"' "$answer"
printf '%s\n' "$ready" >&"${SERVER[1]}"
ask '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
expect "eight tools" 8 "$(grep -o '"inputSchema"' <<<"$answer" | wc -l)"
[ ${#answer} -le 12000 ] || { echo "FAILED tools/list has ${#answer} bytes"; failed=1; }
ask "$(call 3 store_memory '{"content":"Ada drinks tea","metadata":{"user":"ada"},"external_id":"tea"}')"
contains "a memory is stored" "Stored 1 memory" "$answer"
ask "$(call 4 search_memory '{"query":"what does Ada drink"}')"
contains "and found" "Ada drinks tea" "$answer"
ask "$(call 5 search_memory '{"qery":"x"}')"
contains "a misspelt argument is an error for the model" '"isError":true' "$answer"
ask "$(call 6 query '{"statement":"CREATE (:A)"}')"
contains "a query cannot write" "only reads" "$answer"
ask 'no json'
contains "what is no JSON is told" '"code":-32700' "$answer"
ask '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search_memory","arguments":{"query":"tea"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}'
contains "a request without a session" '"id":7' "$answer"

# Other servers share the database meanwhile, attached to the first.
for i in $(seq 10); do
  (printf '%s\n%s\n' "$hello" "$ready"; call 2 store_memory "{\"content\":\"note $i of many\"}"; sleep 2) |
    "$cairn" mcp "$dir/db" >"$dir/out$i" 2>"$dir/err$i" &
  servers+=($!)
done
wait "${servers[@]}"
servers=()
for i in $(seq 10); do contains "server $i" "Stored 1 memory" "$(cat "$dir/out$i" "$dir/err$i")"; done
# A server that only reads does not keep others from writing, and writes nothing.
reads=$( (printf '%s\n%s\n' "$hello" "$ready"; call 2 search_memory '{"query":"tea"}'; call 3 query '{"statement":"CREATE (:A)"}') |
  "$cairn" mcp "$dir/db" --read-only 2>&1)
contains "a server that reads, beside others" "Ada drinks tea" "$reads"
contains "and cannot write" "only reads" "$reads"
ask "$(call 8 list_memories '{"limit":1}')"
contains "all share one memory" "1 of 11 memories" "$answer"

# The end of its input ends the server, and all that was stored remains.
exec {input}>&"${SERVER[1]}"-
exec {input}>&-
wait "$server"
expect "exit status at the end of the input" 0 $?
expect "standard error stays empty" "" "$(cat "$dir/stderr")"
expect "all is kept" '{"n":11}' "$("$cairn" "$dir/db" --format jsonl -c 'MATCH (m:Memory) RETURN count(*) AS n')"
"$cairn" check "$dir/db" >/dev/null || { echo "FAILED the database is damaged"; failed=1; }

# A server that only reads, and one of a namespace.
listed=$( (printf '%s\n%s\n' "$hello" "$ready"; echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}') |
  "$cairn" mcp "$dir/db" --read-only 2>&1)
lacks "no tool that writes" '"name":"store_memory"' "$listed"
contains "tools that read" '"name":"search_memory"' "$listed"
apart=$( (printf '%s\n%s\n' "$hello" "$ready"; call 2 search_memory '{"query":"tea"}') |
  "$cairn" mcp "$dir/db" --namespace acme 2>&1)
lacks "a namespace of its own" "Ada" "$apart"

# Calls that arrive together run concurrently.
{ printf '%s\n%s\n' "$hello" "$ready"
  for i in $(seq 2 61); do call "$i" store_memory "{\"content\":\"call $i\",\"metadata\":{\"at_once\":true}}"; done; } |
  "$cairn" mcp "$dir/db" >"$dir/many" 2>&1
expect "each of 60 calls is answered" 60 "$(grep -c 'Stored 1 memory' "$dir/many")"
expect "and done once" '{"n":60}' \
  "$("$cairn" "$dir/db" --format jsonl -c 'MATCH (m:Memory {at_once: true}) RETURN count(*) AS n')"

# A client sends 100,000 calls and reads no answer. The server stops reading, takes little memory, and serves others meanwhile.
mkfifo "$dir/flood.in" "$dir/flood.out"
"$cairn" mcp "$dir/db" <"$dir/flood.in" >"$dir/flood.out" 2>/dev/null &
flooded=$!
{ printf '%s\n%s\n' "$hello" "$ready"
  awk 'BEGIN { for (i = 2; i <= 100001; ++i)
    printf "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"query\",\"arguments\":" \
           "{\"statement\":\"RETURN range(1, 1500) AS n\"}}}\n", i }'
} >"$dir/flood.in" 2>/dev/null &
flood=$!
exec {unread}<>"$dir/flood.out"
time_of() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }  # of processors, in ticks
spent=-1
waits=no
for _ in $(seq 60); do
  sleep 0.5
  now=$(time_of "$flooded")
  [ "${now:-0}" -gt 5 ] && [ "$now" = "$spent" ] && waits=yes && break
  spent=$now
done
expect "a server whose answers are not read waits" yes "$waits"
kill -0 "$flood" || { echo "FAILED it has read all of 100,000 calls"; failed=1; }
meanwhile=$( (printf '%s\n%s\n' "$hello" "$ready"; call 2 store_memory '{"content":"beside a flood"}'; sleep 1) |
  timeout 20 "$cairn" mcp "$dir/db" 2>&1)
contains "another server is served meanwhile" "Stored 1 memory" "$meanwhile"
most=$(awk '/^VmHWM/ { print $2 }' "/proc/$flooded/status")
[ "$most" -lt 150000 ] || { echo "FAILED a client that reads nothing makes the server hold $most KiB"; failed=1; }
expect "it goes on when it is read" 5001 "$(timeout 60 head -n 5001 <&"$unread" | grep -c '"result"')"
exec {unread}<&-
wait "$flooded"
wait "$flood"

# The host is killed: another server becomes the host at its next call, and nothing that was answered is lost.
mkfifo "$dir/input"
"$cairn" mcp "$dir/killed" <"$dir/input" >"$dir/host.out" 2>/dev/null &
host=$!
disown "$host"  # no message when it is killed
exec {input}>"$dir/input"
printf '%s\n%s\n%s\n' "$hello" "$ready" "$(call 2 store_memory '{"content":"by the host"}')" >&"$input"
for _ in $(seq 100); do grep -q '"id":2' "$dir/host.out" && break; sleep 0.1; done
coproc SERVER { "$cairn" mcp "$dir/killed" 2>/dev/null; }
server=$SERVER_PID
ask "$hello"
printf '%s\n' "$ready" >&"${SERVER[1]}"
ask "$(call 2 store_memory '{"content":"attached"}')"
contains "an attached server stores" "Stored 1 memory" "$answer"
kill -9 "$host"
while kill -0 "$host" 2>/dev/null; do sleep 0.05; done
exec {input}>&-
ask "$(call 3 store_memory '{"content":"as the next host"}')"
contains "and goes on without its host" "Stored 1 memory" "$answer"
ask "$(call 4 list_memories '{}')"
contains "with all that was stored" "3 of 3 memories" "$answer"
exec {input}>&"${SERVER[1]}"-
exec {input}>&-
wait "$server"

# Many vectors stay in their file: a host starts sooner and takes half of the memory.
"$cairn" "$dir/large" --create -c \
  "CALL memory.add([i IN range(1, 12000) | {content: 'note ' + toString(i)}]) YIELD id RETURN count(id)" >/dev/null
mapped=$( (printf '%s\n%s\n' "$hello" "$ready"
  call 2 query '{"statement":"CALL db.indexes() YIELD name, mappedBytes WHERE mappedBytes > 0 RETURN name, mappedBytes"}') |
  "$cairn" mcp "$dir/large" 2>&1)
contains "256 numbers of 12,000 memories are mapped" "memory_embedding | 12288000" "$mapped"

# The memory tool of files, whose records other tools see.
made=$( (printf '%s\n%s\n' "$hello" "$ready"
  call 2 memory '{"command":"create","path":"/memories/a","file_text":"kept in a file"}'
  call 3 memory '{"command":"create","path":"/memories/../a","file_text":"x"}') |
  "$cairn" mcp "$dir/files" --compat memory-tool 2>&1)
contains "a file is made" "File created successfully at: /memories/a" "$made"
contains "and none beyond" "would escape /memories" "$made"
expect "it is a record" '{"text":"kept in a file"}' \
  "$("$cairn" "$dir/files" --format jsonl -c "MATCH (m:Memory {file_path: '/memories/a'}) RETURN m.content AS text")"
for options in '--tools all' '--root /' --allow-writes; do
  contains "$options with --compat" "leave it out" "$("$cairn" mcp "$dir/files" --compat memory-tool $options --print-config zed 2>&1)"
  contains "$options with --compat, to serve" "leave it out" "$("$cairn" mcp "$dir/files" --compat server-memory $options 2>&1 </dev/null)"
done
contains "--root that is not there" "names no directory: $dir/nowhere" \
  "$("$cairn" mcp "$dir/files" --tools all --root "$dir/nowhere" 2>&1 </dev/null)"
contains "--allow-writes beside --read-only" "leave out one of them" \
  "$("$cairn" mcp "$dir/files" --read-only --allow-writes 2>&1 </dev/null)"
contains "--root without the tool that reads it" "add --tools all" "$("$cairn" mcp "$dir/files" --root / 2>&1 </dev/null)"
contains "--import of another tool" "for --compat server-memory" \
  "$("$cairn" mcp "$dir/files" --import memory.jsonl --print-config zed 2>&1)"
# A failed start leaves no new database.
echo 'no json' >"$dir/broken.jsonl"
none() { [ ! -e "$dir/new" ] || { echo "FAILED $1: it left a database"; failed=1; rm -r "$dir/new"; }; }
contains "an import of a broken file" "line 1 of $dir/broken.jsonl" \
  "$("$cairn" mcp "$dir/new" --compat server-memory --import "$dir/broken.jsonl" 2>&1 </dev/null)"
none "an import of a broken file"
contains "an embedder that is not there" "nowhere" "$("$cairn" mcp "$dir/new" --embedder "words:$dir/nowhere" 2>&1 </dev/null)"
none "an embedder that is not there"
contains "HTTP without a database" "cairn $dir/new --create" "$("$cairn" mcp "$dir/new" --http 127.0.0.1:0 2>&1)"
none "HTTP without a database"
contains "an unknown compatibility" "memory-tool" "$("$cairn" mcp "$dir/files" --compat x 2>&1)"

# The configuration that users paste into clients.
for client in claude-code claude-desktop vscode cursor zed; do
  config=$("$cairn" mcp "$dir/my db" --namespace acme --print-config $client 2>"$dir/place")
  contains "$client: the database" "$dir/my db" "$config"
  contains "$client: the namespace" "acme" "$config"
  contains "$client: the program" "/cairn" "$config"
  [ -s "$dir/place" ] || { echo "FAILED $client: the place"; failed=1; }
  [ $client = claude-code ] && continue
  "$cairn" "$dir/db" --format jsonl --params /dev/stdin -c 'RETURN 1 AS n' >"$dir/read" 2>&1 <<<"$config"
  expect "$client: it is JSON" '{"n":1}' "$(cat "$dir/read")"
  case $client in vscode) key=servers ;; zed) key=context_servers ;; *) key=mcpServers ;; esac
  contains "$client: the key of servers" "\"$key\"" "$config"
done
contains "claude-code is a command" "claude mcp add --scope user memory -- " \
  "$("$cairn" mcp "$dir/db" --print-config claude-code 2>/dev/null)"
contains "an unknown client" "expected one of claude-code, claude-desktop, vscode, cursor, zed, got emacs" \
  "$("$cairn" mcp "$dir/db" --print-config emacs 2>&1)"
contains "an unknown set of tools" "expected all, got some" "$("$cairn" mcp "$dir/db" --tools some 2>&1)"
contains "a path is shown without a dot" " mcp $dir/db" \
  "$(cd "$dir" && "$cairn" mcp ./db --print-config claude-code 2>/dev/null)"
contains "the embedder" "--embedder 'http://127.0.0.1/embed model=m'" \
  "$("$cairn" mcp "$dir/db" --tools all --root / --embedder 'http://127.0.0.1/embed model=m' --print-config claude-code 2>/dev/null)"
contains "a file is found from anywhere" "words:$PWD/glove.cwv" \
  "$("$cairn" mcp "$dir/db" --tools all --root / --embedder words:glove.cwv --print-config claude-code 2>/dev/null)"
contains "the time of a statement" "--timeout 2m" "$("$cairn" mcp "$dir/db" --timeout 120s --print-config claude-code 2>/dev/null)"
contains "no time" "expected a time such as" "$("$cairn" mcp "$dir/db" --timeout soon 2>&1)"
limited=$( (printf '%s\n%s\n' "$hello" "$ready"; echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
  call 3 query '{"statement":"UNWIND range(1, 1000000000000) AS i RETURN count(i)"}') |
  "$cairn" mcp "$dir/db" --timeout 50ms 2>&1)
contains "the tool says when a statement ends" "It ends after 50ms" "$limited"
contains "and it ends then" "reached its limit of 50 ms" "$limited"
contains "a program is found from anywhere" "--embedder 'command:$PWD/model.py --small $PWD/data'" \
  "$("$cairn" mcp "$dir/db" --tools all --root / --embedder 'command:./model.py --small ./data' --print-config claude-code 2>/dev/null)"
contains "a program of PATH stays" "--embedder 'command:python3 $PWD/model.py'" \
  "$("$cairn" mcp "$dir/db" --tools all --root / --embedder 'command:python3 ./model.py' --print-config claude-code 2>/dev/null)"
contains "a key is found from anywhere" "--embedder 'http://127.0.0.1/embed model=m key_file=$PWD/key'" \
  "$("$cairn" mcp "$dir/db" --tools all --root / --embedder 'http://127.0.0.1/embed model=m key_file=key' --print-config claude-code 2>/dev/null)"
contains "no database" "mcp takes the database" "$("$cairn" mcp 2>&1)"
exit $failed
