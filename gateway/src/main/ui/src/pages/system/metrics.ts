/** The sums of the metrics in Prometheus' text format by name, over all labels. */
export function metricsOf(text: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, number] = /^([a-zA-Z_:][\w:]*)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    const value = Number(number);
    if (name !== undefined && Number.isFinite(value)) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}
