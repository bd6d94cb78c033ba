import { Checkbox } from "@mantine/core";
import { memo, useEffect, type ReactNode } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { lastHeard } from "../../gateway/freshness";
import { calibrationOf, type Endpoint } from "../../gateway/model";
import { otherKeyOf, pathOf } from "../../gateway/selection";
import type { ShownResource } from "../../gateway/verification";
import { useFreshness, useGateway } from "../../hooks/gateway";
import { Age } from "../../parts/Age";
import { CalibratedIcon } from "../../parts/Calibrated";
import { Tags } from "../../parts/Tags";
import { VerdictIcon } from "../../parts/Verdict";
import { hrefOf } from "../../hooks/router";
import { freshnessWord, isNumber, readable, trustWord } from "../../text/format";
import { textsOf } from "../../text/language";
import { displayName } from "./list";
import { endpointsMessages } from "./messages";
import { Trend } from "./Trend";

const MAX_VALUES = 4;
const MAX_TAGS = 3;
/** Time that a row must stay beyond a snapshot before its values are fetched, in milliseconds. */
const SETTLED = 120;

/**
 * One endpoint in the list. Its values are verified while the row exists.
 *
 * A new row first shows only its name, and is completed when the browser is idle, because scrolling
 * creates many rows at once. For the same reason its parts are plain elements.
 */
export const EndpointRow = memo(function EndpointRow({
  shown,
  index,
  complete,
  selectable,
  selected,
  onSelect,
}: {
  shown: ShownEndpoint;
  index: number;
  complete: boolean;
  selectable: boolean;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
}) {
  const { endpoint } = shown;
  useWatch(endpoint.id);
  const freshness = useFreshness(endpoint);
  const name = displayName(endpoint);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={!complete}
      className="list-row"
      data-endpoint={endpoint.id}
      data-freshness={freshness}
    >
      {selectable && (
        <span role="cell" className="list-select">
          {complete && (
            <Checkbox
              size="xs"
              aria-label={textsOf(endpointsMessages).select(name)}
              checked={selected}
              onChange={(event) => onSelect(endpoint.id, event.currentTarget.checked)}
            />
          )}
        </span>
      )}
      <span role="cell" className="list-name">
        <a href={hrefOf(pathOf(endpoint))} className="clip list-link" data-name>
          {name}
        </a>
        <span className="list-sub clip">
          {[name === endpoint.ep ? "" : endpoint.ep, endpoint.location]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
        {complete && <Tags tags={endpoint.tags} most={MAX_TAGS} />}
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
        {complete && <Age at={lastHeard(endpoint)} />}
      </span>
      <span role="cell" className="list-trend">
        {complete && <Trend id={endpoint.id} />}
      </span>
      <span role="cell" className="list-values">
        {complete && <Values shown={shown} />}
      </span>
      <span role="cell" className="list-trust">
        {complete && <Trust shown={shown} />}
      </span>
    </div>
  );
});

/** Scrolling passes most rows, and a list sorted by update has different rows in each snapshot. */
function useWatch(id: string): void {
  const { store } = useGateway();
  useEffect(() => {
    let unwatch: (() => void) | undefined;
    const timer = setTimeout(() => (unwatch = store.watch(id)), store.pause + SETTLED);
    return () => {
      clearTimeout(timer);
      unwatch?.();
    };
  }, [store, id]);
}

function Values({ shown: { endpoint, resources } }: { shown: ShownEndpoint }) {
  const more = resources.length - MAX_VALUES;
  return (
    <>
      {resources.slice(0, MAX_VALUES).map((one) => (
        <Value key={one.resource.path} endpoint={endpoint} one={one} />
      ))}
      {more > 0 && (
        <a href={hrefOf(pathOf(endpoint))} className="dimmed">
          {textsOf(endpointsMessages).moreValues(more)}
        </a>
      )}
    </>
  );
}

function Value({ endpoint, one }: { endpoint: Endpoint; one: ShownResource }) {
  const { resource, verification } = one;
  const none = resource.value === undefined;
  const calibration = calibrationOf(endpoint.calibrations, resource.path, resource.name);
  const glance = readable(resource.value ?? "", resource.unit, calibration);
  return (
    <a
      href={hrefOf(pathOf(endpoint, resource.path))}
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
          {calibration !== undefined && isNumber(resource.value ?? "") && <CalibratedIcon />}
          <VerdictIcon verification={verification} />
        </>
      )}
      {resource.delayed && (
        <span className="chip-delayed">{textsOf(endpointsMessages).delayed}</span>
      )}
    </a>
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
  const texts = textsOf(endpointsMessages);
  const { endpoint } = shown;
  const held = endpoint.waitingKeys.filter((key) => key.held).length;
  return (
    <>
      {endpoint.trust !== undefined && (
        <Badge colour={TRUST_COLOURS[endpoint.trust]} title={trustWord(endpoint.trust).meaning}>
          {trustWord(endpoint.trust).label}
        </Badge>
      )}
      {otherKeyOf(shown) !== undefined && <Badge colour="red">{texts.keyChanged}</Badge>}
      {held > 0 && <Badge colour="red">{texts.keysWaiting(held)}</Badge>}
    </>
  );
}

function Badge({
  colour,
  title,
  children,
}: {
  colour: string;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className="list-badge" data-colour={colour} title={title}>
      {children}
    </span>
  );
}
