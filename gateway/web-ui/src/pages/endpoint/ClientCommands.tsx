import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import {
  coapClient,
  curl,
  withJose,
  withPython,
  withPythonCose,
  type Place,
} from "../../text/clientCommands";
import { CodeBlock } from "../../parts/CodeBlock";

/** Commands that read and verify the same resource with independent tools. */
export function ClientCommands({
  place,
  kid,
  alg,
}: {
  place: Place;
  kid: string;
  alg: string | undefined;
}) {
  const program =
    place.form === "JWS" ? withPython(place, kid) : withPythonCose(place, kid, alg ?? "ES256");
  const tabs: [string, ReactNode][] = [
    ["curl", <CodeBlock key="c" text={curl(place)} what="curl command" />],
    ["Verify with Python", <CodeBlock key="p" text={program} what="Python program" />],
  ];
  const coap = coapClient(place);
  if (coap !== undefined) {
    const panel = <CodeBlock key="o" text={coap} what="coap-client command" />;
    tabs.splice(1, 0, ["coap-client", panel]);
  }
  if (alg !== "EdDSA" && place.form === "JWS") {
    const text = withJose(place);
    tabs.splice(-1, 0, [
      "Verify with jose",
      <CodeBlock key="j" text={text} what="jose commands" />,
    ]);
  }
  return (
    <Tabs defaultValue="curl" variant="outline">
      <Tabs.List>
        {tabs.map(([name]) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([name, panel]) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
