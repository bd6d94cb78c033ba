import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { DataTable, type Column } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { valueOf, type Link } from "./linkFormat";
import type { Kind } from "./lookup";
import { directoryMessages } from "./messages";

/** Attributes with a column of their own; all others share one. */
const COLUMNS: Record<Kind, readonly string[]> = {
  ep: ["ep", "d", "base", "et"],
  res: ["rt", "if", "ct", "title"],
};

/** The links of an answer, one per row. */
export function LinkTable({
  kind,
  links,
  onResources,
}: {
  kind: Kind;
  links: readonly Link[];
  onResources: (ep: string, d: string) => void;
}) {
  const texts = useMessages(directoryMessages);
  const own = COLUMNS[kind];
  const columns: Column<Numbered>[] = [
    {
      key: "target",
      title: texts.target,
      cell: ({ link }) => <code className="link-target">{link.target}</code>,
      sort: ({ link }) => link.target,
    },
    ...own.map((name): Column<Numbered> => ({
      key: name,
      title: name,
      cell: ({ link }) => <bdi>{valueOf(link, name) ?? "–"}</bdi>,
      sort: ({ link }) => valueOf(link, name),
    })),
    {
      key: "other",
      title: texts.other,
      cell: ({ link }) => <Others link={link} own={own} />,
    },
    ...(kind === "ep" ? [resourcesColumn(texts.resourcesOf, onResources)] : []),
  ];
  return (
    <DataTable
      key={kind}
      label={texts.parsed}
      columns={columns}
      rows={links.map((link, at) => ({ link, at }))}
      keyOf={({ at }) => String(at)}
      empty={texts.nothing}
    />
  );
}

/** An answer may contain a target twice, so rows are identified by their position. */
interface Numbered {
  link: Link;
  at: number;
}

function resourcesColumn(
  title: string,
  onResources: (ep: string, d: string) => void,
): Column<Numbered> {
  return {
    key: "resources",
    title,
    cell: ({ link }) => {
      const ep = valueOf(link, "ep");
      if (ep === undefined) return null;
      return (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${title}: ${ep}`}
          onClick={() => onResources(ep, valueOf(link, "d") ?? "")}
        >
          {title}
        </Button>
      );
    },
  };
}

function Others({ link, own }: { link: Link; own: readonly string[] }): ReactNode {
  const others = link.attributes.filter(({ name }) => !own.includes(name));
  if (others.length === 0) return "–";
  return (
    <span className="link-attributes">
      {others.map(({ name, value }, at) => (
        <bdi key={at}>
          <span className="dimmed">{name}</span>
          {value !== undefined && ` ${value}`}
        </bdi>
      ))}
    </span>
  );
}
