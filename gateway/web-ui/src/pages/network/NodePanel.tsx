import { Button, Drawer, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Age } from "../../parts/Age";
import { CopyButton } from "../../parts/CopyButton";
import { useGatewayNow } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { shortAddress } from "../../text/addresses";
import { ago, bytes, duration, grouped } from "../../text/format";
import { shortName } from "./addresses";
import type { Neighbour } from "./api";
import { EndpointName } from "./EndpointName";
import { etxText, heardBefore, levelName, type GraphNode } from "./graph";
import { networkMessages } from "./messages";

/** Details of one node beside the picture. */
export function NodePanel({
  node,
  operates,
  onForgive,
  onClose,
}: {
  node: GraphNode | undefined;
  operates: boolean;
  onForgive: (neighbour: Neighbour) => void;
  onClose: () => void;
}) {
  const texts = useMessages(networkMessages);
  return (
    <Drawer
      opened={node !== undefined}
      onClose={onClose}
      position="right"
      size={420}
      // The style sheet locks scrolling; a script would need an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": texts.close }}
      title={node === undefined ? "" : `${texts.node} ${shortName(node.id)}`}
    >
      {node !== undefined && <Details node={node} operates={operates} onForgive={onForgive} />}
    </Drawer>
  );
}

function Details({
  node,
  operates,
  onForgive,
}: {
  node: GraphNode;
  operates: boolean;
  onForgive: (neighbour: Neighbour) => void;
}) {
  const texts = useMessages(networkMessages);
  const now = useGatewayNow();
  const { mesh, neighbour, reach } = node;
  const heard = heardBefore(mesh, neighbour, now);
  return (
    <Stack gap="lg" data-drawer data-node-panel={node.id}>
      <dl className="mesh-facts">
        <Fact name={texts.reachability}>{texts.reach[reach]}</Fact>
        <Fact name={texts.endpoint}>
          <EndpointName node={node} />
        </Fact>
        {mesh !== undefined && <Address name={texts.address} text={shortAddress(mesh.address)} />}
        {neighbour !== undefined && <Address name="EUI-64" text={neighbour.eui64} />}
        <Fact name={texts.heard}>{heard === undefined ? "–" : ago(heard)}</Fact>
        {mesh !== undefined && (
          <>
            {mesh.parent !== undefined && (
              <Address name={texts.parent} text={shortAddress(mesh.parent)} />
            )}
            <Fact name={texts.hops}>{mesh.hops ?? "–"}</Fact>
            <Fact name={texts.rank}>{mesh.rank ?? "–"}</Fact>
            <Fact name={texts.routeLeft}>
              {mesh.routeUntil === undefined ? "–" : duration(mesh.routeUntil - now)}
            </Fact>
          </>
        )}
        {neighbour !== undefined && <OfNeighbour neighbour={neighbour} />}
      </dl>
      {neighbour === undefined ? (
        <Text size="sm" c="dimmed">
          {texts.notHeard}
        </Text>
      ) : (
        <Dropped neighbour={neighbour} />
      )}
      {neighbour !== undefined && operates && neighbour.level > 0 && (
        <div>
          <Button variant="default" size="sm" onClick={() => onForgive(neighbour)}>
            {texts.forgive}
          </Button>
        </div>
      )}
    </Stack>
  );
}

function OfNeighbour({ neighbour }: { neighbour: Neighbour }) {
  const texts = useMessages(networkMessages);
  const { lqi, level, radio, heardAt } = neighbour;
  const saved = neighbour.savedIn + neighbour.savedOut;
  return (
    <>
      <Fact name={texts.radio}>{radio}</Fact>
      <Fact name={texts.heardHere}>
        <Age at={Date.parse(heardAt)} />
      </Fact>
      <Fact name={texts.lqi}>{lqi === undefined ? "–" : texts.of255(lqi)}</Fact>
      <Fact name={texts.etx}>{etxText(neighbour)}</Fact>
      <Fact name={texts.security}>{level === 0 ? texts.unsecured : levelName(level)}</Fact>
      <Fact name={texts.received}>
        {texts.frames(grouped(neighbour.frames))}, {bytes(neighbour.octetsIn)}
      </Fact>
      <Fact name={texts.sent}>
        {texts.frames(grouped(neighbour.sent))}, {bytes(neighbour.octetsOut)}
      </Fact>
      <Fact name={texts.failed}>{neighbour.failed}</Fact>
      <Fact name={texts.retries}>{neighbour.retries}</Fact>
      {saved > 0 && <Fact name={texts.saved}>{bytes(saved)}</Fact>}
    </>
  );
}

function Dropped({ neighbour }: { neighbour: Neighbour }) {
  const texts = useMessages(networkMessages);
  const reasons = Object.entries(neighbour.dropped);
  if (reasons.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {texts.droppedOf}
      </Text>
      <dl className="mesh-facts">
        {reasons.map(([reason, count]) => (
          <Fact key={reason} name={<code>{reason}</code>}>
            {count}
          </Fact>
        ))}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
    </>
  );
}

function Address({ name, text }: { name: string; text: string }) {
  return (
    <Fact name={name}>
      <span className="mesh-address">
        <code>{text}</code>
        <CopyButton text={text} what={name} />
      </span>
    </Fact>
  );
}
