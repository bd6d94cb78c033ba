import { Button, NativeSelect, TextInput, Textarea } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import { ACTION_KINDS, type Choices } from "./api";
import type { ActionDraft } from "./drafts";
import { ChoiceField, EndpointField, type Part } from "./fields";
import { messages } from "./messages";

/** The fields of one action. */
export function ActionFields({
  index,
  choices,
  ...part
}: Part & { index: number; choices: Choices | undefined }) {
  const { draft, change: changeAll, faultAt } = part;
  const words = useMessages(messages);
  const action = draft.actions[index];
  if (action === undefined) return null;
  const change = (fields: Partial<ActionDraft>) =>
    changeAll({
      actions: draft.actions.map((one, i) => (i === index ? { ...one, ...fields } : one)),
    });
  const at = (member: string) => faultAt(`actions[${index}].${member}`);
  const inputs = { action, change, at };
  return (
    <fieldset className="field-group automation-item" data-action={index}>
      <legend>{words.action(index + 1)}</legend>
      <div className="form-grid">
        <NativeSelect
          label={words.field.kind}
          value={action.kind}
          error={at("kind")}
          {...(action.kind === "command" && choices?.commands === false
            ? { description: words.noKey }
            : {})}
          inputWrapperOrder={["label", "input", "description", "error"]}
          onChange={(event) =>
            change({ kind: event.currentTarget.value as ActionDraft["kind"], destination: "" })
          }
          data={ACTION_KINDS.map((value) => ({ value, label: words.actionKind[value] }))}
        />
        {action.kind === "command" && <CommandInputs {...inputs} endpoints={part.endpoints} />}
        {action.kind === "webhook" && (
          <>
            <Destination
              {...inputs}
              label={words.field.webhook}
              offered={choices?.webhooks ?? []}
              none={words.noWebhooks}
            />
            <TextInput
              label={words.field.text}
              description={words.help.text}
              inputWrapperOrder={["label", "input", "description", "error"]}
              maxLength={200}
              value={action.text}
              error={at("text")}
              onChange={(event) => change({ text: event.currentTarget.value })}
            />
          </>
        )}
        {action.kind === "mqtt" && (
          <>
            <Destination
              {...inputs}
              label={words.field.broker}
              offered={choices?.brokers ?? []}
              none={words.noBrokers}
            />
            <TextInput
              label={words.field.topic}
              maxLength={255}
              autoComplete="off"
              value={action.topic}
              error={at("topic")}
              onChange={(event) => change({ topic: event.currentTarget.value })}
            />
            <Textarea
              label={words.field.payload}
              rows={2}
              maxLength={1024}
              value={action.payload}
              error={at("payload")}
              onChange={(event) => change({ payload: event.currentTarget.value })}
            />
          </>
        )}
      </div>
      {draft.actions.length > 1 && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={words.removeAction(index + 1)}
          onClick={() => changeAll({ actions: draft.actions.filter((_, i) => i !== index) })}
        >
          {words.remove}
        </Button>
      )}
    </fieldset>
  );
}

interface Inputs {
  action: ActionDraft;
  change: (fields: Partial<ActionDraft>) => void;
  at: (member: string) => string | undefined;
}

function Destination({
  action,
  change,
  at,
  label,
  offered,
  none,
}: Inputs & { label: string; offered: readonly string[]; none: string }) {
  return (
    <ChoiceField
      label={label}
      description={offered.length === 0 ? none : undefined}
      value={action.destination}
      offered={offered}
      error={at("destination")}
      onChange={(destination) => change({ destination })}
    />
  );
}

function CommandInputs({ action, change, at, endpoints }: Inputs & Pick<Part, "endpoints">) {
  const words = useMessages(messages);
  const resources = (ep: string) =>
    endpoints.find((one) => one.ep === ep)?.resources.filter(({ writable }) => writable) ?? [];
  const offered = resources(action.ep);
  const control = offered.find(({ path }) => path === action.path)?.control;
  return (
    <>
      <EndpointField
        value={action.ep}
        endpoints={endpoints}
        error={at("ep")}
        onChange={(ep) => change({ ep, path: resources(ep)[0]?.path ?? "", value: "" })}
      />
      <ChoiceField
        label={words.field.path}
        description={action.ep !== "" && offered.length === 0 ? words.noWritable : undefined}
        value={action.path}
        offered={offered.map(({ path }) => path)}
        error={at("path")}
        onChange={(path) => change({ path, value: "" })}
      />
      {control !== undefined && control.values.length > 0 ? (
        <ChoiceField
          label={words.field.value}
          value={action.value}
          offered={control.values.map(String)}
          error={at("value")}
          onChange={(value) => change({ value })}
        />
      ) : (
        <TextInput
          label={words.field.value}
          autoComplete="off"
          maxLength={200}
          value={action.value}
          error={at("value")}
          onChange={(event) => change({ value: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={words.field.expiresSeconds}
        inputMode="numeric"
        autoComplete="off"
        value={action.expiresSeconds}
        error={at("expiresSeconds")}
        onChange={(event) => change({ expiresSeconds: event.currentTarget.value })}
      />
    </>
  );
}
