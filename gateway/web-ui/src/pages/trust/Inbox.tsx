import { Badge, Button, Group, Text, Title } from "@mantine/core";
import { useSession } from "../../hooks/session";
import { Age } from "../../parts/Age";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { noteText } from "../../text/waitingNotes";
import type { Key } from "./api";
import type { Action } from "./decisions";
import { Fingerprint } from "./Fingerprint";
import { KeyComparison } from "./KeyComparison";
import { trustMessages } from "./messages";
import { shortAddress } from "../../text/addresses";

/** The keys that wait for a decision, the longest waiting first. */
export function Inbox({
  keys,
  onAction,
}: {
  keys: readonly Key[];
  onAction: (action: Action, key: Key) => void;
}) {
  const texts = useMessages(trustMessages);
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
  return (
    <div className="inbox">
      <Text size="sm" c="dimmed">
        {texts.mustDecide}
      </Text>
      {keys.map((key) => (
        <Waiting key={`${key.endpoint} ${key.thumbprint}`} waiting={key} onAction={onAction} />
      ))}
    </div>
  );
}

function Waiting({
  waiting,
  onAction,
}: {
  waiting: Key;
  onAction: (action: Action, key: Key) => void;
}) {
  const texts = useMessages(trustMessages);
  const session = useSession();
  const held = waiting.state === "held";
  const decides = hasRoleIn(session, "operator", waiting.d);
  return (
    <article className="inbox-card" data-waiting={waiting.thumbprint} data-held={held || undefined}>
      <div className="inbox-head">
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
}
