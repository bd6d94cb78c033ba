import { Tabs, Text } from "@mantine/core";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import type { Verification } from "../../gateway/verification";
import type { Endpoint } from "../../gateway/model";
import { hasRoleIn } from "../../gateway/roles";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { CodeBlock } from "../../parts/CodeBlock";
import { CopyButton } from "../../parts/CopyButton";
import { Check as Tick, Cross, Dash } from "../../parts/icons";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { VerdictMark } from "../../parts/Verdict";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { gainedIn, gainedText } from "../../text/trustGained";
import { reasonParts } from "../../text/verdicts";
import { CHECKS, inText, type Original } from "../../verify/verify";
import { trailOf } from "./api";
import { endpointMessages } from "./messages";

/** The verified original, as far as it could be parsed. */
export function originalOf(verification: Verification): Original | undefined {
  return verification.state === "verified" || verification.state === "refused"
    ? verification.original
    : undefined;
}

/** The result of the verification in words. */
export function Outcome({ verification }: { verification: Verification }) {
  const texts = useMessages(endpointMessages);
  const { sentence, detail } =
    "reason" in verification
      ? reasonParts(verification.reason)
      : { sentence: texts.outcome[verification.state], detail: "" };
  return (
    <div className="outcome" data-outcome={verification.state}>
      <VerdictMark verification={verification} />
      <Text size="sm">
        {sentence}
        {detail !== "" && (
          <span className="problem-detail" lang="en">
            {detail}
          </span>
        )}
      </Text>
    </div>
  );
}

/** Each check of the verification and its result. */
export function Checks({ verification, path }: { verification: Verification; path: string }) {
  const texts = useMessages(endpointMessages);
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
              {check === "resource" ? texts.checkResource(path) : texts.check[check]}
              {!passed && (
                <span className="dimmed">{at === failedAt ? texts.failed : texts.notReached}</span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The signing key, next to the key that this browser remembers. */
export function KeyFacts({ endpoint, kid }: { endpoint: ShownEndpoint; kid: string }) {
  const texts = useMessages(endpointMessages);
  const { pins } = useGateway();
  const { pin } = endpoint;
  return (
    <>
      <div className="thumbprint">
        {kid === "" ? <code>{texts.noKey}</code> : <ThumbprintGroups thumbprint={kid} />}
        {kid !== "" && <CopyButton text={kid} what={texts.thumbprint} />}
      </div>
      <Text size="sm" c="dimmed" mt={6}>
        {pin === undefined
          ? texts.pinNone
          : pin.thumbprint === kid
            ? texts.pinSame(moment(Date.parse(pin.since)))
            : texts.pinOther(moment(Date.parse(pin.since)), pin.thumbprint)}{" "}
        {!pins.areDurable && texts.pinShort}
      </Text>
      {pin?.thumbprint === kid && <TrustGained endpoint={endpoint.endpoint} kid={kid} />}
    </>
  );
}

/** How the key became trusted; only operators can read the audit trail. */
function TrustGained({ endpoint, kid }: { endpoint: Endpoint; kid: string }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const session = useSession();
  const operates = session.state === "signed-in" && hasRoleIn(session, "operator", endpoint.d);
  const { data } = useLoaded(`trust of ${kid} as ${endpoint.id} ${String(operates)}`, async () =>
    operates ? gainedIn(await trailOf(api, endpoint), kid) : undefined,
  );
  return (
    <Text size="sm" c="dimmed" data-gained={data?.how ?? ""}>
      {data !== undefined && texts.gained(gainedText(data))}{" "}
      {data?.how !== "approved" && texts.compareOnce}
    </Text>
  );
}

/** The parts of the signed original. */
export function Signed({ original }: { original: Original }) {
  const texts = useMessages(endpointMessages);
  const { jws, records } = original;
  return (
    <Tabs defaultValue="header" variant="outline">
      <Tabs.List>
        <Tabs.Tab value="header">{texts.header}</Tabs.Tab>
        <Tabs.Tab value="payload">{texts.payload}</Tabs.Tab>
        <Tabs.Tab value="original">{texts.original}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="header" pt="sm">
        <CodeBlock text={JSON.stringify(jws.header, undefined, 2)} what={texts.header} />
      </Tabs.Panel>
      <Tabs.Panel value="payload" pt="sm">
        <CodeBlock text={payloadInText(original)} what={texts.payload} />
        {records?.map((record, at) => (
          <Text key={at} size="sm" c="dimmed" mt={6}>
            <bdi>{record.name === "" ? texts.noName : record.name}</bdi>:{" "}
            <bdi>{record.value === undefined ? texts.noValue : inText(record.value)}</bdi>{" "}
            <bdi>{record.unit}</bdi>
          </Text>
        ))}
      </Tabs.Panel>
      <Tabs.Panel value="original" pt="sm">
        <CodeBlock text={jws.compact} what={`${texts.original} (${jws.form})`} wrap />
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
