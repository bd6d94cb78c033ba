import { Badge, Text, Title, Tooltip } from "@mantine/core";
import { memo } from "react";
import type { ShownEndpoint, ShownResource } from "../../gateway/endpointStore";
import { freshnessAt, lastHeard } from "../../gateway/freshness";
import type { Endpoint } from "../../gateway/model";
import { addressOf } from "../../gateway/selection";
import { Sparkline } from "../../parts/Chart";
import { useGatewayNow, useFreshnessTime } from "../../hooks/gateway";
import { Chevron, Warning } from "../../parts/icons";
import { reasonOf, VerdictMark } from "../../parts/Verdict";
import {
  ago,
  atAGlance,
  count,
  duration,
  freshnessWord,
  moment,
  trustWord,
} from "../../text/format";

/** One endpoint: its freshness, its trust, and the values of its resources. */
export const EndpointCard = memo(function EndpointCard({
  shown,
  keyChanged,
}: {
  shown: ShownEndpoint;
  keyChanged: boolean;
}) {
  const { endpoint, resources } = shown;
  return (
    <article className="card" data-endpoint={endpoint.id} aria-labelledby={`ep-${endpoint.id}`}>
      <header className="card-head">
        <div className="card-name">
          <Title order={2} size="h4" id={`ep-${endpoint.id}`} className="clip">
            {endpoint.ep}
          </Title>
          {endpoint.d !== "" && (
            <Text size="sm" c="dimmed" className="clip">
              {endpoint.d}
            </Text>
          )}
          <FreshnessMark endpoint={endpoint} />
        </div>
        <div className="card-facts">
          <Heard endpoint={endpoint} />
          <TrustMark endpoint={endpoint} />
          {keyChanged && (
            <Badge variant="light" color="red" leftSection={<Warning size={12} />}>
              Key changed
            </Badge>
          )}
        </div>
      </header>
      <WaitingKeys endpoint={endpoint} />
      {resources.length === 0 && (
        <Text size="sm" c="dimmed" className="row-none">
          It has not registered any resources.
        </Text>
      )}
      <ul className="rows">
        {resources.map((one) => (
          <li key={one.resource.path}>
            <ResourceRow endpoint={endpoint} shown={one} />
          </li>
        ))}
      </ul>
    </article>
  );
});

/** All keys that wait for a decision on the name: an operator compares thumbprints. */
function WaitingKeys({ endpoint }: { endpoint: Endpoint }) {
  const waiting = endpoint.waitingKeys;
  if (waiting.length === 0) return null;
  return (
    <div className="waiting" data-waiting={waiting.length}>
      <Text size="sm" c="dimmed">
        {`${count(waiting.length, "key")} waiting for an operator's decision`}
      </Text>
      <ul>
        {waiting.map((key) => (
          <li key={key.thumbprint}>
            <code>{key.thumbprint}</code>{" "}
            <Text span size="sm" c="dimmed">
              {[
                key.since === undefined ? "" : `since ${moment(key.since)}`,
                key.from === "" ? "from an unknown address" : `from ${key.from}`,
              ]
                .filter((part) => part !== "")
                .join(", ")}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ResourceRow({ endpoint, shown }: { endpoint: Endpoint; shown: ShownResource }) {
  const { resource, verification, series } = shown;
  const reason = reasonOf(verification);
  const none = resource.value === undefined;
  const glance = atAGlance(resource.value ?? "", resource.unit);
  return (
    <a
      className="row"
      href={addressOf(endpoint, resource.path)}
      data-resource={`${endpoint.id}/${resource.path}`}
      data-seq={resource.seq}
      data-state={none ? "none" : verification.state}
    >
      <span className="row-name">
        <span className="clip">{resource.path}</span>
        {resource.rt !== "" && resource.rt !== resource.path && (
          <span className="row-type clip">{resource.rt}</span>
        )}
      </span>
      <span className="row-value">
        {none ? (
          <span className="row-type">no reading yet</span>
        ) : (
          <>
            {/* A new React key makes a new element, which fades in. */}
            <span className="value" key={resource.seq} title={resource.value}>
              {glance.value}
            </span>
            <span className="unit">{glance.unit}</span>
          </>
        )}
        {resource.delayed && (
          <Tooltip label="Measured long before it arrived">
            <Badge size="xs" variant="light" color="yellow">
              delayed
            </Badge>
          </Tooltip>
        )}
      </span>
      {series[0].length > 0 ? <Sparkline series={series} /> : <span className="sparkline" />}
      {none ? <span className="verdict" /> : <VerdictMark verification={verification} />}
      <span className="row-more">
        <Chevron size={15} />
      </span>
      {reason !== undefined && <span className="row-reason">{reason}</span>}
    </a>
  );
}

function FreshnessMark({ endpoint }: { endpoint: Endpoint }) {
  const freshness = freshnessAt(endpoint, useFreshnessTime());
  if (freshness === undefined) return null;
  return (
    <span className="freshness" data-freshness={freshness}>
      <span className="dot" aria-hidden />
      {freshnessWord(freshness)}
    </span>
  );
}

function Heard({ endpoint }: { endpoint: Endpoint }) {
  const now = useGatewayNow();
  const heard = lastHeard(endpoint);
  const wake = endpoint.wakeSeconds;
  return (
    <Text size="sm" c="dimmed" className="numbers">
      {heard === undefined ? "Not heard yet" : `Heard ${ago(now - heard)}`}
      {wake !== undefined && `, wakes every ${duration(wake * 1000)}`}
    </Text>
  );
}

const TRUST_COLOURS = {
  trusted: "gray",
  pending: "yellow",
  unproven: "yellow",
  replaced: "orange",
  revoked: "red",
};

function TrustMark({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.trust === undefined) return null;
  const { label, meaning } = trustWord(endpoint.trust);
  return (
    <Tooltip label={meaning} events={{ hover: true, focus: true, touch: true }}>
      <Badge variant="light" color={TRUST_COLOURS[endpoint.trust]} tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  );
}
