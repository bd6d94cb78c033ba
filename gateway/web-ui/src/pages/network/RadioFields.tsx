import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import { fieldsOf, isKind, type RadioDraft } from "./settingsDraft";
import { settingsMessages } from "./settingsMessages";
import { RADIO_KINDS } from "./stored";

const DEFAULTS = { port: "17754", device: "/dev/ttyUSB0", baud: "115200", host: "localhost" };

/** One radio: its kind, and the fields of that kind. */
export function RadioFields({
  number,
  radio,
  faultAt,
  onChange,
  onRemove,
}: {
  number: number;
  radio: RadioDraft;
  faultAt: (field: string) => string | undefined;
  onChange: (radio: RadioDraft) => void;
  onRemove: () => void;
}) {
  const words = useMessages(settingsMessages);
  return (
    <div className="form-grid" role="group" aria-label={words.radio(number)} data-radio={number}>
      <NativeSelect
        label={words.field.kind}
        value={radio.kind}
        error={faultAt("kind")}
        data={RADIO_KINDS.map((value) => ({ value, label: words.kind[value] }))}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (isKind(value)) onChange({ ...radio, kind: value });
        }}
      />
      {fieldsOf(radio.kind).map((field) => (
        <TextInput
          key={field}
          label={words.field[field]}
          placeholder={DEFAULTS[field]}
          autoComplete="off"
          spellCheck={false}
          value={radio[field]}
          error={faultAt(field)}
          onChange={(event) => onChange({ ...radio, [field]: event.currentTarget.value })}
        />
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={words.removeRadio(number)}
          onClick={onRemove}
        >
          {words.removeRadio(number)}
        </Button>
      </div>
    </div>
  );
}
