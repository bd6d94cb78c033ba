import { Text, Title } from "@mantine/core";
import { CodeBlock } from "../../parts/CodeBlock";
import { Logo } from "../../parts/icons";

/** Shown while no endpoint has registered: how to start the first mote. */
export function EmptyState() {
  return (
    <section className="empty" data-empty>
      <Logo />
      <Title order={2} size="h3">
        No mote has registered yet
      </Title>
      <Text c="dimmed">Motes appear here within seconds of their first reading.</Text>
      <div className="empty-ways">
        <div>
          <Text size="sm" fw={600} mb={6}>
            A whole network on one machine, no hardware needed
          </Text>
          <CodeBlock text="./vigil demo" what="demo command" />
        </div>
        <div>
          <Text size="sm" fw={600} mb={6}>
            One more mote on the virtual radio of this gateway
          </Text>
          <CodeBlock text={MOTE} what="mote command" />
          <Text size="sm" c="dimmed" mt={6}>
            ZEP and MIRROR are the addresses in the “ready” line of the gateway.
          </Text>
        </div>
      </div>
    </section>
  );
}

const MOTE = `mote-firmware/build/posix/vigil-mote --ep mote-1 \\
  --zep ZEP --mirror MIRROR \\
  --wake 5 --state mote-1.state`;
