import { Badge, Button, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLast, type Loaded } from "../../hooks/loaded";
import { Age } from "../../parts/Age";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { endSession, type OpenSession } from "./api";
import { browserOf } from "./grants";
import { messages } from "./messages";

/** Browser sessions of the user, and of accounts that the user administers. */
export function SessionList({ sessions }: { sessions: Loaded<OpenSession[]> }) {
  const { api } = useGateway();
  const words = useMessages(messages).session;
  const [ended, setEnded] = useState<OpenSession>();
  const asked = useLast(ended);
  return (
    <>
      <ErrorAlert problem={sessions.problem} onRetry={sessions.reload} />
      {sessions.data === undefined ? (
        sessions.problem === undefined && <Skeleton height={120} radius="md" />
      ) : (
        <SessionTable sessions={sessions.data} onEnd={setEnded} />
      )}
      <ConfirmDialog
        opened={ended !== undefined}
        title={words.endTitle(asked?.account ?? "")}
        confirm={words.end}
        onConfirm={async () => {
          await endSession(api, asked?.id ?? "");
          sessions.reload();
        }}
        onClose={() => setEnded(undefined)}
      >
        {words.endLoses}
      </ConfirmDialog>
    </>
  );
}

function SessionTable({
  sessions,
  onEnd,
}: {
  sessions: readonly OpenSession[];
  onEnd: (session: OpenSession) => void;
}) {
  const words = useMessages(messages).session;
  return (
    <DataTable
      label={words.columns.account}
      rows={sessions}
      keyOf={({ id }) => id}
      empty={words.none}
      order={{ column: "seen", descending: true }}
      columns={[
        {
          key: "account",
          title: words.columns.account,
          sort: ({ account }) => account,
          cell: ({ account, current }) => (
            <span data-session={account}>
              <strong>{account}</strong>{" "}
              {current && (
                <Badge size="sm" variant="light" color="cyan">
                  {words.current}
                </Badge>
              )}
            </span>
          ),
        },
        {
          key: "client",
          title: words.columns.client,
          sort: ({ source }) => source,
          cell: ({ source, client }) => (
            <span title={client}>
              {source}
              <small className="under">{browserOf(client)}</small>
            </span>
          ),
        },
        {
          key: "signedIn",
          title: words.columns.signedIn,
          sort: ({ signedInAt }) => signedInAt,
          cell: ({ signedInAt }) => <Age at={Date.parse(signedInAt)} />,
        },
        {
          key: "seen",
          title: words.columns.seen,
          sort: ({ seenAt }) => seenAt,
          cell: ({ seenAt }) => <Age at={Date.parse(seenAt)} />,
        },
        {
          key: "expires",
          title: words.columns.expires,
          sort: ({ expiresAt }) => expiresAt,
          cell: ({ expiresAt }) => moment(Date.parse(expiresAt)),
        },
        {
          key: "actions",
          title: words.columns.actions,
          // The current session ends by signing out.
          cell: (session) =>
            !session.current && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${words.end}: ${session.account}, ${session.source}`}
                onClick={() => onEnd(session)}
              >
                {words.end}
              </Button>
            ),
        },
      ]}
    />
  );
}
