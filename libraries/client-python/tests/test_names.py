"""A gateway that answers with other names than the caller's."""

import json

import httpx
import pytest
from examples import ED25519, MOTE, update

from vigil_client import Gateway, KeyChanged, Unverified, WrongEndpoint
from vigil_client.jose import CommanderKey, PublicKey, decode

KEYS = {PublicKey.of(jwk).thumbprint: jwk for jwk in (MOTE, ED25519)}
FIRST, SECOND = KEYS
RESOURCE = {"path": "temp", "seq": 2, "arrivedAt": "2026-11-26T07:30:25.500Z"}
VIEW = {"id": "7", "ep": "mote-1", "d": "lab", "keyThumbprint": FIRST, "high": 2, "resources": [RESOURCE]}


class Answers:
    """The answers of a gateway with one endpoint, and the commands that it received."""

    def __init__(self):
        self.view = self.event = VIEW
        self.streams = 0
        self.original = update()
        self.commands = []
        self.listed = []

    def __call__(self, request):
        path = request.url.path
        if request.method == "PUT":
            self.commands.append(request.content.decode())
            return httpx.Response(200, json={"state": "queued"})
        if path.startswith("/keys/"):
            return httpx.Response(200, json=KEYS[path.removeprefix("/keys/")])
        if path == "/ms/7/temp":
            return httpx.Response(200, text=self.original)
        if path == "/ms/7/.result":
            return httpx.Response(200, json=[update(res=".result", seq=6, ack=5, payload=[{"v": 404}])])
        if path == "/api/events":
            # An observation that goes on after the first stream ends with this refusal.
            self.streams += 1
            if self.streams > 1:
                return httpx.Response(404, json={"type": "/problems/not-found", "title": "no second stream"})
            return httpx.Response(200, text=f"id:1\n\nevent:endpoint\nid:2\ndata:{json.dumps(self.event)}\n\n")
        if path.endswith("/commands"):
            return httpx.Response(200, json={"commands": self.listed, "last": 4})
        if path.endswith("/resources/temp"):
            return httpx.Response(200, json=RESOURCE)
        return httpx.Response(200, json={"endpoints": [self.view]} if path == "/api/endpoints" else self.view)

    def gateway(self, memory=None):
        own = Gateway("http://gateway", memory=memory)
        own._http._client = httpx.Client(base_url="http://gateway/", transport=httpx.MockTransport(self))
        return own

    def forge(self, **renamed):
        """Another key signs, under other names."""
        self.view = self.event = VIEW | {"keyThumbprint": SECOND} | renamed
        self.original = update(ED25519, seq=9)


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def memory(tmp_path):
    return tmp_path / "memory.json"


@pytest.fixture
def gateway(answers, memory):
    """It has read mote-1 in the domain lab once."""
    with answers.gateway(memory) as own:
        assert own.read("mote-1", "temp").key == FIRST
        own._verifier.memory.save()
        yield own


CALLS = {
    "read": lambda gateway, mote, **named: gateway.read(mote, "temp", **named),
    "pin": lambda gateway, mote, **named: gateway.read(mote, "temp", pin=SECOND, **named),
    "history": lambda gateway, mote, **named: next(gateway.history(mote, "temp", **named)),
    "observe": lambda gateway, mote, **named: next(gateway.observe(mote, "temp", **named)),
    "command": lambda gateway, mote, **named: gateway.command(mote, "temp", 1, key=MOTE, timeout=0, **named),
}
calls = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
renames = pytest.mark.parametrize("renamed", [{"ep": "mote-2"}, {"d": "roof"}, {"ep": "mote-2", "d": "roof"}], ids=" ".join)
ASKED = r"mote-1 in the domain 'lab': the gateway answers with the endpoint '{ep}' in the domain '{d}'"


@calls
@renames
@pytest.mark.parametrize(
    "mote, named", [("mote-1", {"domain": "lab"}), (VIEW, {}), (VIEW, {"domain": "lab"})], ids=["name", "object", "both"]
)
def test_an_answer_about_another_endpoint_changes_and_signs_nothing(gateway, answers, memory, call, renamed, mote, named):
    before = memory.read_text()
    answers.forge(**renamed)
    with pytest.raises(WrongEndpoint, match=ASKED.format_map(VIEW | renamed)) as wrong:
        call(gateway, mote, **named)
    assert isinstance(wrong.value, Unverified) and (wrong.value.endpoint, wrong.value.resource) == ("mote-1", "")
    gateway._verifier.memory.save()
    assert memory.read_text() == before and answers.commands == []


@calls
def test_an_object_of_another_domain_than_the_given_one_is_refused(gateway, answers, call):
    with pytest.raises(WrongEndpoint, match=r"any endpoint in the domain 'roof': .* 'mote-1' in the domain 'lab'"):
        call(gateway, VIEW, domain="roof")
    assert answers.commands == []


@calls
def test_a_remembered_name_is_not_trusted_anew_in_another_domain(gateway, answers, memory, call):
    before = memory.read_text()
    answers.forge(d="roof")
    with pytest.raises(KeyChanged, match=r"mote-1: .* domain 'roof', but .* domain 'lab'\. Give domain='lab'") as changed:
        call(gateway, "mote-1")
    assert (changed.value.pinned, changed.value.found) == (FIRST, SECOND)
    gateway._verifier.memory.save()
    assert memory.read_text() == before and answers.commands == []


def test_a_named_domain_may_have_a_mote_of_the_same_name(gateway, answers):
    answers.forge(d="roof")
    assert gateway.read("mote-1", "temp", domain="roof").key == SECOND
    # Both domains are remembered now.
    assert gateway.read("mote-1", "temp").domain == "roof"


def test_the_list_of_a_domain_has_only_endpoints_of_the_domain(gateway, answers):
    answers.forge(d="roof")
    with pytest.raises(WrongEndpoint, match="any endpoint in the domain 'lab': "):
        list(gateway.endpoints(domain="lab"))
    assert [one["d"] for one in gateway.endpoints()] == ["roof"]


@pytest.mark.parametrize("domain", ["", "-"])
def test_the_domain_without_a_name_can_be_asked_for(gateway, answers, domain):
    answers.view = VIEW | {"d": ""}
    assert gateway.endpoint("mote-1", domain)["d"] == ""
    answers.view = VIEW
    with pytest.raises(WrongEndpoint):
        gateway.endpoint("mote-1", domain)


@renames
def test_an_event_with_another_name_ends_the_observation(gateway, answers, renamed):
    answers.event = VIEW | renamed
    readings = gateway.observe("mote-1", "temp", refused=lambda error: None)
    assert next(readings).endpoint == "mote-1"
    with pytest.raises(WrongEndpoint, match=ASKED.format_map(VIEW | renamed)):
        next(readings)


def test_a_pin_belongs_to_the_name_that_the_caller_gave(answers):
    with answers.gateway() as own:
        assert own.read("mote-1", "temp", pin=FIRST).unproven[0].startswith("time")
        assert own._verifier.memory.domains("mote-1") == {"lab": FIRST}


def test_a_command_is_signed_for_the_names_of_the_caller(gateway, answers):
    gateway._commands.send(gateway.endpoint("mote-1", "lab"), "temp", 1, CommanderKey(MOTE), None)
    header = json.loads(decode(answers.commands[0].partition(".")[0]))
    assert (header["ep"], header["d"], header["res"], header["seq"]) == ("mote-1", "lab", "temp", 5)


def test_a_signed_refusal_confirms_no_command(gateway, answers):
    answers.view = VIEW | {"resources": [{"path": ".result", "seq": 6, "arrivedAt": "2026-11-26T07:31:25.500Z"}]}
    answers.listed = [{"seq": 5, "state": "confirmed"}]
    sent = gateway.command("mote-1", "temp", 1, key=MOTE, domain="lab")
    assert (sent.number, sent.state, sent.verified) == (5, "confirmed", False)
