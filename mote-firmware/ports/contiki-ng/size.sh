#!/bin/sh
# Measures the flash and RAM of the endpoint on a cc2538, and of each feature. Needs CONTIKI, a
# checkout of Contiki-NG. Usage: size.sh
set -eu
unset MAKEFLAGS MAKELEVEL
if [ ! -r "${CONTIKI:-}/Makefile.include" ]; then
    echo "skipped: sizes of the Contiki-NG port (CONTIKI does not name a checkout of Contiki-NG)"
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

# A header for SECRETS with these lines; its keys are for measuring only.
header() {
    name=$headers/$1.h
    shift
    printf '%s\n' "$@" >"$name"
    echo "$name"
}
key='{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}'
commander=$(header commander '#define MOTE_COMMANDER "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\",\"y\":\"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}"')
link=$(header link "#define MOTE_LINK_KEY $key")
# Associations in both directions; the keys are for measuring only.
associations=$headers/mote.sa
sixteen=000102030405060708090a0b0c0d0e0
(umask 077 && printf '%s\n' \
    "out esp ctr-xcbc 0x11000002 fd00::2 fd00::1 ${sixteen}1a0a1a2a3 ${sixteen}2" \
    "in esp ctr-xcbc 0x11000003 fd00::1 fd00::2 ${sixteen}3a0a1a2a3 ${sixteen}4" >"$associations")
# The same with a block store.
stored=$headers/stored.sa
(umask 077 && cat "$associations" >"$stored" &&
    echo "store esp ctr-xcbc 0x11000005 fd00::2 fd00::1 ${sixteen}5a0a1a2a3 ${sixteen}6" >>"$stored")

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
measure "+ ESP, SA" SA="$associations"
measure "+ block store, STORE=8 with its SA" STORE=8 SA="$stored"
