import { useCallback, useEffect, useRef, useState } from "react";
import { useGateway } from "./gateway";
import { Requests } from "./requests";

const SHORTEST = 5_000;

export interface Polled<T> {
  /** The last answer; undefined before the first. */
  data: T | undefined;
  /** Why the last request failed; undefined after an answer. The data stays. */
  problem: unknown;
  /** Requests the data again, such as after an event: one request at a time, with pauses. */
  reload: () => void;
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
  const requests = useRef<Requests<T>>(undefined);
  useEffect(() => {
    const present = new Requests(
      async () => reader.current(await api.json(path)),
      (answer) => {
        setData(answer);
        setProblem(undefined);
      },
      setProblem,
    );
    requests.current = present;
    present.ask();
    const poll = () => {
      if (document.visibilityState === "visible") present.ask();
    };
    const timer = interval > 0 ? setInterval(poll, Math.max(SHORTEST, interval)) : undefined;
    return () => {
      clearInterval(timer);
      present.end();
    };
  }, [api, path, interval]);
  const reload = useCallback(() => requests.current?.ask(), []);
  return { data, problem, reload };
}
