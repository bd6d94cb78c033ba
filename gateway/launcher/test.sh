# The tests of the project: all of them, or the tests of a module or a name. Sourced by ./vigil.

run_tests() {
  local all=0 failed=() started=$SECONDS again=
  [ "${1:-}" = --all ] && all=1
  export VIGIL_TEST_ALL=$all
  # A second attempt distinguishes a race from a defect.
  if [ "$all" = 1 ] || [ -n "${CI:-}" ]; then again=1; fi
  forget_results
  unset PYTHONDONTWRITEBYTECODE
  export PYTHONPYCACHEPREFIX=$here/target/pycache

  # The motes' program is built first, because the bridge's tests use it on their virtual radio. Maven often waits for a
  # time-out or for one module, so all tests but those of images run at the same time. The motes' tests wait for nothing:
  # they use what Maven leaves, and those with peers, which wait for them, follow.
  priority=0 meanwhile python-beside make_venv
  step 'motes' make_motes
  ended python-beside || exit
  priority=0 meanwhile java-beside java_tests
  priority=19 meanwhile motes-beside mote_tests
  meanwhile peers-beside after motes-beside peer_tests
  meanwhile clients-beside client_tests
  meanwhile python-beside compile_python
  [ "$all" = 1 ] || meanwhile compose-beside after peers-beside docker_tests
  step 'Java and the web UI' first_java_tests
  # End-to-end tests build packages of the clients too.
  step 'clients' ended clients-beside
  step 'end to end' end_to_end_tests
  step 'mote firmware' ended motes-beside
  step 'motes and peers' ended peers-beside
  # The simulated months, which mostly wait, run beside the emulated processor, fuzzers in C and the images.
  if [ "$all" = 1 ]; then
    step 'mote firmware on an emulated Cortex-M3' cortex_tests
    meanwhile fuzzing-beside mote_fuzz_tests
    step 'compose file and images' docker_tests
  fi
  [ -z "${beside[java-beside]:-}" ] || step 'the gateway and its benches' last_java_tests
  if [ "$all" = 1 ]; then
    step 'benches end to end' bench_tests
    step 'fuzzing of the receivers of motes' ended fuzzing-beside
    step 'fuzzing of the readers of received octets' fuzz_tests
    step 'tests that measure, alone' measuring_tests
  else
    step 'compose file' ended compose-beside
  fi
  ended python-beside >/dev/null || true
  finish
}

# Only one test run at a time, because runs share their reports. The lock lasts as long as this shell.
forget_results() {
  mkdir -p "$here/target"
  exec 8>"$here/target/test.lock"
  flock -n 8 || { say 'waiting for other tests'; flock 8; }
  rm -rf "$here"/{,libraries/,gateway/}*/target/surefire-reports \
    "$here"/target/{e2e,benches,measuring,images,peer,docker,ui,client,client-js}.{xml,log} "$here"/target/{java,motes,cortex}-test.log
}

# Prints the failed and flaky tests, and one line of summary. With --all a flaky test is a failure.
finish() {
  local verdict=passed where= lines totals
  mapfile -t lines < <(results)
  totals=${lines[-1]} lines[-1]=
  printf '\n'
  printf '%s\n' "${lines[@]}" | grep . || true
  [ "${all:-0}" = 0 ] || ! printf '%s\n' "${lines[@]}" | grep -q '^FLAKY ' || failed+=('flaky tests')
  [ ${#failed[@]} = 0 ] || { verdict=FAILED; where=$(printf ', %s' "${failed[@]}"); }
  printf '%s in %s s: %s%s\n' "$verdict" $((SECONDS - started)) "$totals" "${where/, /; see: }"
  [ "$verdict" = passed ]
}

step() {
  local title=$1 started=$SECONDS; shift
  printf '\n== %s\n' "$title"
  if "$@"; then printf '== %s: passed in %s s\n' "$title" $((SECONDS - started))
  else printf '== %s: FAILED after %s s\n' "$title" $((SECONDS - started)); failed+=("$title"); fi
}

# Runs a function in the background, at low priority unless `priority` is set. It is a process group that ends with
# this shell.
declare -A beside=()
meanwhile() {
  local log=$here/target/$1.log result=$here/target/$1.result started=$SECONDS code=0
  rm -f "$result"
  set -m
  (
    renice -n "${priority:-10}" "$BASHPID" >/dev/null
    "${@:2}" || code=$?
    printf '== ended after %s s\n' $((SECONDS - started))
    echo "$code" >"$result"
    exit "$code"
  ) </dev/null >"$log" 2>&1 &
  set +m
  beside[$1]=$!
  trap 'kill -- "${beside[@]/#/-}" 2>/dev/null || true' EXIT
}

# after NAME FUNCTION   Runs a function when another one that `meanwhile` runs has ended.
after() { tail --pid="${beside[$1]}" -f /dev/null; "${@:2}"; }

# Prints the output of a function that `meanwhile` runs, and returns its result.
ended() {
  local code=0
  wait "${beside[$1]}" || code=$?
  # Bash forgets the result of a process if a later one of this shell gets its number.
  [ "$code" != 127 ] || code=$(cat "$here/target/$1.result" 2>/dev/null) || code=1
  unset "beside[$1]"
  cat "$here/target/$1.log"
  return "$code"
}

# Maven's output up to the tests of gateway/app. They run beside the end-to-end tests, because the jar is already built.
LAST_TESTS='surefire.* @ gateway-app ---'
first_java_tests() {
  local log=$here/target/java-test.log
  touch "$log"
  tail -n +1 -f --pid="${beside[java-beside]}" "$log" | sed "/$LAST_TESTS/q"
  grep -q "$LAST_TESTS" "$log" || ended java-beside || return
  # The cache for a fast start.
  (build) || true
}

last_java_tests() {
  local code=0
  ended java-beside || code=$?
  sed "1,/$LAST_TESTS/d" "$here/target/java-test.log"
  return "$code"
}

# An interrupted download is tried a second time. Most modules wait for a chain of others, which must not wait for a thread.
java_tests() {
  local log=$here/target/java-test.log
  maven_verify "$log" || { grep -qE 'Could not (transfer|resolve|acquire)|npm error (code|network)' "$log" &&
    say 'a download failed: trying again' && maven_verify "$log"; }
}

maven_verify() {
  (cd "$here" && VIGIL_PYTHON="$venv/bin/python" flock target/maven.lock ./mvnw -B -ntp -T 3 -Dapp.test.phase=integration-test \
    ${again:+-Dsurefire.rerunFailingTestsCount=1} verify >"$1" 2>&1)
}

# Python then compiles no module again in each of the many processes that tests start.
compile_python() { "$venv/bin/python" -m pytest -q -p no:cacheprovider --collect-only "$here/gateway/e2e"; }

make_motes() { make -s -j "$(nproc)" -C "$here/mote-firmware" all build/evaluate/month; }

mote_tests() { (set -o pipefail; PYTHON="$venv/bin/python" make -j "$(nproc)" -C "$here/mote-firmware" all test 2>&1 | tee "$here/target/motes-test.log"); }

# The core's tests in QEMU; prints the reason if tools are missing.
cortex_tests() { (set -o pipefail; make -C "$here/mote-firmware" cortex-m cortex-m-test 2>&1 | tee "$here/target/cortex-test.log"); }

# Runs each Java fuzzer for VIGIL_FUZZ_SECONDS (20), from the corpus kept with the tests and the results of earlier runs
# in .cifuzz-corpus. Jazzer runs a single fuzzer per JVM, on one processor, and writes its findings into the kept corpus.
fuzz_tests() {
  local files
  mapfile -t files < <(cd "$here" && grep -rl '@FuzzTest' --include='*.java' ./*/src/test ./libraries/*/src/test ./gateway/*/src/test | sed 's|^\./||' | sort)
  (cd "$here" && ./mvnw -q -B -ntp -pl "$(printf '%s\n' "${files[@]%%/src/*}" | sort -u | paste -sd,)" -am test-compile \
    dependency:build-classpath -Dmdep.outputFile=target/fuzz.cp -Dmdep.includeScope=test) || return
  fuzzers "${files[@]}" | (export here JAVA_HOME; export -f fuzz; xargs -n 3 -P "$(nproc)" bash -c 'fuzz "$@"' fuzz)
}

# fuzzers FILE...   One line for each: its module, class and method.
fuzzers() {
  local file class method
  for file; do
    class=${file#*/src/test/java/} class=${class%.java}
    for method in $(grep -A1 '@FuzzTest' "$here/$file" | grep -oP 'void \K\w+'); do
      echo "${file%%/src/*} ${class//\//.} $method"
    done
  done
}

fuzz() {
  local name=${2##*.}.$3 log
  log=$here/target/fuzz-$name.log
  (cd "$here/$1" && "$JAVA_HOME/bin/java" -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED \
    -Dvigil.vectors="$here/mote-firmware/vectors" -cp "target/test-classes:target/classes:$(cat target/fuzz.cp)" \
    com.code_intelligence.jazzer.Jazzer --target_class="$2" --target_method="$3" \
    -max_total_time="${VIGIL_FUZZ_SECONDS:-20}") >"$log" 2>&1 || { tail -n 40 "$log"; printf '%s: FAILED\n' "$name"; return 1; }
  printf '%s: %s runs\n' "$name" "$(grep -oP '^Done \K[0-9]+' "$log")"
}

# Runs every libFuzzer target, 200 s in total, from the corpus next to it; prints the reason if clang is missing.
mote_fuzz_tests() { make -s -C "$here/mote-firmware" fuzz SECONDS=200; }

# The real mote against independent implementations of CoAP, JOSE, CBOR and 6LoWPAN.
peer_tests() {
  (set -o pipefail; PYTHONPATH=$here/gateway/launcher PEER_PYTHON="$venv/bin/python" "$here/mote-firmware/tests/peer/run.sh" -rfEs \
    ${again:+--reruns 1 -p first_attempts} --junitxml="$here/target/peer.xml" "$@" 2>&1 | tee "$here/target/peer.log")
}

# Checks the compose file against its specification and the Dockerfile; with --all also builds and runs the images.
docker_tests() { pytest_on docker docker/tests -m 'not measures'; }

# The clients' own tests, formats and types; test_clients.py runs them with a gateway.
client_tests() {
  local module sound=0
  for module in $(cd "$here" && python_modules); do client_python_tests "$module" || sound=1; done
  for module in $(cd "$here" && npm_modules); do client_js_tests "$module" || sound=1; done
  return $sound
}

# client_python_tests MODULE [TEST]
client_python_tests() {
  (cd "$here/$1" && "$venv/bin/ruff" check -q . && "$venv/bin/ruff" format --check . && "$venv/bin/mypy") || return
  pytest_on client "${2:-$1/tests}"
}

# client_js_tests MODULE [FILE]   Installs the packages like openapi_tools.py, which test_clients.py uses.
client_js_tests() {
  (
    cd "$here/$1" && wanted=$(sha256sum package-lock.json) && wanted=${wanted%% *} || return
    [ "$(cat node_modules/.installed 2>/dev/null)" = "$wanted" ] ||
      { npm ci --no-audit --loglevel=error && printf '%s' "$wanted" >node_modules/.installed; } || return
    npm run --silent lint && npm run --silent build || return
    if [ $# = 1 ]; then set -- "$1" test/*.test.mjs; fi
    node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit \
      --test-reporter-destination="$here/target/client-js.xml" "${@:2}"
  )
}

# pytest_on REPORT PATH... [OPTION...]   Paths of the repository; output and results are target/REPORT.log and .xml.
pytest_on() {
  local report=$1; shift
  (cd "$here" && set -o pipefail && export PYTHONPATH=$here/gateway/launcher VIGIL="$here/vigil" VIGIL_JAR="$jar" VIGIL_MOTE="$mote" &&
    "$venv/bin/python" -m pytest -q -rfEs ${again:+--reruns 1 -p first_attempts} -p no:cacheprovider --junitxml="$here/target/$report.xml" "$@" 2>&1 | tee "$here/target/$report.log")
}

# The files run in parallel, the longest first (conftest.py); each file keeps its gateway. Tests mostly wait, so there
# are two more than processors. Products that an earlier step did not build because a test failed are built first.
# Tests of the benches wait until Maven releases its lock, with --all after the simulated months.
benches=(gateway/e2e/test_bench.py gateway/e2e/test_evaluate.py)
end_to_end_tests() {
  local left_out=()
  [ "${all:-0}" = 0 ] || left_out=("${benches[@]/#/--ignore=}")
  (build) || return
  pytest_on e2e gateway/e2e "${left_out[@]}" -m 'not measures' -n "$(( $(nproc) + 2 ))" --dist loadfile --no-loadscope-reorder
}

bench_tests() { (build) && pytest_on benches "${benches[@]}" -m 'not measures' -n "$(nproc)" --dist loadfile; }

# Only with --all: one after another and after all other tests, because other load changes the measurements.
measuring_tests() {
  local sound=0
  pytest_on measuring gateway/e2e -m measures || sound=1
  pytest_on images docker/tests -m measures || sound=1
  return $sound
}

# One line for each test that failed at least once, and for each that passed only on the second attempt; then the totals of
# JUnit, Vitest, the C runner and pytest. Surefire names second attempts in its reports, pytest in its output
# (first_attempts.py): a second attempt is a line RERUN, and a line FAILED or ERROR if it also failed.
results() {
  python3 - "$here" <<'PY'
import glob, os, re, sys, xml.etree.ElementTree as tree
root = sys.argv[1]
passed = failed = skipped = 0
bad, flaky = [], []

def line(case, one):
    text = " ".join((one.get("message") or one.text or "").split())
    return f"{case.get('classname')}.{case.get('name')}: {text[:300]}"

def text(path):
    return open(path, errors="replace").read() if os.path.exists(path) else ""

for path in glob.glob(root + "/**/target/surefire-reports/TEST-*.xml", recursive=True) + glob.glob(root + "/target/*.xml"):
    report = tree.parse(path).getroot()
    for case in report.iter("testcase"):
        bad += ["FAILED " + line(case, one) for one in [*case.findall("failure"), *case.findall("error")]]
        flaky += ["FLAKY " + line(case, one) for one in [*case.findall("flakyFailure"), *case.findall("flakyError")]]
    for suite in report.iter("testsuite"):
        wrong = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        off = int(suite.get("skipped", 0))
        failed, skipped, passed = failed + wrong, skipped + off, passed + int(suite.get("tests", 0)) - wrong - off
for path in (root + "/target/motes-test.log", root + "/target/cortex-test.log"):
    for ok, wrong in re.findall(r"^(\d+) passed, (\d+) failed$", text(path), re.M)[-1:]:
        passed, failed = passed + int(ok), failed + int(wrong)
for wrong in re.findall(r"^(?:FAILED|make.*Error [0-9]).*$", text(root + "/target/motes-test.log"), re.M):
    bad.append(f"FAILED motes: {wrong[:300]}")
for report in ("e2e", "benches", "measuring", "images", "peer", "docker", "client"):
    log = text(f"{root}/target/{report}.log")
    lost = [f"{one} - " for one in re.findall(r"^(?:FAILED|ERROR) (.*)$", log, re.M)]
    for name, why in re.findall(r"^RERUN (\S+::[^\t]*)\t(.*)$", log, re.M):
        if any(one.startswith(f"{name} - ") for one in lost):
            bad.append(f"FAILED at the first attempt {name}: {why}")
        else:
            flaky.append(f"FLAKY {name}: {why}")
print("\n".join([*bad, *dict.fromkeys(flaky), f"{passed} passed, {failed} failed, {skipped} skipped"]))
PY
}

# ---- a module, a test -------------------------------------------------------------------------

# One line for each runner that a name selects: java MODULE CLASS[#METHOD], c FILE [TEST], vitest [FILE], node
# MODULE [FILE], pytest PATH[::TEST], make (all tests of the motes).
selected() {
  local name=${1#./} base file modules
  name=${name%/} base=${1##*/}
  cd "$here"
  case $name in
    mote-firmware) echo make; return ;;
    web-ui|gateway/web-ui) echo vitest; return ;;
    e2e|gateway/e2e) echo pytest gateway/e2e; return ;;
    docker) echo pytest docker/tests; return ;;
  esac
  python_modules | called "$name" | sed 's|$|/tests|; s|^|pytest |'
  npm_modules | called "$name" | sed 's|^|node |'
  modules=$(maven_modules | called "$name")
  if [ -n "$modules" ]; then
    java_tests_of | while read -r file; do
      case $'\n'$modules$'\n' in *$'\n'"${file%%/src/test/*}"$'\n'*) java_line "$file" ;; esac
    done
    return
  fi
  base=${name%%#*} base=${base%.java}
  # A class, optionally with its package or path, and optionally one of its methods.
  java_tests_of | { grep -E "^(.*/)?$(pattern "${base//.//}")\.java$" || true; } |
    while read -r file; do java_line "$file" "${name#"${name%%#*}"}"; done
  base=${name##*/}
  find mote-firmware/tests -maxdepth 1 -name "${base%.c}.c" -name 'test_*' -printf 'c %f\n'
  { grep -lE "^TEST\($(pattern "$base")\)" mote-firmware/tests/test_*.c 2>/dev/null || true; } | sed "s|.*/\(.*\)|c \1 $base|"
  ui_tests_of | { grep -E "/$(pattern "${base%.test.ts*}")\.test\.tsx?$" || true; } | sed 's|^|vitest |'
  node_tests_of | { grep -E "/$(pattern "${base%.test.mjs}")\.test\.mjs$" || true; } | sed 's|\(.*\)/test/|node \1 test/|'
  # A Python file, one of its tests, or a test without a file name.
  base=${name#"${name%%::*}"} file=$(basename "${name%%::*}" .py)
  if [ -z "$base" ]; then
    find $(python_folders) -maxdepth 1 -name 'test_*' -name "$file.py" -printf 'pytest %p\n'
    base=::$file file='*'
  fi
  case $base in ::test_*) ;; *) return ;; esac
  { grep -lE "^(async )?def $(pattern "$(sed 's/^:*//; s/\[.*//' <<<"$base")")\(" \
    $(find $(python_folders) -maxdepth 1 -name 'test_*' -name "$file.py") /dev/null || true; } | sed "s|\$|$base|; s|^|pytest |"
}

# The lines that equal a path, end with it, or are below it.
called() { grep -E "^(.*/)?$(pattern "$1")(/.*)?$" || true; }
pattern() { sed 's/[][\.*^$+?(){}|]/\\&/g' <<<"$1"; }
sources() { find . \( -name .git -o -name node_modules -o -name target \) -prune -o "$@" -printf '%P\n' | sort; }
maven_modules() { sources -name pom.xml -not -path ./pom.xml | sed 's|/pom.xml$||'; }
python_modules() { find libraries -mindepth 2 -maxdepth 2 -name pyproject.toml -printf '%h\n' | sort; }
npm_modules() { find libraries -mindepth 2 -maxdepth 2 -name package.json -printf '%h\n' | sort; }
node_tests_of() { find libraries -mindepth 3 -maxdepth 3 -path '*/test/*.test.mjs'; }
java_tests_of() { sources -path '*/src/test/java/*Test.java'; }
ui_tests_of() { find gateway/web-ui -name node_modules -prune -o -name '*.test.ts*' -print; }
java_line() { local class=${1#*/src/test/java/}; class=${class%.java}; printf 'java %s %s%s\n' "${1%%/src/test/*}" "${class//\//.}" "${2:-}"; }
python_folders() { printf '%s\n' gateway/e2e docker/tests mote-firmware/tests/peer; python_modules | sed 's|$|/tests|'; }
python_files() { find $(python_folders) -maxdepth 1 -name 'test_*.py'; }

# Names of modules, and of the files of tests.
list_modules() { { maven_modules; python_modules; npm_modules; printf '%s\n' mote-firmware gateway/web-ui gateway/e2e docker; } | sort -u; }
list_tests() {
  { java_tests_of | sed 's|.*/||; s|\.java$||'; find mote-firmware/tests -maxdepth 1 -name 'test_*.c' -printf '%f\n'
    { ui_tests_of; node_tests_of; } | sed 's|.*/||'; python_files | sed 's|.*/||'; } | sort -u
}

# Runs the tests of a module, or the tests with a name.
run_selected() {
  local failed=() started=$SECONDS again= java=() runs kind what more
  runs=$(selected "$1")
  if [ -z "$runs" ]; then nothing_selected "$1"; return 2; fi
  forget_results
  provide build
  while read -r kind what more; do
    case $kind in
      java) java+=("$what $more") ;;
      make) step 'mote firmware' mote_tests; provide test; make_venv; step 'motes and peers' peer_tests ;;
      c) step "$what${more:+, $more}" c_test "${what%.c}" "$more" ;;
      vitest) step "${what:-web UI}" ui_tests "$what" ;;
      node) step "$what${more:+, $more}" client_js_tests "$what" $more ;;
      pytest)
        provide test; make_venv
        # Tests that start the gateway need a JDK; tests of the clients do not.
        if [ -n "$(find_jdk)" ]; then use_jdk; fi
        step "$what" python_tests "$what" ;;
    esac
  done <<<"$runs"
  [ ${#java[@]} = 0 ] || step 'Java' java_selected "${java[@]}"
  finish
}

nothing_selected() {
  local near; near=$(cd "$here" && list_tests | grep -iF -- "$(sed 's/[#:].*//; s/\.[a-z.]*$//; s|.*/||' <<<"$1")" | head -20 | paste -sd' ') || true
  say "vigil: there is no module or test '$1'
  modules: $(cd "$here" && list_modules | paste -sd' ')
  ${near:+tests with such names: $near
  }./vigil test --list names all of them; NAME is a Java class (FooTest, FooTest#method), a C test (test_foo.c or one
  of its tests), a file of the web UI (foo.test.ts), or a Python test (test_foo.py, test_foo.py::test_bar, test_bar)"
}

# "MODULE CLASS[#METHOD]"... Runs them in the named modules; the modules that these depend on are built without tests.
java_selected() {
  local modules classes
  modules=$(printf '%s\n' "${@%% *}" | sort -u | paste -sd,)
  classes=$(printf '%s\n' "${@#* }" | paste -sd,)
  use_jdk
  case ,$modules in *,border-bridge*|*,gateway/*) make_motes || return ;; esac
  case ,$modules in *,gateway/store-jetstream*) provide test; make_venv ;; esac
  if [ -x "$venv/bin/python" ]; then export VIGIL_PYTHON=$venv/bin/python; fi
  (cd "$here" && ./mvnw -q -B -ntp -T 2 -pl "$modules" -am test -Dui.skip -Dtest="$classes" -Dsurefire.failIfNoSpecifiedTests=false)
}

c_test() {
  make -s -j "$(nproc)" -C "$here/mote-firmware" "build/check/bin/$1" || return
  (cd "$here/mote-firmware" && set -o pipefail && VIGIL_TEST=$2 "build/check/bin/$1" 2>&1 | tee -a "$here/target/motes-test.log")
}

ui_tests() {
  local modules=$here/gateway/web-ui/node_modules
  (
    require_node
    cd "$here/gateway/web-ui"
    [ "$modules/.package-lock.json" -nt package-lock.json ] || npm ci --no-audit --loglevel=error || return
    npx vitest run ${1:+"${1#gateway/web-ui/}"} --reporter=default --reporter=junit --outputFile.junit="$here/target/ui.xml"
  )
}

python_tests() {
  case $1 in
    gateway/e2e) end_to_end_tests ;;
    gateway/e2e/*) (build) && pytest_on e2e "$1" ;;
    mote-firmware/*) make_motes && peer_tests "${1##*/}" ;;
    libraries/*) client_python_tests "$(cut -d/ -f1-2 <<<"$1")" "$1" ;;
    *) pytest_on docker "$1" ;;
  esac
}
