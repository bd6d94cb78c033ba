import { ActionIcon, Button } from "@mantine/core";
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useConnection, useFrozenAt } from "../hooks/gateway";
import { useSession } from "../hooks/session";
import { Cross, Logo, Menu, Moon, Sun } from "../parts/icons";
import { timeOfDay } from "../text/format";
import { chooseLanguage } from "../text/language";
import { AccountMenu } from "./AccountMenu";
import { useLanguage, useMessages } from "../hooks/messages";
import { shellMessages } from "./shellMessages";

/** The bar above every page; the button for the navigation shows on narrow screens only. */
export function Bar({
  navigating,
  onNavigate,
}: {
  navigating?: boolean;
  onNavigate?: (shown: boolean) => void;
}) {
  const texts = useMessages(shellMessages);
  return (
    <header className="bar">
      {onNavigate !== undefined && (
        <ActionIcon
          className="bar-menu"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={navigating === true ? texts.closeNavigation : texts.openNavigation}
          aria-expanded={navigating === true}
          aria-controls="navigation"
          onClick={() => onNavigate(navigating !== true)}
        >
          {navigating === true ? <Cross size={18} /> : <Menu size={18} />}
        </ActionIcon>
      )}
      <Logo />
      <span className="bar-name">Vigil</span>
      <span className="bar-host dimmed">{window.location.host}</span>
      <ConnectionMark />
      <LanguageSwitch />
      <SchemeSwitch />
      <AccountMenu />
    </header>
  );
}

function ConnectionMark() {
  const texts = useMessages(shellMessages);
  const connection = useConnection();
  const frozenAt = useFrozenAt();
  const signedIn = useSession().state === "signed-in";
  const words = {
    connecting: texts.connecting,
    live: texts.live,
    reconnecting: texts.reconnecting,
    forbidden: signedIn ? texts.noAccess : texts.signedOut,
  };
  return (
    <span className="connection" role="status" data-connection={connection}>
      <span className="dot" aria-hidden />
      <span className="clip">
        {words[connection]}
        {frozenAt !== undefined && connection !== "forbidden" && (
          <span className="dimmed">{texts.asOf(timeOfDay(frozenAt))}</span>
        )}
      </span>
    </span>
  );
}

/** Named in the other language, for people who do not read the current one. */
function LanguageSwitch() {
  const texts = useMessages(shellMessages);
  const other = useLanguage() === "en" ? "de" : "en";
  return (
    <Button
      className="bar-language"
      variant="subtle"
      color="gray"
      size="compact-sm"
      lang={other}
      aria-label={`${other.toUpperCase()}, ${texts.otherLanguage}`}
      onClick={() => chooseLanguage(other)}
    >
      {other.toUpperCase()}
    </Button>
  );
}

function SchemeSwitch() {
  const texts = useMessages(shellMessages);
  // Without Mantine's transition blocker, which would be an inline style.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme("light") === "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={dark ? texts.useLight : texts.useDark}
      onClick={() => setColorScheme(dark ? "light" : "dark")}
    >
      {dark ? <Sun size={18} /> : <Moon size={18} />}
    </ActionIcon>
  );
}
