import "../shell/mantine";
import "uplot/dist/uPlot.min.css";
import "../shell/base.css";
import "../parts/parts.css";
import "./wallboard.css";
import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Api } from "../gateway/api";
import { theme } from "../shell/theme";
import { loadLanguage } from "../text/language";
import { reloadAfterUpgrade } from "./upgrade";
import { Wallboard } from "./Wallboard";

// The fragment is not sent to servers. It stays in the address, so that the screen can be restarted.
const token = window.location.hash.slice(1);
const api = new Api(document.baseURI, (address, init = {}) =>
  fetch(address, {
    ...init,
    // The rights of the browser's own session must not be used.
    credentials: "omit",
    headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
  }),
);
loadLanguage(
  {
    getItem: (item) => localStorage.getItem(item),
    setItem: (item, text) => localStorage.setItem(item, text),
  },
  navigator.languages,
);
window.addEventListener("hashchange", () => window.location.reload());

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Wallboard api={api} hasToken={token !== ""} onReconnected={reloadAfterUpgrade} />
    </MantineProvider>
  </StrictMode>,
);
