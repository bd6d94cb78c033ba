import "./trust.css";
import { Alert, Tabs } from "@mantine/core";
import { useState } from "react";
import { useChanges } from "../../hooks/changes";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { Link } from "../../hooks/router";
import { usePolled } from "../../hooks/polled";
import { useSession } from "../../hooks/session";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { Warning } from "../../parts/icons";
import { useMessages } from "../../hooks/messages";
import { hasRole } from "../../gateway/roles";
import type { Key } from "../../gateway/keys";
import { readDomains, waitingKeys, withKeysOf, type DomainTrust } from "./api";
import { ApproveAhead } from "./ApproveAhead";
import { DecisionDialog, type Action, type Decision } from "./decisions";
import { ImportKeys } from "./ImportKeys";
import { Inbox } from "./Inbox";
import { KeyList } from "./KeyList";
import { trustMessages } from "./messages";

/** The keys that the gateway trusts: waiting keys, all keys, import. */
export default function TrustPage() {
  const texts = useMessages(trustMessages);
  const session = useSession();
  const operates = hasRole(session, "operator");
  const { api } = useGateway();
  const waiting = useLoaded("waiting keys", () => waitingKeys(api));
  useChanges(({ kind, data }) => {
    // An answer in transit may be older than the event.
    if (kind === "missed" || (kind === "keys" && waiting.data === undefined)) waiting.refresh();
    else if (kind === "keys") waiting.change((before) => withKeysOf(before, data));
  });
  const [decision, setDecision] = useState<Decision>();
  const [done, setDone] = useState<string>();
  const [changes, setChanges] = useState(0);
  const begin = (action: Action, key: Key) => {
    setDone(undefined);
    setDecision({ action, key });
  };
  const carriedOut = (sentence: string) => {
    setDone(sentence);
    setChanges((before) => before + 1);
    waiting.reload();
  };
  return (
    <Page title={texts.title} beside={operates && <Link href="/enrol">{texts.enrol}</Link>}>
      <ErrorAlert problem={waiting.problem} />
      <Done sentence={done} />
      {operates ? (
        <ForOperators
          waiting={waiting.data}
          changes={changes}
          onAction={begin}
          onDone={carriedOut}
        />
      ) : (
        waiting.data !== undefined && (
          <Inbox keys={waiting.data} onAction={begin} onDone={carriedOut} />
        )
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
  changes,
  onAction,
  onDone,
}: {
  /** Undefined before they are known. */
  waiting: readonly Key[] | undefined;
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
          <Tabs.Tab value="waiting">{texts.waitingTab(waiting?.length ?? 0)}</Tabs.Tab>
          <Tabs.Tab value="keys">{texts.keysTab}</Tabs.Tab>
          <Tabs.Tab value="ahead">{texts.aheadTab}</Tabs.Tab>
          <Tabs.Tab value="import">{texts.importTab}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="waiting" pt="md" className="trust-panel">
          <FirstUse domains={known} />
          {waiting !== undefined && <Inbox keys={waiting} onAction={onAction} onDone={onDone} />}
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
