/** The changes that arrive while a request is under way: its answer may be older than they are. */
export class Meanwhile<T> {
  #changes: ((data: T) => T)[] | undefined;

  /** A request begins; only the newest one counts. */
  begin(): void {
    this.#changes = [];
  }

  add(change: (data: T) => T): void {
    this.#changes?.push(change);
  }

  /** The request has failed. */
  forget(): void {
    this.#changes = undefined;
  }

  /** The request has ended; returns its answer with the changes. */
  end(answer: T): T {
    const changes = this.#changes ?? [];
    this.forget();
    return changes.reduce((data, change) => change(data), answer);
  }
}
