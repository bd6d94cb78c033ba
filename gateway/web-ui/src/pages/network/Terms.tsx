import { useMessages } from "../../hooks/messages";
import { networkMessages } from "./messages";

const TERMS = ["DODAG", "Rank", "ETX", "LQI"] as const;

/** The terms of RPL and IEEE 802.15.4 that the page uses, in words. */
export function Terms() {
  const { terms, term } = useMessages(networkMessages);
  return (
    <details className="mesh-terms">
      <summary>{terms}</summary>
      <dl>
        {TERMS.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{term[name]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
