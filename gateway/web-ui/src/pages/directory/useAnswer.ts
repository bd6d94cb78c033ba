import { useEffect, useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { LinkFormatError, parseLinks, type Link } from "./linkFormat";
import { pathOf, type Lookup } from "./lookup";

/** The answer to a lookup, as it was sent and parsed. */
export interface Answer {
  path: string;
  text: string;
  links: Link[];
  /** Why the text could not be parsed. */
  fault: string | undefined;
}

/** Asks the gateway's directory; the last answer stays until the next one. */
export function useAnswer(lookup: Lookup): { answer: Answer | undefined; problem: unknown } {
  const { api } = useGateway();
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<unknown>();
  const path = pathOf(lookup);
  useEffect(() => {
    let outdated = false;
    api.text(path, "application/link-format").then(
      (text) => {
        if (outdated) return;
        setProblem(undefined);
        setAnswer({ path, text, ...parsed(text) });
      },
      (reason: unknown) => !outdated && setProblem(reason),
    );
    return () => {
      outdated = true;
    };
  }, [api, path]);
  return { answer, problem };
}

function parsed(text: string): { links: Link[]; fault: string | undefined } {
  try {
    return { links: parseLinks(text), fault: undefined };
  } catch (problem) {
    if (problem instanceof LinkFormatError) return { links: [], fault: problem.message };
    throw problem;
  }
}
