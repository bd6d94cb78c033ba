import { grouped } from "../text/fingerprint";

/** A thumbprint in groups of four letters, as labels of motes and the demo show it. */
export function ThumbprintGroups({
  thumbprint,
  first,
  differing,
}: {
  thumbprint: string;
  /** The number of shown groups; all if absent. */
  first?: number;
  /** Groups in which it differs from an adjacent thumbprint. */
  differing?: ReadonlySet<number>;
}) {
  const groups = grouped(thumbprint);
  return (
    <code className="fingerprint-groups" data-thumbprint={thumbprint}>
      {groups.slice(0, first).map((group, at) => (
        // Spaces between the groups, so that a copied selection can be read.
        <span key={at}>
          {at > 0 && " "}
          <span className="fingerprint-group" data-differs={differing?.has(at) || undefined}>
            {group}
          </span>
        </span>
      ))}
      {first !== undefined && first < groups.length && " …"}
    </code>
  );
}
