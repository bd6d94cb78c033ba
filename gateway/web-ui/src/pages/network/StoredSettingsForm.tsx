import { Button, NativeSelect, PasswordInput, Text, Textarea, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { fieldFault } from "../../gateway/fieldFault";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { RadioFields } from "./RadioFields";
import {
  bodyOf,
  draftOf,
  faultsOf,
  fieldsOf,
  LEVELS,
  linesOf,
  NEW_RADIO,
  type Draft,
} from "./settingsDraft";
import { settingsMessages } from "./settingsMessages";
import { putNetworkSettings, type Member, type Shown } from "./stored";

/** Stores radios, filter rules and link key. Members in the settings file stay as stored. */
export function StoredSettingsForm({
  edited: { settings, tag, origins },
  onClose,
  onSaved,
}: {
  edited: Shown;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(settingsMessages);
  const [draft, setDraft] = useState(() => draftOf(settings.stored));
  const [sent, setSent] = useState(false);
  const keyStored = settings.stored?.linkSecurity !== undefined;
  const faults = faultsOf(draft, keyStored);
  const save = useAction(async () => {
    await putNetworkSettings(api, bodyOf(draft), tag);
    onSaved();
    onClose();
  });
  const refused = fieldFault(save.problem, fieldsIn(draft));
  const change = (part: Partial<Draft>) => {
    save.forget();
    setDraft((before) => ({ ...before, ...part }));
  };
  const faultAt = (field: string): string | undefined => {
    const own = faults.get(field);
    if (sent && own !== undefined) return words.fault[own];
    return refused?.field === field ? refused.fault : undefined;
  };
  const inFile = (member: Member) => settings.fileMembers.includes(member);
  const whereOf = (member: Member) => {
    const { source, place } = origins[member];
    const name = words.source[source];
    return words.fromFile(place === undefined ? name : `${name}: ${place}`);
  };
  const ruleFault = linesOf(draft.filter)
    .map((_, at) => ({ at, fault: faultAt(`filter[${at}]`) }))
    .find(({ fault }) => fault !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (faults.size === 0) void save.run();
  };
  return (
    <form
      className="dialog"
      data-dialog
      onSubmit={submit}
      noValidate
      autoComplete="off"
      data-form="network-settings"
    >
      {refused === undefined && <ErrorAlert problem={save.problem} />}
      <fieldset className="field-group">
        <legend>{words.member.radios}</legend>
        {inFile("radios") ? (
          <Text size="sm" c="dimmed">
            {whereOf("radios")}
          </Text>
        ) : (
          <>
            {draft.radios.map((radio, at) => (
              <RadioFields
                key={at}
                number={at + 1}
                radio={radio}
                faultAt={(field) => faultAt(`radios[${at}].${field}`)}
                onChange={(changed) =>
                  change({ radios: draft.radios.map((one, i) => (i === at ? changed : one)) })
                }
                onRemove={() => change({ radios: draft.radios.filter((_, i) => i !== at) })}
              />
            ))}
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => change({ radios: [...draft.radios, NEW_RADIO] })}
            >
              {words.addRadio}
            </Button>
          </>
        )}
      </fieldset>
      <Textarea
        label={words.member.filter}
        description={inFile("filter") ? whereOf("filter") : words.filterHelp}
        disabled={inFile("filter")}
        placeholder="allow in udp 5683-5684"
        rows={4}
        spellCheck={false}
        value={draft.filter}
        error={
          ruleFault === undefined
            ? faultAt("filter")
            : words.rule(ruleFault.at + 1, ruleFault.fault ?? "")
        }
        onChange={(event) => change({ filter: event.currentTarget.value })}
      />
      {inFile("linkSecurity") ? (
        <fieldset className="field-group">
          <legend>{words.member.linkSecurity}</legend>
          <Text size="sm" c="dimmed">
            {whereOf("linkSecurity")}
          </Text>
        </fieldset>
      ) : (
        <LinkKey draft={draft} keyStored={keyStored} faultAt={faultAt} onChange={change} />
      )}
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

/** Every field, by the name that refusals of the API use. */
function fieldsIn({ radios, filter }: Draft): string[] {
  return [
    ...radios.flatMap(({ kind }, at) =>
      ["kind", ...fieldsOf(kind)].map((field) => `radios[${at}].${field}`),
    ),
    "filter",
    ...linesOf(filter).map((_, at) => `filter[${at}]`),
    "linkSecurity",
    ...["key", "level", "keyIndex"].map((field) => `linkSecurity.${field}`),
  ];
}

function LinkKey({
  draft: { secured, key, level, keyIndex },
  keyStored,
  faultAt,
  onChange,
}: {
  draft: Draft;
  keyStored: boolean;
  faultAt: (field: string) => string | undefined;
  onChange: (part: Partial<Draft>) => void;
}) {
  const words = useMessages(settingsMessages);
  return (
    <>
      <NativeSelect
        label={words.linkSecurity}
        value={secured ? "on" : "off"}
        error={faultAt("linkSecurity")}
        data={[
          { value: "off", label: words.off },
          { value: "on", label: words.on },
        ]}
        onChange={(event) => onChange({ secured: event.currentTarget.value === "on" })}
      />
      {secured && (
        <NativeSelect
          label={words.levelLabel}
          value={level}
          error={faultAt("linkSecurity.level")}
          data={LEVELS.map((value) => ({ value, label: words.level[value] }))}
          onChange={(event) => onChange({ level: event.currentTarget.value })}
        />
      )}
      {secured && (
        <div className="form-grid">
          <PasswordInput
            label={words.key}
            description={keyStored ? `${words.keyHelp} ${words.keyStays}` : words.keyHelp}
            // Otherwise browsers offer the account's password.
            autoComplete="new-password"
            spellCheck={false}
            value={key}
            error={faultAt("linkSecurity.key")}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
          <TextInput
            label={words.keyIndex}
            description={words.keyIndexHelp}
            inputMode="numeric"
            value={keyIndex}
            error={faultAt("linkSecurity.keyIndex")}
            onChange={(event) => onChange({ keyIndex: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}
