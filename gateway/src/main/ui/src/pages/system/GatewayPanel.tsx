import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLoaded, useRepeatedly } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../shell/messages";
import { hrefOf } from "../../shell/router";
import { atAGlance, duration, grouped, moment } from "../../text/format";
import { readBuild, readHealth, readMetrics, type Build } from "./api";
import { messages } from "./messages";
import { metricsOf } from "./metrics";

const INTERVAL = 10_000;

/** Health, version and figures of the gateway. */
export function GatewayPanel() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const health = useLoaded("health", () => readHealth(api));
  const build = useLoaded("build", async () => ({ known: await readBuild(api) }));
  const metrics = useLoaded("metrics", async () => {
    const text = await readMetrics(api);
    return { known: text === undefined ? undefined : metricsOf(text) };
  });
  useRepeatedly(() => {
    health.reload();
    metrics.reload();
  }, INTERVAL);
  const hidden =
    build.data !== undefined &&
    metrics.data !== undefined &&
    (build.data.known === undefined || metrics.data.known === undefined);
  return (
    <section className="panel" data-panel="gateway">
      <h2>{words.gateway}</h2>
      <ErrorAlert problem={health.problem ?? build.problem ?? metrics.problem} />
      <dl className="settings">
        <Health status={health.data} />
        <BuildOf build={build.data?.known} />
        <Figures metrics={metrics.data?.known} />
      </dl>
      {hidden && <p className="dimmed">{words.hidden}</p>}
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

function Health({ status }: { status: string | undefined }) {
  const words = useMessages(messages);
  const colour = status === "UP" ? "teal" : status === "DEGRADED" ? "yellow" : "red";
  return (
    <Item name={words.health}>
      {status === undefined ? (
        "–"
      ) : (
        <Badge variant="light" color={colour} data-health={status}>
          {words.status[status] ?? status}
        </Badge>
      )}
      {status !== undefined && status !== "UP" && (
        <small className="under">
          <a href={hrefOf("/alarms")}>{words.statusHelp}</a>
        </small>
      )}
    </Item>
  );
}

function BuildOf({ build }: { build: Build | undefined }) {
  const words = useMessages(messages);
  if (build === undefined) return null;
  return (
    <>
      <Item name={words.version}>{build.version}</Item>
      {build.number !== undefined && <Item name={words.build}>{build.number}</Item>}
      {build.time !== undefined && (
        <Item name={words.builtAt}>{moment(Date.parse(build.time))}</Item>
      )}
    </>
  );
}

function Figures({ metrics }: { metrics: ReadonlyMap<string, number> | undefined }) {
  const words = useMessages(messages);
  if (metrics === undefined) return null;
  const uptime = metrics.get("process_uptime_seconds");
  const free = metrics.get("vigil_disk_free_bytes");
  const total = metrics.get("vigil_disk_total_bytes");
  const size = metrics.get("vigil_store_size_bytes");
  const memory = metrics.get("jvm_memory_used_bytes");
  return (
    <>
      {uptime !== undefined && <Item name={words.uptime}>{duration(uptime * 1000)}</Item>}
      {free !== undefined && total !== undefined && (
        <Item name={words.disk}>{words.diskOf(octets(free), octets(total))}</Item>
      )}
      {size !== undefined && <Item name={words.storeSize}>{octets(size)}</Item>}
      {memory !== undefined && <Item name={words.memory}>{octets(memory)}</Item>}
      {Object.entries(words.figures).map(([name, label]) => {
        const value = metrics.get(name);
        return (
          value !== undefined && (
            <Item key={name} name={label}>
              <span data-figure={name}>{grouped(value)}</span>
            </Item>
          )
        );
      })}
    </>
  );
}

function octets(number: number): string {
  const { value, unit } = atAGlance(number.toString(), "B");
  return `${value} ${unit}`;
}
