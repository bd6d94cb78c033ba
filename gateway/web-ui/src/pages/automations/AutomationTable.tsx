import { Badge, Button, Switch } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import { Age } from "../../parts/Age";
import { DataTable } from "../../parts/DataTable";
import type { Automation, State } from "./api";
import { messages } from "./messages";
import { actionWords, whenWords } from "./words";

const COLORS: Record<State, string> = {
  off: "gray",
  waiting: "teal",
  holding: "cyan",
  acted: "cyan",
  suspended: "red",
  stopped: "red",
};

export function AutomationTable({
  automations,
  busy,
  mayOperate,
  onSave,
  onEdit,
  onRuns,
  onRemove,
}: {
  automations: readonly Automation[];
  busy: boolean;
  mayOperate: (automation: Automation) => boolean;
  onSave: (automation: Automation, enabled: boolean) => void;
  onEdit: (automation: Automation) => void;
  onRuns: (automation: Automation) => void;
  onRemove: (automation: Automation) => void;
}) {
  const words = useMessages(messages);
  return (
    <div className="stacked">
      <DataTable
        label={words.title}
        rows={automations}
        keyOf={({ id }) => id}
        order={{ column: "name", descending: false }}
        columns={[
          {
            key: "name",
            title: words.columns.name,
            sort: ({ name }) => name,
            cell: ({ id, name, d, enabled }) => (
              <span data-automation={id} className={enabled ? undefined : "stale"}>
                {name}
                <small className="under">
                  {d === "-" ? id : `${id}, ${d}`}
                  {!enabled && `, ${words.switchedOff}`}
                </small>
              </span>
            ),
          },
          {
            key: "when",
            title: words.columns.when,
            cell: (automation) => whenWords(automation, words),
          },
          {
            key: "then",
            title: words.columns.then,
            cell: ({ actions }) => actions.map((one) => actionWords(one, words)).join("; "),
          },
          {
            key: "state",
            width: "9.5em",
            title: words.columns.state,
            sort: ({ status }) => status.state,
            cell: ({ status }) => (
              <span className="automation-state" data-state={status.state}>
                <Badge variant="light" color={COLORS[status.state]}>
                  {words.state[status.state]}
                </Badge>
                {status.problem !== undefined && (
                  <small className="under fault">{status.problem}</small>
                )}
              </span>
            ),
          },
          {
            key: "lastRun",
            width: "7.5em",
            title: words.columns.lastRun,
            sort: ({ status }) => status.lastRun ?? "",
            cell: ({ status }) => (
              <Age at={status.lastRun === undefined ? undefined : Date.parse(status.lastRun)} />
            ),
          },
          {
            key: "enabled",
            width: "5em",
            title: words.columns.enabled,
            sort: ({ enabled }) => (enabled ? 0 : 1),
            cell: (automation) => (
              <Switch
                color="cyan.9"
                checked={automation.enabled}
                disabled={busy || !mayOperate(automation)}
                aria-label={words.switchOn(automation.name)}
                onChange={() => onSave(automation, !automation.enabled)}
              />
            ),
          },
          {
            key: "actions",
            width: "19em",
            title: words.columns.actions,
            cell: (automation) => (
              <span className="row-actions">
                <RowButton
                  label={words.runs}
                  name={automation.name}
                  onClick={() => onRuns(automation)}
                />
                {mayOperate(automation) && (
                  <>
                    {automation.status.state === "suspended" && (
                      <RowButton
                        label={words.resume}
                        name={automation.name}
                        disabled={busy}
                        onClick={() => onSave(automation, true)}
                      />
                    )}
                    <RowButton
                      label={words.edit}
                      name={automation.name}
                      disabled={busy}
                      onClick={() => onEdit(automation)}
                    />
                    <RowButton
                      label={words.remove}
                      name={automation.name}
                      onClick={() => onRemove(automation)}
                    />
                  </>
                )}
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}

function RowButton({
  label,
  name,
  disabled = false,
  onClick,
}: {
  label: string;
  name: string;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={disabled}
      aria-label={`${label}: ${name}`}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
