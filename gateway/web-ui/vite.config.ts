import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The style sheet of Swagger UI has images as data: URLs. */
const REFERENCE = "/reference.html";

/**
 * The Content-Security-Policy of a page: only resources of its own origin, no inline script, no
 * inline style, no eval. It applies only to the build, because the development server injects
 * scripts.
 */
const policy = (page: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    page === REFERENCE ? "img-src 'self' data:" : "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: (_, { path }) => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: policy(path) },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** The licences of what Swagger UI's bundle contains, which the list of packages does not show. */
function bundledLicences(): Plugin {
  const name = "swagger-ui-es-bundle.js.LICENSE.txt";
  return {
    name: "bundled-licences",
    apply: "build",
    generateBundle() {
      const source = readFileSync(new URL(`node_modules/swagger-ui-dist/${name}`, import.meta.url));
      this.emitFile({ type: "asset", fileName: `assets/${name}`, source });
    },
  };
}

/** The gateway answers these; the development server serves the rest. */
const PROXIED = ["/api", "/v3", "/ms", "/keys", "/rd-lookup", "/actuator", "/ca.pem"];

const gateway = process.env["VIGIL_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  // Relative, so that the page also works below a prefix of a reverse proxy.
  base: "./",
  plugins: [react(), contentSecurityPolicy(), bundledLicences()],
  build: {
    target: "es2022",
    rolldownOptions: { input: ["index.html", "reference.html", "wallboard.html"] },
    // Otherwise small images become data: URLs, which the policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "third-party-licenses.md" },
    // Swagger UI; the largest chunk of the application has a quarter of it.
    chunkSizeWarningLimit: 1600,
  },
  server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, gateway])) },
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    // A process for each file would use most of the time: the tests restore what they replace.
    isolate: false,
  },
});
