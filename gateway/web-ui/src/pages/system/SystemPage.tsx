import "../../parts/forms.css";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { AuthorityPanel } from "./AuthorityPanel";
import { DirectoriesPanel } from "./DirectoriesPanel";
import { GatewayPanel } from "./GatewayPanel";
import { messages } from "./messages";
import { SettingsPanel } from "./SettingsPanel";
import { SupportPanel } from "./SupportPanel";
import { SystemsPanel } from "./SystemsPanel";
import { UnitsPanel } from "./UnitsPanel";

/** The gateway itself: health, version, figures, what it publishes to, its authority, its settings. */
export default function SystemPage() {
  const words = useMessages(messages);
  return (
    <Page title={words.title}>
      <GatewayPanel />
      <DirectoriesPanel />
      <SystemsPanel />
      <AuthorityPanel />
      <UnitsPanel />
      <SupportPanel />
      <SettingsPanel />
    </Page>
  );
}
