import "../../parts/forms.css";
import { Tabs } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { hasRole } from "../../gateway/roles";
import { AccountList } from "./AccountList";
import { listSessions, listTokens } from "./api";
import { messages } from "./messages";
import { notificationMessages } from "./notificationMessages";
import { OwnNotifications } from "./OwnNotifications";
import { OwnPasskeys } from "./OwnPasskeys";
import { OwnPassword } from "./OwnPassword";
import { passkeyMessages } from "./passkeyMessages";
import { SecretDialog, type Secret } from "./SecretDialog";
import { SessionList } from "./SessionList";
import { TokenList } from "./TokenList";

/** Accounts for administrators; tokens, sessions, own password, passkeys, notifications for everyone. */
export default function AccountsPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const passkeyWords = useMessages(passkeyMessages);
  const notificationWords = useMessages(notificationMessages);
  const session = useSession();
  const tokens = useLoaded("tokens", () => listTokens(api));
  const sessions = useLoaded("sessions", () => listSessions(api));
  // Kept here so that a secret stays until the dialog is closed, even if data is loaded before.
  const [secret, setSecret] = useState<Secret>();
  const administers = hasRole(session, "administrator");
  if (session.state !== "signed-in") return null;
  const { name, roles, provider } = session.account;
  // A provider keeps the password of its accounts, and tokens are for accounts of the gateway.
  const local = provider === "";
  return (
    <Page title={words.title}>
      <Tabs
        className="stacked"
        defaultValue={administers ? "accounts" : "tokens"}
        keepMounted={false}
      >
        <Tabs.List>
          {administers && <Tabs.Tab value="accounts">{words.accounts}</Tabs.Tab>}
          <Tabs.Tab value="tokens">{words.tokens}</Tabs.Tab>
          <Tabs.Tab value="sessions">{words.sessions}</Tabs.Tab>
          {local && <Tabs.Tab value="password">{words.password}</Tabs.Tab>}
          {local && <Tabs.Tab value="passkeys">{passkeyWords.tab}</Tabs.Tab>}
          {local && <Tabs.Tab value="notifications">{notificationWords.tab}</Tabs.Tab>}
        </Tabs.List>
        {administers && (
          <Tabs.Panel value="accounts" pt="md">
            <AccountList
              self={name}
              tokens={tokens.data}
              sessions={sessions.data}
              onSecret={setSecret}
              onChanged={() => {
                tokens.reload();
                sessions.reload();
              }}
            />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="tokens" pt="md">
          <TokenList own={roles} mayMake={local} tokens={tokens} onSecret={setSecret} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" pt="md">
          <SessionList sessions={sessions} />
        </Tabs.Panel>
        <Tabs.Panel value="password" pt="md">
          <OwnPassword name={name} onChanged={sessions.reload} />
        </Tabs.Panel>
        <Tabs.Panel value="passkeys" pt="md">
          <OwnPasskeys account={name} />
        </Tabs.Panel>
        <Tabs.Panel value="notifications" pt="md">
          <OwnNotifications />
        </Tabs.Panel>
      </Tabs>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  );
}
