import { MultiSelect, TagsInput } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import { tagsInUse } from "../gateway/tags";
import { useSnapshot } from "../hooks/gateway";
import { useMessages } from "../hooks/messages";
import { partsMessages } from "./messages";

const MAX_TAGS = 32;
const MAX_LENGTH = 63;
/** Suggestions that are shown at once. */
const SUGGESTED = 50;

/** The dropdown is inside the dialog or page, where focus and style sheets reach it. */
const DROPDOWN = { withinPortal: false, shadow: "md" } as const;

/**
 * Edits tags with the keyboard: Enter and commas add a tag, Backspace removes the last one, and the
 * tags in use are suggested.
 *
 * @param among the only suggestions; undefined: the tags of all endpoints
 */
export function TagField({
  label,
  description,
  value,
  onChange,
  among,
  error,
  focused,
}: {
  label: string;
  description?: string;
  value: readonly string[];
  onChange: (tags: string[]) => void;
  among?: readonly string[];
  error?: ReactNode;
  focused?: boolean;
}) {
  const { endpoints } = useSnapshot();
  const suggested = useMemo(() => [...(among ?? tagsInUse(endpoints))], [among, endpoints]);
  return (
    <TagsInput
      label={label}
      {...(description === undefined ? {} : { description })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      {...(focused === true ? { "data-autofocus": true } : {})}
      value={[...value]}
      onChange={onChange}
      data={suggested}
      limit={SUGGESTED}
      maxTags={MAX_TAGS}
      maxLength={MAX_LENGTH}
      error={error}
      openOnFocus={false}
      autoComplete="off"
      comboboxProps={DROPDOWN}
    />
  );
}

/** Chooses tags among those in use. */
export function TagChooser({
  among,
  value,
  onChange,
}: {
  among: readonly string[];
  value: readonly string[];
  onChange: (tags: string[]) => void;
}) {
  const texts = useMessages(partsMessages);
  return (
    <MultiSelect
      className="tag-chooser"
      aria-label={texts.tags}
      placeholder={value.length === 0 ? texts.anyTag : ""}
      value={[...value]}
      onChange={onChange}
      data={[...new Set([...among, ...value])]}
      limit={SUGGESTED}
      maxValues={MAX_TAGS}
      searchable
      hidePickedOptions
      nothingFoundMessage={texts.noTag}
      comboboxProps={DROPDOWN}
    />
  );
}
