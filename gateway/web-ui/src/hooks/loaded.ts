import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useGateway } from "./gateway";
import { Loading, type Answer } from "./loading";

export interface Loaded<T> {
  /** The last answer; it stays while the next one is loaded. */
  data: T | undefined;
  /** The problem of the last request, or of an extension since; undefined after one without. */
  problem: unknown;
  /** Requests the data again at once, such as after an action. */
  reload: () => void;
  /** Requests the data again after an event: one request at a time, with pauses. */
  refresh: () => void;
  /** Changes the data without a request, such as after an event. */
  change: (change: (data: T) => T) => void;
  /** Extends the data, such as by its next page. */
  extend: (load: () => Promise<(data: T) => T>) => Promise<void>;
}

/**
 * Loads data when the view appears, when the key changes, and when the gateway is reached again.
 *
 * @param key names what `load` asks for; the data of another key is forgotten
 * @param pause the least time between two requests that follow events, in milliseconds
 */
export function useLoaded<T>(key: string, load: () => Promise<T>, pause?: number): Loaded<T> {
  const { store } = useGateway();
  const live = useSyncExternalStore(
    store.subscribe,
    () => store.getSnapshot().connection === "live",
  );
  const [answer, setAnswer] = useState<Answer<T>>({ key });
  const latest = useRef(load);
  latest.current = load;
  const [loading] = useState(() => new Loading<T>(setAnswer, pause));
  useEffect(() => {
    loading.open(key, () => latest.current());
    return () => loading.close();
  }, [loading, key, live]);
  const reload = useCallback(() => loading.reload(), [loading]);
  const refresh = useCallback(() => loading.refresh(), [loading]);
  const change = useCallback((to: (data: T) => T) => loading.change(key, to), [loading, key]);
  const extend = useCallback(
    (load: () => Promise<(data: T) => T>) => loading.extend(key, load),
    [loading, key],
  );
  const present = answer.key === key;
  return {
    data: present ? answer.data : undefined,
    problem: present ? (answer.problem ?? answer.extension) : undefined,
    reload,
    refresh,
    change,
    extend,
  };
}

/** Repeats an action while the page is visible; the first time after one interval. */
export function useRepeatedly(action: () => void, milliseconds: number): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}

/** Runs an action of a button or a form: reports that it is busy, and its problem afterwards. */
export function useAction<A extends unknown[]>(action: (...args: A) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const run = async (...args: A) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await action(...args);
    } catch (reason) {
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run, forget: () => setProblem(undefined) };
}

/** The last defined value, which a dialog shows while it closes. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
