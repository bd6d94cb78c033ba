#!/bin/sh
# Runs an image in QEMU's mps2-an385, with files and output of this folder. Each instruction takes
# 64 ns of virtual time, so instructions can be counted. Usage: run.sh IMAGE
exec timeout "${CORTEX_SECONDS:-300}" qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -icount shift=6,align=off,sleep=off -kernel "$1"
