# Every test of the project, and the totals. Sourced by ./vigil.

run_tests() {
  local all=0 failed=() started=$SECONDS again=
  [ "${1:-}" = --all ] && all=1
  export VIGIL_TEST_ALL=$all
  # A second attempt tells a race from a fault.
  if [ "$all" = 1 ] || [ -n "${CI:-}" ]; then again=1; fi
  make_venv
  forget_results

  # First the motes' program: the bridge's tests have one on their air. Maven often waits, for a time-out or for one
  # thread, and so do the peers: the tests of both and of the compose file run beside it. Images are measured alone.
  step 'motes' make_motes
  meanwhile motes-beside mote_tests
  meanwhile peers-beside peer_tests
  [ "$all" = 1 ] || meanwhile compose-beside docker_tests
  step 'Java and the web UI' java_tests
  # The last of them end beside the making of the cache for a fast start.
  (build) || true
  step 'mote firmware' ended motes-beside
  step 'motes and peers' ended peers-beside
  if [ "$all" = 1 ]; then step 'compose file and images' docker_tests; else step 'compose file' ended compose-beside; fi
  step 'end to end' end_to_end_tests
  if [ "$all" = 1 ]; then
    step 'mote firmware on an emulated Cortex-M3' cortex_tests
    step 'fuzzing of what reads received octets' fuzz_tests
    step 'fuzzing of what motes receive' mote_fuzz_tests
    step 'tests that measure, alone' measuring_tests
  fi
  finish
}

forget_results() {
  mkdir -p "$here/target"
  rm -rf "$here"/{,libraries/,gateway/}*/target/surefire-reports \
    "$here"/target/{e2e,measuring,peer,docker,ui}.{xml,log} "$here"/target/{motes,cortex}-test.log
}

# The tests that failed or are flaky, and one line that sums up. With --all a flaky test is a failure.
finish() {
  local verdict=passed where=
  printf '\n'
  failures
  flaky && [ "${all:-0}" = 1 ] && failed+=('flaky tests')
  [ ${#failed[@]} = 0 ] || { verdict=FAILED; where=$(printf ', %s' "${failed[@]}"); }
  printf '%s in %s s: %s%s\n' "$verdict" $((SECONDS - started)) "$(totals)" "${where/, /; see: }"
  [ "$verdict" = passed ]
}

step() {
  local title=$1 started=$SECONDS; shift
  printf '\n== %s\n' "$title"
  if "$@"; then printf '== %s: passed in %s s\n' "$title" $((SECONDS - started))
  else printf '== %s: FAILED after %s s\n' "$title" $((SECONDS - started)); failed+=("$title"); fi
}

# Runs a function beside what follows, with what that leaves of the processors. A process group: ended with this shell.
declare -A beside=()
meanwhile() {
  local log=$here/target/$1.log started=$SECONDS code=0
  set -m
  (
    renice -n 10 "$BASHPID" >/dev/null
    "${@:2}" || code=$?
    printf '== ended after %s s\n' $((SECONDS - started))
    exit "$code"
  ) </dev/null >"$log" 2>&1 &
  set +m
  beside[$1]=$!
  trap 'kill -- "${beside[@]/#/-}" 2>/dev/null || true' EXIT
}

# The result of what ran meanwhile, after its output.
ended() {
  local code=0
  wait "${beside[$1]}" || code=$?
  unset "beside[$1]"
  cat "$here/target/$1.log"
  return "$code"
}

# A download that broke off is tried a second time.
java_tests() {
  local log=$here/target/java-test.log
  maven_verify "$log" || { grep -qE 'Could not (transfer|resolve|acquire)|npm error (code|network)' "$log" &&
    say 'a download failed: trying again' && maven_verify "$log"; }
}

maven_verify() {
  (cd "$here" && set -o pipefail && VIGIL_PYTHON="$venv/bin/python" ./mvnw -B -ntp -T 2 \
    ${again:+-Dsurefire.rerunFailingTestsCount=1} verify 2>&1 | tee "$1")
}

make_motes() { make -s -j "$(nproc)" -C "$here/mote-firmware" all; }

mote_tests() { (set -o pipefail; PYTHON="$venv/bin/python" make -j "$(nproc)" -C "$here/mote-firmware" all test 2>&1 | tee "$here/target/motes-test.log"); }

# The core's tests in QEMU; prints why if the tools are missing.
cortex_tests() { (set -o pipefail; make -C "$here/mote-firmware" cortex-m cortex-m-test 2>&1 | tee "$here/target/cortex-test.log"); }

# Each Java fuzzer for VIGIL_FUZZ_SECONDS (20), from the corpus kept with the tests and what runs before left in
# .cifuzz-corpus. Jazzer runs a single fuzzer in a virtual machine. What it finds it leaves in the kept corpus.
fuzz_tests() {
  local file module class method sound=0 files
  mapfile -t files < <(cd "$here" && grep -rl '@FuzzTest' --include='*.java' ./*/src/test ./libraries/*/src/test ./gateway/*/src/test | sed 's|^\./||' | sort)
  (cd "$here" && ./mvnw -q -B -ntp -pl "$(printf '%s\n' "${files[@]%%/src/*}" | sort -u | paste -sd,)" -am test-compile \
    dependency:build-classpath -Dmdep.outputFile=target/fuzz.cp -Dmdep.includeScope=test) || return
  for file in "${files[@]}"; do
    module=${file%%/src/*} class=${file#*/src/test/java/} class=${class%.java}
    for method in $(grep -A1 '@FuzzTest' "$here/$file" | grep -oP 'void \K\w+'); do
      fuzz "$module" "${class//\//.}" "$method" || sound=1
    done
  done
  return $sound
}

fuzz() {
  local log=$here/target/fuzz.log
  (cd "$here/$1" && "$JAVA_HOME/bin/java" -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED \
    -Dvigil.vectors="$here/mote-firmware/vectors" -cp "target/test-classes:target/classes:$(cat target/fuzz.cp)" \
    com.code_intelligence.jazzer.Jazzer --target_class="$2" --target_method="$3" \
    -max_total_time="${VIGIL_FUZZ_SECONDS:-20}") >"$log" 2>&1 || { tail -n 40 "$log"; printf '%s.%s: FAILED\n' "${2##*.}" "$3"; return 1; }
  printf '%s.%s: %s runs\n' "${2##*.}" "$3" "$(grep -oP '^Done \K[0-9]+' "$log")"
}

# Every libFuzzer target, 200 s in all, from the corpus kept beside it; prints why if clang is missing.
mote_fuzz_tests() { make -s -C "$here/mote-firmware" fuzz SECONDS=200; }

# The real mote against other people's CoAP, JOSE, CBOR and 6LoWPAN.
peer_tests() {
  (set -o pipefail; PEER_PYTHON="$venv/bin/python" "$here/mote-firmware/tests/peer/run.sh" -rsR ${again:+--reruns 1} \
    --junitxml="$here/target/peer.xml" "$@" 2>&1 | tee "$here/target/peer.log")
}

# The compose file against its specification and the Dockerfile; with --all the images are built and run.
docker_tests() { pytest_on docker docker/tests; }

# pytest_on REPORT PATH... [OPTION...]   Paths of the repository; output and results are target/REPORT.log and .xml.
pytest_on() {
  local report=$1; shift
  (cd "$here" && set -o pipefail && VIGIL="$here/vigil" VIGIL_JAR="$jar" VIGIL_MOTE="$mote" "$venv/bin/python" -m pytest -q -rsR \
    ${again:+--reruns 1} -p no:cacheprovider --junitxml="$here/target/$report.xml" "$@" 2>&1 | tee "$here/target/$report.log")
}

# The files run side by side, the longest first (conftest.py); a file keeps its gateway. They wait more than they compute: two more than processors.
# Products that an earlier step left undone because a test failed are built first.
end_to_end_tests() {
  local chosen=()
  (build) || return
  [ "${all:-0}" = 0 ] || chosen=(-m 'not measures')
  pytest_on e2e gateway/e2e "${chosen[@]}" -n "$(( $(nproc) + 2 ))" --dist loadfile --no-loadscope-reorder
}

# One after another and after all others, because other load changes what they measure.
measuring_tests() { WORST_CASE_SECONDS=300 pytest_on measuring gateway/e2e -m measures; }

# The tests that failed at least once, a line each, so that the end of the output tells what to look at.
failures() {
  python3 - "$here" <<'PY'
import glob, re, sys, xml.etree.ElementTree as tree
root = sys.argv[1]
for path in glob.glob(root + "/**/target/surefire-reports/TEST-*.xml", recursive=True) + glob.glob(root + "/target/*.xml"):
    for case in tree.parse(path).getroot().iter("testcase"):
        for bad in [*case.findall("failure"), *case.findall("error")]:
            text = " ".join((bad.get("message") or bad.text or "").split())
            print(f"FAILED {case.get('classname')}.{case.get('name')}: {text[:300]}")
for path in glob.glob(root + "/target/motes-test.log"):
    for line in re.findall(r"^(?:FAILED|make.*Error [0-9]).*$", open(path, errors="replace").read(), re.M):
        print(f"FAILED motes: {line[:300]}")
PY
}

# The tests that passed on the second attempt only, a line each; true if there are any. Surefire names them in its
# reports, pytest in its output: a second attempt is a line RERUN, and a line FAILED or ERROR if it failed too.
flaky() {
  python3 - "$here" <<'PY'
import glob, os, re, sys, xml.etree.ElementTree as tree
root, found = sys.argv[1], []
for path in glob.glob(root + "/**/target/surefire-reports/TEST-*.xml", recursive=True):
    for case in tree.parse(path).getroot().iter("testcase"):
        for bad in [*case.findall("flakyFailure"), *case.findall("flakyError")]:
            text = " ".join((bad.get("message") or bad.text or "").split())
            found.append(f"{case.get('classname')}.{case.get('name')}: {text[:300]}")
for path in [f"{root}/target/{report}.log" for report in ("e2e", "measuring", "peer", "docker")]:
    if not os.path.exists(path): continue
    text = open(path, errors="replace").read()
    lost = [f"{line} - " for line in re.findall(r"^(?:FAILED|ERROR) (.*)$", text, re.M)]
    found += [name for name in re.findall(r"^RERUN (\S+::.*)$", text, re.M)
              if not any(line.startswith(f"{name} - ") for line in lost)]
print("\n".join(f"FLAKY {name}" for name in dict.fromkeys(found)), end="\n" if found else "")
sys.exit(0 if found else 1)
PY
}

# The sum over JUnit, Vitest, the C runner and pytest.
totals() {
  python3 - "$here" <<'PY'
import glob, re, sys, xml.etree.ElementTree as tree
root = sys.argv[1]
passed = failed = skipped = 0
for path in glob.glob(root + "/**/target/surefire-reports/TEST-*.xml", recursive=True) + glob.glob(root + "/target/*.xml"):
    for suite in tree.parse(path).getroot().iter("testsuite"):
        bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        off = int(suite.get("skipped", 0))
        failed, skipped, passed = failed + bad, skipped + off, passed + int(suite.get("tests", 0)) - bad - off
for path in glob.glob(root + "/target/motes-test.log") + glob.glob(root + "/target/cortex-test.log"):
    for ok, bad in re.findall(r"^(\d+) passed, (\d+) failed$", open(path, errors="replace").read(), re.M)[-1:]:
        passed, failed = passed + int(ok), failed + int(bad)
print(f"{passed} passed, {failed} failed, {skipped} skipped")
PY
}
