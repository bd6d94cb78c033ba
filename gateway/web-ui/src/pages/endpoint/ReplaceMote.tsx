import { Alert, Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { useMessages } from "../../hooks/messages";
import { typedThumbprint } from "../../text/fingerprint";
import { putSuccessor, readSuccessor, removeSuccessor } from "./successor";
import { successorMessages } from "./successorMessages";

/**
 * Lets another mote take over the endpoint, which keeps its history. For operators of its domain.
 */
export function ReplaceMote({ endpoint }: { endpoint: Endpoint }) {
  const texts = useMessages(successorMessages);
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState("");
  const { api } = useGateway();
  // A successor that registers gives the endpoint another key.
  const { data, problem, reload } = useLoaded(
    `successor of ${endpoint.id} after ${endpoint.keyThumbprint}`,
    async () => ({ successor: await readSuccessor(api, endpoint.id) }),
  );
  const [done, setDone] = useState<string>();
  const read = typedThumbprint(typed);
  const thumbprint = read.state === "thumbprint" ? read.thumbprint : undefined;
  const present = thumbprint === endpoint.keyThumbprint;
  const fault =
    read.state === "wrong" ? texts.keyWrong(read.letters) : present ? texts.keyPresent : undefined;
  return (
    <div className="successor" data-successor={data?.successor?.thumbprint ?? ""}>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setTyped("");
          setDone(undefined);
          setOpened(true);
        }}
      >
        {texts.replace}
      </Button>
      <ErrorAlert problem={problem} onRetry={reload} />
      <Done sentence={done} />
      {data?.successor !== undefined && (
        <Expected endpoint={endpoint} thumbprint={data.successor.thumbprint} onChanged={reload} />
      )}
      <ConfirmDialog
        opened={opened}
        title={texts.title(endpoint.ep)}
        confirm={texts.confirm}
        ready={thumbprint !== undefined && !present}
        onClose={() => setOpened(false)}
        onConfirm={async () => {
          if (thumbprint === undefined) return;
          const { state } = await putSuccessor(api, endpoint.id, thumbprint);
          if (state === "in-place") setDone(texts.done);
          reload();
        }}
      >
        <Stack gap="sm">
          <span>{texts.what(endpoint.ep)}</span>
          <span>{texts.then(endpoint.ep)}</span>
          <span>{texts.until}</span>
          <dl className="two-keys">
            <dt>{texts.present}</dt>
            <dd>
              <ThumbprintGroups thumbprint={endpoint.keyThumbprint} />
            </dd>
          </dl>
          <TextInput
            data-autofocus
            label={texts.key}
            description={texts.keyHint}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={typed}
            error={fault}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <AskingKeys endpoint={endpoint} onUse={setTyped} />
        </Stack>
      </ConfirmDialog>
    </div>
  );
}

/** Keys that are held for the name, because the new mote may already request it. */
function AskingKeys({
  endpoint: { waitingKeys },
  onUse,
}: {
  endpoint: Endpoint;
  onUse: (thumbprint: string) => void;
}) {
  const texts = useMessages(successorMessages);
  const held = waitingKeys.filter((key) => key.held);
  if (held.length === 0) return null;
  return (
    <div>
      {texts.asking}
      <ul className="plain-list">
        {held.map(({ thumbprint }) => (
          <li key={thumbprint} className="asking-key">
            <ThumbprintGroups thumbprint={thumbprint} />{" "}
            <Button size="compact-xs" variant="default" onClick={() => onUse(thumbprint)}>
              {texts.use}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Expected({
  endpoint,
  thumbprint,
  onChanged,
}: {
  endpoint: Endpoint;
  thumbprint: string;
  onChanged: () => void;
}) {
  const texts = useMessages(successorMessages);
  const { api } = useGateway();
  const [asking, setAsking] = useState(false);
  return (
    <Alert color="cyan" title={texts.expected} data-expected>
      {texts.expectedWhat}
      <div>
        <ThumbprintGroups thumbprint={thumbprint} />
      </div>
      <Button mt="xs" size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {texts.takeBack}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={texts.takeBackTitle}
        confirm={texts.takeBackConfirm}
        harmless
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await removeSuccessor(api, endpoint.id);
          onChanged();
        }}
      >
        {texts.takeBackWhat}
      </ConfirmDialog>
    </Alert>
  );
}
