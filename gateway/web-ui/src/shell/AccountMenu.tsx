import { Button, Menu } from "@mantine/core";
import { useGateway, useConnection } from "../hooks/gateway";
import { useSession } from "../hooks/session";
import { User } from "../parts/icons";
import { useMessages } from "../hooks/messages";
import { SIGN_IN, useLocation } from "../hooks/router";
import { shellMessages } from "./shellMessages";

/** The signed-in account with a sign-out button; otherwise the sign-in button. */
export function AccountMenu() {
  const texts = useMessages(shellMessages);
  const { session: store } = useGateway();
  const session = useSession();
  const [location, navigate] = useLocation();
  const connection = useConnection();
  if (session.state === "unknown") return null;
  if (session.state === "signed-out") {
    if (connection === "forbidden" || location === SIGN_IN) return null;
    return (
      <Button
        className="bar-button"
        variant="default"
        size="compact-sm"
        onClick={() => navigate(SIGN_IN)}
      >
        {texts.signIn}
      </Button>
    );
  }
  const { name, roles, passwordChangeNeeded } = session.account;
  if (passwordChangeNeeded) return null;
  const signOut = async () => {
    await store.signOut();
    // Forgets data that only the account may see.
    window.location.replace(window.location.pathname);
  };
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <Button
          className="bar-button bar-account"
          variant="default"
          size="compact-sm"
          leftSection={<User size={15} />}
          aria-label={texts.accountMenu(name)}
        >
          <span className="clip" data-account>
            {name}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="account-roles">
          <strong>{name}</strong>
          <br />
          {roles.length === 0 ? texts.noRole : roles.join(", ")}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{texts.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
