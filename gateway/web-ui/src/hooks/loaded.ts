import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useGateway } from "./gateway";
import { Meanwhile } from "./meanwhile";

export interface Loaded<T> {
  /** The last answer; it stays while the next one is loaded. */
  data: T | undefined;
  /** The problem of the last request, undefined after one without. */
  problem: unknown;
  reload: () => void;
  /** Changes the data without a request, such as after an event. */
  change: (change: (data: T) => T) => void;
}

/**
 * Loads data when the view appears, when the key changes, and when the gateway is reached again.
 *
 * @param key names what `load` asks for; the data of another key is forgotten
 */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const { store } = useGateway();
  const live = useSyncExternalStore(
    store.subscribe,
    () => store.getSnapshot().connection === "live",
  );
  const [state, setState] = useState<{ key: string; data?: T; problem?: unknown }>({ key });
  const latest = useRef(load);
  latest.current = load;
  const requests = useRef(0);
  const [meanwhile] = useState(() => new Meanwhile<T>());
  const reload = useCallback(() => {
    const request = ++requests.current;
    meanwhile.begin();
    latest.current().then(
      (data) => request === requests.current && setState({ key, data: meanwhile.end(data) }),
      (problem: unknown) => {
        if (request !== requests.current) return;
        meanwhile.forget();
        setState((before) => (before.key === key ? { ...before, problem } : { key, problem }));
      },
    );
  }, [key, meanwhile]);
  useEffect(() => {
    reload();
    return () => {
      requests.current++;
    };
  }, [reload, live]);
  const change = useCallback(
    (to: (data: T) => T) => {
      meanwhile.add(to);
      setState((before) =>
        before.key !== key || before.data === undefined
          ? before
          : { ...before, data: to(before.data) },
      );
    },
    [key, meanwhile],
  );
  const present = state.key === key;
  return {
    data: present ? state.data : undefined,
    problem: present ? state.problem : undefined,
    reload,
    change,
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
