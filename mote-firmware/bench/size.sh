#!/bin/sh
# Flash and RAM of each folder of the core at -Os: for Cortex-M3 if its compiler is installed, else
# for this machine. Usage: bench/size.sh BUILD CC
set -eu
build=$1
cc=$2
flags="-std=c11 -Os -ffunction-sections -fdata-sections -fstack-usage -Iinclude"
if command -v arm-none-eabi-gcc >/dev/null; then
    cc=arm-none-eabi-gcc
    size=arm-none-eabi-size
    nm=arm-none-eabi-nm
    flags="$flags -mcpu=cortex-m3 -mthumb"
    # BearSSL's headers are independent of the platform; the rest of /usr/include is not.
    mkdir -p "$build/size/include"
    for header in /usr/include/bearssl.h /usr/include/bearssl; do
        ln -sfn "$header" "$build/size/include/$(basename "$header")"
    done
    flags="$flags -I$build/size/include"
    echo "Cortex-M3, $($cc -dumpversion), -Os; without BearSSL and the C library"
else
    size=size
    nm=nm
    echo "this machine ($($cc -dumpmachine)), $($cc -dumpversion), -Os; install gcc-arm-none-eabi and"
    echo "libnewlib-arm-none-eabi for the figures of a mote"
fi
printf '%-14s %8s %8s %8s  %s\n' folder text data bss "largest stack frame"
for folder in core/*/; do
    folder=$(basename "$folder")
    rm -rf "$build/size/$folder"
    mkdir -p "$build/size/$folder"
    for source in core/"$folder"/*.c; do
        # shellcheck disable=SC2086
        $cc $flags -c -o "$build/size/$folder/$(basename "$source" .c).o" "$source"
    done
    frame=$(cat "$build/size/$folder"/*.su | sort -t"$(printf '\t')" -k2 -n | tail -1 |
        awk -F'\t' '{ n = split($1, at, ":"); print $2, at[n] }')
    $size "$build/size/$folder"/*.o | awk -v folder="$folder" -v frame="$frame" '
        NR > 1 { text += $1; data += $2; bss += $3 }
        END { printf "%-14s %8d %8d %8d  %s\n", folder, text, data, bss, frame }'
done | awk '{ print; text += $2; data += $3; bss += $4 }
    END { printf "%-14s %8d %8d %8d\n", "all", text, data, bss }'
# shellcheck disable=SC2086
$cc $flags -c -o "$build/size/state.o" bench/state.c
echo "state, owned by the caller (octets):"
$nm -S "$build/size/state.o" | awk '$4 ~ /^state_/ { print $2, substr($4, 7) }' | sort -k2 |
    while read -r octets name; do printf '  %-18s %6d\n' "$name" "$((0x$octets))"; done
