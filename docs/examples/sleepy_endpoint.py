"""A sleepy endpoint as specified in docs/protocol.md. It registers (section 2.1), sends one reading as a compact update
(section 4.2), and ends with exit code 0 if the mirror has accepted both."""
import argparse, base64, hashlib, json, os, socket, struct, time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

POST, PUT, JOSE, COMPACT = 2, 3, 65100, 65102
compact_json = lambda value: json.dumps(value, separators=(",", ":")).encode()
b64 = lambda octets: base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def request(peer, method, path, content_format, payload):
    """A confirmable CoAP request (RFC 7252): code and Location-Path of its answer."""
    message, last = struct.pack(">BB", 0x44, method) + os.urandom(6), 0
    for number, value in [(11, part.encode()) for part in path] + [(12, struct.pack(">H", content_format))]:
        message, last = message + bytes([(number - last) << 4 | len(value)]) + value, number
    for seconds in (2, 4, 8, 16):
        peer.settimeout(seconds)
        peer.send(message + b"\xff" + payload)
        try:
            while (answer := peer.recv(2048))[1] == 0 or answer[4:8] != message[4:8]:
                pass  # an empty acknowledgement: the response comes separately
        except TimeoutError:
            continue
        if answer[0] & 0x30 == 0:
            peer.send(b"\x60\x00" + answer[2:4])  # a confirmable response is acknowledged
        at, number, location = 8, 0, []
        while at < len(answer) and answer[at] & 0xF0 < 0xD0:  # options up to number 12
            number, end = number + (answer[at] >> 4), at + 1 + (answer[at] & 0x0F)
            location += [answer[at + 1 : end].decode()] if number == 8 else []
            at = end
        return f"{answer[1] >> 5}.{answer[1] & 31:02}", location
    raise SystemExit("the mirror does not answer")


def sign(key, header, payload):
    """The signing input of a JWS (RFC 7515 section 5.1) and its signature, R | S."""
    text = b64(compact_json(header)) + "." + b64(payload)
    r, s = utils.decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return text, r.to_bytes(32, "big") + s.to_bytes(32, "big")


options = argparse.ArgumentParser(description=__doc__.split(". ")[0] + ".")
options.add_argument("host"), options.add_argument("port", type=int), options.add_argument("name"), options.add_argument("value", type=float)
options.add_argument("key", help="a PEM file with a private key of P-256 (openssl ecparam -name prime256v1 -genkey -noout)")
options.add_argument("--new-key", action="store_true", help="make the key first; a file that is there stays as it is")
given = options.parse_args()
if given.new_key and not os.path.exists(given.key):
    made = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    with open(os.open(given.key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(made)
try:
    with open(given.key, "rb") as file:
        key = serialization.load_pem_private_key(file.read(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise ValueError(given.key)
except (OSError, ValueError, TypeError):
    options.error(f"{given.key} holds no private key of P-256 that can be read; --new-key makes one")
point = key.public_key().public_numbers()
jwk = {"crv": "P-256", "kty": "EC", "x": b64(point.x.to_bytes(32, "big")), "y": b64(point.y.to_bytes(32, "big"))}
jkt = b64(hashlib.sha256(compact_json(jwk)).digest())
number = 2 * int(time.time())  # two numbers per second never repeat while the clock advances (section 5)
peer = socket.socket(socket.AF_INET6 if ":" in given.host else socket.AF_INET, socket.SOCK_DGRAM)
peer.connect((given.host, given.port))
text, signature = sign(key, {"alg": "ES256", "typ": "vigil-reg", "cty": "application/link-format", "jwk": jwk, "ep": given.name, "seq": number}, b'</temp>;rt="temperature"')
code, location = request(peer, POST, ["ms"], JOSE, (text + "." + b64(signature)).encode())
print(code, "/" + "/".join(location), jkt)
if not code.startswith("2."):
    raise SystemExit(f"the mirror refused the registration with {code}")
reading = compact_json([{"n": "urn:dev:ops:" + given.name, "u": "Cel", "v": given.value}])
_, signature = sign(key, {"alg": "ES256", "cty": "application/senml+json", "kid": jkt, "res": "temp", "seq": number + 1}, reading)
code, location = request(peer, PUT, location + ["temp"], COMPACT, struct.pack(">BH", 0, number + 1 & 0xFFFF) + reading + signature)
print(code, *location)
if not code.startswith("2."):
    raise SystemExit(f"the mirror refused the reading with {code}" + f"; an operator approves the key {jkt} first" * (code == "4.03"))
