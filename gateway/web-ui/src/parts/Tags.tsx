import { hrefOf } from "../hooks/router";

/** The fragment of the list of endpoints with a tag. */
function listHref(tag: string): string {
  return hrefOf(`/endpoints?${new URLSearchParams({ tag })}`);
}

/**
 * Tags as links to the endpoints that have them. Plain elements, because a list has many of them.
 *
 * @param most tags that are shown; the number of the others follows
 */
export function Tags({ tags, most = tags.length }: { tags: readonly string[]; most?: number }) {
  if (tags.length === 0) return null;
  const more = tags.slice(most);
  return (
    <span className="tags" data-tags>
      {tags.slice(0, most).map((tag) => (
        <a key={tag} href={listHref(tag)} className="tag clip">
          {tag}
        </a>
      ))}
      {more.length > 0 && (
        <span className="tag" title={more.join(", ")}>
          +{more.length}
        </span>
      )}
    </span>
  );
}
