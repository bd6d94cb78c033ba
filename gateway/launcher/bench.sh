# The project's figures and their targets. Sourced by ./vigil.

bench() {
  local classes=$here/gateway/bench/target/classes libraries word java_words='' gateway_words='' report=bench
  case " $* " in *' --growth '*) report=growth ;; esac
  say 'this takes minutes; other programs on this machine distort figures of wall-clock time'
  make_venv
  compile_bench
  libraries=$(bench_libraries)
  java_command "$jar"
  for word in "${java[@]}"; do gateway_words+=${gateway_words:+$'\n'}$word; done
  for word in "$JAVA_HOME/bin/java" "${java_options[@]}"; do java_words+=${java_words:+$'\n'}$word; done
  mkdir -p "$here/gateway/target"
  exec "$JAVA_HOME/bin/java" "${java_options[@]}" -Dvigil.bench.gateway="$gateway_words" -Dvigil.bench.java="$java_words" \
    -Dvigil.bench.aiocoap-rd="$venv/bin/aiocoap-rd" -Dvigil.bench.nats-server="$venv/bin/nats-server" -cp "$classes:$libraries" dev.vigil.gateway.measure.MeasureMain bench --json "$here/gateway/target/$report.json" "$@"
}

# Compiles the classes of gateway/bench, which are not part of the jar, unless they are current; one build at a time.
compile_bench() {
  mkdir -p "$here/target"
  (
    flock -n 9 || { say 'waiting for another build'; flock 9; }
    ! stale "$here/gateway/bench/target/classes/dev/vigil/gateway/measure/MeasureMain.class" "$here/gateway/bench/src" ||
      (cd "$here" && ./mvnw -q -B -ntp test-compile -Dui.skip) >"$here/target/build.log" 2>&1 ||
      { tail -n 40 "$here/target/build.log" >&2; die 'gateway/bench does not compile (target/build.log)'; }
  ) 9>"$here/target/build.lock" || exit 1
}

# The jar that names the libraries next to it: the jar of the fast start, or one unpacked only for the bench.
bench_libraries() {
  local folder; folder=$(fast_folder "$jar")
  if ! fast_fits "$jar"; then
    folder=$here/gateway/target/bench-jar
    "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$jar" extract --force --destination "$folder" >/dev/null
  fi
  printf '%s\n' "$folder/$(basename "$jar")"
}

bench_help() {
  cat <<'TEXT'
./vigil bench: measures the project's figures. Each line is: name value unit reference ratio target met.

  --only NAME,...  these figures, or figures whose names begin with these words
  --growth         figures at 1 000 to 1 000 000 endpoints: name unit values rise target met; takes 10 minutes
  --quick          under 3 minutes: fewer and shorter rounds, fewer endpoints
  --json FILE      output with every round (default: bench.json in the gateway's build folder);
                   with --growth a table (.md) and a plot (.svg) are next to it (default: growth.json)

A value of processor time is measured in turns with its reference. The reference programs are installed if
allowed. Exit codes: 0 all were measured, met or not; 1 some could not be measured; 2 wrong options.
TEXT
}
