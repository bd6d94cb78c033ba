"""An aiocoap endpoint that registers at a directory and looks itself up: registrant.py HOST:PORT

Each step prints one line; the caller compares them.
"""

import asyncio
import sys

from aiocoap import Context, Message, resource
from aiocoap.numbers import GET, POST
from aiocoap.resourcedirectory.client.register import Registerer

DIRECTORY = "coap://" + sys.argv[1]


class Temperature(resource.Resource):
    rt = "temperature-c"

    def get_link_description(self):
        return dict(super().get_link_description(), rt=self.rt)

    async def render_get(self, request):
        return Message(payload=b"21.5")


async def look_up(context, path):
    request = Message(code=GET, uri=DIRECTORY + path)
    response = await context.request(request).response_raising
    return response.payload.decode()


async def main():
    site = resource.Site()
    site.add_resource(
        [".well-known", "core"],
        resource.WKCResource(site.get_resources_as_linkheader, impl_info=None),
    )
    site.add_resource(["sensors", "temp"], Temperature())
    context = await Context.create_server_context(site, bind=("127.0.0.1", 0))

    registerer = Registerer(
        context, rd=DIRECTORY, registration_parameters={"ep": "full", "et": "peer"}
    )
    while registerer.state not in ("registered", "failed"):
        await asyncio.sleep(0.02)
    print("full:", registerer.state)
    print("res:", await look_up(context, "/rd-lookup/res?ep=full&rt=temperature-c"))
    print("ep:", await look_up(context, "/rd-lookup/ep?et=peer"))

    simple = Message(code=POST, uri=DIRECTORY + "/.well-known/rd?ep=simple&lt=6000")
    response = await context.request(simple).response
    print("simple:", response.code.dotted, response.payload.decode())
    print("simple res:", await look_up(context, "/rd-lookup/res?ep=simple&rt=temp*"))

    found = (await look_up(context, "/rd-lookup/res?ep=simple&rt=temp*"))
    target = found[found.index("<") + 1 : found.index(">")]
    value = await context.request(Message(code=GET, uri=target)).response_raising
    print("value:", value.payload.decode())

    await registerer.shutdown()
    print("left:", await look_up(context, "/rd-lookup/ep?ep=full"))
    await context.shutdown()


asyncio.run(asyncio.wait_for(main(), 20))
