#!/bin/sh
# Measures the flash and RAM of the endpoint on a cc2538, and of each feature. Needs CONTIKI, a
# checkout of Contiki-NG. Usage: size.sh
set -eu
unset MAKEFLAGS MAKELEVEL
if [ ! -r "${CONTIKI:-}/Makefile.include" ]; then
    echo "skipped: sizes of the Contiki-NG port (CONTIKI names no checkout of Contiki-NG)"
    exit 0
fi
CONTIKI=$(cd "$CONTIKI" && pwd)
export CONTIKI
cd "$(dirname "$0")"
if ! why=$(../cortex-m/have.sh ../../build); then
    echo "skipped: sizes of the Contiki-NG port ($why)"
    exit 0
fi
[ -d ../../build/bearssl/source ] || ../cortex-m/bearssl.sh ../../build/bearssl >/dev/null 2>&1
headers=$(cd ../.. && pwd)/build/contiki-ng/size
mkdir -p "$headers"

# A header for SECRETS with these lines; its keys are placeholders.
header() {
    name=$headers/$1.h
    shift
    printf '%s\n' "$@" >"$name"
    echo "$name"
}
key='{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}'
association=".protocol = &ipsec_esp, .cipher = &ipsec_aes_ctr, .integrity = &ipsec_xcbc_96, .key = $key"
commander=$(header commander '#define MOTE_COMMANDER "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\",\"y\":\"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}"')
link=$(header link "#define MOTE_LINK_KEY $key")
esp=$(header esp '#define MOTE_SA_PEER "fd00::1"' "#define MOTE_SA_OUT {$association, .spi = 2}" \
    "#define MOTE_SA_IN {$association, .spi = 3}")

# measure NAME SETTING...
measure() {
    name=$1
    shift
    make -s TARGET=cc2538dk "$@" sleepy-sensor >"$headers/log" 2>&1 || { cat "$headers/log"; exit 1; }
    at=$(make -s where TARGET=cc2538dk "$@" 2>/dev/null | tail -1)
    arm-none-eabi-size "$at/sleepy-sensor.cc2538dk" | awk -v name="$name" -v base="${base:-}" 'NR == 2 {
        flash = $1 + $2; ram = $2 + $3
        if (split(base, before, " ") == 0) printf "%-36s %7d %7d\n", name, flash, ram
        else printf "%-36s %+7d %+7d\n", name, flash - before[1], ram - before[2] }'
}
printf '%-36s %7s %7s\n' "cc2538dk, octets of" flash RAM
first=$(measure "sleepy-sensor")
echo "$first"
base=$(echo "$first" | awk '{ print $2, $3 }')
measure "+ encrypted updates, ENCRYPT=1" ENCRYPT=1
measure "+ commands, MOTE_COMMANDER" SECRETS="$commander"
measure "+ both" ENCRYPT=1 SECRETS="$commander"
measure "+ sleeping leaf, LEAF=1" LEAF=1
measure "+ link security, MOTE_LINK_KEY" SECRETS="$link"
measure "+ ESP, MOTE_SA_*" SECRETS="$esp"
