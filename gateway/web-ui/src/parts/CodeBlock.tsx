import { CopyButton } from "./CopyButton";

/** A text in a fixed font, with a button that copies it. */
export function CodeBlock({ text, what, wrap }: { text: string; what: string; wrap?: boolean }) {
  return (
    <div className="code">
      {/* Focusable, because it scrolls sideways. */}
      <pre tabIndex={0} role="group" aria-label={what} data-wrap={wrap === true || undefined}>
        {text}
      </pre>
      <div className="code-copy">
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}
