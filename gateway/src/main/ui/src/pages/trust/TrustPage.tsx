import "./trust.css";
import { Alert, Tabs } from "@mantine/core";
import { useState } from "react";
import { usePolled } from "../../hooks/polled";
import { useSession } from "../../hooks/session";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { Warning } from "../../parts/icons";
import { useMessages } from "../../shell/messages";
import { hasRole } from "../../shell/roles";
import {
  HELD_KEYS,
  longestFirst,
  PENDING_KEYS,
  readDomains,
  readKeys,
  type DomainTrust,
  type Key,
} from "./api";
import { ApproveAhead } from "./ApproveAhead";
import { DecisionDialog, type Action, type Decision } from "./decisions";
import { ImportKeys } from "./ImportKeys";
import { Inbox } from "./Inbox";
import { KeyList } from "./KeyList";
import { trustMessages } from "./messages";

const INTERVAL = 10_000;

/** Whom the gateway trusts: keys that wait for a decision, all keys, import. */
export default function TrustPage() {
  const texts = useMessages(trustMessages);
  const session = useSession();
  const operates = hasRole(session, "operator");
  const pending = usePolled(PENDING_KEYS, readKeys, INTERVAL);
  const held = usePolled(HELD_KEYS, readKeys, INTERVAL);
  const [decision, setDecision] = useState<Decision>();
  const [done, setDone] = useState<string>();
  const [changes, setChanges] = useState(0);
  const loaded = pending.data !== undefined && held.data !== undefined;
  const waiting = longestFirst([...(held.data?.keys ?? []), ...(pending.data?.keys ?? [])]);
  const begin = (action: Action, key: Key) => {
    setDone(undefined);
    setDecision({ action, key });
  };
  const carriedOut = (sentence: string) => {
    setDone(sentence);
    setChanges((before) => before + 1);
    void pending.reload();
    void held.reload();
  };
  return (
    <Page title={texts.title}>
      <ErrorAlert problem={pending.problem ?? held.problem} />
      <Done sentence={done} />
      {operates ? (
        <ForOperators
          waiting={waiting}
          loaded={loaded}
          changes={changes}
          onAction={begin}
          onDone={carriedOut}
        />
      ) : (
        loaded && <Inbox keys={waiting} onAction={begin} />
      )}
      <DecisionDialog
        decision={decision}
        onClose={() => setDecision(undefined)}
        onDone={carriedOut}
      />
    </Page>
  );
}

function ForOperators({
  waiting,
  loaded,
  changes,
  onAction,
  onDone,
}: {
  waiting: Key[];
  loaded: boolean;
  changes: number;
  onAction: (action: Action, key: Key) => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(trustMessages);
  const domains = usePolled("api/domains", readDomains, 0);
  const known = domains.data ?? [];
  return (
    <>
      <ErrorAlert problem={domains.problem} />
      <Tabs defaultValue="waiting" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="waiting">{texts.waitingTab(waiting.length)}</Tabs.Tab>
          <Tabs.Tab value="keys">{texts.keysTab}</Tabs.Tab>
          <Tabs.Tab value="ahead">{texts.aheadTab}</Tabs.Tab>
          <Tabs.Tab value="import">{texts.importTab}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="waiting" pt="md" className="trust-panel">
          <FirstUse domains={known} />
          {loaded && <Inbox keys={waiting} onAction={onAction} />}
        </Tabs.Panel>
        <Tabs.Panel value="keys" pt="md" className="trust-panel">
          <FirstUse domains={known} />
          <KeyList changes={changes} onAction={onAction} />
        </Tabs.Panel>
        <Tabs.Panel value="ahead" pt="md">
          <ApproveAhead key={changes} domains={known} onAction={onAction} onDone={onDone} />
        </Tabs.Panel>
        <Tabs.Panel value="import" pt="md">
          <ImportKeys domains={known} onDone={onDone} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Limits of trust on first use, in domains that have it. */
function FirstUse({ domains }: { domains: readonly DomainTrust[] }) {
  const texts = useMessages(trustMessages);
  const first = domains.filter(({ trust }) => trust === "first-use");
  if (first.length === 0) return null;
  const names = first.map(({ d }) => (d === "" ? texts.nameless : texts.firstUseOf(d)));
  return (
    <Alert
      color="yellow"
      icon={<Warning size={20} />}
      title={texts.firstUse(names.join(", "))}
      data-first-use
    >
      {texts.firstUseWhat}
    </Alert>
  );
}
