#!/bin/sh
# Runs an image in simavr and prints its output, without colours. Usage: run.sh IMAGE
timeout "${SIMULATOR_SECONDS:-300}" simavr -m atmega2560 -f 16000000 "$1" 2>&1 |
    sed -n 's/\x1b\[[0-9;]*m//g; s/^\(.*\)\.$/\1/; s/|/\t/g; /\t\|^evaluate:/p'
