import { Button, Modal, NativeSelect, Switch, TextInput } from "@mantine/core";
import { useMemo, useState, type FormEvent } from "react";
import { fieldFault } from "../../gateway/fieldFault";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { idOf } from "../../text/ids";
import { ActionFields } from "./ActionFields";
import { putAutomation, type Choices } from "./api";
import { ConditionFields } from "./ConditionFields";
import {
  faultsOf,
  fieldsOf,
  newAction,
  newCondition,
  settingsOf,
  type AutomationDraft,
  type Edited,
} from "./drafts";
import { DryRunPanel } from "./DryRunPanel";
import { endpointsOf, type Part } from "./fields";
import { messages } from "./messages";
import { ScheduleFields } from "./ScheduleFields";

const MAX_CONDITIONS = 8;
const MAX_ACTIONS = 4;

interface Props {
  domains: readonly Choices[];
  taken: readonly string[];
  onClose: () => void;
  onSaved: () => void;
}

export function AutomationDialog({
  edited,
  ...props
}: Props & {
  edited: Edited | undefined;
}) {
  const words = useMessages(messages);
  const shown = useLast(edited);
  return (
    <Modal
      opened={edited !== undefined}
      onClose={props.onClose}
      size="xl"
      title={shown?.tag === undefined ? words.addTitle : words.editTitle(shown.draft.name)}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {edited !== undefined && <AutomationForm edited={edited} {...props} />}
    </Modal>
  );
}

/** The form of a new or existing automation. Faults appear at their fields after submission. */
function AutomationForm({ edited, domains, taken, onClose, onSaved }: Props & { edited: Edited }) {
  const { api, store } = useGateway();
  const words = useMessages(messages);
  const [draft, setDraft] = useState(edited.draft);
  const [sent, setSent] = useState(false);
  const isNew = edited.tag === undefined;
  const endpoints = useMemo(
    () => endpointsOf(store.getSnapshot().endpoints, draft.d),
    [store, draft.d],
  );
  const settings = () =>
    settingsOf(
      draft,
      (ep, path) =>
        endpoints.find((one) => one.ep === ep)?.resources.find((one) => one.path === path)?.control,
    );
  const save = useAction(async () => {
    await putAutomation(api, draft.id, settings(), edited.tag);
    onSaved();
    onClose();
  });
  const faults = faultsOf(draft);
  if (isNew && taken.includes(draft.id)) faults["id"] = "taken";
  const refused = fieldFault(save.problem, fieldsOf(draft));
  const change = (part: Partial<AutomationDraft>) => {
    save.forget();
    setDraft((before) => ({ ...before, ...part }));
  };
  const faultAt = (field: string): string | undefined => {
    if (refused?.field === field) return refused.fault;
    const fault = faults[field];
    return sent && fault !== undefined ? words.fault[fault] : undefined;
  };
  const part: Part = { draft, change, faultAt, endpoints };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.keys(faults).length === 0) void save.run();
  };
  const listFault = faultAt("conditions") ?? faultAt("actions") ?? faultAt("schedule");
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="automation">
      {refused === undefined && <ErrorAlert problem={save.problem} />}
      {listFault !== undefined && (
        <p className="automation-fault" role="alert">
          {listFault}
        </p>
      )}
      <div className="form-grid">
        <TextInput
          label={words.field.name}
          data-autofocus
          value={draft.name}
          maxLength={100}
          autoComplete="off"
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
          autoComplete="off"
          error={faultAt("id")}
          onChange={(event) => change({ id: event.currentTarget.value })}
        />
        {(domains.length > 1 || !domains.some(({ d }) => d === draft.d)) && (
          <NativeSelect
            label={words.field.d}
            value={draft.d}
            error={faultAt("d")}
            onChange={(event) => change({ d: event.currentTarget.value })}
            data={[...new Set([...domains.map(({ d }) => d), draft.d])].map((value) => ({
              value,
              label: value === "-" ? words.namelessDomain : value,
            }))}
          />
        )}
      </div>
      <h3 className="automation-part">{words.when}</h3>
      {draft.conditions.length > 1 && (
        <NativeSelect
          label={words.field.match}
          value={draft.match}
          onChange={(event) =>
            change({ match: event.currentTarget.value === "any" ? "any" : "all" })
          }
          data={[
            { value: "all", label: words.matches.all },
            { value: "any", label: words.matches.any },
          ]}
        />
      )}
      {draft.conditions.map((one, i) => (
        <ConditionFields key={one.key} index={i} {...part} />
      ))}
      <Button
        variant="default"
        className="automation-add"
        disabled={draft.conditions.length >= MAX_CONDITIONS}
        onClick={() => {
          const last = draft.conditions.at(-1);
          change({ conditions: [...draft.conditions, newCondition(last?.ep, "")] });
        }}
      >
        {words.addCondition}
      </Button>
      <ScheduleFields {...part} />
      <div className="form-grid automation-times">
        {(["holdSeconds", "cooldownSeconds", "maxRunsPerHour"] as const).map((field) => (
          <TextInput
            key={field}
            label={words.field[field]}
            {...(field === "maxRunsPerHour" ? { description: words.help.max } : {})}
            inputWrapperOrder={["label", "input", "description", "error"]}
            inputMode="numeric"
            autoComplete="off"
            value={draft[field]}
            error={faultAt(field)}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        ))}
      </div>
      <h3 className="automation-part">{words.then}</h3>
      {draft.actions.map((one, i) => (
        <ActionFields
          key={one.key}
          index={i}
          choices={domains.find(({ d }) => d === draft.d)}
          {...part}
        />
      ))}
      <Button
        variant="default"
        className="automation-add"
        disabled={draft.actions.length >= MAX_ACTIONS}
        onClick={() => change({ actions: [...draft.actions, newAction()] })}
      >
        {words.addAction}
      </Button>
      <DryRunPanel draft={draft} settings={settings} ready={Object.keys(faults).length === 0} />
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
