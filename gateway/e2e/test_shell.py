"""The knowledge of a shell and `man` about the verbs: ./vigil completion, ./vigil manual."""

import os
import re
import subprocess

from processes import UNOPTIMISED_VARIABLE
from test_starting_and_stopping import VIGIL

# Bash calls a completion function with the words so far, and takes the array COMPREPLY.
COMPLETE = """
source <("$1" completion)
compopt() { :; }
for line in "${@:2}"; do
  COMP_WORDS=($line) COMP_CWORD=1
  if [ ${#COMP_WORDS[@]} = 3 ]; then COMP_CWORD=2; fi
  COMPREPLY=()
  _complete_vigil_launcher vigil "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '%s: ' "$line"
  printf '%s\\n' "${COMPREPLY[*]}"
done
"""


def test_bash_completes_verbs_and_options():
    expected = {
        "./vigil en": {"encode", "endpoints"},
        "./vigil de": {"decode", "demo"},
        "./vigil endpoints --fr": {"--freshness"},
        "./vigil nothing": set(),
    }
    done = subprocess.run(["bash", "-c", COMPLETE, "bash", VIGIL, *expected], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert {line: set(words.split()) for line, words in lines.items()} == expected


def said(verb):
    done = subprocess.run([VIGIL, verb], env=os.environ | UNOPTIMISED_VARIABLE, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def test_the_manual_describes_every_verb():
    """groff reads it without a warning."""
    shown = subprocess.run(["groff", "-ww", "-man", "-Tascii", "-P-c", "-P-b", "-P-u"], input=said("manual"), capture_output=True,
                           text=True, timeout=60, check=True)
    assert shown.stderr == ""
    verbs = re.search(r"^Commands:\n(.*)", said("help"), re.M | re.S)[1]
    for verb in re.findall(r"^  (\w+)", verbs, re.M):
        assert re.search(rf"^{verb.upper()}$", shown.stdout, re.M), verb
    assert "--freshness=STATE" in shown.stdout
