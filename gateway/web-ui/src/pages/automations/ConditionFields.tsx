import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import { CONDITION_KINDS } from "./api";
import type { ConditionDraft } from "./drafts";
import { ChoiceField, EndpointField, type Part } from "./fields";
import { messages } from "./messages";

/** The fields of one condition. */
export function ConditionFields({
  index,
  draft,
  change: changeAll,
  faultAt,
  endpoints,
}: Part & { index: number }) {
  const words = useMessages(messages);
  const condition = draft.conditions[index];
  if (condition === undefined) return null;
  const change = (part: Partial<ConditionDraft>) =>
    changeAll({
      conditions: draft.conditions.map((one, i) => (i === index ? { ...one, ...part } : one)),
    });
  const at = (member: string) => faultAt(`conditions[${index}].${member}`);
  const resources = endpoints.find(({ ep }) => ep === condition.ep)?.resources ?? [];
  const number = (member: "above" | "below" | "hysteresis" | "perSeconds" | "seconds") => (
    <TextInput
      label={words.field[member]}
      inputMode="decimal"
      autoComplete="off"
      {...(member === "hysteresis" ? { description: words.help.hysteresis } : {})}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={condition[member]}
      error={at(member)}
      onChange={(event) => change({ [member]: event.currentTarget.value })}
    />
  );
  return (
    <fieldset className="field-group automation-item" data-condition={index}>
      <legend>{words.condition(index + 1)}</legend>
      <div className="form-grid">
        <EndpointField
          value={condition.ep}
          endpoints={endpoints}
          error={at("ep")}
          onChange={(ep) => {
            const offered = endpoints.find((one) => one.ep === ep)?.resources ?? [];
            const kept = offered.some(({ path }) => path === condition.path);
            change({ ep, path: kept ? condition.path : (offered[0]?.path ?? "") });
          }}
        />
        <ChoiceField
          label={words.field.path}
          value={condition.path}
          offered={resources.map(({ path }) => path)}
          error={at("path")}
          onChange={(path) => change({ path })}
        />
        <NativeSelect
          label={words.field.kind}
          value={condition.kind}
          error={at("kind")}
          onChange={(event) =>
            change({ kind: event.currentTarget.value as ConditionDraft["kind"] })
          }
          data={CONDITION_KINDS.map((value) => ({ value, label: words.conditionKind[value] }))}
        />
        {condition.kind === "age" && number("seconds")}
        {condition.kind === "rate" && number("perSeconds")}
        {condition.kind !== "age" && (
          <>
            {number("above")}
            {number("below")}
            {number("hysteresis")}
            <TextInput
              label={words.field.unit}
              description={words.help.unit}
              inputWrapperOrder={["label", "input", "description", "error"]}
              autoComplete="off"
              value={condition.unit}
              error={at("unit")}
              onChange={(event) => change({ unit: event.currentTarget.value })}
            />
          </>
        )}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={words.removeCondition(index + 1)}
        onClick={() => changeAll({ conditions: draft.conditions.filter((_, i) => i !== index) })}
      >
        {words.remove}
      </Button>
    </fieldset>
  );
}
