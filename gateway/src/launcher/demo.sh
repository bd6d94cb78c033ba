# The demo: one gateway, and motes as processes of their own. Sourced by ./vigil.

demo() {
  local motes= wake=5 data=$here/data topology= pass=()
  while [ $# -gt 0 ]; do
    case $1 in
      --motes|--wake|--data-dir|--topology)
        [ $# -ge 2 ] || die "$1 needs a value"
        case $1 in --motes) motes=$2 ;; --wake) wake=$2 ;; --data-dir) data=$2 ;; --topology) topology=$2 ;; esac
        shift ;;
      *) pass+=("$1") ;;
    esac
    shift
  done
  if [ -z "$motes" ]; then [ "$topology" = thesis ] && motes=13 || motes=3; fi
  [[ $motes =~ ^[0-9]+$ ]] && [ "$motes" -le 250 ] || die "--motes takes a number up to 250, which the virtual air carries, not '$motes'"

  if [ -n "$topology" ]; then
    mkdir -p -m 700 "$data"
    write_topology >"$data/topology.txt"
    pass+=(--topology "$data/topology.txt")
  fi

  local line out gateway_pid mote_pids=() status=0
  # The gateway's lines are read here, so that motes start only once it is ready.
  exec {out}< <(gateway run --demo --data-dir "$data" "${pass[@]}")
  gateway_pid=$!
  # Motes first, then the gateway, which ends the loop below.
  trap 'end_motes; kill "$gateway_pid" 2>/dev/null || true' INT TERM
  while IFS= read -r line <&"$out"; do
    printf '%s\n' "$line"
    case $line in ready*) start_motes "$line" ; tell "$line" ;; esac
  done
  wait "$gateway_pid" || status=$?
  end_motes
  return "$status"
}

# ---- who hears whom --------------------------------------------------------------------------

# The radio address of mote N.
eui64() { printf '02564947494c1%03x' "$1"; }

# The ether's topology file: a name of ours, or a file as it is (its nodes by EUI-64: `eui64`).
write_topology() {
  case $topology in
    line)
      [ "$motes" -le 31 ] || die "a line has at most 31 motes, RPL's root leads no further: not $motes"
      line_edges | named ;;
    thesis)
      [ "$motes" -le 13 ] || die "the thesis' network has 13 motes, not $motes"
      thesis_edges | named ;;
    *)
      [ -r "$topology" ] || die "--topology takes thesis, line or a file, not '$topology'"
      cat "$topology" ;;
  esac
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

# The second network of the thesis that this project repeats (2012, section 6.4): 13 nodes, 1 one
# hop from the router, 13 six hops, 6 between, each hearing more than its way needs. Its figure
# draws the layout without saying who hears whom: these rows of 2, 2, 3, 3, 2 and 1 are ours.
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

# The first address of a scheme in the ready line that matches a pattern.
address() { tr ' ' '\n' <<<"$1" | grep -m1 -E "$2"; }

start_motes() {
  local zep mirror n where='^coap://\[fe80:'
  if [ -n "$topology" ]; then where='^coap://\[fd'; fi
  zep=$(address "$1" '^zep://') && mirror=$(address "$1" "$where") ||
    { say 'the gateway named no radio'; return; }
  mkdir -p "$data/motes"
  for ((n = 1; n <= motes; n++)); do
    "$mote" --ep "mote-$n" --zep "${zep#zep://}" --eui64 "$(eui64 "$n")" \
      --mirror "$mirror" --wake "$wake" --state "$data/motes/mote-$n.state" \
      > >(exec sed -u "s/^/mote-$n: /") 2>&1 &
    mote_pids+=($!)
  done
}

end_motes() {
  local pid
  for pid in "${mote_pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${mote_pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  mote_pids=()
}

# What to try now, in the words of a client.
tell() {
  local http coap
  http=$(address "$1" '^http://') || return 0
  coap=$(address "$1" '^coap://(\[::1\]|127)') || return 0
  cat <<TEXT

  web page      $http/
  find          curl '$http/rd-lookup/res?rt=load'
                coap-client-notls -m get '$coap/rd-lookup/res?rt=load'
  read          curl $http/ms/ID/load                 the mote's own signed JWS
                curl -H 'Accept: text/plain' $http/ms/ID/load
  network       curl $http/api/network                who is reached through whom

TEXT
}
