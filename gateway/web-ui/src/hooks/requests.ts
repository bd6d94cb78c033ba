/** The least time between the beginnings of two requests, in milliseconds. */
const PAUSE = 1_000;

/**
 * Repeats a request for any number of events: one request at a time, and one more for all events
 * that arrive meanwhile.
 */
export class Requests<T> {
  #wanted = false;
  #busy = false;
  #ended = false;

  constructor(
    private readonly request: () => Promise<T>,
    private readonly onAnswer: (answer: T) => void,
    private readonly onProblem: (problem: unknown) => void,
    private readonly pause: number = PAUSE,
  ) {}

  /** Requests now, or after the present request and the pause. */
  ask(): void {
    this.#wanted = true;
    if (!this.#busy) void this.#run();
  }

  /** No request follows, and the answer of the present one is ignored. */
  end(): void {
    this.#ended = true;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#wanted && !this.#ended) {
      this.#wanted = false;
      const pause = new Promise((resolve) => setTimeout(resolve, this.pause));
      try {
        const answer = await this.request();
        if (!this.#ended) this.onAnswer(answer);
      } catch (problem) {
        if (!this.#ended) this.onProblem(problem);
      }
      await pause;
    }
    this.#busy = false;
  }
}
