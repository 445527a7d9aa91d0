#!/bin/bash
# `cairn mcp --http` as a person starts it: what it says, whom it admits, how it ends. The only client is a socket of bash.
set -u
cairn=$1
dir=$(mktemp -d)
failed=0
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null
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
expect() {
  [ "$2" = "$3" ] || { printf 'FAILED %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"; failed=1; }
}
# start [OPTIONS]: starts a server and sets port
start() {
  "$cairn" mcp "$dir/db" --http 127.0.0.1:0 "$@" >"$dir/out" 2>"$dir/err" &
  server=$!
  for _ in $(seq 200); do grep -q 'serving' "$dir/out" && break; sleep 0.05; done
  port=$(grep -o '127.0.0.1:[0-9]*/mcp' "$dir/out" | tr -dc '0-9:' | cut -d: -f2)
}
# stop SIGNAL
stop() {
  kill -s "$1" "$server"
  wait "$server"
  expect "exit status after $1" 0 $?
  server=
  expect "$1: standard error stays empty" "" "$(cat "$dir/err")"
}
# post TOKEN TOOL ARGUMENTS
post() {
  local meta='"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}'
  local body="{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"$2\",\"arguments\":$3,\"_meta\":{$meta}}}"
  exec {socket}<>"/dev/tcp/127.0.0.1/$port" || return
  printf 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\nConnection: close\r\nContent-Length: %s\r\n\r\n%s' \
    "$1" "$2" "${#body}" "$body" >&"$socket"
  cat <&"$socket"
  exec {socket}>&-
}

contains "without a database nobody could call" "cairn token create" "$("$cairn" mcp "$dir/db" --http 127.0.0.1:0 2>&1)"
"$cairn" "$dir/db" --create </dev/null
contains "without a token nobody could call" "cairn token create" "$("$cairn" mcp "$dir/db" --http 127.0.0.1:0 2>&1)"
secret=$("$cairn" token create "$dir/db" agent --role write 2>/dev/null)
start
contains "the output names the port" "at http://127.0.0.1:$port/mcp (Ctrl-C ends)" "$(cat "$dir/out")"
contains "a memory is stored" "Stored 1 memory" "$(post "$secret" store_memory '{"content":"Ada drinks tea"}')"
contains "and found" "Ada drinks tea" "$(post "$secret" search_memory '{"query":"tea"}')"
contains "a wrong token" "HTTP/1.1 401" "$(post cairn_wrong search_memory '{"query":"tea"}')"
contains "a tool beyond the role" "Unknown tool" "$(post "$secret" forget_memories '{"ids":[1]}')"
contains "a port that is taken" "give another port" "$("$cairn" mcp "$dir/db" --http "127.0.0.1:$port" 2>&1)"
"$cairn" token revoke "$dir/db" agent >/dev/null 2>&1
contains "a revoked token, by another process" "HTTP/1.1 401" "$(post "$secret" search_memory '{"query":"tea"}')"
stop TERM
secret=$("$cairn" token create "$dir/db" agent --role read --home acme 2>/dev/null)
start
found=$(post "$secret" search_memory '{"query":"tea"}')
contains "a token of another namespace" "HTTP/1.1 200" "$found"
case "$found" in *Ada*) echo "FAILED it sees the default namespace"; failed=1 ;; esac
stop INT
"$cairn" check "$dir/db" >/dev/null || { echo "FAILED the database is damaged"; failed=1; }

for address in 0.0.0.0:0 192.168.1.1:80 '[::]:0'; do
  told=$("$cairn" mcp "$dir/db" --http "$address" 2>&1)
  contains "$address is refused" "use 127.0.0.1" "$told"
done
contains "an address without a port" "expected a port" "$("$cairn" mcp "$dir/db" --http '[::1]' 2>&1)"
contains "no port" "expected host:port" "$("$cairn" mcp "$dir/db" --http 127.0.0.1:x 2>&1)"
contains "a configuration starts no HTTP" "not for --http" \
  "$("$cairn" mcp "$dir/db" --http 127.0.0.1:0 --print-config zed 2>&1)"
exit $failed
