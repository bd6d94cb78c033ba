import { Table } from "@mantine/core";
import { CopyButton } from "../../parts/CopyButton";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import type { Decision } from "./api";
import { changesOf } from "./changes";
import { messages } from "./messages";

/** One row for each decision; the changes of an edit open below it. */
export function TrailTable({ decisions }: { decisions: readonly Decision[] }) {
  const words = useMessages(messages);
  return (
    <div className="stacked">
      <div className="listing" tabIndex={0} role="group" aria-label={words.title}>
        <Table verticalSpacing={7} className="numbers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.columns.at}</Table.Th>
              <Table.Th>{words.columns.by}</Table.Th>
              <Table.Th>{words.columns.what}</Table.Th>
              <Table.Th>{words.columns.about}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {decisions.map((decision, index) => (
              <Table.Tr key={`${decision.position} ${index}`} data-decision={decision.what}>
                <Table.Td>
                  <time dateTime={decision.at}>{moment(Date.parse(decision.at))}</time>
                </Table.Td>
                <Table.Td data-label={words.columns.by}>
                  {decision.by.replace(/^account:/, "")}
                </Table.Td>
                <Table.Td data-label={words.columns.what}>
                  {decision.what}
                  <Changes decision={decision} />
                </Table.Td>
                <Table.Td>
                  <About decision={decision} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  );
}

function About({ decision: { ep, d, key } }: { decision: Decision }) {
  const words = useMessages(messages);
  return (
    <>
      {ep}
      {d !== "" && <small className="under">{d}</small>}
      {key !== undefined && (
        <small className="under key" title={key}>
          <code>{key.slice(0, 12)}…</code>
          <CopyButton text={key} what={words.copyKey} />
        </small>
      )}
    </>
  );
}

function Changes({ decision: { before, after } }: { decision: Decision }) {
  const words = useMessages(messages);
  const changes = changesOf(before, after);
  if (changes.length === 0) return null;
  return (
    <details className="changes">
      <summary>{words.changes(changes.length)}</summary>
      <table>
        <thead>
          <tr>
            <th>{words.member}</th>
            <th>{words.before}</th>
            <th>{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.member} data-member={change.member}>
              <th scope="row">{change.member}</th>
              <td>{change.before ?? <span className="dimmed">{words.absent}</span>}</td>
              <td>{change.after ?? <span className="dimmed">{words.absent}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
