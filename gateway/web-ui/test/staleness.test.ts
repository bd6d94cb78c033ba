import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Api, ApiProblem } from "../src/gateway/api";

// The time of a slow machine would pass between two answers.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function answer(status: number, stale?: string): Response {
  const headers = stale === undefined ? {} : { "Vigil-Stale": stale };
  return Response.json({ status }, { status, headers });
}

test("responses say since when the gateway has had no contact with its cluster", async () => {
  const answers = [answer(200), answer(503, "4"), answer(200, "5"), answer(200, "90"), answer(200)];
  const api = new Api("http://gateway/", () => Promise.resolve(answers.shift() ?? answer(500)));
  const seen: (number | undefined)[] = [];
  api.staleness.subscribe(() => seen.push(api.staleness.getSince()));
  await api.json("api/endpoints");
  expect(seen).toEqual([]);
  const before = Date.now();
  await expect(api.json("actuator/health")).rejects.toThrow(ApiProblem);
  expect(before - (seen[0] ?? 0)).toBeGreaterThan(3_000);
  await api.json("api/endpoints");
  expect(seen.length, "the same loss").toBe(1);
  await api.json("api/endpoints");
  expect(before - (seen[1] ?? 0)).toBeGreaterThan(89_000);
  await api.json("api/endpoints");
  expect(seen[2]).toBeUndefined();
  expect(seen.length).toBe(3);
});
