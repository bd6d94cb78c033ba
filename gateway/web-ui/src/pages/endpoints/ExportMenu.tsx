import { Button, Menu } from "@mantine/core";
import { memo, useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useMessages, useUnits } from "../../hooks/messages";
import { exportPath, type Exported, type Scope } from "./api";
import { endpointsMessages } from "./messages";

const SIGNED: readonly Exported[] = ["values-jsonl", "values-csv"];
const UNSIGNED: readonly Exported[] = ["hour-csv", "day-csv"];

/** Exports the measurements of many endpoints. */
export const ExportMenu = memo(function ExportMenu({ domain, tags }: Scope) {
  const texts = useMessages(endpointsMessages);
  const { api } = useGateway();
  const units = useUnits();
  const [convert, setConvert] = useState(false);
  const items = (some: readonly Exported[]) =>
    some.map((one) => (
      <Menu.Item
        key={one}
        component="a"
        download
        href={api.url(exportPath(one, { domain, tags }, convert ? units : []))}
      >
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
        {units.length > 0 && (
          <Menu.Item
            closeMenuOnClick={false}
            role="menuitemcheckbox"
            aria-checked={convert}
            onClick={() => setConvert(!convert)}
          >
            <span aria-hidden>{convert ? "☑ " : "☐ "}</span>
            {texts.exportUnits}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
});
