#!/bin/sh
# Compares the layout of every C file with .clang-format. Other versions of clang-format lay out
# some lines differently, so only version 14 (Debian 12) decides. Usage: tests/format.sh [-i]
# With -i the files are rewritten. Exit code: 0 if no file differs or clang-format 14 is missing.
set -u
version=14
for formatter in clang-format-$version clang-format; do
    command -v $formatter >/dev/null || continue
    if $formatter --version | grep -q "version $version[.]"; then
        files=$(find apps bench core dtls fuzz host include ports tests -name '*.[ch]' | sort)
        if [ "${1:-}" = -i ]; then
            set -- -i
        else
            set -- --dry-run --Werror
        fi
        # shellcheck disable=SC2086
        exec $formatter --style=file "$@" $files
    fi
done
echo "skipped: the layout of the C files (clang-format $version is not installed)"
