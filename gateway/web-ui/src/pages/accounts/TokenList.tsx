import { Alert, Button, Group, Modal, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { useGateway, useGatewayNow } from "../../hooks/gateway";
import { useLast, type Loaded } from "../../hooks/loaded";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { confirmToken, revokeToken, type Token } from "./api";
import { messages } from "./messages";
import { RolesText } from "./RolesText";
import type { Secret } from "./SecretDialog";
import { TokenForm } from "./TokenForm";

/** API tokens of the user, and of accounts that the user administers. */
export function TokenList({
  own,
  mayMake,
  tokens,
  onSecret,
}: {
  /** The roles of the account that is signed in. */
  own: readonly string[];
  /** Whether the gateway keeps the account, whose tokens end with it. */
  mayMake: boolean;
  tokens: Loaded<Token[]>;
  onSecret: (secret: Secret) => void;
}) {
  const { api } = useGateway();
  const all = useMessages(messages);
  const words = all.token;
  const [making, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const [confirmed, setConfirmed] = useState<Token>();
  const asked = useLast(revoked);
  const askedToo = useLast(confirmed);
  const suspended = tokens.data?.filter((token) => token.suspended).length ?? 0;
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {words.explain}
      </Text>
      <ErrorAlert problem={tokens.problem} onRetry={tokens.reload} />
      {suspended > 0 && (
        <Alert color="orange" mb="md">
          {words.suspendedTokens(suspended)}
        </Alert>
      )}
      {mayMake && (
        <Button className="main-button" color="cyan.9" onClick={() => setMaking(true)}>
          {words.add}
        </Button>
      )}
      {tokens.data === undefined ? (
        tokens.problem === undefined && <Skeleton height={120} radius="md" mt="md" />
      ) : (
        <TokenTable tokens={tokens.data} onRevoke={setRevoked} onConfirm={setConfirmed} />
      )}
      <Modal
        opened={making}
        onClose={() => setMaking(false)}
        lockScroll={false}
        title={words.makeTitle}
        closeButtonProps={{ "aria-label": all.close }}
      >
        {making && (
          <TokenForm
            own={own}
            onClose={() => setMaking(false)}
            onMade={({ name, token }) => {
              onSecret({ kind: "token", of: name, text: token ?? "" });
              tokens.reload();
            }}
          />
        )}
      </Modal>
      <ConfirmDialog
        opened={revoked !== undefined}
        title={words.revokeTitle(asked?.name ?? "")}
        confirm={words.revoke}
        onConfirm={async () => {
          await revokeToken(api, asked?.id ?? "");
          tokens.reload();
        }}
        onClose={() => setRevoked(undefined)}
      >
        {words.revokeLoses}
      </ConfirmDialog>
      <ConfirmDialog
        opened={confirmed !== undefined}
        title={words.confirmTitle(askedToo?.name ?? "")}
        confirm={words.confirm}
        onConfirm={async () => {
          await confirmToken(api, askedToo?.id ?? "");
          tokens.reload();
        }}
        onClose={() => setConfirmed(undefined)}
      >
        {words.confirmMeans}
      </ConfirmDialog>
    </>
  );
}

function TokenTable({
  tokens,
  onRevoke,
  onConfirm,
}: {
  tokens: readonly Token[];
  onRevoke: (token: Token) => void;
  onConfirm: (token: Token) => void;
}) {
  const words = useMessages(messages).token;
  const now = useGatewayNow();
  return (
    <DataTable
      label={words.columns.name}
      rows={tokens}
      keyOf={({ id }) => id}
      empty={words.none}
      columns={[
        {
          key: "name",
          title: words.columns.name,
          sort: ({ name }) => name,
          cell: ({ name }) => <strong data-token={name}>{name}</strong>,
        },
        {
          key: "account",
          title: words.columns.account,
          sort: ({ account }) => account,
          cell: ({ account }) => account,
        },
        {
          key: "roles",
          title: words.columns.roles,
          cell: ({ roles }) => <RolesText roles={roles} />,
        },
        {
          key: "expires",
          title: words.columns.expires,
          sort: ({ expiresAt }) => expiresAt,
          cell: ({ expiresAt, suspended }) =>
            suspended ? (
              <span className="stale">{words.suspended}</span>
            ) : Date.parse(expiresAt) < now ? (
              <span className="stale">{words.expired}</span>
            ) : (
              moment(Date.parse(expiresAt))
            ),
        },
        {
          key: "actions",
          title: words.columns.actions,
          cell: (token) => (
            <Group gap="xs">
              {token.suspended && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${words.confirm}: ${token.name}`}
                  onClick={() => onConfirm(token)}
                >
                  {words.confirm}
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${words.revoke}: ${token.name}`}
                onClick={() => onRevoke(token)}
              >
                {words.revoke}
              </Button>
            </Group>
          ),
        },
      ]}
    />
  );
}
