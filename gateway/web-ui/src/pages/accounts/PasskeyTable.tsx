import { Button } from "@mantine/core";
import { Age } from "../../parts/Age";
import { DataTable } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { passkeyMessages } from "./passkeyMessages";
import type { Passkey } from "./passkeys";

/** Passkeys of one account, with the actions on each. */
export function PasskeyTable({
  passkeys,
  empty,
  onRename,
  onRemove,
}: {
  passkeys: readonly Passkey[];
  empty: string;
  /** Undefined: only their owner may rename them. */
  onRename?: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
}) {
  const words = useMessages(passkeyMessages);
  const button = (text: string, passkey: Passkey, onClick: (passkey: Passkey) => void) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${text}: ${passkey.name}`}
      onClick={() => onClick(passkey)}
    >
      {text}
    </Button>
  );
  return (
    <DataTable
      label={words.columns.name}
      rows={passkeys}
      keyOf={({ id }) => id}
      empty={empty}
      order={{ column: "made", descending: false }}
      columns={[
        {
          key: "name",
          title: words.columns.name,
          sort: ({ name }) => name,
          cell: ({ name, backedUp, regressedAt }) => (
            <span data-passkey-row={name}>
              <strong>{name}</strong>
              {backedUp && <small className="under">{words.synchronised}</small>}
              {regressedAt !== undefined && (
                <small className="under fault">
                  {words.copied(moment(Date.parse(regressedAt)))}
                </small>
              )}
            </span>
          ),
        },
        {
          key: "host",
          title: words.columns.host,
          sort: ({ host }) => host,
          cell: ({ host }) => host,
        },
        {
          key: "made",
          title: words.columns.made,
          sort: ({ createdAt }) => createdAt,
          cell: ({ createdAt }) => <Age at={Date.parse(createdAt)} />,
        },
        {
          key: "used",
          title: words.columns.used,
          sort: ({ usedAt }) => usedAt,
          cell: ({ usedAt }) =>
            usedAt === undefined ? (
              <span className="dimmed">{words.neverUsed}</span>
            ) : (
              <Age at={Date.parse(usedAt)} />
            ),
        },
        {
          key: "actions",
          title: words.columns.actions,
          cell: (passkey) => (
            <span className="row-actions">
              {onRename !== undefined && button(words.rename, passkey, onRename)}
              {button(words.remove, passkey, onRemove)}
            </span>
          ),
        },
      ]}
    />
  );
}
