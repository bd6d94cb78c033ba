import { useEffect, useRef } from "react";
import type { Change } from "../gateway/changes";
import { useGateway } from "./gateway";

/** Hears what the event stream tells beside endpoints and alarms, while the view is there. */
export function useChanges(listener: (change: Change) => void): void {
  const { changes } = useGateway();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => changes.subscribe((change) => latest.current(change)), [changes]);
}
