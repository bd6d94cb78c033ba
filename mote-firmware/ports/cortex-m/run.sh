#!/bin/sh
# One image in QEMU's mps2-an385, its files and output those of this folder. Instructions are
# counted: each takes 64 ns of virtual time. Usage: run.sh IMAGE
exec timeout "${CORTEX_SECONDS:-300}" qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -icount shift=6,align=off,sleep=off -kernel "$1"
