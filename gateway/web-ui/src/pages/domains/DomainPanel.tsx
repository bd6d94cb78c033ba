import { Badge } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useMessages } from "../../hooks/messages";
import { bytes, exactDuration, grouped } from "../../text/format";
import type { Domain, Limits } from "./api";
import { Commanders } from "./Commanders";
import { DomainActions } from "./DomainActions";
import { DomainUse } from "./DomainUse";
import { messages } from "./messages";

/** One domain: a summary in one line, and the details below once it is opened. */
export function DomainPanel({
  domain,
  opened,
  onChanged,
}: {
  domain: Domain;
  opened: boolean;
  onChanged: () => void;
}) {
  const words = useMessages(messages);
  const [open, setOpen] = useState(opened);
  return (
    <details
      className="panel domain"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-domain={domain.name}
    >
      <summary>
        <h2>{domain.name === "-" ? words.nameless : domain.name}</h2>
        <Badge variant="light" color={domain.trust === "first-use" ? "yellow" : "teal"}>
          {words.trustLabel}: {words.trust[domain.trust]}
        </Badge>
      </summary>
      {open && (
        <>
          <p className="dimmed">{words.trustMeaning[domain.trust]}</p>
          <DomainUse name={domain.name} />
          <DomainActions domain={domain} onChanged={onChanged} />
          <div className="setting-groups">
            <Policy domain={domain} />
            <Updates domain={domain} />
            <History domain={domain} />
            <LimitList limits={domain.limits} />
            <Commanders domain={domain.name} />
          </div>
        </>
      )}
    </details>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="settings">{children}</dl>
    </section>
  );
}

function Setting({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Policy({ domain: { policy } }: { domain: Domain }) {
  const words = useMessages(messages);
  const who = (principals: string[]) =>
    principals.length === 0
      ? words.principals.nobody
      : principals
          .map((one) => (one === "anyone" || one === "identified" ? words.principals[one] : one))
          .join(", ");
  return (
    <Group title={words.who}>
      <Setting name={words.register}>{who(policy.register)}</Setting>
      <Setting name={words.read}>{who(policy.read)}</Setting>
      <Setting name={words.command}>{who(policy.command)}</Setting>
    </Group>
  );
}

function Updates({ domain }: { domain: Domain }) {
  const words = useMessages(messages);
  return (
    <Group title={words.updates}>
      <Setting name={words.rotateAtOnce}>
        {domain.rotateAtOnce ? words.atOnce : words.afterApproval}
      </Setting>
      <Setting name={words.confidential}>
        {domain.confidential ? words.needed : words.optional}
      </Setting>
      <Setting name={words.serveStale}>
        {domain.serveStale ? words.served : words.notServed}
      </Setting>
      <Setting name={words.maxClockSkew}>{exactDuration(domain.maxClockSkewSeconds)}</Setting>
      <Setting name={words.maxDelay}>{exactDuration(domain.maxDelaySeconds)}</Setting>
      <Setting name={words.defaultWake}>{exactDuration(domain.defaultWakeSeconds)}</Setting>
      <Setting name={words.window}>{domain.window}</Setting>
    </Group>
  );
}

function History({ domain: { history } }: { domain: Domain }) {
  const words = useMessages(messages);
  return (
    <Group title={words.history}>
      <Setting name={words.values}>
        {history.values === 0 ? words.newestValues(history.octets === 0) : grouped(history.values)}
      </Setting>
      <Setting name={words.age}>
        {history.ageSeconds === 0 ? words.ageOfGateway : exactDuration(history.ageSeconds)}
      </Setting>
      <Setting name={words.octets}>
        {history.octets === 0 ? words.unlimited : bytes(history.octets)}
      </Setting>
    </Group>
  );
}

function LimitList({ limits }: { limits: Limits }) {
  const words = useMessages(messages);
  return (
    <Group title={words.limitsTitle}>
      {(Object.keys(words.limits) as (keyof Limits)[]).map((name) => (
        <Setting key={name} name={words.limits[name]}>
          {limits[name] === 0 ? words.zeroLimit(name) : inUnit(name, limits[name])}
        </Setting>
      ))}
    </Group>
  );
}

function inUnit(name: keyof Limits, limit: number): string {
  return name === "payload" ? bytes(limit) : grouped(limit);
}
