#!/bin/sh
# Prints why images for the ATmega2560 cannot be built and run here; exit code 0 if they can.
# Usage: have.sh BUILD
for command in avr-gcc:gcc-avr simavr:simavr; do
    command -v "${command%:*}" >/dev/null || {
        echo "${command#*:} is not installed"
        exit 1
    }
done
[ -r /usr/lib/avr/include/avr/io.h ] || {
    echo "avr-libc is not installed"
    exit 1
}
[ -d "${1:?}/bearssl/source" ] || command -v apt-get >/dev/null || {
    echo "apt-get is missing, which downloads BearSSL's source"
    exit 1
}
