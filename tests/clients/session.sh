# Sourced by the scripts of clients, which run in a separate directory: run.sh CAIRN DIR.

. "$(dirname "${BASH_SOURCE[0]}")/install.sh"
. "$(dirname "${BASH_SOURCE[0]}")/serve.sh"

status=0
server=
work=

# begin_session SCRIPT CAIRN DIR: installs the packages of the script's folder into DIR, and changes to DIR. Sets cairn to the
# program, and work to a directory that is erased at the end. The end also stops the server.
begin_session() {
  local source
  source=$(cd "$(dirname "$1")" && pwd)
  cairn=$(realpath "$2")
  mkdir -p "$3"
  cd "$3" || exit 1
  install_packages "$source"
  need_node
  work=$(mktemp -d)
  trap finish_session EXIT
}

finish_session() {
  [ -n "$server" ] && kill "$server" 2>/dev/null
  wait
  rm -rf "$work"
}

# make_database: makes an empty database at $work/db.
make_database() {
  "$cairn" "$work/db" --create -c 'RETURN 1' >/dev/null || exit 1
}

# make_token VARIABLE NAME OPTION...: makes a token and exports its secret as the variable.
make_token() {
  local variable=$1 name=$2 secret
  shift 2
  secret=$("$cairn" token create "$work/db" "$name" "$@" 2>/dev/null) || exit 1
  export "$variable=$secret"
}

# run_scenarios LEAST: runs all scenarios. Sets status to 1 if one fails, or if there are fewer than LEAST.
run_scenarios() {
  node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="$work/results" ./*.test.mjs || status=1
  scenarios() { sed -n "s/^# $1 //p" "$work/results" | tail -n 1; }
  echo "passed / sent: $(scenarios pass) / $(scenarios tests)"
  [ "$(scenarios tests)" -ge "$1" ] || { echo "fewer than $1 scenarios were run"; status=1; }
}

# end_session: ends the server if there is one, checks its database, and ends the script.
end_session() {
  if [ -n "$server" ]; then
    end_server || status=1
    "$cairn" check "$work/db" || status=1
  fi
  exit $status
}
