import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import type { AlarmKind } from "../../gateway/alarmKinds";
import { fieldFault } from "../../gateway/fieldFault";
import { useDomainNames } from "../../hooks/domains";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { TagField } from "../../parts/TagField";
import { useMessages } from "../../hooks/messages";
import { alarmKindName, alarmKindText } from "../../text/alarmKinds";
import { idOf } from "../../text/ids";
import { SEVERITIES, putRule, type Rule, type Severity } from "./api";
import { messages } from "./messages";
import {
  faultsOf,
  hasDomain,
  hasEndpoint,
  hasPath,
  settingsOf,
  type Edited,
  type KindFields,
  type RuleDraft,
  type RuleField,
} from "./rules";

/** A kind that this gateway no longer has needs no limits. */
const NO_FIELDS: KindFields = { watches: "gateway" };

/** The form of a new or existing rule. Faults appear at their fields after submission. */
export function RuleForm({
  edited,
  kinds,
  taken,
  onClose,
  onSaved,
}: {
  edited: Edited;
  kinds: readonly AlarmKind[];
  taken: ReadonlySet<string>;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [draft, setDraft] = useState(edited.draft);
  const [sent, setSent] = useState(false);
  const fields = kinds.find(({ kind }) => kind === draft.kind) ?? NO_FIELDS;
  const isNew = edited.tag === undefined;
  const save = useAction(async () => {
    await putRule(api, draft.id, settingsOf(draft, fields), edited.tag);
    onSaved();
    onClose();
  });
  const faults = faultsOf(draft, fields);
  if (isNew && taken.has(draft.id)) faults.id = "taken";
  const refused = fieldFault(save.problem, Object.keys(draft));
  const change = (part: Partial<RuleDraft>) => {
    save.forget();
    setDraft((before) => ({ ...before, ...part }));
  };
  const faultAt = (field: RuleField): string | undefined => {
    if (refused?.field === field) return refused.fault;
    const fault = faults[field];
    return sent && fault !== undefined ? words.fault[fault] : undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.keys(faults).length === 0) void save.run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="rule">
      {refused === undefined && <ErrorAlert problem={save.problem} />}
      <div className="form-grid">
        <NativeSelect
          label={words.field.kind}
          value={draft.kind}
          disabled={!isNew}
          data-autofocus={isNew || undefined}
          error={faultAt("kind")}
          onChange={(event) =>
            change({ kind: event.currentTarget.value as Rule["kind"], unit: "" })
          }
          data={kinds.map(({ kind }) => ({ value: kind, label: alarmKindName(kinds, kind) }))}
        />
        <NativeSelect
          label={words.field.severity}
          value={draft.severity}
          error={faultAt("severity")}
          onChange={(event) => change({ severity: event.currentTarget.value as Severity })}
          data={SEVERITIES.map((value) => ({ value, label: words.severity[value] }))}
        />
        <TextInput
          label={words.field.name}
          value={draft.name}
          maxLength={200}
          error={faultAt("name")}
          onChange={(event) => {
            const name = event.currentTarget.value;
            const follows = isNew && draft.id === idOf(draft.name);
            change({ name, ...(follows ? { id: idOf(name) } : {}) });
          }}
        />
        <TextInput
          label={words.field.id}
          description={words.help.id}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={draft.id}
          disabled={!isNew}
          error={faultAt("id")}
          onChange={(event) => change({ id: event.currentTarget.value })}
        />
        <Where fields={fields} draft={draft} change={change} faultAt={faultAt} />
        <Limits
          fields={fields}
          measure={alarmKindText(kinds, draft.kind)?.measure ?? ""}
          draft={draft}
          change={change}
          faultAt={faultAt}
        />
        <Field
          field="holdSeconds"
          description={words.help.hold}
          draft={draft}
          change={change}
          faultAt={faultAt}
        />
        <Field
          field="clearSeconds"
          description={words.help.clear}
          draft={draft}
          change={change}
          faultAt={faultAt}
        />
      </div>
      <Switch
        color="cyan.9"
        label={words.field.enabled}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

interface Part {
  draft: RuleDraft;
  change: (part: Partial<RuleDraft>) => void;
  faultAt: (field: RuleField) => string | undefined;
}

/** One text field; its placeholder explains an empty value. */
function Field({
  field,
  description,
  draft,
  change,
  faultAt,
}: Part & { field: Exclude<RuleField, "enabled" | "tags">; description?: ReactNode }) {
  const words = useMessages(messages);
  return (
    <TextInput
      label={words.field[field]}
      {...(description === undefined || description === "" ? {} : { description })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={draft[field]}
      error={faultAt(field)}
      autoComplete="off"
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
}

function Where({ fields, draft, change, faultAt }: Part & { fields: KindFields }) {
  const words = useMessages(messages);
  const domains = useDomainNames();
  const names = [...new Set([...domains, ...(draft.d === "" ? [] : [draft.d])])];
  return (
    <>
      {hasDomain(fields) && (
        <NativeSelect
          label={words.field.d}
          value={draft.d}
          error={faultAt("d")}
          onChange={(event) => change({ d: event.currentTarget.value })}
          data={[
            { value: "", label: words.everyDomain },
            ...names.map((value) => ({
              value,
              label: value === "-" ? words.namelessDomain : value,
            })),
          ]}
        />
      )}
      {hasEndpoint(fields) && (
        <Field
          field="ep"
          description={fields.watches === "endpoint-or-all" ? words.help.epOrAll : words.help.ep}
          draft={draft}
          change={change}
          faultAt={faultAt}
        />
      )}
      {hasEndpoint(fields) && (
        <TagField
          label={words.field.tags}
          description={words.help.tags}
          value={draft.tags}
          error={faultAt("tags")}
          onChange={(tags) => change({ tags })}
        />
      )}
      {hasPath(fields) && (
        <Field
          field="path"
          description={words.help.path}
          draft={draft}
          change={change}
          faultAt={faultAt}
        />
      )}
    </>
  );
}

function Limits({
  fields,
  measure,
  draft,
  change,
  faultAt,
}: Part & { fields: KindFields; measure: string }) {
  const words = useMessages(messages);
  const parts = { draft, change, faultAt };
  return (
    <>
      {fields.above !== undefined && <Field field="above" description={measure} {...parts} />}
      {fields.below !== undefined && <Field field="below" description={measure} {...parts} />}
      {fields.units?.length === 0 && (
        <Field field="unit" description={words.help.unit} {...parts} />
      )}
      {fields.units !== undefined && fields.units.length > 0 && (
        <NativeSelect
          label={words.field.unit}
          value={draft.unit}
          error={faultAt("unit")}
          onChange={(event) => change({ unit: event.currentTarget.value })}
          data={["", ...fields.units]}
        />
      )}
      {hasPath(fields) && (
        <Field field="hysteresis" description={words.help.hysteresis} {...parts} />
      )}
    </>
  );
}
