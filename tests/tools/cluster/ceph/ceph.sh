#!/bin/bash
# A Ceph cluster on loopback with S3 gateways, of the programs of Debian's packages ceph-mon, ceph-osd and radosgw:
#   ceph.sh start DIR [MONITORS STORAGE_DAEMONS GATEWAYS]   1 of each by default; haproxy is needed for more than one gateway
#   ceph.sh again DIR DAEMON                                starts a daemon that was killed, such as osd.1 or gateway.0
#   ceph.sh stop DIR                                        ends all daemons; DIR may then be erased
# It needs no root and no service of the system, and installs nothing. DIR must be new and on a disk, not on tmpfs.
# DIR/environment has what clients need: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION; the bucket is
# `cairn`. DIR/DAEMON.pid has the process of each daemon: mon.0, osd.0, gateway.0, proxy.
# If a program is missing, it says so and exits with status 77.
set -u
export AWS_ACCESS_KEY_ID=cairnkey AWS_SECRET_ACCESS_KEY=cairnsecret AWS_REGION=us-east-1

fail() { echo "ceph.sh: $*" >&2; exit 1; }

need_programs() {
  local programs=(ceph ceph-mon ceph-osd radosgw radosgw-admin monmaptool curl) program
  [ "$1" -gt 1 ] && programs+=(haproxy)
  PATH=$PATH:/usr/sbin
  for program in "${programs[@]}"; do
    command -v "$program" >/dev/null && continue
    echo "SKIPPED: $program is not installed (Debian: apt install ceph-mon ceph-osd radosgw haproxy curl)"
    exit 77
  done
}

# is_free PORT: true if nothing listens at the port.
is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# find_ports: sets base to the first of twenty free ports.
find_ports() {
  local port
  for _ in $(seq 50); do
    base=$((20000 + RANDOM % 400 * 20))
    for port in $(seq "$base" $((base + 19))); do is_free "$port" || continue 2; done
    return
  done
  fail "found no twenty adjacent free ports from 20000 to 28000; end programs that listen there"
}

write_configuration() {
  local i places=
  fsid=$(cat /proc/sys/kernel/random/uuid)
  for i in $(seq 0 $((monitors - 1))); do places+="${places:+,}v2:127.0.0.1:$((base + i))"; done
  cat >"$dir/ceph.conf" <<END
[global]
fsid = $fsid
mon host = $places
public addr = 127.0.0.1
ms bind msgr1 = false
auth cluster required = none
auth service required = none
auth client required = none
# The gateway needs this where there is no authentication.
ms mon client mode = crc
osd pool default size = $osds
osd pool default min size = $((osds / 2 + 1))
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
osd objectstore = bluestore
bluestore block size = 4294967296
bluestore block create = true
osd memory target = 939524096
osd heartbeat interval = 1
osd heartbeat grace = 6
mon osd adjust heartbeat grace = false
mon osd min down reporters = 1
mon allow pool size one = true
mon lease = 2
mon data avail crit = 1
mon data avail warn = 2
mgr initial modules =
rgw enable usage log = false
rgw enable ops log = false
rgw override bucket index max shards = 4
rgw dynamic resharding = false
rgw thread pool size = 64
mon data = $dir/\$name
osd data = $dir/\$name
log file = $dir/\$name.log
admin socket =
run dir = $dir
crash dir = $dir
END
}

# command_of DAEMON: sets command to the command that runs the daemon in the foreground.
command_of() {
  local number=${1#*.}
  case $1 in
    mon.*) command=(ceph-mon -c "$dir/ceph.conf" -f -i "$number") ;;
    osd.*) command=(ceph-osd -c "$dir/ceph.conf" -f -i "$number") ;;
    # Without tcp_nodelay each answer takes 40 ms more.
    gateway.*) command=(radosgw -c "$dir/ceph.conf" -f -n client.admin --log-file="$dir/$1.log"
      --rgw_frontends="beast endpoint=127.0.0.1:$((base + 10 + number)) tcp_nodelay=1") ;;
    proxy) command=(haproxy -db -f "$dir/haproxy.conf") ;;
    *) fail "there is no daemon $1" ;;
  esac
}

# start_daemon DAEMON: starts it in the background.
start_daemon() {
  local command
  command_of "$1"
  setsid nohup "${command[@]}" </dev/null >>"$dir/$1.out" 2>&1 &
  echo $! >"$dir/$1.pid"
  disown
}

ask() { timeout 30 ceph -c "$dir/ceph.conf" --connect-timeout 20 "$@"; }

start_monitors() {
  local i adds=()
  for i in $(seq 0 $((monitors - 1))); do adds+=(--addv "$i" "[v2:127.0.0.1:$((base + i))]"); done
  monmaptool --create --fsid "$fsid" "${adds[@]}" "$dir/monmap" >/dev/null || fail "monmaptool failed"
  for i in $(seq 0 $((monitors - 1))); do
    mkdir "$dir/mon.$i"
    ceph-mon -c "$dir/ceph.conf" --mkfs -i "$i" --monmap "$dir/monmap" >>"$dir/mon.$i.out" 2>&1 ||
      fail "the monitor $i cannot be made: $(tail -n 1 "$dir/mon.$i.out")"
    start_daemon "mon.$i"
  done
  ask mon stat >/dev/null 2>&1 || fail "the monitors do not answer; see $dir/mon.0.log"
}

start_storage_daemons() {
  local i id
  for i in $(seq 0 $((osds - 1))); do
    mkdir "$dir/osd.$i"
    id=$(cat /proc/sys/kernel/random/uuid)
    ask osd new "$id" "$i" >/dev/null 2>&1 || fail "the monitors refuse osd.$i"
    ceph-osd -c "$dir/ceph.conf" -i "$i" --mkfs --osd-uuid "$id" >>"$dir/osd.$i.out" 2>&1 ||
      fail "osd.$i cannot be made: $(tail -n 1 "$dir/osd.$i.out")"
    ask osd crush add "osd.$i" 1 root=default >/dev/null 2>&1
    start_daemon "osd.$i"
  done
}

write_proxy() {
  local i
  cat >"$dir/haproxy.conf" <<END
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch
  # Only requests that no gateway has seen are sent again, so that no write happens twice.
  retry-on conn-failure
frontend s3
  bind 127.0.0.1:$((base + 19))
  default_backend gateways
backend gateways
  balance leastconn
  option httpchk GET /
END
  for i in $(seq 0 $((gateways - 1))); do
    echo "  server gateway.$i 127.0.0.1:$((base + 10 + i)) check inter 500ms fall 2 rise 1"
  done >>"$dir/haproxy.conf"
}

# status_of METHOD URL: prints the HTTP status of a signed request.
status_of() {
  curl -s -m 20 -o /dev/null -w '%{http_code}' -X "$1" --aws-sigv4 "aws:amz:$AWS_REGION:s3" \
    --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    -H "x-amz-content-sha256: $(printf '' | sha256sum | cut -d' ' -f1)" "$2"
}

start_gateways() {
  local i port=$((base + 10))
  for i in $(seq 0 $((gateways - 1))); do start_daemon "gateway.$i"; done
  if [ "$gateways" -gt 1 ]; then
    write_proxy
    start_daemon proxy
    port=$((base + 19))
  fi
  for i in $(seq 0 $((gateways - 1))); do
    timeout 60 bash -c 'until curl -s -m 2 -o /dev/null "$0"; do sleep 0.2; done' \
      "http://127.0.0.1:$((base + 10 + i))/" || fail "gateway.$i does not answer; see $dir/gateway.$i.log"
  done
  timeout 60 radosgw-admin -c "$dir/ceph.conf" user create --uid=cairn --display-name=cairn \
    --access-key="$AWS_ACCESS_KEY_ID" --secret="$AWS_SECRET_ACCESS_KEY" >"$dir/user.out" 2>&1 ||
    fail "the user cannot be made: $(tail -n 1 "$dir/user.out")"
  endpoint=http://127.0.0.1:$port
  [ "$(status_of PUT "$endpoint/cairn")" = 200 ] || fail "the bucket cannot be made at $endpoint"
}

write_environment() {
  cat >"$dir/environment" <<END
export AWS_ENDPOINT_URL=$endpoint AWS_REGION=$AWS_REGION
export AWS_ACCESS_KEY_ID=$AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY
END
}

start() {
  monitors=${1:-1} osds=${2:-1} gateways=${3:-1}
  need_programs "$gateways"
  [ -e "$dir/ceph.conf" ] && fail "$dir has a cluster: choose a new directory"
  mkdir -p "$dir" && dir=$(realpath "$dir") || exit 1
  trap 'stop' EXIT
  find_ports
  echo "base=$base" >"$dir/ports"
  write_configuration
  start_monitors
  start_storage_daemons
  start_gateways
  write_environment
  trap - EXIT
  echo "Ceph serves s3://cairn at $endpoint"
}

# is_ours PID: true if the process runs with DIR's configuration; the number may belong to another process by now.
is_ours() { tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" | grep -qF "$dir/"; }

stop() {
  local file pids=() pid
  for file in "$dir"/*.pid; do
    pid=$(cat "$file" 2>/dev/null) || continue
    is_ours "$pid" || continue
    kill -KILL "$pid"
    pids+=("$pid")
  done
  for pid in "${pids[@]}"; do
    while is_ours "$pid"; do sleep 0.05; done
  done
}

again() {
  . "$dir/ports"
  need_programs 2
  [ -e "$dir/$1.pid" ] || fail "$dir has no daemon $1"
  is_ours "$(cat "$dir/$1.pid")" && fail "$1 runs"
  start_daemon "$1"
}

[ $# -ge 2 ] || { sed -n '2,5s/^# *//p' "$0"; exit 2; }
what=$1 dir=$(realpath -m "$2")
shift 2
case $what in
  start | again | stop) "$what" "$@" ;;
  *) fail "there is no command \"$what\"; use start, again or stop" ;;
esac
