import { NativeSelect, Select } from "@mantine/core";
import type { ReactNode } from "react";
import type { Endpoint } from "../../gateway/model";
import { useMessages } from "../../hooks/messages";
import type { AutomationDraft } from "./drafts";
import { messages } from "./messages";

/** Suggestions that are shown at once. */
export const SUGGESTED = 50;
/** The dropdown is inside the dialog, where focus and style sheets reach it. */
export const DROPDOWN = { withinPortal: false, shadow: "md" } as const;

/** A part of the form of an automation. */
export interface Part {
  draft: AutomationDraft;
  change: (part: Partial<AutomationDraft>) => void;
  faultAt: (field: string) => string | undefined;
  /** Of the domain. */
  endpoints: readonly Endpoint[];
}

/** @param d "-" for the domain without a name */
export function endpointsOf(
  all: readonly { endpoint: Endpoint }[],
  d: string,
): readonly Endpoint[] {
  const domain = d === "-" ? "" : d;
  return all
    .map(({ endpoint }) => endpoint)
    .filter((one) => (one.d === "-" ? "" : one.d) === domain);
}

/** Chooses an endpoint by its name or endpoint name. */
export function EndpointField({
  value,
  endpoints,
  error,
  onChange,
}: {
  value: string;
  endpoints: readonly Endpoint[];
  error: ReactNode;
  onChange: (ep: string) => void;
}) {
  const words = useMessages(messages);
  const options = endpoints.map(({ ep, name }) => ({
    value: ep,
    label: name === "" || name === ep ? ep : `${name} (${ep})`,
  }));
  const known = value === "" || options.some((option) => option.value === value);
  return (
    <Select
      label={words.field.ep}
      value={value === "" ? null : value}
      error={error}
      onChange={(ep) => onChange(ep ?? "")}
      data={known ? options : [...options, { value, label: value }]}
      limit={SUGGESTED}
      searchable
      comboboxProps={DROPDOWN}
    />
  );
}

/** Chooses one of some texts; a present one stays although it is not offered. */
export function ChoiceField({
  label,
  description,
  value,
  offered,
  error,
  onChange,
}: {
  label: string;
  description?: string | undefined;
  value: string;
  offered: readonly string[];
  error: ReactNode;
  onChange: (value: string) => void;
}) {
  const words = useMessages(messages);
  const all = value === "" || offered.includes(value) ? offered : [...offered, value];
  return (
    <NativeSelect
      label={label}
      {...(description === undefined ? {} : { description })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: "", label: words.choose }, ...all]}
    />
  );
}
