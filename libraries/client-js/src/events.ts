/** An event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface Event {
  name: string;
  data: string;
  /** The last id of the stream so far; the event itself may have none. */
  id: string;
}

/**
 * Blocks without data are events too, because their id counts: the stream begins with such a block.
 */
export async function* events(
  chunks: AsyncIterable<Uint8Array>,
  lastId = "",
): AsyncGenerator<Event> {
  let name = "message";
  let data: string[] = [];
  let id = lastId;
  for await (const line of lines(chunks)) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (line === "") {
      yield { name, data: data.join("\n"), id };
      name = "message";
      data = [];
    } else if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) id = value;
  }
}

/**
 * The lines that end with a line feed.
 *
 * @param unfinished thrown if the last line does not end; without it that line is dropped
 */
export async function* lines(
  chunks: AsyncIterable<Uint8Array>,
  unfinished?: Error,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const whole = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) yield line.replace(/\r$/, "");
  }
  if (rest + decoder.decode() !== "" && unfinished !== undefined) throw unfinished;
}
