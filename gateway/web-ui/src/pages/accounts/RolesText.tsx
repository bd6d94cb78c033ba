import { useMessages } from "../../hooks/messages";
import { grantOf } from "./grants";
import { messages } from "./messages";

/** Roles in words, one per line. */
export function RolesText({ roles }: { roles: readonly string[] }) {
  const words = useMessages(messages);
  if (roles.length === 0) return <span className="dimmed">{words.noRole}</span>;
  return (
    <ul className="plain-list">
      {roles.map((text) => {
        const { role, d } = grantOf(text);
        return (
          <li key={text}>
            {words.role[role]}{" "}
            <span className="dimmed">{words.inDomain(d === "" ? words.everyDomain : d)}</span>
          </li>
        );
      })}
    </ul>
  );
}
