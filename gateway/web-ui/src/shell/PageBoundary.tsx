import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { Page } from "../parts/Page";
import { textsOf } from "../text/language";
import { shellMessages } from "./shellMessages";

interface Properties {
  location: string;
  children: ReactNode;
}

/** Catches the error of a page: the rest of the application keeps working, and other pages open. */
export class PageBoundary extends Component<Properties, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: Properties): void {
    if (before.location !== this.props.location && this.state.error !== undefined) {
      this.setState({ error: undefined });
    }
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const texts = textsOf(shellMessages);
    // Browsers reject an import with a TypeError when the file cannot be fetched.
    const unloaded = error instanceof TypeError && /import|fetch|load/i.test(error.message);
    return (
      <Page title={unloaded ? texts.notLoaded : texts.broken}>
        <p>{unloaded ? texts.notLoadedWhat : texts.brokenWhat}</p>
        {!unloaded && <pre className="broken">{String(error)}</pre>}
        <div>
          {/* Browsers remember a failed import until the document is reloaded. */}
          <Button variant="default" onClick={() => window.location.reload()}>
            {texts.reload}
          </Button>
        </div>
      </Page>
    );
  }
}
