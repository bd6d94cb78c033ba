"""A Debian user-land for arm64 that runs the gateway and the mote under qemu-user, arranged as the image arranges it.

Debian's packages are downloaded and unpacked below target/arm64, not installed. Only Corretto's provider differs from the
built jar: it is the jar for linux-aarch_64, as the Dockerfile chooses it.
"""

import fcntl
import os
import pathlib
import platform
import re
import shutil
import subprocess
import zipfile

from processes import JAR, REPOSITORY, why_no_namespace

FOLDER = REPOSITORY / "target/arm64"
# The JDK of the tests has `java` and `jar`.
PATH = os.pathsep.join([os.path.join(os.environ["JAVA_HOME"], "bin")] * ("JAVA_HOME" in os.environ) + [os.environ["PATH"]])
ROOT = FOLDER / "root"
QEMU = "qemu-aarch64-static"
TOOLS = (QEMU, "aarch64-linux-gnu-gcc", "apt-get", "dpkg-deb", "unshare", "ip", "jar")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = os.environ.get("VIGIL_DEBIAN_MIRROR", "http://deb.debian.org/debian")
PACKAGES = ("openjdk-25-jre-headless", "libbearssl-dev")
# Of a Raspberry Pi 4. QEMU's default has pointer authentication, whose emulation makes Java three times slower.
CPU = "cortex-a72"
JAVA = "/usr/lib/jvm/java-25-openjdk-arm64/bin/java"
MOTE = "/usr/bin/vigil-mote"
NATIVE = "usr/lib/vigil/native"
# The mounts belong to the process alone and end with it. Other tests run first: emulation takes minutes of a processor.
ENTER = (
    'root=$0 data=$1; shift; for one in dev sys; do mount --rbind /$one "$root/$one"; done; '
    'mount -t proc proc "$root/proc"; mount -t tmpfs tmpfs "$root/tmp"; mount --bind "$data" "$root/mnt"; '
    f'exec nice -n 10 chroot "$root" /usr/bin/{QEMU} -cpu {CPU} "$@"'
)
OWN_APT = """\
APT::Architecture "arm64";
APT::Architectures {{ "arm64"; }};
Dir "{folder}/";
Dir::Etc::Parts "/etc/apt/apt.conf.d";
Dir::State::Status "{folder}/status";
APT::Sandbox::User "root";
"""


def why_not():
    """Tools and rights that are missing; empty if none."""
    if platform.machine() != "x86_64":
        return f"emulates arm64 on x86_64, and this machine is {platform.machine()}"
    missing = [tool for tool in TOOLS if not shutil.which(tool, path=PATH)]
    missing += [file for file in (KEYRING, "/usr/aarch64-linux-gnu/include/stdio.h") if not os.path.exists(file)]
    return f"missing here: {' '.join(missing)}" if missing else why_no_namespace()


def inside(data):
    """Prefix that runs a program of the user-land, which sees the folder as /mnt."""
    return ["unshare", "-m", "sh", "-ec", ENTER, str(ROOT), str(data)]


def java(*options):
    """The command of the gateway, up to the verb."""
    script = '. "$1"; printf "%s\\n" "${java_options[@]}"'
    words = run("bash", "-c", script, "bash", REPOSITORY / "gateway/launcher/java.sh").splitlines()
    return [JAVA, *words, *options, "@/usr/lib/vigil/java.options", "-jar", "/usr/lib/vigil/gateway/vigil-gateway.jar"]


def run(*command, cwd=None, **variables):
    done = subprocess.run(
        [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd,
        env=os.environ | {"PATH": PATH} | variables)
    assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}"
    return done.stdout


def make():
    """Makes what is missing or older than its sources."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ROOT.exists():
            unpack_packages()
        make_mote()
        put_gateway()


def unpack_packages():
    apt, root = FOLDER / "apt", FOLDER / "unpacked"
    for old in (apt, root):
        shutil.rmtree(old, ignore_errors=True)
    for folder in ("etc/apt", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial"):
        (apt / folder).mkdir(parents=True)
    (apt / "status").touch()
    (apt / "apt.conf").write_text(OWN_APT.format(folder=apt))
    (apt / "etc/apt/sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} trixie main\n")
    own = str(apt / "apt.conf")
    run("apt-get", "update", "-q", APT_CONFIG=own)
    run("apt-get", "install", "-y", "-q", "--download-only", "--no-install-recommends", *PACKAGES, APT_CONFIG=own)
    # The links of Debian's merged /usr, which the package base-files makes.
    for name in ("bin", "lib", "sbin"):
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")
    for package in sorted(apt.glob("var/cache/apt/archives/*.deb")):
        run("dpkg-deb", "-x", package, root)
    for name in ("dev", "mnt", "proc", "sys", "tmp"):
        (root / name).mkdir(exist_ok=True)
    shutil.copy(shutil.which(QEMU), root / "usr/bin" / QEMU)
    shutil.rmtree(apt)
    root.rename(ROOT)


def make_mote():
    """Make decides whether the mote is older than its sources."""
    out = FOLDER / "mote"
    run("make", "-s", "-j", os.cpu_count(), "-C", REPOSITORY / "mote-firmware", out / "posix/vigil-mote", f"B={out}",
        f"CC=aarch64-linux-gnu-gcc -idirafter {ROOT}/usr/include", "AR=aarch64-linux-gnu-ar",
        f"LDLIBS={ROOT}/usr/lib/aarch64-linux-gnu/libbearssl.a")
    shutil.copy(out / "posix/vigil-mote", f"{ROOT}{MOTE}")


def put_gateway():
    """The jar unpacked, its native libraries and the options, each in the place that it has in the image."""
    folder, stamp, jar = ROOT / "usr/lib/vigil", FOLDER / "jar.stamp", pathlib.Path(JAR)
    built = f"{jar.resolve()} {jar.stat().st_size} {jar.stat().st_mtime_ns}"
    if not (stamp.exists() and stamp.read_text() == built):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        arm = FOLDER / "vigil-gateway.jar"
        for_arm64(jar, arm)
        run("sh", REPOSITORY / "docker/native-libraries.sh", arm, "arm64", ROOT / NATIVE)
        run("java", "-Djarmode=tools", "-jar", arm, "extract", "--destination", folder / "gateway")
        arm.unlink()
        stamp.write_text(built)
    shutil.copy(REPOSITORY / "docker/java.options", folder)


def for_arm64(jar, target):
    """The same jar with the other jar of Corretto's provider."""
    ours, theirs = (run("sh", REPOSITORY / "docker/platform.sh", "corretto", name).strip() for name in ("amd64", "arm64"))
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(target, "w") as made:
        for entry in source.infolist():
            content = source.read(entry)
            if found := re.fullmatch(rf"BOOT-INF/lib/(AmazonCorrettoCryptoProvider)-(.+)-{ours}\.jar", entry.filename):
                content = fetched(f"software.amazon.cryptools:{found[1]}:{found[2]}:jar:{theirs}").read_bytes()
            entry.filename = entry.filename.replace(ours, theirs)
            made.writestr(entry, content.replace(ours.encode(), theirs.encode()) if entry.filename.endswith(".idx") else content)


def fetched(artifact):
    """A file of Maven Central."""
    run("./mvnw", "-q", "-B", "-ntp", "-N", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={FOLDER}",
        "-Dmdep.overWriteReleases=true", cwd=REPOSITORY)
    _, name, version, _, classifier = artifact.split(":")
    return FOLDER / f"{name}-{version}-{classifier}.jar"

