import { Button, Tabs, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { Endpoint } from "../../gateway/model";
import { hasRoleEverywhere } from "../../gateway/roles";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { useIsOpen } from "../../hooks/open";
import { useSession } from "../../hooks/session";
import { ErrorAlert } from "../../parts/ErrorAlert";
import {
  coapClient,
  curl,
  withJose,
  withPython,
  withPythonCose,
  type Place,
} from "../../text/clientCommands";
import { AuthorityCommand } from "../../parts/AuthorityCommand";
import { CodeBlock } from "../../parts/CodeBlock";
import { makeReadingToken } from "./api";
import { endpointMessages } from "./messages";

/** Commands that read and verify the same resource with independent tools. */
export function ClientCommands({
  endpoint,
  href,
  place: { ...place },
  kid,
  alg,
}: {
  endpoint: Endpoint;
  /** The path of the resource. */
  href: string;
  place: Place;
  kid: string;
  alg: string | undefined;
}) {
  const texts = useMessages(endpointMessages);
  const closed = useIsOpen(href) === false;
  place.token = closed;
  const program =
    place.form === "JWS" ? withPython(place, kid) : withPythonCose(place, kid, alg ?? "ES256");
  // Values are parts of ids, and a space would end the id.
  const tabs: [value: string, name: string, panel: ReactNode][] = [
    ["curl", "curl", <CodeBlock key="c" text={curl(place)} what="curl command" />],
    ["python", "Verify with Python", <CodeBlock key="p" text={program} what="Python program" />],
  ];
  const coap = coapClient(place);
  if (coap !== undefined && !closed) {
    const panel = <CodeBlock key="o" text={coap} what="coap-client command" />;
    tabs.splice(1, 0, ["coap", "coap-client", panel]);
  }
  if (alg !== "EdDSA" && place.form === "JWS") {
    const panel = <CodeBlock key="j" text={withJose(place)} what="jose commands" />;
    tabs.splice(-1, 0, ["jose", "Verify with jose", panel]);
  }
  return (
    <>
      <AuthorityCommand />
      {closed && <ReadingToken endpoint={endpoint} />}
      {closed && coap !== undefined && (
        <Text size="sm" c="dimmed">
          {texts.coapClosed}
        </Text>
      )}
      <Tabs defaultValue="curl" variant="outline">
        <Tabs.List>
          {tabs.map(([value, name]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([value, , panel]) => (
          <Tabs.Panel key={value} value={value} pt="sm">
            {panel}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

/** Creates the token that the commands send, because the gateway requires credentials. */
function ReadingToken({ endpoint: { d } }: { endpoint: Endpoint }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const session = useSession();
  const [token, setToken] = useState<string>();
  const make = useAction(async () => {
    const role = hasRoleEverywhere(session, "viewer") ? "viewer" : `viewer:${d === "" ? "-" : d}`;
    setToken(await makeReadingToken(api, role));
  });
  const mayMake = session.state === "signed-in" && session.account.provider === "";
  return (
    <div data-reading-token>
      <Text size="sm">{mayMake ? texts.tokenWhat : texts.tokenElsewhere}</Text>
      <ErrorAlert problem={make.problem} />
      {token !== undefined ? (
        <CodeBlock text={`export VIGIL_TOKEN=${token}`} what={texts.tokenCommand} />
      ) : (
        mayMake && (
          <Button size="xs" variant="default" loading={make.busy} onClick={() => void make.run()}>
            {texts.tokenMake}
          </Button>
        )
      )}
    </div>
  );
}
