import { Button } from "@mantine/core";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { CodeBlock } from "../../parts/CodeBlock";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { hasRoleEverywhere } from "../../gateway/roles";
import { messages } from "./messages";
import { collect, fileName } from "./support";

/**
 * A file for support staff with everything that this account may read about the gateway, without
 * secrets.
 */
export function SupportPanel() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const operates = hasRoleEverywhere(useSession(), "operator");
  const { busy, problem, run } = useAction(async () => {
    const now = api.now();
    const report = await collect(api, now, navigator.userAgent);
    save(fileName(now), JSON.stringify(report, undefined, 2));
  });
  if (!operates) return null;
  const command = `./vigil support support.zip --url ${new URL(api.url("")).origin}`;
  return (
    <section className="panel" data-panel="support">
      <h2>{words.support}</h2>
      <p className="dimmed">{words.supportHelp}</p>
      <ErrorAlert problem={problem} />
      <p>
        <Button variant="default" size="compact-md" loading={busy} onClick={() => void run()}>
          {words.supportDownload}
        </Button>
      </p>
      <p className="dimmed">{words.supportLog}</p>
      <CodeBlock text={command} what={words.supportCommand} />
    </section>
  );
}

/** Lets the browser store a text as a file. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun when the click returns, but it reads the address in a later task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
