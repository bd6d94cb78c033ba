import { Meanwhile } from "./meanwhile";
import { Requests } from "./requests";

/** The last answer for a key, and the problem of the last request. */
export interface Answer<T> {
  key: string;
  data?: T;
  problem?: unknown;
  /** The problem of the last request that was to extend this data. */
  extension?: unknown;
}

interface Open<T> {
  key: string;
  load: () => Promise<T>;
  requests: Requests<T>;
  meanwhile: Meanwhile<T>;
}

/** Loads the data of one key at a time. Changes and answers for another key are ignored. */
export class Loading<T> {
  #open: Open<T> | undefined;
  #answer: Answer<T> | undefined;

  /** @param pause the least time between two requests that follow events, in milliseconds */
  constructor(
    private readonly publish: (answer: Answer<T>) => void,
    private readonly pause?: number,
  ) {}

  /** Requests the data of a key at once; the data of the same key stays until the answer. */
  open(key: string, load: () => Promise<T>): void {
    this.close();
    const meanwhile = new Meanwhile<T>();
    const requests = new Requests(
      () => {
        meanwhile.begin();
        return load();
      },
      (data) => this.#set({ key, data: meanwhile.end(data) }),
      (problem) => {
        meanwhile.forget();
        this.#set({ ...(this.#answer?.key === key ? this.#answer : { key }), problem });
      },
      this.pause,
    );
    this.#open = { key, load, requests, meanwhile };
    requests.ask();
  }

  /** Requests the data again at once; the answer of the present request is ignored. */
  reload(): void {
    if (this.#open !== undefined) this.open(this.#open.key, this.#open.load);
  }

  /** Requests the data again after an event. */
  refresh(): void {
    this.#open?.requests.ask();
  }

  /** Changes the data of a key without a request. */
  change(key: string, to: (data: T) => T): void {
    if (this.#open?.key !== key) return;
    this.#open.meanwhile.add(to);
    const answer = this.#answer;
    if (answer?.key !== key || answer.data === undefined) return;
    this.#set({ ...answer, data: to(answer.data) });
  }

  /** Extends the data of a key, such as by its next page; reports no problem to the caller. */
  async extend(key: string, load: () => Promise<(data: T) => T>): Promise<void> {
    this.#setExtension(key, undefined);
    try {
      this.change(key, await load());
    } catch (problem) {
      this.#setExtension(key, problem);
    }
  }

  close(): void {
    this.#open?.requests.end();
    this.#open = undefined;
  }

  #setExtension(key: string, extension: unknown): void {
    if (this.#open?.key !== key || this.#answer?.key !== key) return;
    this.#set({ ...this.#answer, extension });
  }

  #set(answer: Answer<T>): void {
    this.#answer = answer;
    this.publish(answer);
  }
}
