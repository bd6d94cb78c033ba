import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const STYLES = "node_modules/@mantine/core/styles";

test("each component of Mantine that is used has its style sheet", () => {
  const imported = readFileSync(join(ROOT, "src/shell/mantine.ts"), "utf8");
  const used = new Set<string>();
  for (const file of readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".tsx")) continue;
    const text = readFileSync(join(ROOT, "src", file), "utf8");
    const names = /import \{([^}]*)\} from "@mantine\/core"/.exec(text)?.[1] ?? "";
    for (const name of names.matchAll(/\b[A-Z]\w+/g)) used.add(name[0]);
  }
  expect(used.size).toBeGreaterThan(10);
  const missing = [...used].filter(
    (name) =>
      existsSync(join(ROOT, STYLES, `${name}.css`)) && !imported.includes(`styles/${name}.css`),
  );
  expect(missing).toEqual([]);
});
