import {
  ActionIcon,
  Alert,
  Button,
  SegmentedControl,
  Skeleton,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useHash } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import type { ShownEndpoint } from "../gateway/endpointStore";
import type { Connection } from "../gateway/feed";
import { freshnessAt } from "../gateway/freshness";
import { matches, needsAttention, otherKeyOf, resourceAt } from "../gateway/selection";
import { EmptyState } from "./EmptyState";
import { EndpointCard } from "./EndpointCard";
import { useGateway, useFreshnessTime, useSnapshot } from "../hooks/gateway";
import { useSession } from "../hooks/session";
import { Logo, Moon, Search, Sun, Warning } from "./icons";
import { KeyWarning } from "./KeyWarning";
import { NetworkPanel } from "./NetworkPanel";
import { ResourceDrawer } from "./ResourceDrawer";
import { ChangePassword, SignIn } from "./SignIn";
import { count, timeOfDay } from "../text/format";

const MIN_FOR_FILTER = 6;

/** The page: warnings, the endpoints with their values, the radio, and the drawer of one resource. */
export function App() {
  const { connection } = useSnapshot();
  const session = useSession();
  const [hash, setHash] = useHash();
  if (session.state === "signed-in" && session.account.passwordChangeNeeded) {
    return <Framed page={<ChangePassword name={session.account.name} />} />;
  }
  const closed = connection === "forbidden";
  if (session.state === "signed-out" && (closed || hash === SIGN_IN)) {
    const back = closed ? undefined : () => setHash("");
    return <Framed page={<SignIn ended={session.ended} onCancel={back} />} />;
  }
  return <Framed page={<Endpoints hash={hash} setHash={setHash} />} />;
}

/** The address of the sign-in page on gateways that show readings to everyone. */
const SIGN_IN = "#sign-in";

function Framed({ page }: { page: ReactNode }) {
  return (
    <>
      <Bar />
      {page}
    </>
  );
}

function Endpoints({ hash, setHash }: { hash: string; setHash: (hash: string) => void }) {
  const { endpoints, loaded, connection } = useSnapshot();
  const { canVerify } = useGateway();
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
      <main className="page">
        {connection === "forbidden" && (
          <Alert color="yellow" icon={<Warning size={20} />} title="No domain is open to you">
            Your account has no role in any domain. Ask an administrator for one.
          </Alert>
        )}
        {!canVerify && (
          <Alert
            color="yellow"
            icon={<Warning size={20} />}
            title="Signatures cannot be checked here"
          >
            Browsers check signatures only on pages loaded over HTTPS or from this machine. Open the
            gateway’s HTTPS address, or forward its port to localhost.
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
        <NetworkPanel />
      </main>
      <ResourceDrawer endpoint={open?.[0]} shown={open?.[1]} onClose={() => setHash("")} />
    </>
  );
}

function Bar() {
  return (
    <header className="bar">
      <div className="bar-inside">
        <Logo />
        <span className="bar-name">Vigil</span>
        <span className="bar-host dimmed">{location.host}</span>
        <ConnectionMark />
        <AccountMark />
        <SchemeSwitch />
      </div>
    </header>
  );
}

/** Who is signed in, with the button that signs out; otherwise the one that signs in. */
function AccountMark() {
  const { session: store } = useGateway();
  const session = useSession();
  const [hash, setHash] = useHash();
  const { connection } = useSnapshot();
  if (session.state === "signed-in" && session.account.passwordChangeNeeded) return null;
  if (session.state === "signed-in") {
    const signOut = async () => {
      await store.signOut();
      // Forgets what only the account may see.
      location.replace(location.pathname);
    };
    return (
      <>
        <span className="bar-account clip" title={session.account.roles.join(", ")} data-account>
          {session.account.name}
        </span>
        <Button
          className="bar-button"
          variant="default"
          size="compact-sm"
          onClick={() => void signOut()}
        >
          Sign out
        </Button>
      </>
    );
  }
  if (session.state === "unknown" || connection === "forbidden" || hash === SIGN_IN) return null;
  return (
    <Button
      className="bar-button"
      variant="default"
      size="compact-sm"
      onClick={() => setHash(SIGN_IN)}
    >
      Sign in
    </Button>
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
  const signedIn = useSession().state === "signed-in";
  const forbidden = connection === "forbidden";
  return (
    <span className="connection" role="status" data-connection={connection}>
      <span className="dot" aria-hidden />
      <span className="clip">
        {forbidden && signedIn ? "No access" : CONNECTION_WORDS[connection]}
        {frozenAt !== undefined && !forbidden && (
          <span className="dimmed">, as of {timeOfDay(frozenAt)}</span>
        )}
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
