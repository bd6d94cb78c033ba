import { Button, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  putCalibrations,
  readCalibrations,
  type StoredCalibration,
} from "../../gateway/calibrations";
import type { Endpoint, Resource } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { formula, isNumber } from "../../text/format";
import { calibrationFrom, draftOf, isOf, type CalibrationDraft } from "./calibrationDraft";
import { calibrationMessages } from "./calibrationMessages";
import { loadNewest } from "./historyApi";

/** Updates whose names are offered. */
const NEWEST = 20;
const DAY = 86_400_000;

interface Edited {
  calibrations: StoredCalibration[];
  version: string;
  /** The names of the resource's records. */
  names: string[];
  draft: CalibrationDraft;
}

/** Changes the calibration of a resource unless somebody else changes it meanwhile. */
export function Calibrate({ endpoint, resource }: { endpoint: Endpoint; resource: Resource }) {
  const texts = useMessages(calibrationMessages);
  const { api } = useGateway();
  const [edited, setEdited] = useState<Edited>();
  const [opened, setOpened] = useState(false);
  const { id } = endpoint;
  const { path } = resource;
  const open = useAction(async () => {
    const now = api.now();
    const [{ calibrations, version }, { values }] = await Promise.all([
      readCalibrations(api, id),
      loadNewest(api, id, path, { from: now - 30 * DAY, to: now + DAY }, NEWEST),
    ]);
    const own = calibrations.filter((one) => one.path === path);
    const measured = [resource.name, ...values.map(({ name }) => name)];
    const names = [...new Set([...measured, ...own.flatMap(({ name }) => name ?? [])])];
    const name = own.some(({ name: of }) => of === resource.name) ? resource.name : "";
    setEdited({
      calibrations,
      version,
      names: names.filter((one) => one !== ""),
      draft: draftOf(calibrations, path, name),
    });
    setOpened(true);
  });
  const save = async (calibration: StoredCalibration | undefined) => {
    if (edited === undefined) return;
    const others = edited.calibrations.filter((one) => !isOf(one, path, edited.draft.name));
    const all = calibration === undefined ? others : [...others, calibration];
    await putCalibrations(api, id, all, edited.version);
  };
  const remove = useAction(async () => {
    await save(undefined);
    setOpened(false);
  });
  const typed = edited === undefined ? undefined : calibrationFrom(path, edited.draft);
  return (
    <div>
      <Button size="xs" variant="default" loading={open.busy} onClick={() => void open.run()}>
        {texts.calibrate}
      </Button>
      <ErrorAlert problem={open.problem} />
      <ConfirmDialog
        opened={opened}
        title={texts.title(path)}
        confirm={texts.save}
        harmless
        ready={typed?.calibration !== undefined}
        onClose={() => setOpened(false)}
        onConfirm={() => save(typed?.calibration)}
      >
        {edited !== undefined && (
          <Stack gap="sm">
            <Text size="sm">{texts.what}</Text>
            <Fields
              edited={edited}
              path={path}
              signedUnit={resource.unit}
              onChange={(draft) => setEdited({ ...edited, draft })}
            />
            {typed?.calibration !== undefined && isNumber(resource.value ?? "") && (
              <output className="numbers" data-preview>
                {formula(resource.unit, typed.calibration, resource.value)}
              </output>
            )}
            {edited.calibrations.some((one) => isOf(one, path, edited.draft.name)) && (
              <Button
                variant="default"
                size="xs"
                className="self-start"
                loading={remove.busy}
                onClick={() => void remove.run()}
              >
                {texts.remove}
              </Button>
            )}
            <ErrorAlert problem={remove.problem} />
          </Stack>
        )}
      </ConfirmDialog>
    </div>
  );
}

function Fields({
  edited: { calibrations, names, draft },
  path,
  signedUnit,
  onChange,
}: {
  edited: Edited;
  path: string;
  signedUnit: string;
  onChange: (draft: CalibrationDraft) => void;
}) {
  const texts = useMessages(calibrationMessages);
  const { faults } = calibrationFrom(path, draft);
  return (
    <>
      {names.length > 1 && (
        <NativeSelect
          label={texts.record}
          description={texts.recordHint}
          value={draft.name}
          data={[
            { value: "", label: texts.allRecords },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange(draftOf(calibrations, path, value))}
        />
      )}
      <div className="calibration-fields">
        <TextInput
          data-autofocus
          label={texts.factor}
          inputMode="decimal"
          autoComplete="off"
          value={draft.factor}
          error={faults.includes("factor") && texts.factorFault}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, factor: value })}
        />
        <TextInput
          label={texts.offset}
          inputMode="decimal"
          autoComplete="off"
          value={draft.offset}
          error={faults.includes("offset") && texts.offsetFault}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, offset: value })}
        />
        <TextInput
          label={texts.unit}
          description={texts.unitHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxLength={32}
          autoComplete="off"
          placeholder={signedUnit}
          value={draft.unit}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, unit: value })}
        />
        <TextInput
          type="date"
          label={texts.date}
          value={draft.date}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, date: value })}
        />
      </div>
      <TextInput
        label={texts.note}
        maxLength={200}
        value={draft.note}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, note: value })}
      />
    </>
  );
}
