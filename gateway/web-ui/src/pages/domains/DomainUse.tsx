import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { readDomain, type Domain, type Use } from "./api";
import { grouped } from "../../text/format";
import { messages } from "./messages";

/** How many endpoints and keys a domain has. */
export function DomainUse({ name }: { name: string }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded(name, () => readDomain(api, name));
  return (
    <>
      <ErrorAlert problem={problem} onRetry={reload} />
      <ul className="domain-use numbers" aria-label={words.useTitle}>
        {(Object.keys(words.use) as (keyof Use)[]).map((figure) => (
          <li key={figure} data-use={figure}>
            <strong>{data?.use === undefined ? "–" : figureOf(data, figure, words.of)}</strong>{" "}
            {words.use[figure]}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A figure, with its limit where it has one. */
function figureOf(
  { use, limits }: Domain,
  figure: keyof Use,
  of: (used: string, limit: string) => string,
): string {
  const used = grouped(use?.[figure] ?? 0);
  if (figure === "endpoints") return of(used, grouped(limits.endpoints));
  return figure === "unproven" ? of(used, grouped(limits.unproven)) : used;
}
