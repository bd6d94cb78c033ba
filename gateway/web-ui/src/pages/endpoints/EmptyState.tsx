import { Text, Title } from "@mantine/core";
import { CodeBlock } from "../../parts/CodeBlock";
import { Logo } from "../../parts/icons";
import { useMessages } from "../../hooks/messages";
import { endpointsMessages } from "./messages";

/** Shown while no endpoint has registered: how to start the first mote. */
export function EmptyState() {
  const texts = useMessages(endpointsMessages);
  return (
    <section className="empty" data-empty>
      <Logo />
      <Title order={2} size="h3">
        {texts.emptyTitle}
      </Title>
      <Text c="dimmed">{texts.emptyWhat}</Text>
      <div className="empty-ways">
        <div>
          <Text size="sm" fw={600} mb={6}>
            {texts.emptyDemo}
          </Text>
          <CodeBlock text="./vigil demo" what={texts.command} />
        </div>
        <div>
          <Text size="sm" fw={600} mb={6}>
            {texts.emptyMote}
          </Text>
          <CodeBlock text={MOTE} what={texts.command} />
          <Text size="sm" c="dimmed" mt={6}>
            {texts.emptyAddresses}
          </Text>
        </div>
      </div>
    </section>
  );
}

const MOTE = `mote-firmware/build/posix/vigil-mote --ep mote-1 \\
  --zep ZEP --mirror MIRROR \\
  --wake 5 --state mote-1.state`;
