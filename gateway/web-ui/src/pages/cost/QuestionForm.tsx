import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import { LEVELS, NEEDS, TRANSPORTS, type Question } from "./api";
import { costMessages } from "./messages";

const NUMBERS = ["payload", "hops", "wake", "battery"] as const;

/** The mote, its security, and the needs; each change sends a new request. */
export function QuestionForm({
  question,
  onChange,
}: {
  question: Question;
  onChange: (change: Partial<Question>) => void;
}) {
  const texts = useMessages(costMessages);
  return (
    <form className="cost-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>{texts.scenario}</legend>
        {NUMBERS.map((name) => (
          <TextInput
            key={name}
            label={texts[name]}
            inputMode="numeric"
            value={question[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
        <NativeSelect
          label={texts.peer}
          value={question.peer}
          data={[
            { value: "gateway", label: texts.peers.gateway },
            { value: "host", label: texts.peers.host },
          ]}
          onChange={(event) => onChange({ peer: event.currentTarget.value })}
        />
      </fieldset>
      <fieldset>
        <legend>{texts.security}</legend>
        <NativeSelect
          label={texts.level}
          value={question.level}
          data={LEVELS.map(String)}
          onChange={(event) => onChange({ level: event.currentTarget.value })}
        />
        <NativeSelect
          label={texts.transport}
          value={question.transport}
          data={TRANSPORTS.map((value) => ({ value, label: texts.transports[value] }))}
          onChange={(event) => onChange({ transport: event.currentTarget.value })}
        />
        <Checkbox
          label={texts.signed}
          checked={question.signed}
          onChange={(event) => onChange({ signed: event.currentTarget.checked })}
        />
      </fieldset>
      <fieldset>
        <legend>{texts.needs}</legend>
        {NEEDS.map((need) => (
          <Checkbox
            key={need}
            label={texts.need[need]}
            checked={question.needs.includes(need)}
            onChange={(event) =>
              onChange({
                needs: NEEDS.filter((one) =>
                  one === need ? event.currentTarget.checked : question.needs.includes(one),
                ),
              })
            }
          />
        ))}
      </fieldset>
    </form>
  );
}
