import { Button, NativeSelect, Select } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";
import type { Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import type { TileDraft, TileField } from "./drafts";
import { messages } from "./messages";

/** Suggestions that are shown at once. */
export const SUGGESTED = 50;
/** The dropdown is inside the dialog, where focus and style sheets reach it. */
export const DROPDOWN = { withinPortal: false, shadow: "md" } as const;

/** A part of the form of a tile. */
export interface Part {
  draft: TileDraft;
  change: (part: Partial<TileDraft>) => void;
  faultAt: (field: TileField) => string | undefined;
}

/** The resources of a chart: a list, and the fields that add to it. */
export function Resources({ draft, change, faultAt }: Part) {
  const words = useMessages(messages);
  const { store } = useGateway();
  const endpoints = useMemo(() => store.getSnapshot().endpoints, [store]);
  const names = useMemo(
    () => new Map(endpoints.map(({ endpoint }) => [endpoint.id, nameOf(endpoint)])),
    [endpoints],
  );
  const [endpoint, setEndpoint] = useState("");
  const [path, setPath] = useState("");
  const paths = pathsOf(endpoints, endpoint);
  const present = draft.resources.some((one) => one.endpoint === endpoint && one.path === path);
  return (
    <div className="tile-resources">
      <ul className="plain-list">
        {draft.resources.map((one) => {
          const name = `${names.get(one.endpoint) ?? words.unknownEndpoint}: ${one.path}`;
          return (
            <li key={`${one.endpoint}/${one.path}`}>
              <span className="clip">{name}</span>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={words.removeResource(name)}
                onClick={() =>
                  change({ resources: draft.resources.filter((other) => other !== one) })
                }
              >
                ×
              </Button>
            </li>
          );
        })}
      </ul>
      <EndpointField
        label={words.field.endpoint}
        value={endpoint}
        error={faultAt("resources")}
        onChange={(chosen) => {
          setEndpoint(chosen);
          const offered = pathsOf(endpoints, chosen);
          setPath((before) => (offered.includes(before) ? before : (offered[0] ?? "")));
        }}
      />
      <NativeSelect
        label={words.field.path}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        data={choices(paths, path)}
      />
      <Button
        variant="default"
        disabled={endpoint === "" || path === "" || present || draft.resources.length >= 8}
        onClick={() => change({ resources: [...draft.resources, { endpoint, path }] })}
      >
        {words.addResource}
      </Button>
    </div>
  );
}

/** Chooses an endpoint by its name or endpoint name. */
export function EndpointField({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: string;
  error: ReactNode;
  onChange: (id: string) => void;
}) {
  const words = useMessages(messages);
  const { store } = useGateway();
  const data = useMemo(() => {
    const options = store
      .getSnapshot()
      .endpoints.map(({ endpoint }) => ({ value: endpoint.id, label: nameOf(endpoint) }));
    const known = value === "" || options.some((option) => option.value === value);
    return known ? options : [...options, { value, label: words.unknownEndpoint }];
  }, [store, value, words]);
  return (
    <Select
      label={label}
      value={value === "" ? null : value}
      error={error}
      onChange={(id) => onChange(id ?? "")}
      data={data}
      limit={SUGGESTED}
      searchable
      comboboxProps={DROPDOWN}
    />
  );
}

/** Its name and its endpoint name; a domain keeps equal names apart. */
export function nameOf({ name, ep, d }: Endpoint): string {
  const full = name === "" || name === ep ? ep : `${name} (${ep})`;
  return d === "" || d === "-" ? full : `${full}, ${d}`;
}

export function pathsOf(endpoints: readonly { endpoint: Endpoint }[], id: string): string[] {
  const found = endpoints.find(({ endpoint }) => endpoint.id === id);
  return found?.endpoint.resources.map(({ path }) => path) ?? [];
}

/** The options of a list, with the present choice although it is not offered any more. */
export function choices(offered: readonly string[], chosen: string): string[] {
  return chosen === "" || offered.includes(chosen) ? [...offered] : [...offered, chosen];
}
