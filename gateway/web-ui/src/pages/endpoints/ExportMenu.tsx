import { Button, Menu } from "@mantine/core";
import { memo } from "react";
import { useGateway } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { exportPath, type Exported } from "./api";
import { endpointsMessages } from "./messages";

const SIGNED: readonly Exported[] = ["values-jsonl", "values-csv"];
const UNSIGNED: readonly Exported[] = ["hour-csv", "day-csv"];

/**
 * Exports what all endpoints of a domain measured.
 *
 * @param domain undefined for all domains
 */
export const ExportMenu = memo(function ExportMenu({ domain }: { domain: string | undefined }) {
  const texts = useMessages(endpointsMessages);
  const { api } = useGateway();
  const items = (some: readonly Exported[]) =>
    some.map((one) => (
      <Menu.Item key={one} component="a" download href={api.url(exportPath(one, domain))}>
        {texts.exported[one]}
      </Menu.Item>
    ));
  return (
    <Menu position="bottom-end" width={300} withinPortal={false}>
      <Menu.Target>
        <Button variant="default">{texts.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.exportSigned}</Menu.Label>
        {items(SIGNED)}
        <Menu.Label>{texts.exportUnsigned}</Menu.Label>
        {items(UNSIGNED)}
      </Menu.Dropdown>
    </Menu>
  );
});
