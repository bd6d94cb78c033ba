/** A server-sent event. */
export interface ServerEvent {
  name: string;
  data: string;
}

/** Without an octet for this long the connection is dead: the gateway sends one every 15 s. */
const SILENCE = 40_000;

/**
 * Reads a stream of server-sent events until it ends; unlike an `EventSource` it can send a token.
 *
 * @param open makes the request
 * @param onOpen called once the gateway has accepted it
 * @throws an error of the connection, or of the signal
 */
export async function readEvents(
  open: (signal: AbortSignal) => Promise<Response>,
  onOpen: () => void,
  onEvent: (event: ServerEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE);
  try {
    const response = await open(AbortSignal.any([signal, silent.signal]));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) return;
    onOpen();
    const events = new EventParser(onEvent);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
      events.add(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Separates the events of a stream (HTML, section 9.2.6), as far as the gateway sends them. */
export class EventParser {
  private rest = "";
  private name = "";
  private data: string[] = [];

  constructor(private readonly onEvent: (event: ServerEvent) => void) {}

  add(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.line(line.replace(/\r$/, ""));
  }

  private line(line: string): void {
    if (line.startsWith("event:")) this.name = line.slice(6).trim();
    else if (line.startsWith("data:")) this.data.push(line.slice(5).replace(/^ /, ""));
    else if (line === "") {
      if (this.name !== "" || this.data.length > 0) {
        this.onEvent({ name: this.name, data: this.data.join("\n") });
      }
      this.name = "";
      this.data = [];
    }
  }
}
