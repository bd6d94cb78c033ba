import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import type { Key } from "../../gateway/keys";
import { approveAll } from "./api";
import { trustMessages } from "./messages";
import { identityOf, identityOfAll, selectedOf } from "./selection";

/** Selects new keys and approves them together after all were compared. */
export function ApproveMany({
  candidates,
  chosen,
  onChoose,
  onDone,
}: {
  /** Keys of new names that the account decides on. */
  candidates: readonly Key[];
  /** The identities of the selected keys. */
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(trustMessages);
  const { api } = useGateway();
  const [opened, setOpened] = useState(false);
  // The compared keys; another key may become selected while the dialog is open.
  const [compared, setCompared] = useState<string>();
  const selected = selectedOf(candidates, chosen);
  const sure = compared === identityOfAll(selected);
  const all = selected.length === candidates.length;
  const close = () => {
    setCompared(undefined);
    setOpened(false);
  };
  /** Completed keys are deselected, even if others fail. */
  const approve = async () => {
    const left = new Map(selected.map((key) => [key.endpoint, identityOf(key)]));
    try {
      await approveAll(api, selected, (endpoint) => left.delete(endpoint));
    } finally {
      onChoose(new Set(left.values()));
      const done = selected.length - left.size;
      if (done > 0) onDone(texts.approvedMany(done));
    }
  };
  return (
    <div className="inbox-many" data-many>
      <Checkbox
        label={texts.selectAll(candidates.length)}
        checked={all}
        indeterminate={!all && selected.length > 0}
        onChange={(event) =>
          onChoose(new Set(event.currentTarget.checked ? candidates.map(identityOf) : []))
        }
      />
      {selected.length > 0 && (
        <Button size="sm" color="cyan.9" onClick={() => setOpened(true)}>
          {texts.approveMany(selected.length)}
        </Button>
      )}
      <ConfirmDialog
        opened={opened}
        title={texts.approveManyTitle(selected.length)}
        confirm={texts.approveConfirm}
        harmless
        ready={sure}
        onClose={close}
        onConfirm={approve}
      >
        <Stack gap="md">
          <Text size="sm">{texts.approveManyWhat}</Text>
          <dl className="two-keys">
            {selected.map(({ endpoint, ep, thumbprint }) => [
              <dt key={`${endpoint} name`}>
                <bdi>{ep}</bdi>
              </dt>,
              <dd key={endpoint}>
                <ThumbprintGroups thumbprint={thumbprint} />
              </dd>,
            ])}
          </dl>
          <Checkbox
            label={texts.comparedMany}
            checked={sure}
            onChange={(event) =>
              setCompared(event.currentTarget.checked ? identityOfAll(selected) : undefined)
            }
          />
        </Stack>
      </ConfirmDialog>
    </div>
  );
}
