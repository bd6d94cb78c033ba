import { Badge, Button, Modal, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast, useLoaded } from "../../hooks/loaded";
import { Age } from "../../parts/Age";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { AccountForm } from "./AccountForm";
import { AccountPasskeys } from "./AccountPasskeys";
import {
  changeAccount,
  listAccounts,
  readAccount,
  removeAccount,
  resetPassword,
  type Account,
  type OneTimePassword,
  type OpenSession,
  type Token,
} from "./api";
import { messages } from "./messages";
import { passkeyMessages } from "./passkeyMessages";
import { RolesText } from "./RolesText";
import type { Secret } from "./SecretDialog";

type Question = { about: "reset" | "lock" | "remove"; account: Account };

/** The accounts that the user administers. */
export function AccountList({
  self,
  tokens,
  sessions,
  onSecret,
  onChanged,
}: {
  self: string;
  tokens: readonly Token[] | undefined;
  sessions: readonly OpenSession[] | undefined;
  onSecret: (secret: Secret) => void;
  onChanged: () => void;
}) {
  const { api } = useGateway();
  const all = useMessages(messages);
  const words = all.account;
  const { data: accounts, problem, reload } = useLoaded("accounts", () => listAccounts(api));
  const [form, setForm] = useState<{ edited?: { account: Account; tag: string } }>();
  const [question, setQuestion] = useState<Question>();
  const [passkeysOf, setPasskeysOf] = useState<string>();
  const changed = () => {
    reload();
    onChanged();
  };
  const show = ({ name, oneTimePassword }: OneTimePassword) =>
    onSecret({ kind: "password", of: name, text: oneTimePassword });
  const edit = useAction(async (name: string) => setForm({ edited: await readAccount(api, name) }));
  const unlock = useAction(async (name: string) => {
    await setEnabled(name, true);
    changed();
  });
  const setEnabled = async (name: string, enabled: boolean) =>
    changeAccount(api, name, { enabled }, (await readAccount(api, name)).tag);
  const answer = async ({ about, account: { name } }: Question) => {
    switch (about) {
      case "reset":
        show(await resetPassword(api, name));
        break;
      case "lock":
        await setEnabled(name, false);
        break;
      case "remove":
        await removeAccount(api, name);
        break;
    }
    changed();
  };
  return (
    <>
      <ErrorAlert problem={problem ?? edit.problem ?? unlock.problem} />
      <Button className="main-button" color="cyan.9" onClick={() => setForm({})}>
        {words.add}
      </Button>
      {accounts === undefined ? (
        problem === undefined && <Skeleton height={160} radius="md" mt="md" />
      ) : (
        <AccountTable
          accounts={accounts}
          self={self}
          busy={edit.busy || unlock.busy}
          onEdit={(account) => void edit.run(account.name)}
          onUnlock={(account) => void unlock.run(account.name)}
          onPasskeys={(account) => setPasskeysOf(account.name)}
          onAsk={(about, account) => setQuestion({ about, account })}
        />
      )}
      <Modal
        opened={form !== undefined}
        onClose={() => setForm(undefined)}
        lockScroll={false}
        title={
          form?.edited === undefined ? words.createTitle : words.editTitle(form.edited.account.name)
        }
        closeButtonProps={{ "aria-label": all.close }}
      >
        {form !== undefined && (
          <AccountForm
            edited={form.edited}
            onClose={() => setForm(undefined)}
            onSaved={(made) => {
              if (made !== undefined) show(made);
              changed();
            }}
          />
        )}
      </Modal>
      <AccountPasskeys
        account={passkeysOf}
        onChanged={reload}
        onClose={() => setPasskeysOf(undefined)}
      />
      <Asking
        question={question}
        tokens={tokens}
        sessions={sessions}
        onConfirm={answer}
        onClose={() => setQuestion(undefined)}
      />
    </>
  );
}

/** Asks before an account is locked or removed, or its password is reset. */
function Asking({
  question,
  tokens,
  sessions,
  onConfirm,
  onClose,
}: {
  question: Question | undefined;
  tokens: readonly Token[] | undefined;
  sessions: readonly OpenSession[] | undefined;
  onConfirm: (question: Question) => Promise<void>;
  onClose: () => void;
}) {
  const { account: words } = useMessages(messages);
  const asked = useLast(question);
  if (asked === undefined) return null;
  const { name } = asked.account;
  const open = sessions?.filter(({ account }) => account === name).length ?? 0;
  const made = tokens?.filter(({ account }) => account === name).length ?? 0;
  const texts = {
    reset: { title: words.resetTitle(name), confirm: words.reset, loses: words.resetLoses(open) },
    lock: { title: words.lockTitle(name), confirm: words.lock, loses: words.lockLoses(open, made) },
    remove: {
      title: words.removeTitle(name),
      confirm: words.remove,
      loses: words.removeLoses(open, made),
    },
  }[asked.about];
  return (
    <ConfirmDialog
      opened={question !== undefined}
      title={texts.title}
      confirm={texts.confirm}
      onConfirm={() => onConfirm(asked)}
      onClose={onClose}
    >
      {texts.loses}
    </ConfirmDialog>
  );
}

function AccountTable({
  accounts,
  self,
  busy,
  onEdit,
  onUnlock,
  onPasskeys,
  onAsk,
}: {
  accounts: readonly Account[];
  self: string;
  busy: boolean;
  onEdit: (account: Account) => void;
  onUnlock: (account: Account) => void;
  onPasskeys: (account: Account) => void;
  onAsk: (about: Question["about"], account: Account) => void;
}) {
  const words = useMessages(messages).account;
  const passkeyWords = useMessages(passkeyMessages);
  const button = (text: string, account: Account, onClick: () => void) => (
    <Button
      size="compact-sm"
      variant="default"
      disabled={busy}
      aria-label={`${text}: ${account.name}`}
      onClick={onClick}
    >
      {text}
    </Button>
  );
  return (
    <DataTable
      label={words.columns.name}
      rows={accounts}
      keyOf={({ name }) => name}
      empty={words.none}
      order={{ column: "name", descending: false }}
      columns={[
        {
          key: "name",
          title: words.columns.name,
          sort: ({ name }) => name,
          cell: (account) => (
            <span data-account-row={account.name}>
              <strong>{account.name}</strong>
              {account.name === self && <span className="dimmed"> ({words.you})</span>}
              {account.identities.map((identity) => (
                <small className="under clip" key={identity} title={identity}>
                  {identity}
                </small>
              ))}
            </span>
          ),
        },
        {
          key: "roles",
          title: words.columns.roles,
          sort: ({ roles }) => roles.join(),
          cell: ({ roles }) => <RolesText roles={roles} />,
        },
        {
          key: "state",
          title: words.columns.state,
          sort: ({ enabled }) => enabled,
          cell: (account) => <State account={account} />,
        },
        {
          key: "created",
          title: words.columns.created,
          sort: ({ createdAt }) => createdAt,
          cell: ({ createdAt }) => <Age at={Date.parse(createdAt)} />,
        },
        {
          key: "actions",
          title: words.columns.actions,
          cell: (account) => (
            <span className="row-actions">
              {button(words.edit, account, () => onEdit(account))}
              {button(words.reset, account, () => onAsk("reset", account))}
              {button(passkeyWords.of, account, () => onPasskeys(account))}
              {account.enabled
                ? button(words.lock, account, () => onAsk("lock", account))
                : button(words.unlock, account, () => onUnlock(account))}
              {button(words.remove, account, () => onAsk("remove", account))}
            </span>
          ),
        },
      ]}
    />
  );
}

function State({ account }: { account: Account }) {
  const words = useMessages(messages).account;
  const { needed } = useMessages(passkeyMessages);
  return (
    <span>
      <Badge
        variant="light"
        color={account.enabled ? "teal" : "red"}
        data-enabled={account.enabled}
      >
        {account.enabled ? words.active : words.locked}
      </Badge>
      {account.passwordChangeNeeded && <small className="under">{words.oneTime}</small>}
      {account.passkeyRequired && <small className="under">{needed}</small>}
    </span>
  );
}
