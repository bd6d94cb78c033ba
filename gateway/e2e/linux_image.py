"""The image that linux_host.py boots: Debian's unmodified cloud kernel, and a RAM disk with linux_guest.py as process 1.

It is made once for each kernel and guest, in target/linux-guest. The kernel is downloaded and unpacked, not installed.
"""

import ast
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from processes import REPOSITORY, output_of

FOLDER = REPOSITORY / "target/linux-guest"
GUEST = pathlib.Path(__file__).with_name("linux_guest.py")
PYTHON, META = "/usr/bin/python3", "linux-image-cloud-amd64"
TOOLS = ("qemu-system-x86_64", "busybox", "cpio", "ip", "apt-get", "dpkg-deb", PYTHON)


def missing():
    return [tool for tool in TOOLS if not shutil.which(tool)]


def make():
    """Kernel and RAM disk."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kernel = unpacked_kernel()
        release = kernel.name.removeprefix("vmlinuz-")
        made = hashlib.sha256(GUEST.read_bytes() + pathlib.Path(__file__).read_bytes() + release.encode()).hexdigest()[:16]
        disk = FOLDER / f"initrd-{made}.cpio"
        if not disk.exists():
            make_disk(disk, kernel.parents[1], release)
        return kernel, disk


def unpacked_kernel():
    found = sorted(FOLDER.glob("kernel/boot/vmlinuz-*"))
    if not found:
        name = kernel_package() or (output_of("apt-get", "update", "-q"), kernel_package())[1]
        assert name, f"no repository has {META}"
        output_of("apt-get", "download", "-q", name, cwd=FOLDER)
        [package] = FOLDER.glob(f"{name}_*.deb")
        output_of("dpkg-deb", "-x", package, FOLDER / "unpacked")
        package.unlink()
        [kernel] = FOLDER.glob("unpacked/boot/vmlinuz-*")
        output_of("busybox", "depmod", "-b", FOLDER / "unpacked", kernel.name.removeprefix("vmlinuz-"))
        (FOLDER / "unpacked").rename(FOLDER / "kernel")
        found = sorted(FOLDER.glob("kernel/boot/vmlinuz-*"))
    return found[-1]


def kernel_package():
    done = subprocess.run(["apt-cache", "depends", META], capture_output=True, text=True)
    name = re.search(r"Depends: (linux-image-\S+-cloud-amd64)", done.stdout)
    return name and name[1]


def make_disk(disk, tree, release):
    root = FOLDER / "root"
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("dev", "proc", "sys", "run", "tmp", "etc", "usr/bin", "usr/lib/python3/dist-packages"):
        (root / folder).mkdir(parents=True)
    modules = f"lib/modules/{release}"
    for path in {needed for name in guest_modules() for needed in with_needs(tree / modules, name)} | {"modules.dep"}:
        put(root, tree / modules / path, f"{modules}/{path}")
    programs = [PYTHON, shutil.which("ip"), shutil.which("busybox")]
    imported = imports()
    for one in [*programs[:2], *imported, *libraries([*programs, *(path for path in imported if path.endswith(".so"))]), "/etc/protocols"]:
        put(root, pathlib.Path(one), one.lstrip("/"))
    put(root, pathlib.Path(programs[2]), "bin/cat")
    put(root, GUEST, "init")
    (root / "init").chmod(0o755)
    names = "".join(f"{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    with open(disk.with_suffix(".part"), "wb") as part:
        subprocess.run(["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"], input=names.encode(), stdout=part, cwd=root, check=True)
    disk.with_suffix(".part").rename(disk)
    shutil.rmtree(root)


def put(root, source, path):
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)  # with its date, by which Python finds its compiled form


def guest_modules():
    """The names in MODULES of the guest, which cannot be imported here."""
    return re.search(r'^MODULES = "(.*)"\.split\(\)$', GUEST.read_text(), re.M)[1].split()


def with_needs(folder, name):
    """A module and its dependencies; none if the kernel contains it."""
    for line in (folder / "modules.dep").read_text().splitlines():
        path, _, others = line.partition(":")
        if os.path.basename(path).split(".")[0].replace("-", "_") == name:
            return [path, *others.split()]
    return []


def imports():
    """Files of the standard library that the guest's imports load, with their compiled forms."""
    names = sorted({alias.name for node in ast.walk(ast.parse(GUEST.read_text())) if isinstance(node, ast.Import) for alias in node.names})
    script = f"import sys, encodings.idna, {', '.join(names)}\nfor one in list(sys.modules.values()): print(getattr(one, '__file__', None) or '', getattr(one, '__cached__', None) or '')"
    loaded = output_of(PYTHON, "-ISB", "-c", script).split()
    return sorted({path for path in loaded if os.path.isfile(path)})


def libraries(files):
    """Shared libraries of programs, by the names that the loader looks for; a static program has none."""
    linked = "".join(subprocess.run(["ldd", file], capture_output=True, text=True).stdout for file in files)
    return sorted(set(re.findall(r"(/\S+) \(0x", linked)))


if __name__ == "__main__":
    print(*make())
