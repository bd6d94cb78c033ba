// The licence report of the images, from CycloneDX files: node licences.mjs FILE... Exit code 1 when a component
// names no licence.
import { readFileSync } from "node:fs";

/** @type {Map<string, Set<string>>} */
const byLicence = new Map();
let unknown = 0;
for (const file of process.argv.slice(2)) {
  for (const component of JSON.parse(readFileSync(file, "utf8")).components ?? []) {
    // Our own modules, and type declarations and tools that npm lists as optional peers, are not delivered.
    if (component.group === "dev.vigil" || component.scope === "optional") continue;
    const licence = licences(component) || "UNKNOWN";
    if (licence === "UNKNOWN") unknown++;
    const name = [component.group, component.name].filter(Boolean).join("/") + " " + component.version;
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(name));
  }
}
for (const [licence, names] of [...byLicence].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(`${licence}\n${[...names].sort().map((name) => `  ${name}\n`).join("")}`);
}
if (unknown > 0) {
  console.error(`${unknown} components name no licence`);
  process.exit(1);
}

/** @param {{licenses?: {expression?: string, license?: {id?: string, name?: string}}[]}} component */
function licences(component) {
  return (component.licenses ?? [])
    .map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? "")
    .filter(Boolean)
    .join(" or ");
}
