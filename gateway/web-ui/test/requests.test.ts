import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Requests } from "../src/hooks/requests";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A gateway that answers when the test decides. */
class Gateway {
  readonly open: { answer: (text: string) => void; fail: (problem: unknown) => void }[] = [];
  readonly shown: string[] = [];
  asked = 0;
  readonly requests = new Requests<string>(
    () => {
      this.asked++;
      return new Promise((answer, fail) => void this.open.push({ answer, fail }));
    },
    (text) => void this.shown.push(text),
    (problem) => void this.shown.push(`problem ${String(problem)}`),
  );

  async answer(text: string): Promise<void> {
    this.open.shift()?.answer(text);
    await vi.advanceTimersByTimeAsync(0);
  }
}

test("thousands of events cause one request and one after it", async () => {
  const gateway = new Gateway();
  for (let event = 0; event < 5_000; event++) gateway.requests.ask();
  expect(gateway.asked).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(gateway.asked).toBe(1);
  await gateway.answer("before");
  expect(gateway.asked).toBe(2);
  await gateway.answer("after");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(gateway.asked).toBe(2);
  expect(gateway.shown).toEqual(["before", "after"]);
});

test("requests for events begin at least a second apart", async () => {
  const gateway = new Gateway();
  for (let tenth = 0; tenth < 50; tenth++) {
    gateway.requests.ask();
    await gateway.answer("at once");
    await vi.advanceTimersByTimeAsync(100);
  }
  // The last one begins at the end of the fifth second.
  expect(gateway.asked).toBe(6);
});

test("an event after a quiet second is followed at once, also after a problem", async () => {
  const gateway = new Gateway();
  gateway.requests.ask();
  gateway.open.shift()?.fail(503);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gateway.shown).toEqual(["problem 503"]);
  gateway.requests.ask();
  expect(gateway.asked).toBe(2);
});

test("after the end no request follows, and a late answer is ignored", async () => {
  const gateway = new Gateway();
  gateway.requests.ask();
  gateway.requests.ask();
  gateway.requests.end();
  await gateway.answer("late");
  await vi.advanceTimersByTimeAsync(10_000);
  gateway.requests.ask();
  expect(gateway.asked).toBe(1);
  expect(gateway.shown).toEqual([]);
});
