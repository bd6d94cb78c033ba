// A gateway whose answers a test writes down.

export const problem = (status, name = "overloaded", headers = {}) =>
  Response.json(
    { type: `/problems/${name}`, title: "no", status, detail: "the test refuses." },
    { status, headers },
  );

/** A body whose connection ends before its last chunk. */
export function broken(text) {
  const pieces = text === "" ? [] : [new TextEncoder().encode(text)];
  const pull = (body) => {
    const next = pieces.shift();
    if (next === undefined) body.error(new TypeError("terminated"));
    else body.enqueue(next);
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
}

/**
 * The option `fetch` of a gateway. `answers` has those of each path, in their order; after the last
 * one the path is refused with 500. `asked` has path and Last-Event-ID of each request.
 */
export function scripted(answers) {
  const asked = [];
  const fetch = async (place, { headers }) => {
    const path = new URL(place).pathname.slice(1);
    asked.push([path, headers["Last-Event-ID"]]);
    return answers[path]?.shift() ?? problem(500, "internal-error");
  };
  return { fetch, asked };
}
