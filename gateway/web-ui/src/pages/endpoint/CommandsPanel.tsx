import { Button, Title } from "@mantine/core";
import { useState } from "react";
import type { Command, Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { Age } from "../../parts/Age";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { DataTable, type Column } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { moment } from "../../text/format";
import { cancelCommand } from "./api";
import { Composer } from "./Composer";
import { commandMessages } from "./commandMessages";

/** The commands of an endpoint with their states, and the form for another one. */
export function CommandsPanel({ endpoint }: { endpoint: Endpoint }) {
  const texts = useMessages(commandMessages);
  const { api } = useGateway();
  const session = useSession();
  const operator = session.state === "signed-in" && hasRoleIn(session, "operator", endpoint.d);
  const [cancelling, setCancelling] = useState<Command>();
  const columns: Column<Command>[] = [
    {
      key: "seq",
      title: texts.commandNumber,
      number: true,
      cell: ({ seq }) => seq,
      sort: ({ seq }) => seq,
    },
    { key: "path", title: texts.commandPath, cell: ({ path }) => <bdi>{path}</bdi> },
    {
      key: "state",
      title: texts.commandState,
      cell: ({ state }) => (
        <span data-command-state={state}>{stateInWords(state, texts.states)}</span>
      ),
      sort: ({ state }) => state,
    },
    {
      key: "queued",
      title: texts.commandQueued,
      cell: ({ queuedAt }) => <Age at={queuedAt} />,
      sort: ({ queuedAt }) => queuedAt,
    },
    {
      key: "ended",
      title: texts.commandEnded,
      cell: ({ endedAt, expiresAt }) => {
        const at = endedAt ?? expiresAt;
        return at === undefined ? "–" : moment(at);
      },
    },
    {
      key: "by",
      title: texts.commandBy,
      cell: ({ by }) => <code title={by}>{by.slice(0, 8)}…</code>,
    },
    {
      key: "cancel",
      title: "",
      cell: (command) =>
        operator &&
        isPending(command) && (
          <Button size="compact-xs" variant="default" onClick={() => setCancelling(command)}>
            {texts.cancel}
          </Button>
        ),
    },
  ];
  if (endpoint.resources.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="commands">
      <Title order={2} size="h5" id="commands">
        {texts.commands}
      </Title>
      {endpoint.commands.length === 0 ? (
        <p className="dimmed">{texts.noCommands}</p>
      ) : (
        <DataTable
          label={texts.commands}
          columns={columns}
          rows={[...endpoint.commands].reverse()}
          keyOf={({ seq }) => String(seq)}
        />
      )}
      {operator && <Composer endpoint={endpoint} />}
      <ConfirmDialog
        opened={cancelling !== undefined}
        title={texts.cancelTitle(cancelling?.seq ?? 0)}
        confirm={texts.cancelConfirm}
        onClose={() => setCancelling(undefined)}
        onConfirm={async () => {
          if (cancelling !== undefined) await cancelCommand(api, endpoint.id, cancelling);
        }}
      >
        {texts.cancelWhat}
      </ConfirmDialog>
    </section>
  );
}

function isPending({ state }: Command): boolean {
  return state === "queued" || state === "fetched";
}

function stateInWords(state: string, words: Readonly<Record<string, string>>): string {
  return words[state] ?? state;
}
