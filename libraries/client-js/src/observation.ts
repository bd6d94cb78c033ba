import { isTemporary } from "./errors.ts";
import { events } from "./events.ts";
import type { Endpoint } from "./reading.ts";

const LONGEST_PAUSE = 15_000;

export interface Source {
  /** Opens the event stream with these headers. */
  open(headers: Record<string, string>): AsyncIterable<Uint8Array>;
  list(): AsyncIterable<Endpoint>;
  isWanted(view: Endpoint): boolean;
  /** Throws for the endpoint that is observed. */
  onGone(id: string): void;
}

/** The list, then each endpoint that changes; the list again if changes were missed. */
export async function* views(
  source: Source,
  signal: AbortSignal | undefined,
): AsyncGenerator<Endpoint> {
  let lastId = "";
  let listed = false;
  for (let failures = 0; !isAborted(signal); failures++) {
    let least = 0;
    try {
      const headers: Record<string, string> = lastId === "" ? {} : { "Last-Event-ID": lastId };
      for await (const event of events(source.open(headers), lastId)) {
        // The first block has no data. It names another position than the requested one if changes
        // were missed.
        const moved = event.data === "" && event.id !== lastId;
        if (moved || event.name === "missed") listed = false;
        lastId = event.id;
        if (!listed) {
          yield* source.list();
          listed = true;
        }
        failures = 0;
        if (event.name === "endpoint") {
          const view = JSON.parse(event.data) as Endpoint;
          if (source.isWanted(view)) yield view;
        } else if (event.name === "gone") {
          source.onGone((JSON.parse(event.data) as { id: string }).id);
        }
      }
    } catch (problem) {
      if (isAborted(signal)) return;
      if (!isTemporary(problem) || lastId === "") throw problem;
      least = problem.retryAfter;
    }
    await pause(failures, signal, least);
  }
}

/** Waits for a gateway that is busy or is restarted: no event repeats a reading. */
export async function patiently<T>(
  request: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await request();
    } catch (problem) {
      if (!isTemporary(problem) || isAborted(signal)) throw problem;
      await pause(failures, signal, problem.retryAfter);
    }
  }
}

/** A function, because the compiler does not expect that a signal changes during a wait. */
export function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** @param least in seconds */
function pause(failures: number, signal: AbortSignal | undefined, least: number): Promise<void> {
  const time = Math.max(least * 1000, Math.min(LONGEST_PAUSE, 500 * 2 ** failures));
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, time);
    if (isAborted(signal)) done();
    else signal?.addEventListener("abort", done);
  });
}
