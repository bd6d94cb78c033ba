#!/bin/sh
# Prints why images for Cortex-M3 cannot be built (or, with "run", run) here; exit code 0 if they can.
command -v arm-none-eabi-gcc >/dev/null || {
    echo "gcc-arm-none-eabi is not installed"
    exit 1
}
[ "$(arm-none-eabi-gcc -print-file-name=librdimon.a)" != librdimon.a ] || {
    echo "libnewlib-arm-none-eabi is not installed"
    exit 1
}
[ -d "${1:?}/bearssl/source" ] || command -v apt-get >/dev/null || {
    echo "apt-get is missing, which downloads BearSSL's source"
    exit 1
}
if [ "${2:-}" = run ] && ! command -v qemu-system-arm >/dev/null; then
    echo "qemu-system-arm is not installed"
    exit 1
fi
