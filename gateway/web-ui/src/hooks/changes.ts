import { useEffect, useRef } from "react";
import type { Change } from "../gateway/changes";
import { useGateway } from "./gateway";

/** Follows the changes of the event stream, except endpoints and alarms, while the view is mounted. */
export function useChanges(listener: (change: Change) => void): void {
  const { changes } = useGateway();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => changes.subscribe((change) => latest.current(change)), [changes]);
}
