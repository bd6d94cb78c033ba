import { Input, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useId } from "react";
import type { Control } from "../../gateway/model";
import { useMessages } from "../../hooks/messages";
import { decimal, unitInWords } from "../../text/format";
import { commandMessages } from "./commandMessages";
import { positions, type Fault } from "./control";

interface Props {
  control: Control;
  /** SenML unit of the last value; empty if it is unknown. */
  unit: string;
  value: string;
  fault: Fault | undefined;
  onChange: (value: string) => void;
}

const EXACT = { maximumFractionDigits: 20 };

/** The field for the value of a command, in the form that its resource takes. */
export function ValueField({ control, unit, value, fault, onChange }: Props) {
  const texts = useMessages(commandMessages);
  const written = (number: number | undefined) =>
    number === undefined ? "" : decimal(number, EXACT);
  const limits = {
    minimum: written(control.minimum),
    maximum: written(control.maximum),
    step: written(control.multipleOf),
    unit: unitInWords(unit),
  };
  const error = fault !== undefined && texts.valueFaults[fault](limits);
  switch (control.kind) {
    case "switch":
      return <SwitchField control={control} value={value} error={error} onChange={onChange} />;
    case "choice":
      return (
        <NativeSelect
          label={texts.composeValue}
          value={value}
          data={[{ value: "", label: texts.composeChooseValue }, ...control.values.map(String)]}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "number":
      return (
        <NumberField
          control={control}
          unit={unitInWords(unit)}
          hint={texts.composeNumberHint(limits)}
          value={value}
          error={error}
          onChange={onChange}
        />
      );
    case "text":
    case "unknown":
      return (
        <TextInput
          label={texts.composeValue}
          description={control.kind === "text" ? texts.composeTextHint : texts.composeValueHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={error}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

type FieldProps = Pick<Props, "control" | "value" | "onChange"> & { error: string | false };

function SwitchField({ control, value, error, onChange }: FieldProps) {
  const texts = useMessages(commandMessages);
  const [off, on] = control.values.map(String);
  return (
    <Input.Wrapper label={texts.composeValue} error={error} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={texts.composeValue}
        value={value}
        data={[
          { value: off ?? "", label: texts.composeOff },
          { value: on ?? "", label: texts.composeOn },
        ]}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
}

function NumberField(props: FieldProps & { unit: string; hint: string }) {
  const { control, unit, hint, value, error, onChange } = props;
  const texts = useMessages(commandMessages);
  const slider = positions(control);
  const number = Number(value.replace(",", "."));
  const position = slider === undefined || value === "" ? 0 : slider.of(number || 0);
  const id = useId();
  return (
    <div className="value-number">
      <TextInput
        id={id}
        label={texts.composeValue}
        description={hint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        inputMode="decimal"
        autoComplete="off"
        rightSection={unit === "" ? undefined : <span className="value-unit">{unit}</span>}
        rightSectionWidth={`${unit.length + 2}ch`}
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {slider !== undefined && (
        <input
          type="range"
          aria-label={texts.composeSlider}
          aria-valuetext={`${decimal(Number(slider.at(position)), EXACT)} ${unit}`.trim()}
          aria-controls={id}
          min={0}
          max={slider.count - 1}
          step={1}
          value={position}
          onChange={(event) => onChange(slider.at(Number(event.currentTarget.value)))}
        />
      )}
    </div>
  );
}
