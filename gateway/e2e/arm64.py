"""A Debian user-land for arm64 that runs the gateway and the mote under qemu-user, arranged as the image arranges it.

Debian's packages are downloaded and unpacked below target/arm64, not installed. Only Corretto's provider differs from the
built jar: it is the jar for linux-aarch_64, as the Dockerfile chooses it.
"""

import fcntl
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import zipfile

from processes import JAR, REPOSITORY, output_of, why_no_namespace

FOLDER = REPOSITORY / "target/arm64"
# The JDK of the tests has `java` and `jar`.
PATH = os.pathsep.join([os.path.join(os.environ["JAVA_HOME"], "bin")] * ("JAVA_HOME" in os.environ) + [os.environ["PATH"]])
ROOT = FOLDER / "root"
QEMU = "qemu-aarch64-static"
TOOLS = (QEMU, "aarch64-linux-gnu-gcc", "apt-get", "dpkg-deb", "unshare", "ip", "jar")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = os.environ.get("VIGIL_DEBIAN_MIRROR", "http://deb.debian.org/debian")
# The JVM uses a shell to start the process that writes a cache.
PACKAGES = ("openjdk-25-jre-headless", "libbearssl-dev", "dash")
# Of a Raspberry Pi 4. QEMU's default has pointer authentication, whose emulation makes Java three times slower.
CPU = "cortex-a72"
HOME = "usr/lib/jvm/java-25-openjdk-arm64"
JAVA = f"/{HOME}/bin/java"
MOTE = "/usr/bin/vigil-mote"
NATIVE = "usr/lib/vigil/native"
# The mounts end with the process. It has a low priority, because emulation takes minutes of a processor.
MOUNT = 'for one in dev proc sys; do mount --rbind /$one "$root/$one"; done; mount -t tmpfs tmpfs "$root/tmp"; '
CHROOT = f'QEMU_CPU={CPU} exec chroot "$root" /usr/bin/{QEMU} "$@"'
ENTER = f'root=$0 data=$1; shift; renice -n 10 $$ >/dev/null; {MOUNT}mount --bind "$data" "$root/mnt"; {CHROOT}'
# A kernel that starts programs for arm64 with QEMU, in one user namespace (Linux 6.7 or newer).
BINFMT = "/proc/sys/fs/binfmt_misc"
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
OWN_KERNEL = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-ec")
REGISTER = f"mount -t binfmt_misc binfmt_misc {BINFMT}; printf %s ':arm64:M::{MAGIC}:{MASK}:/usr/bin/{QEMU}:F' >{BINFMT}/register; "
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
    return [JAVA, *options, "@/usr/lib/vigil/java.options"]


def why_no_cache():
    """Why the kernel cannot start the JVM that writes a cache, which another JVM starts; empty if it can."""
    done = subprocess.run([*OWN_KERNEL, REGISTER], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ""


def run(*command, cwd=None, **variables):
    return output_of(*command, cwd=cwd, env=os.environ | {"PATH": PATH} | variables)


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
    """As the Dockerfile does it: the native libraries, the jar unpacked with an AOT cache, and options that use it."""
    folder, stamp, jar = ROOT / "usr/lib/vigil", FOLDER / "stamp", pathlib.Path(JAR)
    sources = [jar, *(REPOSITORY / name for name in ("docker/java.options", "gateway/launcher/java.sh"))]
    built = " ".join(f"{file.resolve()} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in sources)
    if stamp.exists() and stamp.read_text() == built:
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    arm = folder / "vigil-gateway.jar"
    for_arm64(jar, arm)
    run("sh", REPOSITORY / "docker/native-libraries.sh", arm, "arm64", ROOT / NATIVE)
    launcher = ("bash", REPOSITORY / "gateway/launcher/java.sh")
    home = {"JAVA_HOME": str(training_jdk())}
    if not why_no_cache():
        run(*launcher, "prepare", arm, **home)
    words = run(*launcher, "command", arm, **home).replace(str(ROOT), "").splitlines()[1:]
    (folder / "java.options").write_text((REPOSITORY / "docker/java.options").read_text() + "\n".join(words) + "\n")
    if (folder / "vigil-gateway.fast").exists():
        arm.unlink()
    stamp.write_text(built)


def training_jdk():
    """A JDK for the launcher: its programs run here, but its `java` runs in the user-land."""
    home = FOLDER / "jdk"
    shutil.rmtree(home, ignore_errors=True)
    (home / "bin").mkdir(parents=True)
    (home / "release").symlink_to(ROOT / HOME / "release")
    (home / "bin/jar").symlink_to(shutil.which("jar", path=PATH))
    words = " ".join(map(shlex.quote, (*OWN_KERNEL, f"root=$0; {REGISTER}{MOUNT}{CHROOT}", str(ROOT), JAVA)))
    (home / "bin/java").write_text(f'#!/bin/bash\nroot={shlex.quote(str(ROOT))}\nexec {words} "${{@//"$root"/}}"\n')
    (home / "bin/java").chmod(0o755)
    return home


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

