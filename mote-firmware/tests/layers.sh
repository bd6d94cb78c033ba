#!/bin/sh
# Checks the dependencies inside the core: which folder includes and calls which, and that no files
# of core or bench include or call each other in a circle. Prints every violation; exit code 0 if
# there is none.
# Usage: tests/layers.sh BUILD, where BUILD/plain/core is compiled
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Each folder of core/, and the folders that it may use.
cat >"$work/below" <<'LIST'
base
crypto      base
ipv6        base
coap        base
senml       base
store       base
ieee802154  base crypto
jose        base crypto
ipsec       base crypto ipv6
block_store base crypto ipsec ipv6 senml
sixlowpan   base ipv6
rpl         base ipv6
net         base crypto ieee802154 ipsec ipv6 rpl sixlowpan store
app         base coap crypto ieee802154 ipsec ipv6 jose net rpl senml sixlowpan store
LIST

# Public headers whose name is not that of the folder that implements them.
cat >"$work/headers" <<'LIST'
mote/cbor.h            base
mote/json.h            base
mote/link_address.h    base
mote/port/actuator.h   base
mote/port/block_storage.h base
mote/port/clock.h      base
mote/port/random.h     base
mote/port/sensor.h     senml
mote/port/storage.h    base
mote/port/wire.h       base
mote/crypto_bearssl.h  crypto
mote/coap_server.h     coap
mote/counter_store.h   store
mote/slots.h           store
mote/udp_nhc.h         ipv6
mote/ipv6_fragments.h  ipv6
mote/link_counters.h   net
mote/sa_entries.h      net
LIST

# Lines "user used": the includes. A header beside its user is named from the root of the module.
for file in core/*/*.[ch] include/mote/*.h include/mote/port/*.h; do
    awk -v user="${file#include/}" -v beside="${file%/*}/" -F '[<">]' '
        /^#include/ { print user, (index($0, "<") || $2 ~ /^mote\// ? "" : beside) $2 }' "$file"
done >"$work/includes"

# Lines "user used symbol": calls, and uses of constant objects, between files.
compiled=$(ls core/*/*.c | sed "s|^|$1/plain/|; s|c$|o|")
# shellcheck disable=SC2086
nm -A $compiled | sed "s|^$1/plain/||" >"$work/symbols"
[ "$(cut -d: -f1 "$work/symbols" | uniq | wc -l)" = "$(echo "$compiled" | wc -l)" ] || exit 1
awk '
    {
        file = $1
        sub(/\.o:.*/, ".c", file)
        kind = $(NF - 1)
    }
    NR == FNR { if (kind != "U" && kind ~ /^[A-Z]$/) by[$NF] = file; next }
    kind == "U" && $NF in by { print file, by[$NF], $NF }' "$work/symbols" "$work/symbols" >"$work/calls"

{
    # Only its driver includes BearSSL. From the C library the core includes the headers that every
    # freestanding compiler has, and string.h.
    awk '
        function folder(file) {
            if (file in header) return header[file]
            sub(/^(core|mote)\//, "", file)
            sub(/(\/.*|\.h)$/, "", file)
            return file
        }
        FILENAME ~ /below$/ { known[$1]; for (i = 2; i <= NF; i++) may[$1, $i]; next }
        FILENAME ~ /headers$/ { header[$1] = $2; next }
        $2 ~ /^(stdbool|stddef|stdint|string)\.h$/ { next }
        $2 == "bearssl.h" && $1 == "mote/crypto_bearssl.h" { next }
        $2 !~ /\// { print $1 " includes " $2 ", which is not the core'\''s"; next }
        {
            from = folder($1)
            to = folder($2)
            if (!(from in known)) print $1 ": tests/layers.sh does not know the folder " from
            else if (from != to && !((from, to) in may))
                print $1 " uses " $2 ($3 ? " (" $3 ")" : "") ": " to " is not below " from
        }' "$work/below" "$work/headers" "$work/includes" "$work/calls"

    # tsort reports files without an order.
    for kind in includes calls; do
        awk '$1 != $2 { print $1, $2 }' "$work/$kind" | tsort 2>&1 >/dev/null |
            sed "s/^tsort: //; s/.*contains a loop.*/a circle of $kind:/"
    done

    # In bench/ a header and its source count as one.
    for file in bench/*.[ch]; do
        awk -v file="$file" -F '"' '
            function unit(name) { sub(/^bench\//, "", name); sub(/\.[ch]$/, "", name); return name }
            /^#include "/ && unit(file) != unit($2) { print unit(file), unit($2) }' "$file"
    done | tsort 2>&1 >/dev/null | sed "s/^tsort: //; s/.*contains a loop.*/a circle in bench:/"
} >"$work/violations"
cat "$work/violations"
[ ! -s "$work/violations" ]
