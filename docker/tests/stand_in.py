"""Podman with stand-ins for images, without a registry.

The stand-ins are Debian by debootstrap, the JDK and Node of this machine, and Debian's packages of third-party services
in the compose file. Everything is kept below target/podman, so a second run builds only changed images.
"""

import contextlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "target" / "podman"
SUITE = "trixie"
MIRROR = os.environ.get("VIGIL_DEBIAN_MIRROR", "http://deb.debian.org/debian")
# The build number that the images and their jar must report.
NUMBER = subprocess.run(["sh", ROOT / "gateway/launcher/build-info.sh", "number"], capture_output=True, text=True).stdout.strip()
NAMES = dict(re.findall(r"^ARG (DEBIAN|TEMURIN|NODE)=(\S+)", (ROOT / "docker/Dockerfile").read_text(), re.M))
PROCESSES = 4096
# Third-party images of the compose file: the replacement package, its program, and the user and volume of the image.
OTHERS = {
    "mosquitto": ("mosquitto", "/usr/sbin/mosquitto", "mosquitto", "/mosquitto/data"),
    "prometheus": ("prometheus", "/usr/bin/prometheus", "nobody", "/prometheus"),
    "alertmanager": ("prometheus-alertmanager", "/usr/bin/prometheus-alertmanager", "nobody", "/alertmanager"),
}
# The same for cluster.yaml, whose services name their programs.
DEBIAN_PACKAGES = {"nginx": "nginx-light", "python": "python3-minimal libpython3-stdlib"}
INSTALL = "RUN apt-get update -q && apt-get install -y -q --no-install-recommends"


def why_not():
    """Names of missing tools; empty if none."""
    if os.geteuid() != 0:
        return "images are built and run as root"
    missing = [tool for tool in ("podman", "runc", "buildah", "debootstrap", "node", "npm") if not shutil.which(tool)]
    return f"missing here: {' '.join(missing)}" if missing else ""


def configure():
    """The environment of Podman: a separate store, runc, and limits that are allowed here."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = min(20000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    (FOLDER / "containers.conf").write_text(
        f'[containers]\ndefault_ulimits = ["nofile={files}:{files}", "nproc={PROCESSES}:{PROCESSES}"]\n'
        '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
    )
    (FOLDER / "storage.conf").write_text(
        f'[storage]\ndriver = "overlay"\ngraphroot = "{FOLDER}/storage"\nrunroot = "{FOLDER}/run"\n'
    )
    return {
        **os.environ,
        "CONTAINERS_CONF": str(FOLDER / "containers.conf"),
        "CONTAINERS_STORAGE_CONF": str(FOLDER / "storage.conf"),
    }


class Engine:
    def __init__(self):
        self.environment = configure()
        self.isolation = "oci"
        self.why_no_run = ""

    def call(self, *command, check=True, inside=(), timeout=120, **variables):
        """The text that a command prints."""
        done = subprocess.run(
            [*inside, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
            timeout=timeout, env={**self.environment, **variables},
        )
        assert not check or done.returncode == 0, f"{command}:\n{done.stdout[-4000:]}"
        return done.stdout

    def has(self, image):
        return subprocess.run(["podman", "image", "exists", image], env=self.environment).returncode == 0

    def bases(self):
        """Debian, the JDK and Node under the names that the Dockerfile gives them; finds out whether Podman can run."""
        if not self.has(NAMES["DEBIAN"]):
            root = FOLDER / "debian"
            shutil.rmtree(root, ignore_errors=True)
            self.call("debootstrap", "--variant=minbase", SUITE, root, MIRROR, timeout=1800)
            shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)
            for node in (root / "dev").iterdir():
                shutil.rmtree(node) if node.is_dir() and not node.is_symlink() else node.unlink()
            self.call("sh", "-c", f"tar -C {root} -c . | podman import - {NAMES['DEBIAN']}", timeout=600)
            shutil.rmtree(root)
        ran = self.call("podman", "run", "--rm", "--network", "none", NAMES["DEBIAN"], "true", check=False).strip()
        if ran:
            self.isolation, self.why_no_run = "chroot", f"podman cannot run containers here: {ran[-300:]}"
            print(self.why_no_run + "; images are built, and their commands run alone, in a chroot by buildah")
        if not self.has(NAMES["TEMURIN"]):
            jdk = pathlib.Path(os.environ["JAVA_HOME"])
            with self._folder() as context:
                shutil.copytree(jdk, context / "openjdk", symlinks=True)
                certificates = pathlib.Path("lib/security/cacerts")
                (context / "openjdk" / certificates).unlink()
                shutil.copy(jdk / certificates, context / "openjdk" / certificates)
                home = "/opt/java/openjdk"
                path = f"{home}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
                self._stand_in(NAMES["TEMURIN"], context, f"COPY openjdk {home}\nENV JAVA_HOME={home} PATH={path}\n")
        if not self.has(NAMES["NODE"]):
            with self._folder() as context:
                (context / "bin").mkdir()
                shutil.copy(shutil.which("node"), context / "bin/node")
                npm = pathlib.Path(shutil.which("npm")).resolve().parents[1]
                shutil.copytree(npm, context / "lib/node_modules/npm")
                (context / "bin/npm").symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
                self._stand_in(NAMES["NODE"], context, "COPY bin /usr/local/bin\nCOPY lib /usr/local/lib\n")

    @contextlib.contextmanager
    def _folder(self):
        context = FOLDER / "context"
        shutil.rmtree(context, ignore_errors=True)
        context.mkdir()
        yield context
        shutil.rmtree(context)

    def _stand_in(self, image, context, instructions):
        (context / "Containerfile").write_text(f"FROM {NAMES['DEBIAN']}\n{instructions}")
        self.call("buildah", "bud", "--isolation", self.isolation, "--network", "host", "-t", image, context, timeout=600)

    def others(self):
        """Debian's packages under the names of the third-party images of the compose file."""
        compose = (ROOT / "docker/compose.yaml").read_text()
        for service, (package, program, user, volume) in OTHERS.items():
            image = re.search(rf"^  {service}:\n(?:    .*\n)*?    image: (\S+)$", compose, re.M)[1]
            if self.has(image):
                continue
            with self._folder() as context:
                self._stand_in(
                    image, context,
                    f"{INSTALL} {package} && install -d -o {user} {volume}\n"
                    f"USER {user}\nVOLUME {volume}\nENTRYPOINT [\"{program}\"]\n")

    def others_of_cluster(self):
        """nginx and Python by Debian, and the nats-server of the Python packages, under the names in cluster.yaml."""
        names = dict(re.findall(r"image: (docker\.io/library/(\w+):\S+)", (ROOT / "docker/cluster.yaml").read_text()))
        for image, program in names.items():
            if self.has(image):
                continue
            with self._folder() as context:
                if program == "nats":
                    shutil.copy(pathlib.Path(sys.executable).with_name("nats-server"), context)
                    instruction = "COPY nats-server /usr/local/bin/nats-server"
                else:
                    instruction = f"{INSTALL} {DEBIAN_PACKAGES[program]}"
                self._stand_in(image, context, instruction + "\n")

    def build(self, target):
        """Builds one of our images. It uses this machine's downloads of Maven and npm without changing them."""
        home = pathlib.Path.home()
        lent = [f"{folder}:/root/{folder.relative_to(home)}:O" for folder in (home / ".m2", home / ".npm") if folder.exists()]
        volumes = [word for volume in lent for word in ("-v", volume)] if self.isolation == "oci" else []
        self.call(
            "buildah", "bud", "--isolation", self.isolation, "--layers", "--format", "docker", "--network", "host",
            *volumes, "-f", "docker/Dockerfile", "--target", target, "--build-arg", f"VIGIL_BUILD_NUMBER={NUMBER}",
            "-t", f"vigil-{target}", ".", timeout=3600,
        )

    def compressed_size(self, image):
        """Octets of the compressed layers, as in a registry."""
        with self._folder() as context:
            self.call("buildah", "push", "--compression-format", "gzip", image, f"dir:{context}", timeout=600)
            return sum(file.stat().st_size for file in context.iterdir())


@contextlib.contextmanager
def network_of_its_own():
    """Prefix that runs a command in a network with only loopback, and a TUN device for everyone."""
    name = f"vigil-compose-{os.getpid()}"
    subprocess.run(["ip", "netns", "add", name], check=True)
    start = (
        "ip link set lo up && mount -t tmpfs tmpfs /dev/net && mknod -m 666 /dev/net/tun c 10 200 && "
        "echo made && exec sleep infinity"
    )
    holder = subprocess.Popen(
        ["nsenter", f"--net=/run/netns/{name}", "unshare", "-m", "sh", "-c", start], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "made\n"
        yield ["nsenter", "-t", str(holder.pid), "-n", "-m", f"--wd={ROOT}"]
    finally:
        holder.terminate()
        holder.wait()
        subprocess.run(["ip", "netns", "del", name], check=True)


def wait_until(what, timeout):
    """The first truthy answer of `what`."""
    deadline = time.monotonic() + timeout
    while not (answer := what()):
        assert time.monotonic() < deadline, f"not within {timeout} s: {what.__doc__}"
        time.sleep(0.5)
    return answer


def commands(document, heading, word="docker compose"):
    """The lines of the first block with this word below a heading of a document."""
    text = (ROOT / document).read_text()
    section = re.split(r"^## ", text[text.index(heading) + len(heading):], maxsplit=1, flags=re.M)[0]
    [block, *_] = [one for one in re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S) if word in one]
    return [line for line in block.splitlines() if line]
