import { Alert, Button, Modal, Skeleton, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLast, useLoaded } from "../../hooks/loaded";
import { useSignInWays } from "../../hooks/signInWays";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { PasskeyForm } from "./PasskeyForm";
import { passkeyMessages } from "./passkeyMessages";
import {
  demandPasskey,
  isPasskeyName,
  listOwnPasskeys,
  removeOwnPasskey,
  renamePasskey,
  type OwnPasskeys as Own,
  type Passkey,
} from "./passkeys";
import { PasskeyTable } from "./PasskeyTable";

/** The passkeys of the account that is signed in. */
export function OwnPasskeys({ account }: { account: string }) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const ways = useSignInWays();
  const own = useLoaded("own passkeys", () => listOwnPasskeys(api));
  const [adding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  const [done, setDone] = useState<string>();
  return (
    <div className="spaced">
      <Text size="sm" c="dimmed">
        {words.explain}
      </Text>
      <ErrorAlert problem={own.problem} onRetry={own.reload} />
      <Done sentence={done} />
      {ways?.passkeys === false && (
        <Alert color="gray" data-passkeys-not-here>
          {words.notHere(window.location.hostname)}
        </Alert>
      )}
      {ways?.passkeys === true && (
        <Button className="main-button" color="cyan.9" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      )}
      {own.data === undefined ? (
        own.problem === undefined && <Skeleton height={120} radius="md" />
      ) : (
        <>
          <PasskeyTable
            passkeys={own.data.passkeys}
            empty={words.none}
            onRename={setRenamed}
            onRemove={setRemoved}
          />
          <Demand own={own.data} onChanged={own.reload} />
        </>
      )}
      <Modal
        opened={adding}
        onClose={() => setAdding(false)}
        lockScroll={false}
        title={words.addTitle}
        closeButtonProps={{ "aria-label": words.close }}
      >
        {adding && (
          <PasskeyForm
            account={account}
            onClose={() => setAdding(false)}
            onAdded={(name) => {
              setDone(words.added(name));
              own.reload();
            }}
          />
        )}
      </Modal>
      <Rename passkey={renamed} onRenamed={own.reload} onClose={() => setRenamed(undefined)} />
      <Remove
        passkey={removed}
        own={own.data}
        onRemoved={own.reload}
        onClose={() => setRemoved(undefined)}
      />
    </div>
  );
}

/** Whether the password alone is enough, and the button that changes this. */
function Demand({ own, onChanged }: { own: Own; onChanged: () => void }) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const [asking, setAsking] = useState(false);
  const { passkeys, requiredBy } = own;
  const demanded = requiredBy !== undefined;
  const hosts = [...new Set(passkeys.map(({ host }) => host))].sort().join(", ");
  return (
    <section className="panel" data-demanded={requiredBy ?? "nobody"}>
      <Text size="sm">{demanded ? words.both : words.enough}</Text>
      {requiredBy === "administrator" ? (
        <Text size="sm" c="dimmed">
          {words.byAdministrator}
        </Text>
      ) : (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          disabled={!demanded && passkeys.length === 0}
          onClick={() => setAsking(true)}
        >
          {demanded ? words.askNoMore : words.ask}
        </Button>
      )}
      {!demanded && passkeys.length === 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {words.needOne}
        </Text>
      )}
      <ConfirmDialog
        opened={asking}
        title={demanded ? words.askNoMoreTitle : words.askTitle}
        confirm={demanded ? words.askNoMore : words.ask}
        harmless={!demanded}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await demandPasskey(api, !demanded);
          onChanged();
        }}
      >
        {demanded ? words.askNoMoreWhat : words.askWhat(passkeys.length, hosts)}
      </ConfirmDialog>
    </section>
  );
}

function Rename({
  passkey,
  onRenamed,
  onClose,
}: {
  passkey: Passkey | undefined;
  onRenamed: () => void;
  onClose: () => void;
}) {
  const shown = useLast(passkey);
  if (shown === undefined) return null;
  return (
    <RenameDialog
      key={`${shown.id} ${shown.name}`}
      passkey={shown}
      opened={passkey !== undefined}
      onRenamed={onRenamed}
      onClose={onClose}
    />
  );
}

function RenameDialog({
  passkey,
  opened,
  onRenamed,
  onClose,
}: {
  passkey: Passkey;
  opened: boolean;
  onRenamed: () => void;
  onClose: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const [name, setName] = useState(passkey.name);
  const named = isPasskeyName(name.trim());
  return (
    <ConfirmDialog
      opened={opened}
      title={words.renameTitle(passkey.name)}
      confirm={words.save}
      harmless
      ready={named}
      onClose={onClose}
      onConfirm={async () => {
        await renamePasskey(api, passkey.id, name.trim());
        onRenamed();
      }}
    >
      <TextInput
        data-autofocus
        label={words.name}
        autoComplete="off"
        value={name}
        error={named ? undefined : words.nameFault}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

function Remove({
  passkey,
  own,
  onRemoved,
  onClose,
}: {
  passkey: Passkey | undefined;
  own: Own | undefined;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const asked = useLast(passkey);
  const left = Math.max(0, (own?.passkeys.length ?? 0) - 1);
  const needed = left === 0 && own?.requiredBy !== undefined;
  return (
    <ConfirmDialog
      opened={passkey !== undefined}
      title={words.removeTitle(asked?.name ?? "")}
      confirm={words.remove}
      ready={!needed}
      onClose={onClose}
      onConfirm={async () => {
        await removeOwnPasskey(api, asked?.id ?? "");
        onRemoved();
      }}
    >
      {needed ? words.lastDemanded : words.removeLoses(left)}
    </ConfirmDialog>
  );
}
