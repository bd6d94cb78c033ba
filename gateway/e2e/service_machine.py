"""A machine with Vigil as a service, for commands that an operator types: the package's files below a folder, and
programs in place of those that would change the machine of the test.

`sudo` runs the command as this user. `apt` and `systemctl` need root and systemd: here `apt` puts the package's files
below the folder, and `systemctl` starts the command of the package's unit. test_install.py has the real ones, with --all.
"""

import contextlib
import os
import shutil
import signal
import subprocess

from processes import REPOSITORY, STACK_FRAME, Gateway, free_ports, java_command, wait_until
from test_printed_commands import PRELUDE

PACKAGE = REPOSITORY / "gateway/launcher/package.sh"
PROGRAMS = {
    "sudo": """
[ "$1" != -u ] || shift 2
exec "$@"
""",
    # No user vigil is on this machine: the files belong to the user of the test, as the gateway does.
    "install": """
[ "$1" != -o ] || shift 2
exec /usr/bin/install "$@"
""",
    # The package itself: ./vigil package prints its name.
    "apt": """
[ "$1 $2" = "install $MACHINE/vigil.deb" ]
kept=
[ ! -e "$MACHINE/root/etc/vigil/application.yaml" ] || kept=$(cat "$MACHINE/root/etc/vigil/application.yaml")
bash "$PACKAGE" files "$MACHINE/root" >/dev/null
[ -z "$kept" ] || printf '%s\\n' "$kept" >"$MACHINE/root/etc/vigil/application.yaml"
mkdir -p "$MACHINE/root/usr/lib/vigil/runtime/bin" "$MACHINE/root/var/lib/vigil"
chmod 700 "$MACHINE/root/var/lib/vigil"
cp "$MACHINE/java.options" "$MACHINE/root/usr/lib/vigil/java.options"
ln -sf "$JAVA" "$MACHINE/root/usr/lib/vigil/runtime/bin/java"
sed -Ei "s#/(usr/lib|var/lib|etc)/vigil#$MACHINE/root&#g" "$MACHINE/root/usr/bin/vigil"
# postinst: an upgrade restarts the service.
[ ! -e "$MACHINE/pid" ] || systemctl restart vigil
""",
    "systemctl": """
[ "$*" = 'enable --now vigil' ] || [ "$*" = 'restart vigil' ]
# Nobody may wait for the ended process, which is then a zombie without a program.
if [ -e "$MACHINE/pid" ]; then pid=$(cat "$MACHINE/pid"); kill "$pid"; while [ -e "/proc/$pid/exe" ]; do sleep 0.1; done; fi
unit=$MACHINE/root/usr/lib/systemd/system/vigil.service
start=$(sed -n 's/^ExecStart=//p' "$unit" | sed -E "s#(^| )(/(usr|etc|var)/)#\\\\1$MACHINE/root\\\\2#g")
set -a; . "$MACHINE/root/etc/vigil/environment"; set +a
grep -qx Type=notify "$unit"
NOTIFY_SOCKET=$MACHINE/notify; rm -f "$NOTIFY_SOCKET"; export NOTIFY_SOCKET
python3 -c 'import socket, sys
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(sys.argv[1])
while manager.recv(4096) != b"READY=1": pass' "$NOTIFY_SOCKET" &
ready=$!
until [ -S "$NOTIFY_SOCKET" ]; do sleep 0.1; done
setsid $start >>"$MACHINE/journal" 2>&1 </dev/null &
echo $! >"$MACHINE/pid"
while kill -0 $ready 2>/dev/null; do [ -e "/proc/$!/exe" ] || { kill $ready; exit 1; }; sleep 0.1; done
""",
    "journalctl": """
[ "$1 $2" = '-u vigil' ]
cat "$MACHINE/journal"
""",
    "git": """
[ "$*" = pull ]
""",
    "vigil": """
exec "$MACHINE/root/usr/bin/vigil" "$@"
""",
}
# No command in the background outlives a block that fails.
ENDED = "trap 'kill $(jobs -p) 2>/dev/null || :' EXIT"
# ./vigil of the repository: the package is made from its files (see apt).
LAUNCHER = """
[ "$*" = package ]
echo "$MACHINE/vigil.deb"
"""


class ServiceMachine:
    """The changes of an operator's commands are below `folder`; their working folder is `folder`/work."""

    def __init__(self, folder):
        self.folder, self.root, self.work = folder, folder / "root", folder / "work"
        self.http, self.https, self.coap, self.coaps, self.other_http = free_ports(5)
        self.replaced = {
            "/etc/vigil/": f"{self.root}/etc/vigil/",
            "/var/lib/vigil/": f"{self.root}/var/lib/vigil/",
            "http://127.0.0.1:8080": f"http://127.0.0.1:{self.http}",
            "127.0.0.1:8081": f"127.0.0.1:{self.other_http}",
            "--http-port 8081": f"--http-port {self.other_http}",
            "coaps://127.0.0.1/": f"coaps://127.0.0.1:{self.coaps}/",
        }
        for place, programs in (("bin", PROGRAMS), ("work", {"vigil": LAUNCHER})):
            (folder / place).mkdir()
            for name, text in programs.items():
                (folder / place / name).write_text("#!/bin/bash\nset -eu\n" + text.lstrip())
                (folder / place / name).chmod(0o755)
        java, *options = java_command()
        (folder / "java.options").write_text("\n".join(options) + "\n")
        # The name of the machine, and shorter pauses between more attempts.
        (folder / ".curlrc").write_text(f'connect-to = "gateway.example:8443:127.0.0.1:{self.https}"\nretry-delay = 1\n')
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("VIGIL_")} | {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "CURL_HOME": str(folder), "MACHINE": str(folder),
            "PACKAGE": str(PACKAGE), "JAVA": os.path.realpath(shutil.which(java))}
        environment = self.root / "etc/vigil/environment"
        environment.parent.mkdir(parents=True)
        environment.write_text(
            f"VIGIL_HTTP_PORT={self.http}\nVIGIL_HTTP_SECUREPORT={self.https}\n"
            f"VIGIL_COAP_PORT={self.coap}\nVIGIL_COAP_SECUREPORT={self.coaps}\nVIGIL_BORDER_DIOINTERVALMIN=9\n")

    def run(self, block, stdin=""):
        """The output of the lines of a block in a new shell, which ends at the first failure."""
        for printed, here in self.replaced.items():
            block = block.replace(printed, here)
        block = block.replace("--retry 8 ", "--retry 60 ")
        done = subprocess.run(
            ["bash", "-c", f"{PRELUDE}\n{ENDED}\nset -euo pipefail\n{block}"], cwd=self.work, env=self.environment, input=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180)
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{self.journal()[-3000:]}"
        return done.stdout

    def journal(self):
        file = self.folder / "journal"
        return file.read_text() if file.exists() else ""

    def stop(self):
        """Stops the service."""
        file = self.folder / "pid"
        if file.exists():
            pid = int(file.read_text())
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
            wait_until(lambda: not os.path.exists(f"/proc/{pid}/exe"))
        Gateway.traces += [line for line in self.journal().splitlines() if STACK_FRAME.match(line)]
