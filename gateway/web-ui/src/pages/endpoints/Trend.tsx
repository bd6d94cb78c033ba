import { useCallback, useSyncExternalStore } from "react";
import type { Api } from "../../gateway/api";
import { conversionOf } from "../../text/displayUnits";
import { pathOf, Sparklines, type Sparkline } from "../../gateway/sparklines";
import { useGateway } from "../../hooks/gateway";
import { textsOf } from "../../text/language";
import { endpointsMessages } from "./messages";

const WIDTH = 64;
const HEIGHT = 24;

/** One for the whole list, also while it is left and opened again. */
const all = new WeakMap<Api, Sparklines>();

function sparklinesOf(api: Api): Sparklines {
  const present = all.get(api) ?? new Sparklines(api);
  all.set(api, present);
  return present;
}

/** The points as they are shown: a negative factor turns the line over. */
export function shownPoints({ points, unit, calibration }: Sparkline): Sparkline["points"] {
  const conversion = conversionOf(unit ?? "", calibration);
  if (conversion === undefined) return points;
  return points.map((point) => ({ ...point, mean: conversion.of(point.mean) }));
}

/** The last day of an endpoint's first number as a small line. */
export function Trend({ id }: { id: string }) {
  const { api } = useGateway();
  const sparklines = sparklinesOf(api);
  const line = useSyncExternalStore(
    useCallback((listener) => sparklines.watch(id, listener), [sparklines, id]),
    () => sparklines.get(id),
  );
  // One hour is no line.
  if (line === undefined || line.points.length < 2) return null;
  return (
    <svg
      className="list-sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={textsOf(endpointsMessages).trend(line.path, line.calibration !== undefined)}
      data-sparkline={line.points.length}
    >
      <path d={pathOf(shownPoints(line), api.now(), WIDTH, HEIGHT)} />
    </svg>
  );
}
