import { Checkbox, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useGateway } from "../../hooks/gateway";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { useMessages } from "../../hooks/messages";
import { approve, type Key } from "../../gateway/keys";
import { refuse, revoke, unlist } from "./api";
import { Fingerprint } from "./Fingerprint";
import { trustMessages } from "./messages";

export type Action = "approve" | "refuse" | "revoke" | "unlist" | "takeBack";

/** A decision that the operator has started but not yet confirmed. */
export interface Decision {
  action: Action;
  key: Key;
}

/**
 * Asks before a decision is carried out, and explains its effects.
 *
 * @param onDone called with a sentence for people once the gateway has carried it out
 */
export function DecisionDialog({
  decision,
  onClose,
  onDone,
}: {
  decision: Decision | undefined;
  onClose: () => void;
  onDone: (sentence: string) => void;
}) {
  // The last decision stays while the dialog disappears.
  const [kept, setKept] = useState(decision);
  if (decision !== undefined && decision !== kept) setKept(decision);
  if (kept === undefined) return null;
  const identity = `${kept.action} ${kept.key.thumbprint} ${kept.key.endpoint}`;
  return (
    <Asking
      key={identity}
      decision={kept}
      opened={decision !== undefined}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

function Asking({
  decision: { action, key },
  opened,
  onClose,
  onDone,
}: {
  decision: Decision;
  opened: boolean;
  onClose: () => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(trustMessages);
  const { api } = useGateway();
  const [sure, setSure] = useState(false);
  const name = key.ep === "" ? key.thumbprint : key.ep;
  const held = key.state === "held";
  const { title, what, confirm, done, run, needsCare } = {
    approve: {
      title: held ? texts.replaceTitle(name) : texts.approveTitle(name),
      what: held ? texts.replaceWhat(name) : texts.approveWhat(name),
      confirm: held ? texts.replaceConfirm : texts.approveConfirm,
      done: texts.approved(name),
      run: () => approve(api, key.thumbprint, { endpoint: key.endpoint }),
      needsCare: texts.compared,
    },
    refuse: {
      title: texts.refuseTitle(name),
      what: held ? texts.refuseHeld(name) : texts.refuseNew(name),
      confirm: texts.refuseConfirm,
      done: texts.refused(name),
      run: () => refuse(api, key),
      needsCare: undefined,
    },
    takeBack: {
      title: texts.takeBackTitle,
      what: texts.takeBackWhat,
      confirm: texts.takeBackConfirm,
      done: texts.refused(name),
      run: () => refuse(api, key),
      needsCare: undefined,
    },
    revoke: {
      title: texts.revokeTitle,
      what: texts.revokeWhat,
      confirm: texts.revokeConfirm,
      done: texts.revoked,
      run: () => revoke(api, key.thumbprint),
      needsCare: texts.revokeSure(name),
    },
    unlist: {
      title: texts.unlistTitle,
      what: texts.unlistWhat,
      confirm: texts.unlistConfirm,
      done: texts.unlisted,
      run: () => unlist(api, key),
      needsCare: undefined,
    },
  }[action];
  const close = () => {
    setSure(false);
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={title}
      confirm={confirm}
      harmless={action === "approve" && !held}
      ready={needsCare === undefined || sure}
      onConfirm={async () => {
        await run();
        onDone(done);
      }}
      onClose={close}
    >
      <Stack gap="md">
        <Fingerprint thumbprint={key.thumbprint} />
        <Paragraph>{what}</Paragraph>
        {needsCare !== undefined && (
          <Checkbox
            label={needsCare}
            checked={sure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

function Paragraph({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
