import type { Endpoint } from "../../gateway/model";

/**
 * The resource that a command is probably for: the one commanded last, or the only one. Most resources
 * are sensors, which obey no command; the gateway does not say which are.
 */
export function likelyResource({
  resources,
  commands,
}: Pick<Endpoint, "resources" | "commands">): string {
  const paths = resources.map(({ path }) => path);
  const before = commands.findLast(
    ({ state, path }) => state === "confirmed" && paths.includes(path),
  );
  return before?.path ?? (paths.length === 1 ? (paths[0] ?? "") : "");
}
