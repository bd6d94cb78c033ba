import { Text } from "@mantine/core";
import { useMemo } from "react";
import type uPlot from "uplot";
import type { Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useLoaded, useRepeatedly } from "../../hooks/loaded";
import { axisIn, axisWidth, colour, timeLabels, useChart } from "../../parts/Chart";
import { useMessages } from "../../hooks/messages";
import { decimal, duration } from "../../text/format";
import { loadNewest } from "./historyApi";
import { endpointMessages } from "./messages";
import { wakePattern, type WakePattern } from "./wake";

/** The maximum number of wakes in the pattern. */
const WAKES = 200;
const LEAST_SPAN = 600_000;
const DEFAULT_WAKE = 60;
const INTERVAL = 30_000;

/** How regularly the endpoint wakes, from the arrivals of one of its resources. */
export function WakePanel({ endpoint, path }: { endpoint: Endpoint; path: string }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const { id, wakeSeconds } = endpoint;
  // The history next to it shows a problem.
  const { data: pattern, reload } = useLoaded(JSON.stringify([id, path]), async () => {
    const to = api.now();
    const span = Math.max(LEAST_SPAN, WAKES * 1000 * (wakeSeconds ?? DEFAULT_WAKE));
    return wakePattern((await loadNewest(api, id, path, { from: to - span, to }, WAKES)).values);
  });
  useRepeatedly(reload, INTERVAL);
  if (pattern === undefined) return <Text c="dimmed">{texts.wakeNone}</Text>;
  const { median, longest, intervals } = pattern;
  return (
    <div className="wake" data-wakes={intervals.length}>
      <Text size="sm">
        {texts.wakeFacts(inTenths(median), inTenths(longest), intervals.length)}{" "}
        {wakeSeconds !== undefined && texts.wakeAnnounced(duration(wakeSeconds * 1000))}
      </Text>
      <WakeChart pattern={pattern} wakeSeconds={wakeSeconds} />
    </div>
  );
}

/** A duration; tenths matter where motes wake every few seconds. */
function inTenths(seconds: number): string {
  return seconds < 10
    ? `${decimal(seconds, { maximumFractionDigits: 1 })} s`
    : duration(seconds * 1000);
}

/** The time before each update; the announced interval is a dashed line. */
function WakeChart({
  pattern: { times, intervals },
  wakeSeconds,
}: {
  pattern: WakePattern;
  wakeSeconds: number | undefined;
}) {
  const texts = useMessages(endpointMessages);
  const data = useMemo(
    (): uPlot.AlignedData => [times, intervals, times.map(() => wakeSeconds ?? null)],
    [times, intervals, wakeSeconds],
  );
  const box = useChart(data, (element) => {
    const axis = axisIn(element);
    return {
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 12, 0, 0],
      axes: [
        { ...axis, size: 28, space: 90, values: timeLabels },
        {
          ...axis,
          size: axisWidth,
          values: (_, splits) => splits.map(inTenths),
        },
      ],
      scales: { y: { range: (_, __, longest) => [0, (longest ?? 1) * 1.1] } },
      series: [
        {},
        { stroke: colour(element, "--chart-line"), width: 1.5, points: { size: 4 } },
        { stroke: colour(element, "--chart-text"), dash: [5, 4], points: { show: false } },
      ],
    };
  });
  return <div ref={box} className="chart" role="img" aria-label={texts.wakeChart} />;
}
