# Sourced by the scripts whose clients speak Bolt.

# start_server CAIRN DB OUTPUT: serves DB at a free port. Sets server to the process id, and CAIRN_ADDRESS to the address.
start_server() {
  "$1" serve "$2" --bolt 127.0.0.1:0 >"$3" &
  server=$!
  for _ in $(seq 100); do
    CAIRN_ADDRESS=$(sed -n 's|.* at bolt://\([^ ]*\) .*|\1|p' "$3")
    [ -n "$CAIRN_ADDRESS" ] && break
    sleep 0.1
  done
  [ -n "$CAIRN_ADDRESS" ] || { echo "cairn serve did not start"; exit 1; }
  export CAIRN_ADDRESS
}

# end_server: ends the server by a signal. Fails if its exit status is not 0.
end_server() {
  kill -TERM "$server" && wait "$server"
  local ended=$?
  server=
  [ $ended = 0 ] || { echo "cairn serve ended with status $ended"; return 1; }
}
