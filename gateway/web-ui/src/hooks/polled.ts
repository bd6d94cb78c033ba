import { useCallback, useEffect, useRef, useState } from "react";
import { useGateway } from "./gateway";

const SHORTEST = 5_000;

export interface Polled<T> {
  /** The last answer; undefined before the first. */
  data: T | undefined;
  /** Why the last request failed; undefined after an answer. The data stays. */
  problem: unknown;
  /** Requests the data again now, such as after a change. */
  reload: () => Promise<void>;
}

/**
 * Polls a path of the API while the page is visible.
 *
 * @param read turns the JSON into the page's data; throws SyntaxError when it has another shape
 * @param interval in milliseconds; 0 reads once
 */
export function usePolled<T>(
  path: string,
  read: (json: unknown) => T,
  interval: number = SHORTEST,
): Polled<T> {
  const { api } = useGateway();
  const [data, setData] = useState<T>();
  const [problem, setProblem] = useState<unknown>();
  const reader = useRef(read);
  reader.current = read;
  const present = useRef(path);
  present.current = path;

  const reload = useCallback(async () => {
    try {
      const answer = reader.current(await api.json(path));
      if (present.current !== path) return;
      setData(answer);
      setProblem(undefined);
    } catch (reason) {
      if (present.current === path) setProblem(reason);
    }
  }, [api, path]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unmounted = false;
    const poll = async () => {
      if (document.visibilityState === "visible") await reload();
      if (!unmounted && interval > 0) {
        timer = setTimeout(() => void poll(), Math.max(SHORTEST, interval));
      }
    };
    void poll();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [reload, interval]);
  return { data, problem, reload };
}
