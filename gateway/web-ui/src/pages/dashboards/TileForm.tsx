import { Button, Modal, NativeSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useMemo, useState, type FormEvent, type ReactNode } from "react";
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
import { PlanFields } from "./PlanFields";
import {
  choices,
  DROPDOWN,
  EndpointField,
  pathsOf,
  Resources,
  SUGGESTED,
  type Part,
} from "./TileSources";

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

/** The fields of the content, by its kind. */
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
    case "plan":
      return <PlanFields draft={draft} change={change} faultAt={faultAt} />;
    case "mesh":
      return null;
  }
}
