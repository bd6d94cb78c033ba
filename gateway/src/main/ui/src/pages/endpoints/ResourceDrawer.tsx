import { Drawer, Stack, Tabs, Text, Title } from "@mantine/core";
import type { Verification, ShownEndpoint, ShownResource } from "../../gateway/endpointStore";
import { CHECKS, inText, type Check, type Original } from "../../verify/verify";
import { Chart } from "../../parts/Chart";
import { CodeBlock } from "../../parts/CodeBlock";
import { CopyButton } from "../../parts/CopyButton";
import { Commands } from "./Commands";
import { placeOf } from "../../text/clientCommands";
import { useGateway, useGatewayNow } from "../../hooks/gateway";
import { Check as Tick, Cross, Dash } from "../../parts/icons";
import { VerdictMark } from "../../parts/Verdict";
import { ago, moment, unitInWords } from "../../text/format";

/** Details of one resource: the checks, the key, the signed original, commands to check it. */
export function ResourceDrawer({
  endpoint,
  shown,
  onClose,
}: {
  endpoint: ShownEndpoint | undefined;
  shown: ShownResource | undefined;
  onClose: () => void;
}) {
  return (
    <Drawer
      opened={shown !== undefined}
      onClose={onClose}
      position="right"
      size={620}
      // The style sheet locks scrolling; a script would need an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": "Close" }}
      title={
        endpoint !== undefined && shown !== undefined ? (
          <span className="drawer-title">
            <span className="dimmed">{endpoint.endpoint.ep} /</span> {shown.resource.path}
          </span>
        ) : (
          ""
        )
      }
    >
      {endpoint !== undefined && shown !== undefined && (
        <Details endpoint={endpoint} shown={shown} />
      )}
    </Drawer>
  );
}

function Details({ endpoint, shown }: { endpoint: ShownEndpoint; shown: ShownResource }) {
  const { api } = useGateway();
  const now = useGatewayNow();
  const { resource, verification, series } = shown;
  const original = originalOf(verification);
  const kid = original?.header?.kid ?? endpoint.endpoint.keyThumbprint;
  const place = placeOf(
    new URL(document.baseURI),
    api.url(resource.href),
    api.url(`keys/${kid}`),
    resource.href,
    original?.jws.form,
  );
  return (
    <Stack gap="xl" className="drawer" data-drawer={`${endpoint.endpoint.id}/${resource.path}`}>
      <div className="drawer-value">
        <span>
          <span className="value">{resource.value ?? "–"}</span>
          <span className="unit">{unitInWords(resource.unit)}</span>
        </span>
        <Text size="sm" c="dimmed" className="numbers">
          Reading {resource.seq}
          {resource.arrivedAt !== undefined && (
            <span title={moment(resource.arrivedAt)}>
              , arrived {ago(now - resource.arrivedAt)}
            </span>
          )}
          {resource.delayed && ", delayed"}
        </Text>
      </div>
      <Outcome verification={verification} />
      {series[0].length > 1 && (
        <section>
          <Title order={3} size="h5">
            Since this page was opened
          </Title>
          <Chart series={series} unit={resource.unit} label={`Course of ${resource.path}`} />
        </section>
      )}
      <section>
        <Title order={3} size="h5">
          What this browser checked
        </Title>
        <Checks verification={verification} path={resource.path} />
      </section>
      <section>
        <Title order={3} size="h5">
          Key
        </Title>
        <KeyFacts endpoint={endpoint} kid={kid} />
      </section>
      {original !== undefined && (
        <section>
          <Title order={3} size="h5">
            What the mote signed
          </Title>
          <Signed original={original} />
        </section>
      )}
      <section>
        <Title order={3} size="h5">
          Check it without this page
        </Title>
        <Commands place={place} kid={kid} alg={original?.header?.alg} />
      </section>
    </Stack>
  );
}

function originalOf(verification: Verification): Original | undefined {
  return verification.state === "verified" || verification.state === "refused"
    ? verification.original
    : undefined;
}

function Outcome({ verification }: { verification: Verification }) {
  const words = {
    verified: "The mote signed this value. Any change by the gateway would have been detected.",
    checking: "The signed original is being fetched and checked.",
  };
  return (
    <div className="outcome" data-outcome={verification.state}>
      <VerdictMark verification={verification} />
      <Text size="sm">
        {"reason" in verification ? verification.reason : words[verification.state]}
      </Text>
    </div>
  );
}

function checkInWords(check: Check, path: string): string {
  switch (check) {
    case "form":
      return "The original is a well-formed signed reading";
    case "key":
      return "The key is the one whose thumbprint the reading names";
    case "signature":
      return "The signature of the original is valid";
    case "resource":
      return `It was signed for “${path}”`;
    case "number":
      return "It is the reading shown, and not older than one seen before";
    case "value":
      return "The value and unit shown are the signed ones";
    case "pin":
      return "The key is the one this browser first saw for the mote";
  }
}

function Checks({ verification, path }: { verification: Verification; path: string }) {
  const failedAt = verification.state === "refused" ? CHECKS.indexOf(verification.failed) : -1;
  return (
    <ul className="checks">
      {CHECKS.map((check, at) => {
        const passed = verification.state === "verified" || at < failedAt;
        const result = passed ? "passed" : at === failedAt ? "failed" : "open";
        return (
          <li key={check} data-check={check} data-result={result}>
            {passed ? (
              <Tick size={16} />
            ) : at === failedAt ? (
              <Cross size={16} />
            ) : (
              <Dash size={16} />
            )}
            <span>
              {checkInWords(check, path)}
              {!passed && (
                <span className="dimmed">{at === failedAt ? ": no" : ": not reached"}</span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function KeyFacts({ endpoint, kid }: { endpoint: ShownEndpoint; kid: string }) {
  const { pins } = useGateway();
  const { pin } = endpoint;
  return (
    <>
      <div className="thumbprint">
        <code>{kid === "" ? "none" : kid}</code>
        {kid !== "" && <CopyButton text={kid} what="thumbprint" />}
      </div>
      <Text size="sm" c="dimmed" mt={6}>
        {pin === undefined
          ? "This browser has not verified anything from this mote yet."
          : pin.thumbprint === kid
            ? `This browser remembers this key since ${moment(Date.parse(pin.since))}. Compare the thumbprint with the mote’s label once, because the first key was accepted unseen.`
            : `Not the key this browser remembers since ${moment(Date.parse(pin.since))}: ${pin.thumbprint}`}
        {!pins.areDurable &&
          " Its settings allow no storage, so the key is forgotten when the page is closed."}
      </Text>
    </>
  );
}

function Signed({ original }: { original: Original }) {
  const { jws, records } = original;
  return (
    <Tabs defaultValue="header" variant="outline">
      <Tabs.List>
        <Tabs.Tab value="header">Header</Tabs.Tab>
        <Tabs.Tab value="payload">Payload</Tabs.Tab>
        <Tabs.Tab value="original">Original</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="header" pt="sm">
        <CodeBlock text={JSON.stringify(jws.header, undefined, 2)} what="header" />
      </Tabs.Panel>
      <Tabs.Panel value="payload" pt="sm">
        <CodeBlock text={payloadInText(original)} what="payload" />
        {records?.map((record, at) => (
          <Text key={at} size="sm" c="dimmed" mt={6}>
            <bdi>{record.name === "" ? "(no name)" : record.name}</bdi>:{" "}
            <bdi>{record.value === undefined ? "no value" : inText(record.value)}</bdi>{" "}
            <bdi>{record.unit}</bdi>
          </Text>
        ))}
      </Tabs.Panel>
      <Tabs.Panel value="original" pt="sm">
        <CodeBlock text={jws.compact} what={`original ${jws.form}`} wrap />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Signed JSON with line breaks added; other payloads in hexadecimal. */
function payloadInText({ jws }: Original): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(jws.payload);
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return Array.from(jws.payload, (octet) => octet.toString(16).padStart(2, "0")).join(" ");
  }
}
