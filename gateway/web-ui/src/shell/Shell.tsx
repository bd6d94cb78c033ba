import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useState } from "react";
import { Router } from "wouter";
import { pushSupport, renewNotifications } from "../gateway/notifications";
import { useConnection, useGateway } from "../hooks/gateway";
import { useSession } from "../hooks/session";
import { Bar } from "./Bar";
import { Content } from "./Content";
import { Lost } from "./Lost";
import { useLanguage, useMessages } from "../hooks/messages";
import { Navigation } from "./Navigation";
import { SIGN_IN, useFragment, useLocation } from "../hooks/router";
import { shellMessages } from "./shellMessages";
import { ChangePassword, SignIn } from "./SignIn";

/** The application: bar, navigation and the page that the address names. */
export function Shell() {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <Router hook={useFragment}>
      {/* Texts are read when a component renders, so another language renders everything again. */}
      <Frame key={language} />
    </Router>
  );
}

function Frame() {
  const connection = useConnection();
  const session = useSession();
  const [location, navigate] = useLocation();
  const [navigating, setNavigating] = useState(false);
  useThemeColour();
  useRenewedNotifications();
  useEffect(() => setNavigating(false), [location]);

  if (session.state === "signed-in" && session.account.passwordChangeNeeded) {
    return (
      <>
        <Bar />
        <ChangePassword name={session.account.name} />
      </>
    );
  }
  const closed = connection === "forbidden";
  if (session.state === "signed-out" && (closed || location === SIGN_IN)) {
    const back = closed ? undefined : () => navigate("/");
    return (
      <Lost>
        <Bar />
        <SignIn ended={session.ended} onCancel={back} />
      </Lost>
    );
  }
  return (
    <Lost>
      <SkipLink />
      <Bar navigating={navigating} onNavigate={setNavigating} />
      <div className="shell">
        <Navigation shown={navigating} onClose={() => setNavigating(false)} />
        <Content />
      </div>
    </Lost>
  );
}

/** Lets keyboard users skip bar and navigation. A link to a fragment would open another page. */
function SkipLink() {
  const texts = useMessages(shellMessages);
  return (
    <button
      type="button"
      className="skip"
      onClick={() => document.querySelector<HTMLElement>("main.content")?.focus()}
    >
      {texts.skip}
    </button>
  );
}

/** Ties notifications of this browser to the session that has begun. */
function useRenewedNotifications(): void {
  const { api } = useGateway();
  const session = useSession();
  const language = useLanguage();
  const name = session.state === "signed-in" ? session.account.name : undefined;
  useEffect(() => {
    // A failure changes nothing: the page Accounts shows the state.
    if (name !== undefined) renewNotifications(api, pushSupport(), language).catch(() => undefined);
  }, [api, name, language]);
}

/** The colour of the browser's own bars follows the page's. */
function useThemeColour(): void {
  const scheme = useComputedColorScheme("light");
  useEffect(() => {
    const colour = scheme === "dark" ? "#1a2127" : "#ffffff";
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
  }, [scheme]);
}
