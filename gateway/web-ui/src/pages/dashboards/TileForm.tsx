import { Button, Modal, NativeSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useMemo, useState, type FormEvent, type ReactNode } from "react";
import type { Endpoint } from "../../gateway/model";
import { tagsInUse } from "../../gateway/tags";
import { useGateway } from "../../hooks/gateway";
import { useLast } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { KINDS, SPANS, type Tile, type TileKind } from "./api";
import {
  draftOf,
  faultsOf,
  newDraft,
  tileOf,
  withKind,
  type TileDraft,
  type TileFault,
  type TileField,
} from "./drafts";
import { messages } from "./messages";

/** Suggestions that are shown at once. */
const SUGGESTED = 50;
/** The dropdown is inside the dialog, where focus and style sheets reach it. */
const DROPDOWN = { withinPortal: false, shadow: "md" } as const;

/** The form of a new or existing tile, in a dialog. */
export function TileDialog({
  edited,
  tiles,
  onClose,
  onTile,
}: {
  edited: Tile | "new" | undefined;
  tiles: readonly Tile[];
  onClose: () => void;
  onTile: (tile: Tile) => void;
}) {
  const words = useMessages(messages);
  const shown = useLast(edited);
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      size="lg"
      title={shown === "new" ? words.addTileTitle : words.editTile}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {edited !== undefined && (
        <TileForm edited={edited} tiles={tiles} onClose={onClose} onTile={onTile} />
      )}
    </Modal>
  );
}

function TileForm({
  edited,
  tiles,
  onClose,
  onTile,
}: {
  edited: Tile | "new";
  tiles: readonly Tile[];
  onClose: () => void;
  onTile: (tile: Tile) => void;
}) {
  const words = useMessages(messages);
  const [draft, setDraft] = useState(() => (edited === "new" ? newDraft(tiles) : draftOf(edited)));
  const [sent, setSent] = useState(false);
  const faults = faultsOf(draft);
  const change = (part: Partial<TileDraft>) => setDraft((before) => ({ ...before, ...part }));
  const faultAt = (field: TileField): string | undefined => {
    const fault = faults[field];
    return sent && fault !== undefined ? faultText(fault, words as typeof messages.en) : undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.keys(faults).length > 0) return;
    onTile(tileOf(draft, edited === "new" ? "" : edited.id));
    onClose();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="tile">
      <div className="form-grid">
        <NativeSelect
          label={words.field.kind}
          value={draft.kind}
          data-autofocus
          onChange={(event) => {
            const kind = event.currentTarget.value as TileKind;
            setDraft((before) => (edited === "new" ? withKind(before, kind) : { ...before, kind }));
          }}
          data={KINDS.map((value) => ({ value, label: words.kind[value] }))}
        />
        <TextInput
          label={words.field.title}
          description={words.help.title}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={draft.title}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <Subject draft={draft} change={change} faultAt={faultAt} />
      </div>
      <fieldset className="tile-place">
        <legend className="under">{words.help.position}</legend>
        {(["x", "y", "w", "h"] as const).map((field) => (
          <TextInput
            key={field}
            label={words.field[field]}
            inputMode="numeric"
            value={draft[field]}
            error={faultAt(field)}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        ))}
      </fieldset>
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9">
          {words.applyTile}
        </Button>
      </div>
    </form>
  );
}

function faultText(fault: TileFault, { fault: words }: typeof messages.en): string {
  return typeof fault === "object" ? words.number(fault.least, fault.most) : words[fault];
}

interface Part {
  draft: TileDraft;
  change: (part: Partial<TileDraft>) => void;
  faultAt: (field: TileField) => string | undefined;
}

/** What the tile shows, by its kind. */
function Subject({ draft, change, faultAt }: Part): ReactNode {
  const words = useMessages(messages);
  const { store } = useGateway();
  // As they were when the form was opened, because endpoints change a hundred times a second.
  const endpoints = useMemo(() => store.getSnapshot().endpoints, [store]);
  switch (draft.kind) {
    case "value":
    case "state":
      return (
        <>
          <EndpointField
            label={words.field.endpoint}
            value={draft.endpoint}
            error={faultAt("endpoint")}
            onChange={(endpoint) => {
              const paths = pathsOf(endpoints, endpoint);
              change({
                endpoint,
                path: paths.includes(draft.path) ? draft.path : (paths[0] ?? ""),
              });
            }}
          />
          {draft.kind === "value" && (
            <NativeSelect
              label={words.field.path}
              value={draft.path}
              error={faultAt("path")}
              onChange={(event) => change({ path: event.currentTarget.value })}
              data={choices(pathsOf(endpoints, draft.endpoint), draft.path)}
            />
          )}
        </>
      );
    case "chart":
      return (
        <>
          <NativeSelect
            label={words.field.span}
            value={draft.span}
            onChange={(event) => change({ span: event.currentTarget.value as TileDraft["span"] })}
            data={SPANS.map((value) => ({ value, label: words.span[value] }))}
          />
          <Resources draft={draft} change={change} faultAt={faultAt} />
        </>
      );
    case "tag":
      return (
        <Select
          label={words.field.tag}
          value={draft.tag === "" ? null : draft.tag}
          error={faultAt("tag")}
          onChange={(tag) => change({ tag: tag ?? "" })}
          data={choices(tagsInUse(endpoints), draft.tag)}
          limit={SUGGESTED}
          searchable
          comboboxProps={DROPDOWN}
        />
      );
    case "text":
      return (
        <Textarea
          label={words.field.text}
          value={draft.text}
          error={faultAt("text")}
          rows={4}
          maxLength={2000}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
      );
    case "mesh":
      return null;
  }
}

/** The resources of a chart: a list, and the fields that add to it. */
function Resources({ draft, change, faultAt }: Part) {
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
function EndpointField({
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
function nameOf({ name, ep, d }: Endpoint): string {
  const full = name === "" || name === ep ? ep : `${name} (${ep})`;
  return d === "" || d === "-" ? full : `${full}, ${d}`;
}

function pathsOf(endpoints: readonly { endpoint: Endpoint }[], id: string): string[] {
  const found = endpoints.find(({ endpoint }) => endpoint.id === id);
  return found?.endpoint.resources.map(({ path }) => path) ?? [];
}

/** The options of a list, with the present choice although it is not offered any more. */
function choices(offered: readonly string[], chosen: string): string[] {
  return chosen === "" || offered.includes(chosen) ? [...offered] : [...offered, chosen];
}
