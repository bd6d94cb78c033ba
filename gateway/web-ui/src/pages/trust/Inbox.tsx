import { Badge, Button, Checkbox, Group, Text, Title } from "@mantine/core";
import { memo, useCallback, useState } from "react";
import { useSession } from "../../hooks/session";
import { Age } from "../../parts/Age";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { noteText } from "../../text/waitingNotes";
import type { Key } from "../../gateway/keys";
import { ApproveMany } from "./ApproveMany";
import type { Action } from "./decisions";
import { Fingerprint } from "./Fingerprint";
import { KeyComparison } from "./KeyComparison";
import { trustMessages } from "./messages";
import { identityOf } from "./selection";
import { shortAddress } from "../../text/addresses";

/** The keys that wait for a decision, the longest waiting first. */
export function Inbox({
  keys,
  onAction,
  onDone,
}: {
  keys: readonly Key[];
  onAction: (action: Action, key: Key) => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(trustMessages);
  const session = useSession();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = useCallback((key: Key, wanted: boolean) => {
    setChosen((before) => {
      const after = new Set(before);
      if (wanted) after.add(identityOf(key));
      else after.delete(identityOf(key));
      return after;
    });
  }, []);
  if (keys.length === 0) {
    return (
      <div className="inbox-card" data-none-waiting>
        <Text>{texts.none}</Text>
        <Text size="sm" c="dimmed">
          {texts.noneWhat}
        </Text>
      </div>
    );
  }
  const candidates = keys.filter(
    ({ state, d }) => state === "pending" && hasRoleIn(session, "operator", d),
  );
  return (
    <div className="inbox">
      <Text size="sm" c="dimmed">
        {texts.mustDecide}
      </Text>
      {session.state === "signed-in" && candidates.length > 1 && (
        <ApproveMany candidates={candidates} chosen={chosen} onChoose={setChosen} onDone={onDone} />
      )}
      {keys.map((key) => (
        <Waiting
          key={identityOf(key)}
          waiting={key}
          onAction={onAction}
          selected={chosen.has(identityOf(key))}
          {...(candidates.length > 1 && candidates.includes(key) ? { onSelect: choose } : {})}
        />
      ))}
    </div>
  );
}

/** Rendered again only when it changes, because hundreds may wait. */
const Waiting = memo(function Waiting({
  waiting,
  onAction,
  selected,
  onSelect,
}: {
  waiting: Key;
  onAction: (action: Action, key: Key) => void;
  selected: boolean;
  /** Undefined for keys that are decided on one by one. */
  onSelect?: (key: Key, wanted: boolean) => void;
}) {
  const texts = useMessages(trustMessages);
  const session = useSession();
  const held = waiting.state === "held";
  const decides = hasRoleIn(session, "operator", waiting.d);
  return (
    <article className="inbox-card" data-waiting={waiting.thumbprint} data-held={held || undefined}>
      <div className="inbox-head">
        {onSelect !== undefined && (
          <Checkbox
            aria-label={texts.select(waiting.ep)}
            checked={selected}
            onChange={(event) => onSelect(waiting, event.currentTarget.checked)}
          />
        )}
        <Title order={3} size="h4">
          {waiting.ep}
        </Title>
        <Badge variant="light" color={held ? "yellow" : "cyan"}>
          {texts.states[held ? "held" : "pending"]}
        </Badge>
      </div>
      {held && decides ? (
        <KeyComparison held={waiting} />
      ) : (
        <Fingerprint thumbprint={waiting.thumbprint} />
      )}
      <dl className="inbox-facts">
        <dt>{texts.reason}</dt>
        <dd>
          <bdi>{noteText(waiting.note)}</bdi>
        </dd>
        <dt>{texts.since}</dt>
        <dd>
          <Age at={waiting.since} />
        </dd>
        <dt>{texts.from}</dt>
        <dd>{waiting.from === "" ? texts.unknown : <code>{shortAddress(waiting.from)}</code>}</dd>
        <dt>{texts.domain}</dt>
        <dd>{waiting.d === "" ? texts.nameless : waiting.d}</dd>
      </dl>
      {decides ? (
        <Group gap="xs">
          {/* A key that replaces another one is never the obvious choice. */}
          <Button
            size="sm"
            {...(held ? { variant: "default" } : { color: "cyan.9" })}
            onClick={() => onAction("approve", waiting)}
          >
            {texts.approve}
          </Button>
          <Button size="sm" variant="default" onClick={() => onAction("refuse", waiting)}>
            {texts.refuse}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.onlyOperators}
        </Text>
      )}
    </article>
  );
});
