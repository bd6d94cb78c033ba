import type { ReactNode } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLoaded, useRepeatedly } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { hrefOf } from "../../hooks/router";
import { bytes, duration, grouped, moment } from "../../text/format";
import { readHealth, readSystem, STORE_FIGURES, type System } from "./api";
import { HealthParts, Status } from "./HealthParts";
import { messages } from "./messages";

const INTERVAL = 10_000;

/** Health, version and figures of the gateway; only health for accounts without further rights. */
export function GatewayPanel() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded("system", async () => {
    const system = await readSystem(api);
    return { system, status: system?.status ?? (await readHealth(api)) };
  });
  useRepeatedly(reload, INTERVAL);
  return (
    <section className="panel" data-panel="gateway">
      <h2>{words.gateway}</h2>
      <ErrorAlert problem={problem} />
      <dl className="settings">
        <Item name={words.health}>
          {data === undefined ? "–" : <Status status={data.status} />}
          {data !== undefined && data.status !== "UP" && (
            <small className="under">
              <a href={hrefOf("/alarms")}>{words.statusHelp}</a>
            </small>
          )}
        </Item>
        {data?.system !== undefined && <Figures system={data.system} />}
      </dl>
      {data?.system !== undefined && <HealthParts parts={data.system.parts} />}
      {data !== undefined && data.system === undefined && <p className="dimmed">{words.hidden}</p>}
      <p>
        <a href={api.url("reference.html")}>{words.reference}</a>
      </p>
    </section>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Figures({ system }: { system: System }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { store, disk, memory, cluster } = system;
  return (
    <>
      {system.version !== undefined && <Item name={words.version}>{system.version}</Item>}
      {system.build !== undefined && <Item name={words.build}>{system.build}</Item>}
      {system.builtAt !== undefined && (
        <Item name={words.builtAt}>{moment(Date.parse(system.builtAt))}</Item>
      )}
      <Item name={words.uptime}>
        {duration(Math.max(0, api.now() - Date.parse(system.startedAt)))}
      </Item>
      <Item name={words.disk}>{words.diskOf(bytes(disk.free), bytes(disk.total))}</Item>
      {cluster && <Cluster cluster={cluster} now={api.now()} />}
      <Item name={words.storeSize}>{bytes(store.octets)}</Item>
      <Item name={words.memory}>{words.diskOf(bytes(memory.used), bytes(memory.max))}</Item>
      {STORE_FIGURES.map((name) => (
        <Item key={name} name={words.figures[name]}>
          <span data-figure={name}>{grouped(store[name])}</span>
        </Item>
      ))}
    </>
  );
}

function Cluster({ cluster, now }: { cluster: NonNullable<System["cluster"]>; now: number }) {
  const words = useMessages(messages);
  const repair = [...cluster.repairs].sort((a, b) => b.at.localeCompare(a.at))[0];
  return (
    <>
      <Item name={words.cluster}>{words.clusterOf(cluster.gateway, cluster.duties)}</Item>
      <Item name={words.clusterServers}>
        {cluster.silentSeconds > 0
          ? words.clusterSilent(duration(cluster.silentSeconds * 1000))
          : words.clusterServersOf(cluster.servers, cluster.copies, grouped(cluster.lag))}
      </Item>
      {cluster.gateways.map((one) => (
        <Item key={one.name} name={words.clusterGateway(one.name)}>
          {words.clusterHeard(
            duration(Math.max(0, now - Date.parse(one.startedAt))),
            duration(one.silentSeconds * 1000),
            grouped(Math.max(0, cluster.position - one.position)),
          )}
        </Item>
      ))}
      {repair !== undefined && (
        <Item name={words.clusterRepair}>
          {repair.damaged && repair.lost === 0
            ? words.clusterDamaged(moment(Date.parse(repair.at)), repair.gateway)
            : words.clusterRepairOf(
                moment(Date.parse(repair.at)),
                repair.gateway,
                grouped(repair.lost),
                grouped(repair.stored),
              )}
        </Item>
      )}
    </>
  );
}
