import "./endpoints.css";
import { SegmentedControl, Skeleton, Text, TextInput } from "@mantine/core";
import { useHash } from "@mantine/hooks";
import { useState } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { freshnessAt } from "../../gateway/freshness";
import { matches, needsAttention, otherKeyOf, resourceAt } from "../../gateway/selection";
import { useFreshnessTime, useSnapshot } from "../../hooks/gateway";
import { Search } from "../../parts/icons";
import { Page } from "../../parts/Page";
import { count } from "../../text/format";
import { EmptyState } from "./EmptyState";
import { EndpointCard } from "./EndpointCard";
import { KeyWarning } from "./KeyWarning";
import { ResourceDrawer } from "./ResourceDrawer";

const MIN_FOR_FILTER = 6;

/** The endpoints with their values, and the drawer of one resource. */
export default function EndpointsPage() {
  const [hash, setHash] = useHash();
  const { endpoints, loaded, connection } = useSnapshot();
  const [filter, setFilter] = useState("");
  const [onlyAttention, setOnlyAttention] = useState(false);
  const now = useFreshnessTime();

  const withOtherKey = endpoints.flatMap((shown) => {
    const other = otherKeyOf(shown);
    return other === undefined ? [] : [{ shown, other }];
  });
  const keyChanged = new Set(withOtherKey.map(({ shown }) => shown.endpoint.id));
  const needAttention = endpoints.filter((shown) => needsAttention(shown, now));
  const listed = onlyAttention ? needAttention : endpoints;
  const visible = listed.filter((shown) => matches(shown, filter));
  const open = resourceAt(endpoints, hash);

  return (
    <>
      <Page title="Endpoints" beside={endpoints.length > 0 && <Summary endpoints={endpoints} />}>
        {withOtherKey.map(({ shown, other }) => (
          <KeyWarning key={shown.endpoint.id} shown={shown} other={other} />
        ))}
        {endpoints.length >= MIN_FOR_FILTER && (
          <div className="tools">
            <TextInput
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
              placeholder="Name, domain or resource"
              aria-label="Filter endpoints"
              type="search"
              leftSection={<Search size={15} />}
            />
            <SegmentedControl
              value={onlyAttention ? "attention" : "all"}
              onChange={(choice) => setOnlyAttention(choice === "attention")}
              aria-label="Which endpoints"
              data={[
                { value: "all", label: `All ${endpoints.length}` },
                { value: "attention", label: `Need attention ${needAttention.length}` },
              ]}
            />
          </div>
        )}
        {!loaded && connection !== "forbidden" && <Loading />}
        {loaded && endpoints.length === 0 && <EmptyState />}
        {endpoints.length > 0 && visible.length === 0 && (
          <Text c="dimmed" py="xl" ta="center">
            {onlyAttention && filter === "" ? "Nothing needs attention." : "No endpoint matches."}
          </Text>
        )}
        <div className="cards">
          {visible.map((shown) => (
            <EndpointCard
              key={shown.endpoint.id}
              shown={shown}
              keyChanged={keyChanged.has(shown.endpoint.id)}
            />
          ))}
        </div>
      </Page>
      <ResourceDrawer
        endpoint={open?.[0]}
        shown={open?.[1]}
        onClose={() => setHash("#/endpoints")}
      />
    </>
  );
}

function Summary({ endpoints }: { endpoints: readonly ShownEndpoint[] }) {
  const now = useFreshnessTime();
  const freshness = endpoints.map(({ endpoint }) => freshnessAt(endpoint, now));
  const number = (name: string) => freshness.filter((one) => one === name).length;
  const readings = endpoints
    .flatMap(({ resources }) => resources)
    .filter(({ resource }) => resource.value !== undefined);
  const verified = readings.filter(({ verification }) => verification.state === "verified").length;
  return (
    <ul className="summary numbers">
      <li data-freshness="on-time">
        <span className="dot" aria-hidden /> {number("on-time")} on time
      </li>
      {number("late") > 0 && (
        <li data-freshness="late">
          <span className="dot" aria-hidden /> {number("late")} late
        </li>
      )}
      {number("missing") > 0 && (
        <li data-freshness="missing">
          <span className="dot" aria-hidden /> {number("missing")} missing
        </li>
      )}
      {readings.length > 0 && (
        <li data-all-verified={verified === readings.length}>
          {verified} of {count(readings.length, "value")} verified in this browser
        </li>
      )}
    </ul>
  );
}

function Loading() {
  return (
    <div className="cards" aria-busy="true" aria-label="Loading">
      <Skeleton height={150} radius="md" />
      <Skeleton height={150} radius="md" />
    </div>
  );
}
