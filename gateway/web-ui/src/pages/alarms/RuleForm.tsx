import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { fieldFault } from "../../gateway/fieldFault";
import { useDomainNames } from "../../hooks/domains";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { KINDS, SEVERITIES, putRule, type Kind, type Severity } from "./api";
import { messages } from "./messages";
import {
  FIELDS,
  faultsOf,
  idOf,
  settingsOf,
  type Edited,
  type RuleDraft,
  type RuleField,
} from "./rules";

/** The form of a new or a present rule. Faults appear at their fields once it was sent. */
export function RuleForm({
  edited,
  taken,
  onClose,
  onSaved,
}: {
  edited: Edited;
  taken: ReadonlySet<string>;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [draft, setDraft] = useState(edited.draft);
  const [sent, setSent] = useState(false);
  const isNew = edited.tag === undefined;
  const save = useAction(async () => {
    await putRule(api, draft.id, settingsOf(draft), edited.tag);
    onSaved();
    onClose();
  });
  const faults = faultsOf(draft);
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
          onChange={(event) => change({ kind: event.currentTarget.value as Kind, unit: "" })}
          data={KINDS.map((value) => ({ value, label: words.kind[value] }))}
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
        <Where draft={draft} change={change} faultAt={faultAt} />
        <Limits draft={draft} change={change} faultAt={faultAt} />
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

/** One text field; its placeholder says what its absence means. */
function Field({
  field,
  description,
  draft,
  change,
  faultAt,
}: Part & { field: Exclude<RuleField, "enabled">; description?: ReactNode }) {
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

function Where({ draft, change, faultAt }: Part) {
  const words = useMessages(messages);
  const domains = useDomainNames();
  const fields = FIELDS[draft.kind];
  const names = [...new Set([...domains, ...(draft.d === "" ? [] : [draft.d])])];
  return (
    <>
      {fields.domain && (
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
      {fields.endpoint && (
        <Field
          field="ep"
          description={draft.kind === "rejections" ? words.help.epRejections : words.help.ep}
          draft={draft}
          change={change}
          faultAt={faultAt}
        />
      )}
      {fields.path && (
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

function Limits({ draft, change, faultAt }: Part) {
  const words = useMessages(messages);
  const fields = FIELDS[draft.kind];
  const measure = words.measure[draft.kind];
  const parts = { draft, change, faultAt };
  return (
    <>
      {fields.above !== undefined && <Field field="above" description={measure} {...parts} />}
      {fields.below !== undefined && <Field field="below" description={measure} {...parts} />}
      {fields.unit === "any" && <Field field="unit" description={words.help.unit} {...parts} />}
      {fields.unit !== undefined && fields.unit !== "any" && (
        <NativeSelect
          label={words.field.unit}
          value={draft.unit}
          error={faultAt("unit")}
          onChange={(event) => change({ unit: event.currentTarget.value })}
          data={["", ...fields.unit]}
        />
      )}
      {fields.hysteresis && (
        <Field field="hysteresis" description={words.help.hysteresis} {...parts} />
      )}
    </>
  );
}
