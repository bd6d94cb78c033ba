import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Loading, type Answer } from "../src/hooks/loading";

type Page = readonly string[];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A view and its requests, which the test answers. */
class View {
  readonly open: { answer: (page: Page) => void; fail: (problem: unknown) => void }[] = [];
  shown: Answer<Page> | undefined;
  readonly loading = new Loading<Page>((answer) => void (this.shown = answer));

  show(key: string): void {
    this.loading.open(
      key,
      () => new Promise((answer, fail) => void this.open.push({ answer, fail })),
    );
  }

  async answer(request: number, ...page: string[]): Promise<void> {
    this.open[request]?.answer(page);
    await vi.advanceTimersByTimeAsync(0);
  }

  async fail(request: number, problem: unknown): Promise<void> {
    this.open[request]?.fail(problem);
    await vi.advanceTimersByTimeAsync(0);
  }
}

const plus = (more: string) => (page: Page) => [...page, more];

test("the next page of an earlier filter is not added to the present one", async () => {
  const view = new View();
  view.show("open");
  await view.answer(0, "a");
  view.show("cleared");
  view.loading.change("open", plus("more open ones"));
  await view.answer(1, "b");
  expect(view.shown).toEqual({ key: "cleared", data: ["b"] });
  view.loading.change("open", plus("more open ones"));
  expect(view.shown).toEqual({ key: "cleared", data: ["b"] });
});

test("a change that arrives before the answer is applied to it, once", async () => {
  const view = new View();
  view.show("open");
  view.loading.change("open", plus("raised"));
  await view.answer(0, "a");
  expect(view.shown).toEqual({ key: "open", data: ["a", "raised"] });
  view.loading.change("open", plus("raised later"));
  expect(view.shown?.data).toEqual(["a", "raised", "raised later"]);
});

test("a slow answer does not replace a newer one", async () => {
  const view = new View();
  view.show("hour");
  view.loading.reload();
  await view.answer(1, "newer");
  await view.answer(0, "older");
  expect(view.shown).toEqual({ key: "hour", data: ["newer"] });
  view.show("day");
  view.show("week");
  await view.answer(3, "week");
  await view.answer(2, "day");
  await view.fail(2, "late");
  expect(view.shown).toEqual({ key: "week", data: ["week"] });
});

test("a failed request keeps the data, and the next one forgets the problem", async () => {
  const view = new View();
  view.show("hour");
  await view.answer(0, "a");
  // As when the gateway is reached again.
  view.show("hour");
  await view.fail(1, "offline");
  expect(view.shown).toEqual({ key: "hour", data: ["a"], problem: "offline" });
  view.loading.reload();
  expect(view.shown?.data).toEqual(["a"]);
  await view.answer(2, "b");
  expect(view.shown).toEqual({ key: "hour", data: ["b"] });
});

test("a failed request for another key has none of the earlier data", async () => {
  const view = new View();
  view.show("hour");
  await view.answer(0, "a");
  view.show("day");
  await view.fail(1, "offline");
  expect(view.shown).toEqual({ key: "day", problem: "offline" });
});

test("events cause one request at a time, an action another one at once", async () => {
  const view = new View();
  view.show("hour");
  for (let event = 0; event < 100; event++) view.loading.refresh();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(view.open).toHaveLength(1);
  view.loading.reload();
  expect(view.open).toHaveLength(2);
  await view.answer(1, "a");
  await view.answer(0, "older");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(view.open).toHaveLength(2);
  expect(view.shown?.data).toEqual(["a"]);
});

test("a view that is closed asks for nothing and changes nothing", async () => {
  const view = new View();
  view.show("hour");
  view.loading.close();
  view.loading.reload();
  view.loading.refresh();
  view.loading.change("hour", plus("b"));
  await view.answer(0, "a");
  expect(view.open).toHaveLength(1);
  expect(view.shown).toBeUndefined();
});

test("the problem of an extension is forgotten with the next answer, and for another key", async () => {
  const view = new View();
  const lost = () => Promise.reject<(page: Page) => Page>("offline");
  view.show("open");
  await view.answer(0, "a");
  await view.loading.extend("open", lost);
  expect(view.shown).toEqual({ key: "open", data: ["a"], extension: "offline" });
  view.loading.reload();
  await view.answer(1, "b");
  expect(view.shown).toEqual({ key: "open", data: ["b"] });
  await view.loading.extend("open", lost);
  await view.loading.extend("open", () => Promise.resolve(plus("c")));
  expect(view.shown).toEqual({ key: "open", data: ["b", "c"] });
  view.show("cleared");
  await view.answer(2, "d");
  await view.loading.extend("open", lost);
  expect(view.shown).toEqual({ key: "cleared", data: ["d"] });
});
