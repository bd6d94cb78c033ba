import type { Endpoint } from "../../gateway/model";

/**
 * The resources that accept commands, as the gateway knows from their links and from past commands.
 */
export function writablePaths({ resources }: Pick<Endpoint, "resources">): string[] {
  return resources.filter(({ writable }) => writable).map(({ path }) => path);
}

/** The likely resource of a command: the one commanded last, or the only one. */
export function likelyResource(endpoint: Pick<Endpoint, "resources" | "commands">): string {
  const paths = writablePaths(endpoint);
  const before = endpoint.commands.findLast(({ path }) => paths.includes(path));
  return before?.path ?? (paths.length === 1 ? (paths[0] ?? "") : "");
}
