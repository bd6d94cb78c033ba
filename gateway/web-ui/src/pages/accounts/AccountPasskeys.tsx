import { Button, Modal, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast, useLoaded } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { changeAccount, readAccount } from "./api";
import { passkeyMessages } from "./passkeyMessages";
import { listPasskeysOf, removePasskeyOf, type Passkey } from "./passkeys";
import { PasskeyTable } from "./PasskeyTable";

/** The passkeys of another account, for administrators whose users have lost one. */
export function AccountPasskeys({
  account,
  onChanged,
  onClose,
}: {
  /** Undefined while the dialog is closed. */
  account: string | undefined;
  onChanged: () => void;
  onClose: () => void;
}) {
  const words = useMessages(passkeyMessages);
  const shown = useLast(account);
  return (
    <Modal
      opened={account !== undefined}
      onClose={onClose}
      size="xl"
      lockScroll={false}
      title={words.ofTitle(shown ?? "")}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {account !== undefined && <Passkeys account={account} onChanged={onChanged} />}
    </Modal>
  );
}

function Passkeys({ account, onChanged }: { account: string; onChanged: () => void }) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const [removed, setRemoved] = useState<Passkey>();
  const { data, problem, reload } = useLoaded(`passkeys of ${account}`, async () => ({
    ...(await readAccount(api, account)),
    passkeys: await listPasskeysOf(api, account),
  }));
  const changed = () => {
    reload();
    onChanged();
  };
  const demand = useAction(async (passkeyRequired: boolean, tag: string) => {
    await changeAccount(api, account, { passkeyRequired }, tag);
    changed();
  });
  if (data === undefined) {
    return problem === undefined ? (
      <Skeleton height={120} radius="md" />
    ) : (
      <ErrorAlert problem={problem} onRetry={reload} />
    );
  }
  const { passkeys, tag } = data;
  const required = data.account.passkeyRequired;
  if (removed !== undefined) {
    return (
      <RemoveQuestion
        account={account}
        passkey={removed}
        left={passkeys.length - 1}
        required={required}
        onRemoved={changed}
        onClose={() => setRemoved(undefined)}
      />
    );
  }
  return (
    <div className="dialog stacked" data-dialog data-passkeys-of={account}>
      <ErrorAlert problem={problem ?? demand.problem} />
      <PasskeyTable passkeys={passkeys} empty={words.noneOf(account)} onRemove={setRemoved} />
      <div>
        <Text size="sm">{required ? words.demandedOf(account) : words.notDemandedOf(account)}</Text>
        {(required || passkeys.length > 0) && (
          <Button
            mt="xs"
            size="xs"
            variant="default"
            loading={demand.busy}
            onClick={() => void demand.run(!required, tag)}
          >
            {required ? words.withdraw : words.demand}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The question replaces the list, because one key press would close two nested dialogs. */
function RemoveQuestion({
  account,
  passkey: { id, name },
  left,
  required,
  onRemoved,
  onClose,
}: {
  account: string;
  passkey: Passkey;
  left: number;
  required: boolean;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const { busy, problem, run } = useAction(async () => {
    await removePasskeyOf(api, account, id);
    onRemoved();
    onClose();
  });
  const needed = left === 0 && required;
  return (
    <div className="dialog" data-dialog data-question>
      <strong>{words.removeTitle(name)}</strong>
      <span>{needed ? words.lastDemandedOf(account) : words.removeOfLoses(account, left)}</span>
      <ErrorAlert problem={problem} />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button color="red.8" loading={busy} disabled={needed} onClick={() => void run()}>
          {words.remove}
        </Button>
      </div>
    </div>
  );
}
