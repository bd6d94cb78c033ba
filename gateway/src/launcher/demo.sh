# The demo: one gateway, and motes as processes of their own. Sourced by ./vigil.

demo() {
  local motes=3 wake=5 data=$here/data pass=()
  while [ $# -gt 0 ]; do
    case $1 in
      --motes|--wake|--data-dir)
        [ $# -ge 2 ] || die "$1 needs a value"
        case $1 in --motes) motes=$2 ;; --wake) wake=$2 ;; --data-dir) data=$2 ;; esac
        shift ;;
      *) pass+=("$1") ;;
    esac
    shift
  done
  [[ $motes =~ ^[0-9]+$ ]] && [ "$motes" -le 1000 ] || die "--motes takes a number up to 1000, not '$motes'"

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

# The first address of a scheme in the ready line that matches a pattern.
address() { tr ' ' '\n' <<<"$1" | grep -m1 -E "$2"; }

start_motes() {
  local zep mirror n
  zep=$(address "$1" '^zep://') && mirror=$(address "$1" '^coap://\[fe80:') ||
    { say 'the gateway named no radio'; return; }
  mkdir -p "$data/motes"
  for ((n = 1; n <= motes; n++)); do
    "$mote" --ep "mote-$n" --zep "${zep#zep://}" --eui64 "$(printf '02564947494c1%03x' "$n")" \
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
                coap-client -m get '$coap/rd-lookup/res?rt=load'
  read          curl $http/ms/ID/load                 the mote's own signed JWS
                curl -H 'Accept: text/plain' $http/ms/ID/load

TEXT
}
