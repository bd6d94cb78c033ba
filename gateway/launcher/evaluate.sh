# The papers' tables, with theirs and ours. Sourced by ./vigil.

evaluate() {
  local classes=$here/gateway/bench/target/classes
  compile_bench
  local libraries; libraries=$(bench_libraries)
  "$JAVA_HOME/bin/java" "${java_options[@]}" -Dvigil.evaluate.motes="$here/mote-firmware" -cp "$classes:$libraries" \
    dev.vigil.gateway.measure.MeasureMain evaluate --output "$here/gateway/target" "$@"
}

evaluate_help() {
  cat <<'TEXT'
./vigil evaluate: measures the tables of the papers that Vigil is built from again, with theirs and ours.

  --only NAME,...  these tables, or tables whose names begin with these words: raza, alharby-5
  --quick          only tables that need no emulator; takes seconds
  --strict         exit code 1 if a condition does not hold
  --output DIR     for evaluation.md, evaluation.json and the plots (default: the gateway's build folder)

Installs cross-compilers and emulators for three processors if allowed (not with --quick), and fetches the
sources of BearSSL and Mbed TLS from Debian's archive. docs/evaluation.md explains the tables. Exit codes: 0 all
were created; 1 some could not be created; 2 wrong options.
TEXT
}
