#!/bin/sh
# Compiles the Contiki-NG port against tests/contiki-ng/declarations.h, once for each kind of target
# and combination of features; needs no Contiki-NG. Usage: tests/contiki_port.sh BUILD
set -u
stubs=$1/contiki-stubs
rm -rf "$stubs"
# The headers of Contiki-NG that the port may include; all are the same file here.
for header in contiki.h cfs-coffee-arch.h cfs/cfs.h cfs/cfs-coffee.h dev/cc2538-sensors.h dev/leds.h dev/radio.h \
    lib/aes-128.h lib/csprng.h lib/sha-256.h net/link-stats.h net/linkaddr.h net/netstack.h net/packetbuf.h \
    net/queuebuf.h net/ipv6/sicslowpan.h net/ipv6/simple-udp.h net/ipv6/tcpip.h net/ipv6/uip-ds6.h net/ipv6/uip.h \
    net/ipv6/uipbuf.h net/ipv6/uiplib.h net/mac/anti-replay.h net/mac/csma/csma.h net/mac/llsec802154.h \
    net/routing/routing.h sys/ctimer.h sys/platform.h; do
    mkdir -p "$stubs/$(dirname "$header")"
    echo '#include "declarations.h"' >"$stubs/$header"
done

failed=0
compile() {
    what=$1
    shift
    for file in ports/contiki-ng/*.c; do
        case $what,$file in
        native*) ;;
        *port-native.c | *zep-radio.c) continue ;;
        esac
        ${CC:-gcc} -std=gnu11 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Werror \
            -Iinclude -Iports/contiki-ng -Itests -Itests/contiki-ng -I"$stubs" "$@" "$file" ||
            { echo "$file does not compile for $what"; failed=1; }
    done
}

secure='-DMOTE_SECRETS="secrets.h" -DMOTE_ASSOCIATIONS="associations.h"'
# shellcheck disable=SC2086
{
    compile native -DCONTIKI_TARGET_NATIVE=1
    compile 'native, secured' -DCONTIKI_TARGET_NATIVE=1 $secure
    compile 'native, on Coffee' -DCONTIKI_TARGET_NATIVE=1 -DMOTE_COFFEE=1
    compile 'native, with a block store' -DCONTIKI_TARGET_NATIVE=1 -DMOTE_COFFEE=1 -DMOTE_CONF_STORE=4 $secure
    compile cooja -DCONTIKI_TARGET_COOJA=1
    compile cc2538 -DCONTIKI_TARGET_ZOUL=1
    compile 'cc2538, a secured leaf' -DCONTIKI_TARGET_ZOUL=1 -DMOTE_CONF_LEAF=1 -DMOTE_CONF_ENCRYPT=1 $secure
    compile 'cc2538, with a block store' -DCONTIKI_TARGET_ZOUL=1 -DMOTE_COFFEE=1 -DMOTE_CONF_STORE=4 $secure
}
exit $failed
