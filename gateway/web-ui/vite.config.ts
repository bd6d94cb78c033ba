import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * The page's Content-Security-Policy: only resources of its own origin, no inline script, no inline
 * style, no eval. It applies only to the build, because the development server injects scripts.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** The gateway answers these; the development server serves the rest. */
const PROXIED = ["/api", "/ms", "/keys", "/rd-lookup", "/actuator", "/ca.pem"];

const gateway = process.env["VIGIL_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  // Relative, so that the page also works below a prefix of a reverse proxy.
  base: "./",
  plugins: [react(), contentSecurityPolicy()],
  build: {
    target: "es2022",
    // Otherwise small images become data: URLs, which the policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "third-party-licenses.md" },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, gateway])) },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
