import { expect, test } from "vitest";
import { Meanwhile } from "../src/hooks/meanwhile";

const plus = (more: string) => (known: readonly string[]) => [...known, more];

test("an event that arrives before the answer of a request is applied to it", () => {
  const meanwhile = new Meanwhile<readonly string[]>();
  meanwhile.begin();
  meanwhile.add(plus("raised"));
  meanwhile.add(plus("acknowledged"));
  expect(meanwhile.end(["older"])).toEqual(["older", "raised", "acknowledged"]);
});

test("events before a request and after its answer are not kept", () => {
  const meanwhile = new Meanwhile<readonly string[]>();
  meanwhile.add(plus("before"));
  meanwhile.begin();
  meanwhile.add(plus("of an earlier request"));
  meanwhile.begin();
  expect(meanwhile.end([])).toEqual([]);
  meanwhile.add(plus("after"));
  meanwhile.begin();
  meanwhile.add(plus("of a failed request"));
  meanwhile.forget();
  expect(meanwhile.end([])).toEqual([]);
});
