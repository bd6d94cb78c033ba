import { Badge, Button, Skeleton, Switch } from "@mantine/core";
import { useState } from "react";
import type { AlarmKind } from "../../gateway/alarmKinds";
import { useAlarmKinds } from "../../hooks/alarmKinds";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast, useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { hasRole } from "../../gateway/roles";
import { alarmKindText } from "../../text/alarmKinds";
import { SeverityBadge } from "./AlarmTable";
import { listRules, putRule, readRule, removeRule, type Rule } from "./api";
import { conditionText } from "./condition";
import { messages } from "./messages";
import { operates } from "./rights";
import { RuleDialog } from "./RuleDialog";
import { draftOf, newDraft, settingsOfRule, type Edited } from "./rules";

/** The rules that raise alarms: listed, added, changed, switched off, removed. */
export function RuleList() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const session = useSession();
  const operator = hasRole(session, "operator");
  const { data: kinds, problem: unknownKinds } = useAlarmKinds();
  const { data: rules, problem: unlisted, reload } = useLoaded("rules", () => listRules(api));
  const problem = unlisted ?? unknownKinds;
  const [edited, setEdited] = useState<Edited>();
  const [removed, setRemoved] = useState<Rule>();
  const edit = useAction(async (id: string) => {
    const { rule, tag } = await readRule(api, id);
    setEdited({ draft: draftOf(rule), tag });
  });
  const toggle = useAction(async ({ id, enabled }: Rule) => {
    const { rule, tag } = await readRule(api, id);
    await putRule(api, id, { ...settingsOfRule(rule), enabled: !enabled }, tag);
    reload();
  });
  const asked = useLast(removed);
  const restores = asked !== undefined && isChangedDefault(asked, kinds ?? []);
  return (
    <>
      <ErrorAlert problem={problem ?? edit.problem ?? toggle.problem} />
      {operator && kinds !== undefined && (
        <Button
          className="main-button"
          color="cyan.9"
          onClick={() => setEdited({ draft: newDraft() })}
        >
          {words.addRule}
        </Button>
      )}
      {rules === undefined || kinds === undefined ? (
        problem === undefined && <Skeleton height={300} radius="md" />
      ) : (
        <RuleTable
          rules={rules}
          kinds={kinds}
          busy={toggle.busy || edit.busy}
          mayOperate={({ d }) => operates(session, d === "-" ? "" : d)}
          onToggle={(rule) => void toggle.run(rule)}
          onEdit={(rule) => void edit.run(rule.id)}
          onRemove={setRemoved}
        />
      )}
      <RuleDialog
        edited={edited}
        kinds={kinds ?? []}
        taken={new Set(rules?.map(({ id }) => id))}
        onClose={() => setEdited(undefined)}
        onSaved={reload}
      />
      <ConfirmDialog
        opened={removed !== undefined}
        title={(restores ? words.restoreTitle : words.removeTitle)(asked?.name ?? "")}
        confirm={restores ? words.restore : words.remove}
        onConfirm={async () => {
          await removeRule(api, asked?.id ?? "");
          reload();
        }}
        onClose={() => setRemoved(undefined)}
      >
        {restores ? words.restoreLoses : words.removeLoses}
      </ConfirmDialog>
    </>
  );
}

/** Default rules have the names of their kinds; removing a change brings the default back. */
function isChangedDefault(rule: Rule, kinds: readonly AlarmKind[]): boolean {
  return (
    rule.source === "store" &&
    kinds.some(({ kind, defaultRule }) => kind === rule.id && defaultRule !== undefined)
  );
}

function RuleTable({
  rules,
  kinds,
  busy,
  mayOperate,
  onToggle,
  onEdit,
  onRemove,
}: {
  rules: readonly Rule[];
  kinds: readonly AlarmKind[];
  busy: boolean;
  mayOperate: (rule: Rule) => boolean;
  onToggle: (rule: Rule) => void;
  onEdit: (rule: Rule) => void;
  onRemove: (rule: Rule) => void;
}) {
  const words = useMessages(messages);
  return (
    <DataTable
      label={words.rules}
      rows={rules}
      keyOf={(rule) => rule.id}
      columns={[
        {
          key: "name",
          title: words.ruleColumns.name,
          sort: (rule) => rule.name,
          cell: (rule) => (
            <span data-rule={rule.id} className={rule.enabled ? undefined : "stale"}>
              {rule.name}
              <small className="under">
                {rule.id}
                {!rule.enabled && `, ${words.switchedOff}`}{" "}
                {isChangedDefault(rule, kinds) && (
                  <Badge size="xs" variant="light" color="cyan">
                    {words.changed}
                  </Badge>
                )}
              </small>
            </span>
          ),
        },
        {
          key: "raises",
          title: words.ruleColumns.raises,
          cell: (rule) => conditionText(rule, alarmKindText(kinds, rule.kind), words),
        },
        {
          key: "severity",
          title: words.ruleColumns.severity,
          sort: (rule) => rule.severity,
          cell: (rule) => <SeverityBadge severity={rule.severity} />,
        },
        {
          key: "enabled",
          title: words.ruleColumns.enabled,
          sort: (rule) => (rule.enabled ? 0 : 1),
          cell: (rule) => (
            <Switch
              color="cyan.9"
              checked={rule.enabled}
              disabled={busy || !mayOperate(rule)}
              aria-label={words.switchOn(rule.name)}
              onChange={() => onToggle(rule)}
            />
          ),
        },
        {
          key: "actions",
          title: words.ruleColumns.actions,
          cell: (rule) =>
            mayOperate(rule) && (
              <span className="row-actions">
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={busy}
                  aria-label={`${words.editRule}: ${rule.name}`}
                  onClick={() => onEdit(rule)}
                >
                  {words.editRule}
                </Button>
                {rule.source === "store" && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${isChangedDefault(rule, kinds) ? words.restore : words.remove}: ${rule.name}`}
                    onClick={() => onRemove(rule)}
                  >
                    {isChangedDefault(rule, kinds) ? words.restore : words.remove}
                  </Button>
                )}
              </span>
            ),
        },
      ]}
    />
  );
}
