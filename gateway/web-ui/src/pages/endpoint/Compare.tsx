import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { comparable, type Compared } from "./compared";
import { endpointMessages } from "./messages";

/** Chooses a resource to compare with; empty if there is none. */
export function Compare({
  endpoint,
  path,
  compared,
  onChange,
}: {
  endpoint: Endpoint;
  path: string;
  compared: Compared | undefined;
  onChange: (compared: Compared | undefined) => void;
}) {
  const texts = useMessages(endpointMessages);
  const { store } = useGateway();
  // The options are computed when the list is opened, because endpoints change a hundred times a
  // second.
  const read = () => comparable(store.getSnapshot().endpoints, endpoint, path);
  const [{ here, there }, setChoice] = useState(read);
  if (here.length + there.length === 0) return null;
  const keyOf = (one: Compared) => JSON.stringify([one.id, one.path]);
  const items = (some: readonly Compared[]) =>
    some.map((one) => ({ value: keyOf(one), label: one.label }));
  const groups = [
    { group: texts.compareHere, items: items(here) },
    { group: texts.compareThere, items: items(there) },
  ];
  return (
    <NativeSelect
      size="xs"
      aria-label={texts.compare}
      value={compared === undefined ? "" : keyOf(compared)}
      data={[
        { value: "", label: texts.compareNone },
        ...groups.filter((group) => group.items.length > 0),
      ]}
      onFocus={() => setChoice(read())}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange([...here, ...there].find((one) => keyOf(one) === chosen));
      }}
    />
  );
}
