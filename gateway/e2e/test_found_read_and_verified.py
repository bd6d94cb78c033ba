"""The main job: independent clients find, read and verify a sleeping mote."""

import base64
import json
import pathlib
import re
import subprocess

from processes import coap_get, wait_until
from jwcrypto import jwk, jws


def links(text):
    return re.findall(r"<([^>]*)>", text)


def path_of(link):
    return re.sub(r"^[a-z]+://[^/]+", "", link)


def loads(gateway):
    """The paths of the three load resources, as coap-client finds them."""
    answer = coap_get(gateway.coap + "/rd-lookup/res?rt=load")
    found = [path_of(link) for link in links(answer)]
    return found if len(found) == 3 else None


def signed(gateway, path):
    """Header and payload of a mirrored resource, verified with jwcrypto and the key that it names."""
    status, _, body = gateway.get(path, "application/jose")
    assert status == 200, body
    header = json.loads(base64.urlsafe_b64decode(body.split(b".")[0] + b"=="))
    status, _, key = gateway.get("/keys/" + header["kid"], "application/jwk+json")
    assert status == 200, key
    public = jwk.JWK.from_json(key.decode())
    assert public.thumbprint() == header["kid"]
    token = jws.JWS()
    token.deserialize(body.decode())
    token.verify(public, alg="ES256")
    return header, token.payload


def verified(gateway, path):
    """The same, its payload SenML in JSON."""
    header, payload = signed(gateway, path)
    return header, json.loads(payload)


def test_three_endpoints_are_found_and_jwcrypto_verifies_each(network):
    paths = wait_until(lambda: loads(network))
    for path in paths:
        header, senml = verified(network, path)
        assert header["res"] == "load"
        assert header["cty"] == "application/senml+json"
        assert senml[0]["u"] == "/" and isinstance(senml[0]["v"], (int, float))


def test_values_move_on_and_the_number_with_them(network):
    path = wait_until(lambda: loads(network))[0]
    first, _ = verified(network, path)
    later = wait_until(lambda: (h := verified(network, path)[0])["seq"] > first["seq"] and h)
    assert later["kid"] == first["kid"]


def test_lookup_finds_by_endpoint_name_over_coap_and_http_alike(network):
    wait_until(lambda: loads(network))
    over_coap = coap_get(network.coap + "/rd-lookup/ep?ep=mote-2")
    status, headers, body = network.get("/rd-lookup/ep?ep=mote-2")
    assert status == 200 and headers["Content-Type"].startswith("application/link-format")
    for answer in (over_coap, body.decode()):
        assert re.search(r';ep="?mote-2"?[;,]', answer) and "mote-1" not in answer, answer


def test_coap_client_reads_the_jws_the_senml_and_the_text(network):
    path = wait_until(lambda: loads(network))[0]
    assert coap_get(network.coap + path, "-A", "65100").count(".") == 2
    assert json.loads(coap_get(network.coap + path, "-A", "110"))[0]["n"]
    float(coap_get(network.coap + path, "-A", "0"))


def test_well_known_core_shows_mirrored_endpoints(network):
    wait_until(lambda: loads(network))
    answer = coap_get(network.coap + "/.well-known/core?rt=load")
    assert len([link for link in links(answer) if link.endswith("/load")]) == 3, answer
    for rt in ("core.rd", "core.rd-lookup-ep", "core.rd-lookup-res"):
        assert len(links(coap_get(network.coap + f"/.well-known/core?rt={rt}"))) == 1


def test_debians_jose_verifies_too(network, tmp_path):
    path = wait_until(lambda: loads(network))[0]
    status, _, body = network.get(path, "application/jose")
    header = json.loads(base64.urlsafe_b64decode(body.split(b".")[0] + b"=="))
    (tmp_path / "key.json").write_bytes(network.get("/keys/" + header["kid"])[2])
    (tmp_path / "reading.jws").write_bytes(body)
    verify = ["jose", "jws", "ver", "-i", str(tmp_path / "reading.jws"), "-k", str(tmp_path / "key.json"), "-O-"]
    done = subprocess.run(verify, capture_output=True, timeout=60)
    assert done.returncode == 0 and json.loads(done.stdout), done.stderr
    tampered = body[:-6] + (b"A" if body[-6:-5] != b"A" else b"B") + body[-5:]
    pathlib.Path(tmp_path / "reading.jws").write_bytes(tampered)
    assert subprocess.run(verify, capture_output=True, timeout=60).returncode != 0


def test_tshark_decodes_the_air_down_to_coap(network, tmp_path):
    wait_until(lambda: loads(network))
    copy = tmp_path / "air.pcapng"
    copy.write_bytes(network.pcap.read_bytes())

    def count(display):
        out = subprocess.run(
            ["tshark", "-r", str(copy), "-o", "6lowpan.context0:fd00::/64", "-Y", display, "-T", "fields", "-e", "frame.number"],
            capture_output=True, text=True, timeout=60,
        )
        assert out.returncode == 0 or "cut short" in out.stderr, out.stderr
        return len(out.stdout.split())

    assert count("_ws.malformed") == 0
    assert count("wpan.fcs_ok == 0") == 0
    assert count("6lowpan") > 10
    assert count("coap.code == 3") > 3, "PUT requests of motes"
    assert count("coap.code == 68 || coap.code == 65") > 3, "their answers"
