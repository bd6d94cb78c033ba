import { useId } from "react";
import { useMessages } from "../hooks/messages";
import type { Calibrated as Calibration } from "../text/displayUnits";
import { asSigned, formula } from "../text/format";
import { Scales } from "./icons";
import { partsMessages } from "./messages";

/** Marks a calibrated number inside a link, which leads to the signed value. */
export function CalibratedIcon() {
  const { calibrated } = useMessages(partsMessages);
  return (
    <span className="calibrated" role="img" aria-label={calibrated} title={calibrated}>
      <Scales size={14} />
    </span>
  );
}

/** Marks a calibrated number; one click shows the signed value and the formula. */
export function CalibratedButton({
  calibration,
  unit,
  value,
}: {
  calibration: Calibration;
  /** The signed unit. */
  unit: string;
  /** The signed value; undefined for several ones. */
  value?: string;
}) {
  const texts = useMessages(partsMessages);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="calibrated"
        popoverTarget={id}
        aria-label={texts.calibrated}
        title={texts.calibrated}
      >
        <Scales size={14} />
      </button>
      <span id={id} popover="auto" className="calibrated-note numbers">
        {value !== undefined && (
          <b>{texts.signedAs(Object.values(asSigned(value, unit)).join(" ").trim())}</b>
        )}
        <bdi>{formula(unit, calibration, value)}</bdi>
      </span>
    </>
  );
}
