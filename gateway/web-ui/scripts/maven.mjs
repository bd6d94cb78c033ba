// Called by Maven: builds or tests the page with the packages of the lock file.
//
//   node scripts/maven.mjs build OUT STAMP     builds into OUT unless nothing has changed since STAMP
//   node scripts/maven.mjs test REPORT SKIP    generates the types of the API, checks all types, and runs
//                                              linter and unit tests with a JUnit report, unless SKIP is true
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const installed = join(here, "node_modules", ".installed");

const [verb, first = "", second = ""] = process.argv.slice(2);
if (verb === "build") build(first, second);
else if (verb === "test") test(first, second === "true");
else throw new Error(`no verb ${verb}`);

/** @param {string} out @param {string} stamp */
function build(out, stamp) {
  const inputs = digest(filesBelow(here));
  if (existsSync(join(out, "index.html")) && isStamped(stamp, inputs)) return;
  install();
  npm("run", "--silent", "build", "--", "--outDir", out, "--emptyOutDir", "--logLevel", "warn");
  put(stamp, inputs);
}

/** @param {string} report @param {boolean} skip */
function test(report, skip) {
  if (skip) return;
  install();
  const reporters = ["--reporter=dot", "--reporter=junit", `--outputFile.junit=${report}`];
  npm("run", "--silent", "types");
  npm("exec", "--", "tsc", "--noEmit");
  npm("run", "--silent", "test", "--", ...reporters);
}

function install() {
  const wanted = digest([join(here, "package-lock.json"), join(here, "package.json")]);
  if (isStamped(installed, wanted)) return;
  npm("ci", "--no-audit", "--loglevel=error");
  put(installed, wanted);
}

/** @param {string[]} words */
function npm(...words) {
  const windows = process.platform === "win32";
  const done = spawnSync("npm", words, { cwd: here, stdio: "inherit", shell: windows });
  if (done.status === 0) return;
  const why = done.error?.message ?? `ended with ${done.status}`;
  console.error(`npm ${words[0]} ${why}. Without the web page: -Dui.skip`);
  process.exit(1);
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist")
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .sort();
}

/** @param {string[]} files */
function digest(files) {
  const hash = createHash("sha256").update(process.version);
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`\n${relative(here, file)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} stamp @param {string} wanted */
function isStamped(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

/** @param {string} stamp @param {string} content */
function put(stamp, content) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, content);
}
