import pytest

from vigil_client.events import Event, events

STREAM = "id:85\nretry:2000\n:vigil\n\nevent:node\ndata:{}\n\nevent: endpoint\nid:86\ndata: a\u2028b\ndata:c\n\n:still here\n\nevent:half"
EVENTS = [Event("message", "", "85"), Event("node", "{}", "85"), Event("endpoint", "a\u2028b\nc", "86"), Event("message", "", "86")]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_events_are_the_same_whatever_the_sizes_of_chunks(size, end):
    octets = STREAM.replace("\n", end).encode()
    assert list(events(octets[at : at + size] for at in range(0, len(octets), size))) == EVENTS


def test_an_event_without_an_id_keeps_the_one_that_the_stream_resumed_from():
    assert list(events([b"data:x\n\n"], "7")) == [Event("message", "x", "7")]
