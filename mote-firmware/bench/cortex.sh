#!/bin/sh
# Compares the sleepy endpoint on a Cortex-M3 with the papers' figures: sizes from linked images, costs
# from QEMU. Every line of a target ends in "met" or "NOT MET". Usage: bench/cortex.sh BUILD size|cost
set -eu
images=$1/cortex-m
costs=$images/bench.txt
ports/cortex-m/run.sh "$images/bench.elf" >"$costs" || { cat "$costs"; exit 1; }

section() { arm-none-eabi-size -A "$images/$1.elf" | awk -v names="$2" '
    BEGIN { split(names, list, " "); for (i in list) want[list[i]] = 1 } want[$1] { sum += $2 } END { print sum + 0 }'; }
flash() { section "$1" '.text .ARM.exidx .init_array .data'; }
ram() { section "$1" '.data .bss'; }
cost() { awk -F'\t' -v name="$1" -v field="$2" '$1 == name { print $field }' "$costs"; }
frame() { awk -F'\t' -v name="$2" '{ n = split($1, at, ":"); if (at[n] == name) print $2 }' "$1"; }
# target TEXT VALUE LIMIT UNIT
target() { awk -v text="$1" -v value="$2" -v limit="$3" -v unit="$4" 'BEGIN {
    printf "%-66s %10.*f %s, at most %s: %s\n", text, value < 10 ? 2 : 0, value, unit, limit, value <= limit ? "met" : "NOT MET" }'; }

size_report() {
    # Stack that main and the tick's interrupt (8 words and alignment, ARMv7-M B1.5.6) add to the stack.
    below=$(($(frame "$images/main-full.su" main) + 36 + $(frame "$images/ports/cortex-m/board.su" systick_handler)))
    stack=$(($(cost 'endpoint stack' 2) + below))
    code=$(($(flash endpoint-esp) - $(flash endpoint-plain)))
    echo
    echo "Linked sleepy endpoint (CoAP, JOSE, SenML, 6LoWPAN, 802.15.4, BearSSL), Cortex-M3, -Os, --gc-sections"
    printf '%-16s %7s %7s\n' image flash RAM
    for image in plain esp full; do
        printf '%-16s %7d %7d\n' "$image" "$(flash endpoint-$image)" "$(ram endpoint-$image)"
    done
    echo "plain: signed updates; esp: under ESP; full: encrypted, with commands. RAM is without the stack: its"
    echo "deepest use in QEMU (start, registration, updates) with main and an interrupt is $stack octets."
    echo "ESP's code is the difference of the images: AES in software, XCBC, ESP with one association each way,"
    echo "its NHC, loading keys and reserving numbers."
    echo "papers, IPsec: +3.9 to +9.0 KB and +0.3 to +1.1 KB (Raza); +2.3 to +5.7 KB and +0.1 to +0.4 KB (thesis)"
    target 'ESP (AES-CTR, XCBC-96) and NHC, code with AES in software' "$code" 4608 B
    target 'ESP, static RAM' $(($(ram endpoint-esp) - $(ram endpoint-plain))) 300 B
    echo "paper, endpoint with 80-bit security: 51 kB flash, 4678 B RAM (Sethi)"
    target 'endpoint with P-256, encryption and commands, flash' "$(flash endpoint-full)" 52224 B
    target "endpoint with P-256, RAM: $(ram endpoint-full) static and $stack stack" $(($(ram endpoint-full) + stack)) 8192 B
}

# Milliseconds at 16 MHz, the clock of Sethi's board, if each instruction took one cycle.
ms() { awk -v n="$1" 'BEGIN { print n / 16000 }'; }

cost_report() {
    echo
    echo "Emulated Cortex-M3: instructions, counted by QEMU (-icount: each takes the same virtual time; read"
    echo "from the board's timer, calibrated on loops of known length), and stack in octets"
    awk -F'\t' 'NF == 3 { printf "%-52s %12d %8d\n", $1, $2, $3 }' "$costs"
    for name in 'registering wake-up' 'registering wake-up, agreeing on a key' 'updating wake-up' 'updating wake-up, encrypting'; do
        awk -F'\t' -v name="$name" '$1 == name {
            tx = $3 * 0.032; rx = $4 * 0.032; cpu = $2 / 16000
            printf "%-52s %12d  %d octets sent, %d heard\n", name, $2, $3, $4
            printf "  energy: 3 V x (17.4 mA x %.1f ms + 19.7 mA x %.1f ms + 2.4 mA x %.0f ms) = %.2f mJ\n", tx, rx, cpu,
                3 * (17.4 * tx + 19.7 * rx + 2.4 * cpu) / 1000 }' "$costs"
    done
    echo "CPU time at 16 MHz and one cycle an instruction; heard counts received octets, not idle listening."
    echo "paper, 80-bit security: 2030 ms to register, 987 ms to sign and send, 2.6 J a minute (Sethi)"
    start=$(cost 'start before the registering wake-up' 2)
    wake=$(cost 'registering wake-up' 2)
    target 'key pair, registration, acknowledgement; ours with three signatures' "$(ms $((start + wake)))" 2030 ms
    echo "of it the key pair: $(ms "$start") ms. Sethi's registration is not signed, and nothing is checked; ours signs it, checks"
    echo "the mirror's signature and sends a signed update. With an agreed key: $(ms "$(cost 'registering wake-up, agreeing on a key' 2)") ms and the key pair"
    target 'updating wake-up, encrypting' "$(ms "$(cost 'updating wake-up, encrypting' 2)")" 987 ms
    target 'energy of one update a minute, awake' "$(awk -F'\t' '$1 == "updating wake-up" {
        print 3 * (17.4 * $3 * 0.032 + 19.7 * $4 * 0.032 + 2.4 * $2 / 16000) / 1000 }' "$costs")" 2600 mJ
}

case $2 in size) size_report ;; cost) cost_report ;; esac
