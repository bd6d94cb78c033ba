import { useEffect, useState, type CSSProperties } from "react";
import type { Freshness, Trust } from "../../gateway/model";
import { useMessages } from "../../hooks/messages";
import { same } from "../../gateway/same";
import { pathOf } from "../../gateway/selection";
import { hrefOf } from "../../hooks/router";
import { CalibratedIcon } from "../../parts/Calibrated";
import { partsMessages } from "../../parts/messages";
import { formula, isNumber, readable, stateWord } from "../../text/format";
import type { PlaceContent, PlanPlace, Tile } from "./api";
import { freshnessOf } from "./freshness";
import { messages } from "./messages";
import { Picture } from "./Picture";
import { fitting } from "./plan";
import { usePlanImages } from "./planImages";

/** More places have smaller dots. */
const MANY = 60;
const RANKS: Readonly<Record<Freshness, number>> = {
  missing: 1,
  late: 2,
  "not-trusted": 3,
  "on-time": 4,
};

/** The mark of a place: a dot, a name and a value. */
interface Mark {
  key: string;
  place: PlanPlace;
  name: string;
  value: string;
  /** The formula of its calibration. */
  calibrated: string | undefined;
  freshness: Freshness;
  alarm: boolean;
  /** The state in words. */
  state: string;
  gone: boolean;
}

/** A floor plan: endpoints at their places, with their states and values. */
export function PlanTile({
  tile,
  places,
  now,
}: {
  tile: Tile;
  places: readonly PlaceContent[];
  now: number;
}) {
  const texts = useMessages(messages);
  const { links } = usePlanImages();
  const [picture, setPicture] = useState<HTMLDivElement | null>(null);
  const size = useSize(picture, tile.places.length);
  if (tile.image === undefined) return <div className="tile-nothing">{texts.plan.noImage}</div>;
  const marks = tile.places.flatMap((place, at) => {
    const content = places[at];
    // Endpoints that the viewer may not read are not shown.
    if (content === undefined || content.sight === "no-right") return [];
    return markOf(place, content, at, now, texts as typeof messages.en);
  });
  const scale = size.font / 14;
  const shown = fitting(
    marks.map(({ place, value, calibrated, freshness, alarm }) => ({
      x: place.x * size.width,
      y: place.y * size.height,
      width:
        value === ""
          ? 0
          : ([...value].length * 8.4 + 14 + (calibrated === undefined ? 0 : 20)) * scale,
      height: 20 * scale,
      rank: alarm ? 0 : RANKS[freshness],
    })),
    size.dot + 3,
    size,
  );
  return (
    <div className="tile-plan" data-places={marks.length}>
      <Picture image={tile.image} attempt={places} box={setPicture}>
        <ul className="plan-marks" data-many={marks.length > MANY || undefined}>
          {marks.map((mark, at) => (
            <li
              key={mark.key}
              style={
                { left: `${mark.place.x * 100}%`, top: `${mark.place.y * 100}%` } as CSSProperties
              }
              data-freshness={mark.gone ? undefined : mark.freshness}
              data-alarm={mark.alarm || undefined}
              data-gone={mark.gone || undefined}
              data-labelled={shown.get(at)}
              data-left={mark.place.x > 0.6 || undefined}
              data-low={mark.place.y > 0.75 || undefined}
            >
              <MarkBody mark={mark} link={links && !mark.gone} />
            </li>
          ))}
        </ul>
      </Picture>
    </div>
  );
}

function MarkBody({ mark, link }: { mark: Mark; link: boolean }) {
  const { name, value, state, place } = mark;
  const { calibrated } = useMessages(partsMessages);
  const marked = mark.calibrated === undefined ? "" : calibrated;
  const label = [name, value, marked, state].filter((part) => part !== "").join(", ");
  const inside = (
    <>
      <span className="plan-dot" aria-hidden />
      {value !== "" && (
        <span className="plan-value numbers" aria-hidden>
          {value}
          {mark.calibrated !== undefined && <CalibratedIcon />}
        </span>
      )}
      <span className="plan-note" aria-hidden>
        <b>{name}</b> <span>{[value, state].filter((part) => part !== "").join(", ")}</span>
        {mark.calibrated !== undefined && <bdi>{mark.calibrated}</bdi>}
      </span>
    </>
  );
  const href = hrefOf(pathOf({ id: place.endpoint }, place.path));
  return link ? (
    <a href={href} aria-label={label}>
      {inside}
    </a>
  ) : (
    <span className="plan-mark" role="img" tabIndex={0} aria-label={label}>
      {inside}
    </span>
  );
}

function markOf(
  place: PlanPlace,
  { endpoint, value: reading, alarm }: PlaceContent,
  at: number,
  now: number,
  texts: typeof messages.en,
): Mark {
  const key = `${at} ${place.endpoint} ${place.path ?? ""}`;
  const nothing = { key, place, value: "", calibrated: undefined, alarm: false, gone: true };
  if (endpoint === undefined) {
    return { ...nothing, name: texts.goneEndpoint, freshness: "missing", state: "" };
  }
  const freshness = freshnessOf(endpoint, now);
  const { value, unit = "", calibration } = reading ?? {};
  const text = value === undefined ? "" : String(value);
  const words = [
    stateWord(freshness, endpoint.trust as Trust),
    alarm ? texts.plan.alarm : "",
    place.path !== undefined && text === "" ? texts.plan.noValue : "",
  ];
  return {
    key,
    place,
    name: endpoint.name,
    value:
      text === ""
        ? ""
        : Object.values(readable(text, unit, calibration))
            .join(" ")
            .trim(),
    calibrated:
      calibration !== undefined && isNumber(text) ? formula(unit, calibration, text) : undefined,
    freshness,
    alarm,
    state: words.filter((word) => word !== "").join(", "),
    gone: false,
  };
}

interface Size {
  width: number;
  height: number;
  font: number;
  /** Radius of a dot. */
  dot: number;
}

/** The size of a picture in pixels, of its texts and of its dots, which the style sheet defines. */
function useSize(element: HTMLElement | null, places: number): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, font: 14, dot: 8 });
  useEffect(() => {
    if (element === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      const font = Number.parseFloat(getComputedStyle(element).fontSize);
      const mark = element.querySelector("li > *")?.getBoundingClientRect();
      const next = { width, height, font, dot: (mark?.width ?? 16) / 2 };
      setSize((before) => (same(before, next) ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, places]);
  return size;
}
