import "./endpoints.css";
import { Button, Skeleton, Text } from "@mantine/core";
import {
  memo,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { otherKeyOf } from "../../gateway/selection";
import { useConnection, useFreshnessTime, useSnapshot } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { KeyWarning } from "../../parts/KeyWarning";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { useParameters } from "../../hooks/router";
import { hasRole } from "../../gateway/roles";
import { BulkActions } from "./BulkActions";
import { EmptyState } from "./EmptyState";
import { EndpointList } from "./EndpointList";
import { Filters } from "./Filters";
import { EVERYTHING, isFiltered, listOf, parametersOf, queryOf, type Query } from "./list";
import { endpointsMessages } from "./messages";

const MAX_WARNINGS = 3;

/** The query outlives the page, so reopening the page shows the same list. */
let kept: Query = EVERYTHING;

/** The query in the address of the page. */
function useQuery(): [Query, (query: Query) => void] {
  const [parameters, change] = useParameters();
  const query = useMemo(() => queryOf(parameters), [parameters]);
  const setQuery = useCallback((wanted: Query) => change(parametersOf(wanted)), [change]);
  const opened = useRef(false);
  useLayoutEffect(() => {
    if (opened.current || parameters.size > 0) kept = query;
    else setQuery(kept);
    opened.current = true;
  }, [parameters, query, setQuery]);
  return [query, setQuery];
}

/** All endpoints: searched, filtered, sorted, selected. */
export default function EndpointsPage() {
  const texts = useMessages(endpointsMessages);
  // Updates are rendered in pieces when the browser is idle; input and scrolling interrupt them.
  const { endpoints, loaded } = useDeferredValue(useSnapshot());
  const connection = useConnection();
  const session = useSession();
  const selectable = session.state === "signed-in" && hasRole(session, "operator");
  const [query, setQuery] = useQuery();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const now = useDeferredValue(useFreshnessTime());
  const listed = useMemo(() => listOf(endpoints, query, now), [endpoints, query, now]);
  const onSelect = useCallback((id: string, wanted: boolean) => {
    setSelected((before) => {
      const after = new Set(before);
      if (wanted) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
  const onSelectAll = useCallback(
    (all: boolean) => setSelected(new Set(all ? listed.map(({ endpoint }) => endpoint.id) : [])),
    [listed],
  );
  const chosen = selected.size === 0 ? [] : listed.filter((one) => selected.has(one.endpoint.id));

  return (
    <Page
      title={texts.title}
      beside={endpoints.length > 0 && <Counts listed={listed} all={endpoints.length} />}
    >
      <KeyWarnings endpoints={endpoints} />
      {endpoints.length > 0 && <Filters endpoints={endpoints} query={query} onChange={setQuery} />}
      {!loaded && connection !== "forbidden" && <Skeleton height={240} radius="md" />}
      {loaded && endpoints.length === 0 && <EmptyState />}
      {endpoints.length > 0 && listed.length === 0 && (
        <Text c="dimmed" py="xl" ta="center" component="div">
          {texts.noMatch}{" "}
          {isFiltered(query) && (
            <Button variant="default" size="compact-sm" onClick={() => setQuery(EVERYTHING)}>
              {texts.reset}
            </Button>
          )}
        </Text>
      )}
      {chosen.length > 0 && <BulkActions chosen={chosen} onChange={setSelected} />}
      {listed.length > 0 && (
        <EndpointList
          listed={listed}
          query={query}
          onQuery={setQuery}
          selectable={selectable}
          selected={selected}
          onSelect={onSelect}
          onSelectAll={onSelectAll}
        />
      )}
    </Page>
  );
}

const Counts = memo(function Counts({
  listed,
  all,
}: {
  listed: readonly ShownEndpoint[];
  all: number;
}) {
  const texts = useMessages(endpointsMessages);
  let verified = 0;
  let values = 0;
  for (const { resources } of listed) {
    for (const { resource, verification } of resources) {
      if (resource.value === undefined || verification.state === "checking") continue;
      values++;
      if (verification.state === "verified") verified++;
    }
  }
  return (
    <ul className="summary numbers">
      <li>{texts.shown(listed.length, all)}</li>
      {values > 0 && (
        <li data-all-verified={verified === values}>{texts.verified(verified, values)}</li>
      )}
    </ul>
  );
});

const KeyWarnings = memo(function KeyWarnings({
  endpoints,
}: {
  endpoints: readonly ShownEndpoint[];
}) {
  const texts = useMessages(endpointsMessages);
  const warned = endpoints.flatMap((shown) => {
    const other = otherKeyOf(shown);
    return other === undefined ? [] : [{ shown, other }];
  });
  const more = warned.length - MAX_WARNINGS;
  return (
    <>
      {warned.slice(0, MAX_WARNINGS).map(({ shown, other }) => (
        <KeyWarning key={shown.endpoint.id} shown={shown} other={other} />
      ))}
      {more > 0 && <p>{texts.otherKeys(more)}</p>}
    </>
  );
});
