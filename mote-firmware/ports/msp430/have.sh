#!/bin/sh
# Prints why the image for the MSP430F1611 cannot be built and run here; exit code 0 if it can.
# Usage: have.sh BUILD
for command in clang:clang ld.lld:lld mspdebug:mspdebug; do
    command -v "${command%:*}" >/dev/null || {
        echo "${command#*:} is not installed"
        exit 1
    }
done
clang --print-targets | grep -q msp430 || {
    echo "clang has no target MSP430"
    exit 1
}
[ -d "${1:?}/bearssl/source" ] || command -v apt-get >/dev/null || {
    echo "apt-get is missing, which downloads BearSSL's source"
    exit 1
}
