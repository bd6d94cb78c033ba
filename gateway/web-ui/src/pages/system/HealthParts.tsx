import { Badge } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import type { Part } from "./api";
import { messages } from "./messages";

/** A health status as a coloured word. */
export function Status({ status }: { status: string }) {
  const words = useMessages(messages);
  const colour = status === "UP" ? "teal" : status === "DEGRADED" ? "yellow" : "red";
  return (
    <Badge variant="light" color={colour} data-health={status}>
      {words.status[status] ?? status}
    </Badge>
  );
}

/** The health of each part, with its details. */
export function HealthParts({ parts }: { parts: readonly Part[] }) {
  const words = useMessages(messages);
  return (
    <details className="health-parts">
      <summary>{words.partsOf(parts.filter(({ status }) => status !== "UP").length)}</summary>
      <dl className="settings">
        {parts.map(({ name, status, details }) => (
          <div key={name} data-part={name}>
            <dt>{words.parts[name] ?? name}</dt>
            <dd>
              <Status status={status} />
              {Object.entries(details).map(([key, value]) => (
                <small className="under" key={key}>
                  {key}: {value}
                </small>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
