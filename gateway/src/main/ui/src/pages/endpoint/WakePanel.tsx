import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { Sparkline } from "../../parts/Chart";
import { useMessages } from "../../shell/messages";
import { duration } from "../../text/format";
import { loadValues } from "./historyApi";
import { endpointMessages } from "./messages";
import { wakePattern, type WakePattern } from "./wake";

/** Wakes that the pattern covers at most. */
const WAKES = 200;
const LEAST_SPAN = 600_000;
const DEFAULT_WAKE = 60;

/** How regularly the endpoint wakes, from the arrivals of one of its resources. */
export function WakePanel({ endpoint, path }: { endpoint: Endpoint; path: string }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const { id, wakeSeconds } = endpoint;
  const [pattern, setPattern] = useState<WakePattern>();
  useEffect(() => {
    let ended = false;
    const to = api.now();
    const span = Math.max(LEAST_SPAN, WAKES * 1000 * (wakeSeconds ?? DEFAULT_WAKE));
    loadValues(api, id, path, { from: to - span, to }).then(
      (values) => ended || setPattern(wakePattern(values.slice(0, WAKES))),
      // The history beside it shows the problem.
      () => undefined,
    );
    return () => {
      ended = true;
    };
  }, [api, id, path, wakeSeconds]);
  if (pattern === undefined) return <Text c="dimmed">{texts.wakeNone}</Text>;
  const { median, longest, intervals, times } = pattern;
  return (
    <div className="wake" data-wakes={intervals.length}>
      <Text size="sm">
        {texts.wakeFacts(duration(median * 1000), duration(longest * 1000), intervals.length)}{" "}
        {wakeSeconds !== undefined && texts.wakeAnnounced(duration(wakeSeconds * 1000))}
      </Text>
      <Sparkline series={[times, intervals]} />
    </div>
  );
}
