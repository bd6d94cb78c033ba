import { Badge, Checkbox } from "@mantine/core";
import { memo, useEffect } from "react";
import type { ShownEndpoint, ShownResource } from "../../gateway/endpointStore";
import { freshnessAt, lastHeard } from "../../gateway/freshness";
import { otherKeyOf, pathOf } from "../../gateway/selection";
import { useFreshnessTime, useGateway } from "../../hooks/gateway";
import { Age } from "../../parts/Age";
import { VerdictIcon } from "../../parts/Verdict";
import { useMessages } from "../../shell/messages";
import { Link } from "../../shell/router";
import { atAGlance, freshnessWord, trustWord } from "../../text/format";
import { displayName } from "./list";
import { endpointsMessages } from "./messages";

const MAX_VALUES = 4;

/** One endpoint in the list. Its values are verified while the row is there. */
export const EndpointRow = memo(function EndpointRow({
  shown,
  index,
  selectable,
  selected,
  onSelect,
}: {
  shown: ShownEndpoint;
  index: number;
  selectable: boolean;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
}) {
  const texts = useMessages(endpointsMessages);
  const { store } = useGateway();
  const { endpoint, resources } = shown;
  useEffect(() => store.watch(endpoint.id), [store, endpoint.id]);
  const freshness = freshnessAt(endpoint, useFreshnessTime());
  const name = displayName(endpoint);
  const more = resources.length - MAX_VALUES;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="list-row"
      data-endpoint={endpoint.id}
      data-freshness={freshness}
    >
      {selectable && (
        <span role="cell" className="list-select">
          <Checkbox
            size="xs"
            aria-label={texts.select(name)}
            checked={selected}
            onChange={(event) => onSelect(endpoint.id, event.currentTarget.checked)}
          />
        </span>
      )}
      <span role="cell" className="list-name">
        <Link href={pathOf(endpoint)} className="clip list-link" data-name>
          {name}
        </Link>
        <span className="list-sub clip">
          {[name === endpoint.ep ? "" : endpoint.ep, endpoint.location]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
      </span>
      <span role="cell" className="list-domain clip">
        {endpoint.d}
      </span>
      <span role="cell" className="list-state">
        <span className="freshness" data-freshness={freshness}>
          <span className="dot" aria-hidden />
          {freshness !== undefined && freshnessWord(freshness)}
        </span>
      </span>
      <span role="cell" className="list-heard dimmed">
        <Age at={lastHeard(endpoint)} />
      </span>
      <span role="cell" className="list-values">
        {resources.slice(0, MAX_VALUES).map((one) => (
          <Value key={one.resource.path} shown={shown} one={one} />
        ))}
        {more > 0 && (
          <Link href={pathOf(endpoint)} className="dimmed">
            {texts.moreValues(more)}
          </Link>
        )}
      </span>
      <span role="cell" className="list-trust">
        <Trust shown={shown} />
      </span>
    </div>
  );
});

function Value({ shown: { endpoint }, one }: { shown: ShownEndpoint; one: ShownResource }) {
  const texts = useMessages(endpointsMessages);
  const { resource, verification } = one;
  const none = resource.value === undefined;
  const glance = atAGlance(resource.value ?? "", resource.unit);
  return (
    <Link
      href={pathOf(endpoint, resource.path)}
      className="chip"
      data-resource={`${endpoint.id}/${resource.path}`}
      data-seq={resource.seq}
      data-state={none ? "none" : verification.state}
    >
      <span className="chip-name clip">{resource.path}</span>
      {none ? (
        <span className="dimmed">–</span>
      ) : (
        <>
          <span className="chip-value clip numbers" title={resource.value}>
            {glance.value} <span className="unit">{glance.unit}</span>
          </span>
          <VerdictIcon verification={verification} />
        </>
      )}
      {resource.delayed && <span className="chip-delayed">{texts.delayed}</span>}
    </Link>
  );
}

const TRUST_COLOURS = {
  trusted: "gray",
  pending: "yellow",
  unproven: "yellow",
  replaced: "orange",
  revoked: "red",
};

function Trust({ shown }: { shown: ShownEndpoint }) {
  const texts = useMessages(endpointsMessages);
  const { endpoint } = shown;
  const held = endpoint.waitingKeys.filter((key) => key.held).length;
  return (
    <>
      {endpoint.trust !== undefined && (
        <Badge
          variant="light"
          color={TRUST_COLOURS[endpoint.trust]}
          title={trustWord(endpoint.trust).meaning}
        >
          {trustWord(endpoint.trust).label}
        </Badge>
      )}
      {otherKeyOf(shown) !== undefined && (
        <Badge variant="light" color="red">
          {texts.keyChanged}
        </Badge>
      )}
      {held > 0 && (
        <Badge variant="light" color="red">
          {texts.keysWaiting(held)}
        </Badge>
      )}
    </>
  );
}
