#!/bin/sh
# Runs an image in mspdebug's simulator and prints its output. Each change of port 1 is a character
# (cost.c): "H" and "l" are the bits that changed, highest first. Usage: run.sh IMAGE
timeout "${SIMULATOR_SECONDS:-300}" mspdebug -q sim "simio add hwmult multiplier" "simio add timer timer 3" \
    "simio add gpio port" "simio config port base 0x20" "simio config port verbose" "prog $1" \
    "setbreak cost_end" "run" 2>&1 |
    awk '/^gpio: / {
        text = $(NF - 1) $NF
        character = 0
        for (i = 1; i <= 8; i++) {
            change = substr(text, i, 1)
            if (change != "-")
                bit[i] = change == "H"
            if (i > 1)
                character = 2 * character + bit[i]
        }
        printf "%c", character
    }'
