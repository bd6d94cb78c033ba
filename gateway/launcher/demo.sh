# The demo: one gateway, and each mote as a separate process. Sourced by ./vigil.

# Wake-ups per second that the virtual radio can carry, counting each hop of a mesh: 250 motes at --wake 30.
air_wakeups=9
air_motes=250

demo_help() {
  cat <<'TEXT'
./vigil demo: a gateway and motes as processes on this machine, over a virtual 802.15.4 radio.

  --motes N        number of motes, 1 to 250 (default 3; 13 with --topology thesis)
  --wake SECONDS   time between wake-ups of a mote (default 5, or more if the channel requires it: it
                   carries 9 wake-ups a second in total; in a mesh every hop counts)
  --topology T     thesis (13 motes, up to six hops), line, or a file that lists the links;
                   the motes then form a mesh (default: one hop, all in range of each other, asleep)
  --ipsec          each mote and the gateway use ESP, with separate keys, created for the first demo;
                   the motes then form a mesh
  --commander FILE the holder of this key may command the motes' actuator led: a public P-256 JWK, as
                   ./vigil command --new-key prints it
  --pcap FILE      write every frame to FILE, for Wireshark and ./vigil decode
  --data-dir DIR   folder of the state (default ./data next to the launcher)
  --for SECONDS    stop in order this long after the line that begins with "ready"
  and the options of ./vigil run, such as --http-port N

Each mote reads different sensors of this machine: load, memory, disk, network, and temperature
if available. Exit code 2: an option is wrong.
TEXT
}

misuse() { say "vigil: $*"; exit 2; }

# Reads and checks the options of demo; `pass` receives the options of the gateway.
demo_options() {
  local wake=
  motes= data=$here/data topology= ipsec= commander= pass=()
  while [ $# -gt 0 ]; do
    case $1 in
      --ipsec) ipsec=1 ;;
      --motes=*|--wake=*|--data-dir=*|--topology=*|--commander=*) set -- "${1%%=*}" "${1#*=}" "${@:2}"; continue ;;
      --motes|--wake|--data-dir|--topology|--commander)
        [ $# -ge 2 ] || misuse "$1 needs a value"
        case $1 in --motes) motes=$2 ;; --wake) wake=$2 ;; --data-dir) data=$2 ;; --topology) topology=$2 ;; --commander) commander=$2 ;; esac
        shift ;;
      *) pass+=("$1") ;;
    esac
    shift
  done
  if [ -z "$motes" ]; then [ "$topology" = thesis ] && motes=13 || motes=3; fi
  [[ $motes =~ ^[0-9]{1,4}$ ]] && motes=$((10#$motes)) && ((motes >= 1 && motes <= air_motes)) ||
    misuse "--motes takes a number from 1 to $air_motes, the capacity of the virtual radio, not '$motes'"
  check_topology
  check_commander
  choose_wake "$wake"
}

check_commander() {
  [ -n "$commander" ] || return 0
  [ -f "$commander" ] && [ -r "$commander" ] || misuse "--commander takes a file with a public key, not '$commander'"
  ! grep -q '"d" *:' "$commander" || misuse "--commander: $commander is a private key; give its public part"
}

# Sets wake_ms to the requested interval if the virtual radio can carry it.
choose_wake() {
  local hops least
  hops=$(total_hops)
  least=$(((hops * 1000 + air_wakeups - 1) / air_wakeups))
  if [ -z "$1" ]; then wake_ms=$((least > 5000 ? (least + 999) / 1000 * 1000 : 5000)); return; fi
  [[ $1 =~ ^([0-9]{1,6})(\.([0-9]{1,3}))?$ ]] || misuse "--wake takes seconds, such as 5 or 0.5, not '$1'"
  wake_ms=${BASH_REMATCH[3]:-0}00
  wake_ms=$((10#${BASH_REMATCH[1]} * 1000 + 10#${wake_ms:0:3}))
  ((wake_ms <= 604800000)) || misuse "--wake takes at most 604800 seconds, a week, not '$1'"
  ((wake_ms >= least)) || misuse "the virtual radio cannot carry $motes motes at --wake $1: give $(seconds "$least") s or more"
}

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

demo() {
  local line= part= out status=0 started=0 patience=0 patience_most=0
  gateway_pid= mote_pids=() zep= mirror=
  if [ -n "$topology" ]; then
    mkdir -p -m 700 "$data"
    write_topology >"$data/topology.txt"
    pass+=(--topology "$data/topology.txt")
  fi
  if [ -n "$ipsec" ]; then make_associations; fi
  if [ -n "$commander" ]; then
    VIGIL_DEFAULTDOMAIN_COMMANDERS_0=$(cat "$commander")
    export VIGIL_DEFAULTDOMAIN_COMMANDERS_0
  fi
  # The gateway's output is read here, so that motes start only once it is ready.
  exec {out}< <(gateway run --demo --data-dir "$data" "${pass[@]}")
  gateway_pid=$!
  # Motes first, then the gateway, which ends the loop below.
  trap 'end_motes; kill "$gateway_pid" 2>/dev/null || true' INT TERM
  while next_line; do
    if [ -z "$line" ]; then start_next; continue; fi
    printf '%s\n' "$line"
    case $line in ready*) meet "$line"; tell "$line" ;; esac
  done
  wait "$gateway_pid" || status=$?
  end_motes
  return "$status"
}

# Sets `line` to the gateway's next line, or to nothing if the next mote is due. False at the end.
next_line() {
  local code=0 pause=()
  if [ -n "$mirror" ] && ((started < motes)); then pause=(-t "$(seconds "$stagger_ms")"); fi
  IFS= read -r "${pause[@]}" line <&"$out" || code=$?
  part+=$line line=
  if ((code > 128)); then return 0; fi
  line=${part:- } part=
  ((code == 0))
}

# ---- IPsec -----------------------------------------------------------------------------------

# Creates files of associations (docs/protocol.md section 10.1) for the gateway and for each mote that has none. They
# have the form that `./vigil sa new` writes, but need no JVM for each mote. New ones were never used: `--new-sa`.
make_associations() {
  local n new= keys mote_address gateway_address=fd00::56:4947:494c:1 file=$data/gateway.sa
  mkdir -p -m 700 "$data" "$data/motes"
  for ((n = 1; n <= motes; n++)); do
    if [ -e "$data/motes/mote-$n.sa" ]; then continue; fi
    new=1
    keys=$(od -An -v -N 72 -tx1 /dev/urandom | tr -d ' \n')
    mote_address=$(printf 'fd00::56:4947:494c:1%03x' "$n")
    associations "$mote_address" "$gateway_address" out in | put "$data/motes/mote-$n.sa"
    associations "$mote_address" "$gateway_address" in out | put "$file"
  done
  pass+=(--sa "$file")
  if [ -n "$new" ]; then pass+=(--new-sa); fi
}

# The two lines of mote `n`, in the words of either end; the SPIs pass unmodified Contiki-NG forwarders.
associations() {
  local up down
  up=$(printf '0x11%06x' $((2 * n))) down=$(printf '0x11%06x' $((2 * n + 1)))
  echo "$3 esp ctr-xcbc $up $1 $2 ${keys:0:40} ${keys:40:32}"
  echo "$4 esp ctr-xcbc $down $2 $1 ${keys:72:40} ${keys:112:32}"
}

# Appends to a file that only its owner can read from the start.
put() { (umask 077; cat >>"$1"); }

# ---- topology --------------------------------------------------------------------------------

# The radio address of mote N.
eui64() { printf '02564947494c1%03x' "$1"; }

check_topology() {
  case $topology in
    line) ((motes <= 31)) || misuse "a line has at most 31 motes, the limit of RPL's root, not $motes" ;;
    thesis) ((motes <= 13)) || misuse "the thesis' network has 13 motes, not $motes" ;;
    '') ;;
    *) [ -f "$topology" ] && [ -r "$topology" ] || misuse "--topology takes thesis, line or a file, not '$topology'" ;;
  esac
}

# The ether's topology file: a built-in name, or an existing file (with nodes by EUI-64: `eui64`).
write_topology() {
  case $topology in
    line) line_edges | named ;;
    thesis) thesis_edges | named ;;
    *) cat "$topology" ;;
  esac
}

# The sum of the hops from each mote to the gateway; 1 for a mote without a path.
total_hops() {
  local n
  [ -n "$topology" ] || { echo "$motes"; return; }
  {
    for ((n = 1; n <= motes; n++)); do echo "$(eui64 "$n")"; done
    write_topology
  } | awk '
    NF == 1 { mote[$1] = 1 }
    NF >= 2 && $1 !~ /^#/ { heard[$1] = heard[$1] " " $2; heard[$2] = heard[$2] " " $1 }
    END {
      hops["0"] = 0
      for (wave = "0"; wave != ""; wave = next_wave) {
        next_wave = ""
        count = split(wave, nodes, " ")
        for (i = 1; i <= count; i++) {
          others = split(heard[nodes[i]], other, " ")
          for (j = 1; j <= others; j++)
            if (!(other[j] in hops)) { hops[other[j]] = hops[nodes[i]] + 1; next_wave = next_wave " " other[j] }
        }
      }
      for (one in mote) total += (one in hops) ? hops[one] : 1
      print total
    }'
}

# Edges between numbers as edges between radio addresses; 0 is the gateway.
named() {
  local a b
  while read -r a b; do
    if [ "$a" != 0 ]; then a=$(eui64 "$a"); fi
    echo "$a $(eui64 "$b")"
  done
}

line_edges() {
  local n
  for ((n = 1; n <= motes; n++)); do echo "$((n - 1)) $n"; done
}

# The second network of the thesis that this project repeats (2012, section 6.4): 13 nodes, where node 1 is one hop from
# the router and node 13 six hops. Nodes have more links than their routes need. The thesis' figure shows the layout
# without the links: these rows of 2, 2, 3, 3, 2 and 1 are ours.
thesis_edges() {
  cat <<'EDGES'
0 1
0 2
1 2
1 3
2 3
2 4
3 4
3 5
3 6
4 6
4 7
5 6
6 7
5 8
6 9
7 10
8 9
9 10
8 11
9 11
9 12
10 12
11 12
11 13
12 13
EDGES
}

# ---- the motes -------------------------------------------------------------------------------

# The first address in the ready line that matches a pattern.
address() { tr ' ' '\n' <<<"$1" | grep -m1 -E "$2"; }

# Remembers the gateway's addresses; motes start one after another from now on.
meet() {
  local where='^coap://\[fe80:'
  if [ -n "$topology$ipsec" ]; then where='^coap://\[fd'; fi
  zep=$(address "$1" '^zep://') && mirror=$(address "$1" "$where") ||
    { say 'the gateway printed no radio address'; return; }
  # Starts are spread over the time between wake-ups, so that motes do not send at the same time.
  stagger_ms=$((wake_ms / motes < 500 ? wake_ms / motes : 500))
  mkdir -p "$data/motes"
  rm -f "$data"/motes/*.registered
  # Ten seconds; motes of an earlier run have registered already.
  if [ ! -e "$data/motes/mote-1.state" ]; then patience_most=$((10000 / (stagger_ms + 1))) patience=$patience_most; fi
}

# Starts the next mote. The second mote waits until the first has registered as /ms/1. Each later mote waits for the
# eighth mote before it, because on a busy machine unanswered motes would fill the channel with repetitions.
start_next() {
  local n before=$((started > 8 ? started - 7 : 1)) kind sensors=() more=()
  if ((started > 0 && patience-- > 0)) && [ ! -s "$data/motes/mote-$before.registered" ]; then return; fi
  n=$((++started)) patience=$patience_most
  for kind in $(sensors_of "$n"); do sensors+=(--sensor "$kind"); done
  if [ -n "$ipsec" ]; then more=(--sa "$data/motes/mote-$n.sa" --nhc); fi
  if [ -n "$ipsec" ] && [ ! -e "$data/motes/mote-$n.begun" ]; then more+=(--new-sa); fi
  if [ -n "$commander" ]; then more+=(--commander "$commander" --actuator 'led;enum="0 1"'); fi
  "$mote" --ep "mote-$n" --zep "${zep#zep://}" --eui64 "$(eui64 "$n")" "${sensors[@]}" \
    --mirror "$mirror" --wake "$(seconds "$wake_ms")" --state "$data/motes/mote-$n.state" "${more[@]}" \
    > >(exec sed -u -e "/^registered/w $data/motes/mote-$n.registered" -e "s/^/mote-$n: /") 2>&1 &
  mote_pids+=($!)
  # The mote has created its records: if they are lost from now on, it stays silent until it has new keys.
  if [ -n "$ipsec" ]; then : >"$data/motes/mote-$n.begun"; fi
}

# The sensors of mote N on this machine: 15 different sets, or 31 if there is a temperature.
sensors_of() {
  local sets=(
    'load memory' 'disk' 'network' 'load disk' 'memory network' 'load network' 'memory disk' 'disk network'
    'load' 'memory' 'load memory disk' 'load memory network' 'load disk network' 'memory disk network'
    'load memory disk network') count one
  if has_temperature; then
    count=${#sets[@]}
    for ((one = 0; one < count; one++)); do sets+=("${sets[one]} temperature"); done
    sets=("${sets[@]:0:3}" temperature "${sets[@]:3}")
  fi
  echo "${sets[($1 - 1) % ${#sets[@]}]}"
}

has_temperature() {
  local file
  for file in /sys/class/thermal/thermal_zone*/temp /sys/class/hwmon/hwmon*/temp*_input; do
    [[ $(cat "$file" 2>/dev/null) =~ ^-?[0-9]+$ ]] && return
  done
  return 1
}

end_motes() {
  local pid
  for pid in "${mote_pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${mote_pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  mote_pids=()
  rm -f "$data"/motes/*.registered
}

# Prints commands of a client to try.
tell() {
  local http coap
  http=$(address "$1" '^http://') || return 0
  coap=$(address "$1" '^coap://(\[::1\]|127)') || return 0
  cat <<TEXT

  web page      $http/
  find          curl '$http/rd-lookup/res?rt=load'
                coap-client-notls -m get '$coap/rd-lookup/res?rt=load'
  read          curl $http/ms/1/load                  the mote's own signed JWS
                curl -H 'Accept: text/plain' $http/ms/1/load
  network       curl $http/api/network                nodes and routes
TEXT
  if [ -n "$ipsec" ]; then
    cat <<TEXT
  ESP           curl -H "Authorization: Bearer \$(cat $data/operator.token)" $http/api/security-associations
TEXT
  fi
  echo
}
