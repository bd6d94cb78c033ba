import { Button, Input, NativeSelect } from "@mantine/core";
import { useDomainNames } from "../../hooks/domains";
import { useMessages } from "../../hooks/messages";
import { ROLES, type Role } from "../../gateway/roles";
import type { Grant } from "./grants";
import { messages } from "./messages";

/** Roles, each with the domain that it is for. */
export function RolesInput({
  grants,
  onChange,
  error,
}: {
  grants: readonly Grant[];
  onChange: (grants: Grant[]) => void;
  error: string | undefined;
}) {
  const words = useMessages(messages);
  const known = useDomainNames();
  const domains = [...new Set([...known, ...grants.map(({ d }) => d)])].filter((d) => d !== "");
  const replace = (at: number, grant: Grant) =>
    onChange(grants.map((one, index) => (index === at ? grant : one)));
  return (
    <fieldset className="roles" aria-label={words.account.roles}>
      <Input.Label component="legend">{words.account.roles}</Input.Label>
      {grants.map((grant, index) => (
        <div className="role" key={index}>
          <NativeSelect
            aria-label={words.account.roleLabel(index + 1)}
            value={grant.role}
            onChange={(event) =>
              replace(index, { ...grant, role: event.currentTarget.value as Role })
            }
            data={ROLES.map((value) => ({ value, label: words.role[value] }))}
          />
          <NativeSelect
            aria-label={words.account.domainLabel(index + 1)}
            value={grant.d}
            onChange={(event) => replace(index, { ...grant, d: event.currentTarget.value })}
            data={[
              { value: "", label: words.everyDomain },
              ...domains.map((value) => ({
                value,
                label: value === "-" ? words.namelessDomain : value,
              })),
            ]}
          />
          <Button
            variant="subtle"
            color="gray"
            aria-label={words.account.removeRole(index + 1)}
            onClick={() => onChange(grants.filter((_, at) => at !== index))}
          >
            ×
          </Button>
          <small className="under">{words.roleMeaning[grant.role]}</small>
        </div>
      ))}
      {error !== undefined && <Input.Error>{error}</Input.Error>}
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => onChange([...grants, { role: "viewer", d: "" }])}
      >
        {words.account.addRole}
      </Button>
    </fieldset>
  );
}
