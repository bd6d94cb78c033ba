import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { hasRoleEverywhere } from "../../gateway/roles";
import { readStored, removeDomain, type Domain } from "./api";
import { DomainForm } from "./DomainForm";
import { messages } from "./messages";

/** Whether the account may edit and create domains. */
export function useMayEdit(): boolean {
  return hasRoleEverywhere(useSession(), "administrator");
}

/** Edits the stored settings of a domain, or removes them. */
export function DomainActions({ domain, onChanged }: { domain: Domain; onChanged: () => void }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [edited, setEdited] = useState<{ domain: Domain; tag: string }>();
  const [removing, setRemoving] = useState(false);
  const edit = useAction(async () => setEdited(await readStored(api, domain.name)));
  if (!useMayEdit()) return null;
  return (
    <div className="row-actions">
      <Button size="xs" variant="default" loading={edit.busy} onClick={() => void edit.run()}>
        {words.edit}
      </Button>
      {domain.stored !== undefined && (
        <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
          {domain.inFile ? words.removeStored : words.removeDomain}
        </Button>
      )}
      <ErrorAlert problem={edit.problem} />
      <DomainDialog
        title={words.editTitle(domain.name)}
        edited={edited}
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        onSaved={onChanged}
      />
      <ConfirmDialog
        opened={removing}
        title={domain.inFile ? words.removeStored : words.removeDomain}
        confirm={words.remove}
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await removeDomain(api, domain.name);
          onChanged();
        }}
      >
        {domain.inFile ? words.removeStoredWhat : words.removeDomainWhat(domain.name)}
      </ConfirmDialog>
    </div>
  );
}

/** The form in a dialog; it starts empty each time it is opened. */
export function DomainDialog({
  title,
  edited,
  opened,
  onClose,
  onSaved,
}: {
  title: string;
  /** Undefined for a new domain. */
  edited: { domain: Domain; tag: string } | undefined;
  opened: boolean;
  onClose: () => void;
  onSaved: () => void;
}) {
  const words = useMessages(messages);
  const shown = useLast(edited);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.cancel }}
    >
      <DomainForm edited={edited ?? shown} onClose={onClose} onSaved={onSaved} />
    </Modal>
  );
}
