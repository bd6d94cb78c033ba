import { pathOf } from "../../gateway/selection";
import { Link } from "../../hooks/router";
import { nameOf, type GraphNode } from "./graph";

/** The endpoint of a node, with a link to its page. */
export function EndpointName({ node }: { node: GraphNode }) {
  const name = nameOf(node);
  if (name === "") return <>–</>;
  if (node.endpoint === undefined) return <bdi>{name}</bdi>;
  return (
    <Link href={pathOf(node.endpoint)} className="isolated">
      {name}
    </Link>
  );
}
