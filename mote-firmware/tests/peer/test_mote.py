"""The real vigil-mote with a mirror on aiocoap: its messages are verified by jwcrypto, cryptography and cbor2."""

import asyncio
import itertools
import os
import shutil
import socket
import stat
import time
from pathlib import Path

import aiocoap
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from mirror import Mirror, serve

BINARY = Path(__file__).parents[2] / "build/posix/vigil-mote"

assert BINARY.exists(), f"{BINARY} is not built: run make first"


# Below the ports that the system and other tests choose: aiocoap also listens on TCP, where another process may have one.
PORTS = range(25_000, 27_000)
_ports = itertools.islice(itertools.cycle(PORTS), os.getpid() % len(PORTS), None)


def free_port(host: str) -> int:
    return next(port for port in _ports if is_free(host, port))


def is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
            with socket.socket(family, kind) as probe:
                probe.bind((host, port))
    except OSError:
        return False
    return True


async def run(folder: Path, *options: str, timeout: float = 180) -> tuple[int, str, str]:
    """Runs the mote in `folder` until it ends. Returns exit code, stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        BINARY,
        *("--ep", "mote-1", *options),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), timeout)
    except TimeoutError:
        process.kill()
        raise
    return process.returncode, out.decode(), err.decode()


@pytest.fixture(params=["::1", "127.0.0.1"], ids=["IPv6", "IPv4"])
def place(request):
    host = request.param
    port = free_port(host)
    return host, port, f"coap://[{host}]:{port}" if ":" in host else f"coap://{host}:{port}"


@pytest.fixture
def six():
    port = free_port("::1")
    return "::1", port, f"coap://[::1]:{port}"


async def test_registers_and_sends_signed_readings(tmp_path, place):
    host, port, uri = place
    mirror = Mirror()
    before = int(time.time())
    async with serve(mirror, host, port):
        code, out, err = await run(tmp_path, "--mirror", uri, "--wake", "0.05", "--count", "3", "--domain", "home")
    assert code == 0, err
    assert err == ""
    assert "registered at /ms/7\n" in out
    assert "sent load seq 2 2.04 confirmed\n" in out
    [registration] = mirror.registrations
    assert list(registration.header) == ["alg", "typ", "cty", "jwk", "ep", "d", "lt", "wake", "seq"]
    assert registration.header["ep"] == "mote-1" and registration.header["wake"] == 1
    assert registration.query == ("ep=mote-1", "d=home")
    assert '</load>;rt="load"' in registration.links and '</memory>;rt="memory"' in registration.links
    assert [update.path for update in mirror.updates][:2] == ["load", "memory"]
    assert mirror.numbers == list(range(1, len(mirror.numbers) + 1))
    assert [update.confirmable for update in mirror.updates] == [True] + [False] * (len(mirror.updates) - 1)
    for update in mirror.updates:
        [record] = update.records
        assert record["n"] == f"mote-1/{update.path}"
        assert record["u"] == {"load": "/", "memory": "B", "temperature": "Cel"}[update.path]
        assert before <= record["t"] <= time.time() + 1
        if update.path == "memory":
            assert 2**20 < record["v"] < 2**50


async def test_the_compact_form_expands_to_a_jws_that_others_verify(tmp_path, six):
    host, port, uri = six
    mirror = Mirror()
    options = ("--form", "compact", "--wake", "0.01", "--sensor", "load", "--no-clock", "--count")
    async with serve(mirror, host, port):
        code, _, err = await run(tmp_path, "--mirror", uri, *options, "130")
        assert code == 0, err
        await mirror.until(130)
    assert len(mirror.updates) == 130
    assert [i for i, update in enumerate(mirror.updates) if update.confirmable] == [0, 64, 128]
    for update in mirror.updates:
        assert "t" not in update.records[0]
        assert update.length == 67 + len(f'[{{"n":"mote-1/load","u":"/","v":{update.records[0]["v"]:.3f}}}]')


@pytest.mark.parametrize("form", ["jws", "compact"])
async def test_sends_cbor_that_others_read(tmp_path, six, form):
    host, port, uri = six
    (tmp_path / "greenhouse.csv").write_text("time,air (Cel)\n1,21.5\n2,-0.25\n3,300\n")
    mirror = Mirror()
    options = ("--payload", "cbor", "--form", form, "--wake", "0.01", "--sensor", "csv:greenhouse.csv", "--count", "3")
    async with serve(mirror, host, port):
        code, _, err = await run(tmp_path, "--mirror", uri, *options)
    assert code == 0, err
    assert [float(update.records[0][2]) for update in mirror.updates] == [21.5, -0.25, 300]
    assert {update.records[0][1] for update in mirror.updates} == {"Cel"}


async def test_resumes_with_higher_numbers_after_restart_and_kill(tmp_path, six):
    host, port, uri = six
    mirror = Mirror()
    async with serve(mirror, host, port):
        await run(tmp_path, "--mirror", uri, "--wake", "0.01", "--count", "2")
        for _ in range(5):
            process = await asyncio.create_subprocess_exec(
                BINARY,
                *("--ep", "mote-1", "--mirror", uri, "--wake", "0.01"),
                cwd=tmp_path,
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                async with asyncio.timeout(60):
                    for _ in range(4):
                        await process.stdout.readline()
            finally:
                process.kill()
                await process.wait()
        code, out, err = await run(tmp_path, "--mirror", uri, "--wake", "0.01", "--count", "2")
    assert code == 0, err
    assert out.startswith("resuming at /ms/7\n")
    assert len(mirror.registrations) == 1
    assert mirror.numbers == sorted(set(mirror.numbers))
    assert stat.S_IMODE(os.stat(tmp_path / "mote-1.state").st_mode) == 0o600


async def test_registers_again_when_the_mirror_has_forgotten_it(tmp_path, six):
    host, port, uri = six
    mirror = Mirror()
    async with serve(mirror, host, port):
        await run(tmp_path, "--mirror", uri, "--count", "1")
        mirror.location = 9
        code, out, err = await run(tmp_path, "--mirror", uri, "--count", "1")
    assert code == 0, err
    assert "refused load" in err and "4.04" in err
    assert "registered at /ms/9\n" in out
    assert mirror.numbers == sorted(set(mirror.numbers))


async def test_reports_what_was_refused_and_what_to_do(tmp_path, six):
    host, port, uri = six
    mirror = Mirror(answers=[aiocoap.Message(code=aiocoap.FORBIDDEN, payload=b"unknown domain\x1b[2J")])
    async with serve(mirror, host, port):
        code, _, err = await run(tmp_path, "--mirror", uri, "--count", "1")
    assert code == 1
    # Only the mirror's reason is printed, without another guess.
    assert "refused the registration seq 1 with 4.03 (unknown domain?[2J): retrying at longer intervals\n" in err
    assert "operator" not in err


async def test_ends_without_an_answer_of_the_mirror(tmp_path, six):
    _, _, uri = six
    code, out, err = await run(tmp_path, "--mirror", uri, "--wake", "0.01", "--count", "1")
    assert code == 1
    assert "did not answer" in err and uri in err


async def test_two_motes_never_share_one_counter(tmp_path, six):
    host, port, uri = six
    async with serve(Mirror(), host, port):
        process = await asyncio.create_subprocess_exec(
            BINARY, *("--ep", "mote-1", "--mirror", uri), cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(60):
                while b"sent" not in await process.stdout.readline():
                    pass
            code, _, err = await run(tmp_path, "--mirror", uri)
        finally:
            process.terminate()
        assert await process.wait() == 0
    assert code == 3 and "in use by another mote" in err


async def test_does_not_start_with_damaged_state(tmp_path, six):
    host, port, uri = six
    state = tmp_path / "mote-1.state"
    async with serve(Mirror(), host, port):
        await run(tmp_path, "--mirror", uri, "--count", "1")
        data = bytearray(state.read_bytes())
        data[50] ^= 1
        data[4096 + 50] ^= 1
        state.write_bytes(data)
        code, out, err = await run(tmp_path, "--mirror", uri, "--count", "1")
    assert code == 3 and out == ""
    assert "mote-1.state" in err and "restore it" in err


async def test_continues_above_a_signed_answer_after_restoring_old_state(tmp_path, six):
    host, port, uri = six
    mirror = Mirror(identity=ec.generate_private_key(ec.SECP256R1()))
    state, copy = tmp_path / "mote-1.state", tmp_path / "copy"
    options = ("--mirror", uri, "--wake", "0.01", "--no-clock", "--sensor", "load", "--count")
    async with serve(mirror, host, port):
        _, out, _ = await run(tmp_path, *options, "2")
        shutil.copy2(state, copy)
        await run(tmp_path, *options, "300")
        shutil.copy2(copy, state)
        began = int(time.time())
        code, again, err = await run(tmp_path, *options, "2")
    assert f"pinned mirror key {mirror.identity_key().thumbprint()}\n" in out
    assert code == 0 and "4.09" in err
    assert "registered at /ms/7\n" in again and "pinned" not in again
    assert mirror.numbers == sorted(set(mirror.numbers)) and mirror.numbers[-1] > 300
    assert began <= mirror.updates[-1].records[0]["t"] <= time.time() + 1  # the mirror's time: it has no clock


async def test_an_old_copy_trusts_no_unsigned_answer(tmp_path, six):
    host, port, uri = six
    mirror = Mirror()
    state, copy = tmp_path / "mote-1.state", tmp_path / "copy"
    options = ("--mirror", uri, "--wake", "0.01", "--sensor", "load", "--count")
    async with serve(mirror, host, port):
        await run(tmp_path, *options, "1")
        shutil.copy2(state, copy)
        await run(tmp_path, *options, "200")
        shutil.copy2(copy, state)
        code, _, err = await run(tmp_path, *options, "1")
    assert code == 1 and "refused the registration" in err and "4.09" in err


async def test_encrypts_updates_under_a_new_key_after_each_start(tmp_path, six):
    host, port, uri = six
    mirror = Mirror(identity=ec.generate_private_key(ec.SECP256R1()))
    keys = set()
    async with serve(mirror, host, port):
        for payload in ("json", "cbor", "json"):
            options = ("--encrypt", "--wake", "0.01", "--payload", payload, "--sensor", "load", "--count", "3")
            code, _, err = await run(tmp_path, "--mirror", uri, *options)
            assert code == 0, err
            keys.add(mirror.air_key)
        await mirror.until(9)
    assert len(keys) == len(mirror.registrations) == 3
    assert mirror.sealed == len(mirror.updates) == 9
    for update in mirror.updates:
        [record] = update.records
        if "v" in record:  # in JSON: 67 octets around it, and the tag
            pack = f'[{{"n":"mote-1/load","u":"/","v":{record["v"]:.3f},"t":{record["t"]}}}]'
            assert update.length == 67 + 16 + len(pack)


async def test_sends_nothing_in_the_clear_when_it_shall_encrypt(tmp_path, six):
    host, port, uri = six
    mirror = Mirror()
    async with serve(mirror, host, port):
        code, _, err = await run(tmp_path, "--mirror", uri, "--encrypt", "--wake", "0.01", "--count", "1")
    assert code == 1 and "not supported" in err
    assert mirror.updates == []


async def test_refuses_a_mirror_with_another_key(tmp_path, six):
    host, port, uri = six
    async with serve(Mirror(identity=ec.generate_private_key(ec.SECP256R1())), host, port):
        await run(tmp_path, "--mirror", uri, "--count", "1")
    other = Mirror(identity=ec.generate_private_key(ec.SECP256R1()), location=8)
    async with serve(other, host, port):
        code, out, err = await run(tmp_path, "--mirror", uri, "--count", "1")
        assert code == 1 and "not signed by the mirror's key" in err and "registered" not in out
        named = other.identity_key().thumbprint()
        code, out, err = await run(tmp_path, "--mirror", uri, "--mirror-key", named, "--count", "1")
    assert code == 0 and f"pinned mirror key {named}\n" in out


@pytest.mark.parametrize(
    "options, named",
    [
        (("--ep", "two words"), "--ep two words"),
        (("--mirror", "http://x"), "--mirror http://x"),
        (("--mirror", "coap://[::1]:5683/ms"), "give no path"),
        (("--wake", "0"), "--wake 0"),
        (("--form", "xml"), "give jws or compact"),
        (("--sensor", "csv:absent.csv"), "csv:absent.csv"),
        (("extra",), "extra"),
    ],
)
async def test_a_wrong_option_is_reported_with_what_is_right(tmp_path, options, named):
    code, out, err = await run(tmp_path, *options)
    assert code == 2 and out == "" and named in err


async def test_helps(tmp_path):
    code, out, err = await run(tmp_path, "--help")
    assert code == 0 and "--mirror" in out and err == ""
