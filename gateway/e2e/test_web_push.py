"""Alarms reach browsers through a push service: `http_ece` decrypts them as a browser does, and `jwcrypto` verifies who
sent them. The browsers themselves are not here: their push services are outside of this network."""

import base64
import http.cookiejar
import http.server
import itertools
import json
import secrets
import ssl
import threading
import urllib.error
import urllib.parse
import urllib.request

import http_ece
import pytest
from certificates import Authority
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwcrypto import jwk, jwt
from processes import MOTE, SMALL, Gateway, Process, wait_until

CONTACT = "mailto:ops@example.org"


def base64url(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


class PushService:
    """Keeps the messages by path; `status` answers a path in another way."""

    def __init__(self, authority):
        certificate, key = authority.issue("push", "DNS:localhost")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        self.messages, self.status = [], {}
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.messages.append((self.path, dict(self.headers), body))
                self.send_response(service.status.get(self.path, 201))
                self.send_header("Location", service.origin + "/elsewhere")
                self.send_header("Content-Length", "0")
                self.send_header("Connection", "close")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.host = f"localhost:{self.server.server_port}"
        self.origin = "https://" + self.host
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Browser:
    """The keys and the address of a browser's subscription."""

    numbers = itertools.count(1)

    def __init__(self, service):
        self.service, self.path = service, f"/push/{next(self.numbers)}"
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)

    def subscription(self, **changes):
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.service.origin + self.path, "p256dh": base64url(point),
                "auth": base64url(self.auth), "language": "en"} | changes

    def notifications(self):
        return [json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))
                for path, _, body in list(self.service.messages) if path == self.path]

    def of(self, name):
        return [one for one in self.notifications() if name in one["body"]]


class Person:
    """Signed in with a session, as a page is."""

    def __init__(self, gateway, account, password):
        self.http, self.account = gateway.http, account
        self.cookies = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.ask("POST", "/api/session", {"account": account, "password": password})

    def choose(self, present, password):
        self.ask("PUT", "/api/session/password", {"password": present, "newPassword": password})
        return self

    def ask(self, method, path, body=None, status=None):
        request = urllib.request.Request(
            self.http + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "X-Vigil-CSRF": "1"})
        try:
            with self.cookies.open(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refused:
            assert refused.code == status, (method, path, refused.code, refused.read())
            return json.loads(refused.read() or "{}")
        assert status is None, (method, path, "was not refused")
        return json.loads(text or "null")

    def subscribe(self, browser, **changes):
        return self.ask("POST", "/api/account/browsers", browser.subscription(**changes))["id"]

    def browsers(self):
        return [one["id"] for one in self.ask("GET", "/api/account/browsers")["browsers"]]


class Site:
    PASSWORD = "several words are fine"

    def __init__(self, folder):
        self.folder, self.rules = folder, itertools.count(1)
        self.authority = Authority(folder, "services")
        self.service = PushService(self.authority)
        self.config = folder / "site.yaml"
        self.config.write_text(
            f"vigil:\n  web-push: {{contact: '{CONTACT}', services: ['{self.service.host}'], ca: {self.authority.certificate}}}\n"
            "  http.public-url: https://gateway.example/\n"
            "  domains:\n    lab: {trust: first-use}\n    office: {trust: first-use}\n")
        self.start()
        first = (folder / "data/admin.password").read_text().strip()
        self.admin = Person(self.gateway, "admin", first).choose(first, self.PASSWORD)
        self.motes = [Process(MOTE, "--ep", f"mote-{d}", "--domain", d, "--mirror", self.gateway.coap, "--wake", "0.2",
                              "--sensor", "load", "--state", str(folder / f"{d}.state")) for d in ("lab", "office")]
        for mote in self.motes:
            mote.expect(r"sent .*2\.0[14]")

    def start(self):
        self.gateway = Gateway(self.folder / "data", "--config", str(self.config), "--coap-port", "0", "--http-port", "0",
                               jvm=SMALL).ready()

    def person(self, name, *roles):
        """A new account; one that a first attempt of the test left is replaced."""
        if name in [one["name"] for one in self.admin.ask("GET", "/api/accounts")["accounts"]]:
            self.admin.ask("DELETE", f"/api/accounts/{name}")
        once = self.admin.ask("POST", "/api/accounts", {"name": name, "roles": list(roles), "identities": []})
        return Person(self.gateway, name, once["oneTimePassword"]).choose(once["oneTimePassword"], self.PASSWORD)

    def alarm(self, domain, severity="critical"):
        """Raises another alarm about the domain's mote; its limit, which its notifications name."""
        limit = -100 - next(self.rules)
        self.admin.ask("PUT", f"/api/alarm-rules/of{limit}", {
            "kind": "value", "d": domain, "path": "load", "above": limit, "severity": severity})
        return str(limit)

    def stop(self):
        for mote in self.motes:
            mote.stop()
        self.gateway.stop()
        self.service.server.shutdown()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("web-push"))
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture(autouse=True)
def no_browsers_before(site):
    """An account has eight places, which several attempts of tests would fill."""
    for one in site.admin.browsers():
        site.admin.ask("DELETE", f"/api/account/browsers/{one}")


def claims(header, service):
    """The claims of a VAPID token whose signature is verified, and the key."""
    token, key = (part.strip().split("=", 1)[1] for part in header.removeprefix("vapid ").split(","))
    point = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    public = jwk.JWK(kty="EC", crv="P-256", x=base64url(point[1:33]), y=base64url(point[33:]))
    checked = jwt.JWT(jwt=token, key=public, check_claims={"aud": service.origin, "exp": None}, algs=["ES256"])
    return json.loads(checked.claims), key


def test_a_browser_decrypts_an_alarm_from_a_known_sender(site):
    browser = Browser(site.service)
    site.admin.subscribe(browser, language="de")
    text = site.alarm("lab")
    [shown] = wait_until(lambda: browser.of(text))
    assert shown["title"] == "Vigil: kritisch" and shown["body"].startswith("load von mote-lab in lab ist ")
    assert shown["page"].startswith("/endpoints/") and shown["tag"]
    # Another alarm, such as one about a mote that did not run, may come first.
    which = browser.notifications().index(shown)
    _, headers, body = [one for one in site.service.messages if one[0] == browser.path][which]
    assert headers["Content-Encoding"] == "aes128gcm" and headers["TTL"] == "86400" and headers["Urgency"] == "high"
    assert len(headers["Topic"]) == 32 and len(body) <= 4096
    sent, key = claims(headers["Authorization"], site.service)
    assert sent["sub"] == CONTACT and key == site.admin.ask("GET", "/api/account/browsers")["key"]
    site.admin.ask("DELETE", f"/api/alarm-rules/of{text}")
    cleared = wait_until(lambda: [one for one in browser.of(text) if one["title"] == "Vigil: vorbei"])
    assert cleared[0]["tag"] == shown["tag"], "it replaces the first notification"


def test_only_alarms_that_the_account_may_see_are_sent(site):
    boss, ann = Browser(site.service), Browser(site.service)
    site.admin.subscribe(boss)
    site.person("ann", "viewer:lab").subscribe(ann)
    lab, office, minor = site.alarm("lab"), site.alarm("office"), site.alarm("lab", "info")
    wait_until(lambda: boss.of(office) and ann.of(lab))
    site.admin.ask("PUT", "/api/accounts/ann", {"roles": ["viewer:office"], "identities": [], "enabled": True})
    later_lab, later_office = site.alarm("lab"), site.alarm("office")
    wait_until(lambda: boss.of(later_lab) and boss.of(later_office) and ann.of(later_office))
    assert not ann.of(office) and not ann.of(later_lab), "rights are checked at each sending"
    assert not boss.of(minor), "alarms of severity info are not sent"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_its_service_forgot_is_removed(site, status):
    browser, other = Browser(site.service), Browser(site.service)
    gone, kept = site.admin.subscribe(browser), site.admin.subscribe(other)
    site.service.status[browser.path] = status
    text = site.alarm("lab")
    wait_until(lambda: gone not in site.admin.browsers())
    wait_until(lambda: other.of(text))
    assert kept in site.admin.browsers()


def test_a_service_that_fails_or_redirects_holds_nobody_up(site):
    failing, moved, other = (Browser(site.service) for _ in range(3))
    ids = [site.admin.subscribe(one) for one in (failing, moved, other)]
    site.service.status |= {failing.path: 503, moved.path: 307}
    text = site.alarm("lab")
    wait_until(lambda: other.of(text))
    assert not [path for path, _, _ in site.service.messages if path == "/elsewhere"], "redirects are not followed"
    for one in ids:
        site.admin.ask("DELETE", f"/api/account/browsers/{one}")


def test_addresses_of_other_services_are_refused(site):
    browser, port = Browser(site.service), site.service.server.server_port
    for address in (f"http://localhost:{port}/x", f"https://127.0.0.1:{port}/x", f"https://[::1]:{port}/x", "https://localhost/x",
                    f"https://evil@localhost:{port}/x", "https://169.254.169.254/latest", "ftp://x", "no address"):
        refused = site.admin.ask("POST", "/api/account/browsers", browser.subscription(endpoint=address), status=400)
        assert refused["type"] == "/problems/invalid-body", address
    for changes in ({"p256dh": "BAAA"}, {"auth": "AAAA"}, {"language": "fr"}):
        site.admin.ask("POST", "/api/account/browsers", browser.subscription(**changes), status=400)
    assert not browser.notifications()


def test_a_test_shows_what_the_service_answers(site):
    browser = Browser(site.service)
    one = site.admin.subscribe(browser)
    assert site.admin.ask("POST", f"/api/account/browsers/{one}/test") == {"accepted": True, "answer": "201"}
    assert browser.of("gets notifications of alarms") == [{
        "title": "Vigil: test", "body": "This browser gets notifications of alarms.", "tag": "test", "page": "/alarms"}]
    site.service.status[browser.path] = 403
    assert site.admin.ask("POST", f"/api/account/browsers/{one}/test") == {"accepted": False, "answer": "403"}
    site.service.status[browser.path] = 503
    answer = site.admin.ask("POST", f"/api/account/browsers/{one}/test")
    assert answer == {"accepted": False, "answer": "the server answered 503"}
    site.admin.ask("DELETE", f"/api/account/browsers/{one}")
    site.admin.ask("POST", f"/api/account/browsers/{one}/test", status=404)


def test_notifications_end_with_the_session_or_the_account(site):
    def subscribed(name):
        person = site.person(name, "viewer")
        person.subscribe(Browser(site.service))
        return person

    def left(person):
        """The browsers of the account, as another session of it sees them."""
        return Person(site.gateway, person.account, site.PASSWORD).browsers()

    out = subscribed("out")
    out.ask("DELETE", "/api/session")
    assert left(out) == []

    ended = subscribed("ended")
    [session] = [one for one in ended.ask("GET", "/api/sessions")["sessions"] if one["current"]]
    site.admin.ask("DELETE", "/api/sessions/" + urllib.parse.quote(session["id"]))
    assert left(ended) == []

    changed = subscribed("changed")
    other = Person(site.gateway, "changed", site.PASSWORD)
    assert len(other.browsers()) == 1
    other.choose(site.PASSWORD, site.PASSWORD + "!")
    assert other.browsers() == []

    subscribed("removed")
    site.admin.ask("DELETE", "/api/accounts/removed")
    assert site.person("removed", "viewer").browsers() == []


def test_an_account_has_at_most_eight_browsers(site):
    many = site.person("many", "viewer")
    first = Browser(site.service)
    ids = [many.subscribe(first), *(many.subscribe(Browser(site.service)) for _ in range(7))]
    refused = many.ask("POST", "/api/account/browsers", Browser(site.service).subscription(), status=409)
    assert refused["type"] == "/problems/limit-reached"
    assert many.subscribe(first) == ids[0] and sorted(many.browsers()) == sorted(ids), "a known one is replaced"


def test_key_and_browsers_outlast_a_restart(site):
    browser = Browser(site.service)
    one = site.admin.subscribe(browser)
    key = site.admin.ask("GET", "/api/account/browsers")["key"]
    site.gateway.stop()
    site.start()
    site.admin = Person(site.gateway, "admin", site.PASSWORD)
    answer = site.admin.ask("GET", "/api/account/browsers")
    assert answer["key"] == key and one in [known["id"] for known in answer["browsers"]]
    assert site.admin.ask("POST", f"/api/account/browsers/{one}/test")["accepted"]
    trail = json.dumps(site.admin.ask("GET", "/api/audit"))
    assert "subscribed a browser of admin" in trail and browser.path not in trail, "without the address"
