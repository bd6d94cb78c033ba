import { ActionIcon, CopyButton, Tabs, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import {
  coapClient,
  curl,
  withJose,
  withPython,
  withPythonCose,
  type Place,
} from "../text/clientCommands";
import { Check, Copy } from "./icons";

export function CopyThis({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : `Copy ${what}`} position="left">
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${what}`}>
            {copied ? <Check size={15} /> : <Copy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CodeBlock({ text, what, wrap }: { text: string; what: string; wrap?: boolean }) {
  return (
    <div className="code">
      {/* Focusable, because it scrolls sideways. */}
      <pre tabIndex={0} aria-label={what} data-wrap={wrap === true || undefined}>
        {text}
      </pre>
      <div className="code-copy">
        <CopyThis text={text} what={what} />
      </div>
    </div>
  );
}

/** Commands that read and verify the same resource with independent tools. */
export function Commands({
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
    ["coap-client", <CodeBlock key="o" text={coapClient(place)} what="coap-client command" />],
    ["Verify with Python", <CodeBlock key="p" text={program} what="Python program" />],
  ];
  if (alg !== "EdDSA" && place.form === "JWS") {
    const text = withJose(place);
    tabs.splice(2, 0, ["Verify with jose", <CodeBlock key="j" text={text} what="jose commands" />]);
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
