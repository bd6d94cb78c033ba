import {
  ActionIcon,
  Alert,
  SegmentedControl,
  Skeleton,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useHash } from "@mantine/hooks";
import { useState } from "react";
import type { ShownEndpoint } from "../watch/board";
import type { Connection } from "../watch/feed";
import { freshnessAt } from "../watch/freshness";
import { EmptyState } from "./EmptyState";
import { addressOf, EndpointCard } from "./EndpointCard";
import { useGateway, useJudgedNow, useSnapshot } from "./gateway";
import { Logo, Moon, Search, Sun, Warning } from "./icons";
import { KeyWarning, otherKeyOf } from "./KeyWarning";
import { NetworkPanel } from "./NetworkPanel";
import { ResourceDrawer } from "./ResourceDrawer";
import { count, timeOfDay } from "./words";

const WORTH_FILTERING = 6;

export function App() {
  const { endpoints, loaded, connection } = useSnapshot();
  const { canVerify } = useGateway();
  const [hash, setHash] = useHash();
  const [wanted, setWanted] = useState("");
  const [onlyTrouble, setOnlyTrouble] = useState(false);
  const now = useJudgedNow();

  const withOtherKey = endpoints.flatMap((shown) => {
    const other = otherKeyOf(shown);
    return other === undefined ? [] : [{ shown, other }];
  });
  const changed = new Set(withOtherKey.map(({ shown }) => shown.endpoint.id));
  const troubled = endpoints.filter(
    (shown) => changed.has(shown.endpoint.id) || inTrouble(shown, now),
  );
  const visible = (onlyTrouble ? troubled : endpoints).filter((shown) => matches(shown, wanted));
  const open = openResource(endpoints, hash);

  return (
    <>
      <Bar />
      <main className="page">
        {connection === "forbidden" && (
          <Alert color="yellow" icon={<Warning size={20} />} title="Sign in to see readings">
            This gateway shows readings only to those who have signed in.
          </Alert>
        )}
        {!canVerify && (
          <Alert
            color="yellow"
            icon={<Warning size={20} />}
            title="Signatures cannot be checked here"
          >
            Browsers check signatures only on pages that came over HTTPS or from this very machine.
            Open the gateway’s HTTPS address, or forward its port to localhost.
          </Alert>
        )}
        {withOtherKey.map(({ shown, other }) => (
          <KeyWarning key={shown.endpoint.id} shown={shown} other={other} />
        ))}
        <div className="page-head">
          <Title order={1} size="h2">
            Endpoints
          </Title>
          {endpoints.length > 0 && <Summary endpoints={endpoints} />}
        </div>
        {endpoints.length >= WORTH_FILTERING && (
          <div className="tools">
            <TextInput
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
              placeholder="Name, domain or resource"
              aria-label="Filter endpoints"
              type="search"
              leftSection={<Search size={15} />}
            />
            <SegmentedControl
              value={onlyTrouble ? "trouble" : "all"}
              onChange={(choice) => setOnlyTrouble(choice === "trouble")}
              aria-label="Which endpoints"
              data={[
                { value: "all", label: `All ${endpoints.length}` },
                { value: "trouble", label: `Need attention ${troubled.length}` },
              ]}
            />
          </div>
        )}
        {!loaded && connection !== "forbidden" && <Loading />}
        {loaded && endpoints.length === 0 && <EmptyState />}
        {endpoints.length > 0 && visible.length === 0 && (
          <Text c="dimmed" py="xl" ta="center">
            {onlyTrouble && wanted === "" ? "Nothing needs attention." : "No endpoint fits."}
          </Text>
        )}
        <div className="cards">
          {visible.map((shown) => (
            <EndpointCard
              key={shown.endpoint.id}
              shown={shown}
              keyChanged={changed.has(shown.endpoint.id)}
            />
          ))}
        </div>
        <NetworkPanel />
      </main>
      <ResourceDrawer endpoint={open?.[0]} shown={open?.[1]} onClose={() => setHash("")} />
    </>
  );
}

function inTrouble(shown: ShownEndpoint, now: number): boolean {
  const freshness = freshnessAt(shown.endpoint, now);
  return (
    freshness === "late" ||
    freshness === "missing" ||
    (shown.endpoint.trust !== undefined && shown.endpoint.trust !== "trusted") ||
    shown.resources.some(({ judgement: { state } }) => state === "refused" || state === "unchecked")
  );
}

function matches({ endpoint }: ShownEndpoint, wanted: string): boolean {
  const words = wanted.toLowerCase().split(/\s+/);
  const names = [
    endpoint.ep,
    endpoint.d,
    ...endpoint.resources.map(({ path, rt }) => `${path} ${rt}`),
  ];
  const text = names.join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function openResource(endpoints: readonly ShownEndpoint[], hash: string) {
  if (hash.length < 2) return undefined;
  for (const endpoint of endpoints) {
    for (const shown of endpoint.resources) {
      if (addressOf(endpoint.endpoint, shown.resource.path) === hash) {
        return [endpoint, shown] as const;
      }
    }
  }
  return undefined;
}

function Bar() {
  return (
    <header className="bar">
      <div className="bar-inside">
        <Logo />
        <span className="bar-name">Vigil</span>
        <span className="bar-host dimmed">{location.host}</span>
        <ConnectionMark />
        <SchemeSwitch />
      </div>
    </header>
  );
}

const CONNECTION_WORDS: Record<Connection, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  forbidden: "Signed out",
};

function ConnectionMark() {
  const { connection, frozenAt } = useSnapshot();
  return (
    <span className="connection" role="status" data-connection={connection}>
      <span className="dot" aria-hidden />
      <span>
        {CONNECTION_WORDS[connection]}
        {frozenAt !== undefined && <span className="dimmed">, as of {timeOfDay(frozenAt)}</span>}
      </span>
    </span>
  );
}

function SchemeSwitch() {
  // Without the transition blocker, which would be an inline style.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme("light") === "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={dark ? "Use the light colours" : "Use the dark colours"}
      onClick={() => setColorScheme(dark ? "light" : "dark")}
    >
      {dark ? <Sun size={18} /> : <Moon size={18} />}
    </ActionIcon>
  );
}

function Summary({ endpoints }: { endpoints: readonly ShownEndpoint[] }) {
  const now = useJudgedNow();
  const freshness = endpoints.map(({ endpoint }) => freshnessAt(endpoint, now));
  const number = (name: string) => freshness.filter((one) => one === name).length;
  const readings = endpoints
    .flatMap(({ resources }) => resources)
    .filter(({ resource }) => resource.value !== undefined);
  const verified = readings.filter(({ judgement }) => judgement.state === "verified").length;
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
