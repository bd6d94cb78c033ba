import { Button, NativeSelect } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { hasRoleEverywhere } from "../../gateway/roles";
import type { Schemas } from "../../gateway/schemas";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { useSession } from "../../hooks/session";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import {
  chooseUnit,
  displayUnits,
  first,
  gatewayUnit,
  onUnits,
  ownUnit,
  setGatewayUnits,
  unitsInForce,
  type DisplayUnit,
  type Quantity,
} from "../../text/displayUnits";
import { messages } from "./messages";

/** The value of the choice to show what the gateway shows; no unit has this name. */
const AS_GATEWAY = " ";
const PATH = "api/display-units";

/** The units in which this browser shows numbers; administrators choose the gateway's units. */
export function UnitsPanel() {
  const words = useMessages(messages);
  const { api } = useGateway();
  const administers = hasRoleEverywhere(useSession(), "administrator");
  const { quantities } = useSyncExternalStore(onUnits, displayUnits);
  const [saved, setSaved] = useState(false);
  const { busy, problem, run } = useAction(async () => {
    setSaved(false);
    const { tag } = await api.tagged(PATH);
    const body: Schemas["DisplayUnitsBody"] = { chosen: unitsInForce() };
    setGatewayUnits((await api.send("PUT", PATH, body, tag)) as Schemas["DisplayUnits"]);
    setSaved(true);
  });
  if (quantities.length === 0) return null;
  return (
    <section className="panel" data-panel="units">
      <h2>{words.units}</h2>
      <p className="dimmed">{words.unitsHelp}</p>
      <div className="form-grid">
        {quantities.map((quantity) => (
          <UnitField key={first(quantity)} quantity={quantity} />
        ))}
      </div>
      <ErrorAlert problem={problem} />
      <Done sentence={saved ? words.unitsSaved : undefined} />
      {administers && (
        <p>
          <Button variant="default" size="compact-md" loading={busy} onClick={() => void run()}>
            {words.unitsForAll}
          </Button>
        </p>
      )}
    </section>
  );
}

function UnitField({ quantity }: { quantity: Quantity }) {
  const words = useMessages(messages);
  const names: Readonly<Record<string, string>> = words.quantities;
  const symbol = (unit: DisplayUnit) => (unit.symbol === "" ? words.unitOne : unit.symbol);
  const byGateway = gatewayUnit(quantity);
  return (
    <NativeSelect
      label={names[first(quantity)] ?? first(quantity)}
      value={ownUnit(quantity) ?? AS_GATEWAY}
      data={[
        {
          value: AS_GATEWAY,
          label: words.unitsOfGateway(byGateway === undefined ? words.measured : symbol(byGateway)),
        },
        { value: "", label: words.measured },
        ...quantity.map((unit) => ({ value: unit.unit, label: symbol(unit) })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        chooseUnit(quantity, value === AS_GATEWAY ? undefined : value)
      }
    />
  );
}
