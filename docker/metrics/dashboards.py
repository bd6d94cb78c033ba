"""Writes the Grafana dashboards of docker/metrics/grafana/dashboards, with Grafana's foundation SDK:

    python docker/metrics/dashboards.py [FOLDER]

needs `grafana-foundation-sdk` of gateway/e2e/requirements.txt. docs/metrics.md says what the metrics count.
"""

import pathlib
import sys

from grafana_foundation_sdk.builders import common as options
from grafana_foundation_sdk.builders import prometheus, stat, timeseries
from grafana_foundation_sdk.builders.dashboard import Dashboard, QueryVariable, Row, ThresholdsConfig
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.common import BigValueTextMode, StackingMode, TooltipDisplayMode
from grafana_foundation_sdk.models.dashboard import DataSourceRef, Threshold, ThresholdsMode

FOLDER = pathlib.Path(__file__).parent / "grafana" / "dashboards"
SOURCE = DataSourceRef(type_val="prometheus", uid="prometheus")
# The gateways that are selected in the dashboard.
OF = 'instance=~"$instance"'


def rate(metric, labels="", by=""):
    labels = f"{OF},{labels}" if labels else OF
    inner = f"rate({metric}{{{labels}}}[$__rate_interval])"
    return f"sum by ({by}) ({inner})" if by else inner


def targets(panel, queries):
    """The panel with its queries, which Grafana distinguishes by letters."""
    for letter, (expr, legend) in zip("ABCDEF", queries):
        panel = panel.with_target(prometheus.Dataquery().ref_id(letter).expr(expr).legend_format(legend))
    return panel


def graph(title, unit, description, *queries, stacked=False):
    panel = timeseries.Panel().title(title).unit(unit).description(description).datasource(SOURCE).min(0)
    panel = panel.height(8).span(8).fill_opacity(30 if stacked else 5)
    panel = panel.stacking(options.StackingConfig().mode(StackingMode.NORMAL if stacked else StackingMode.NONE))
    panel = panel.tooltip(options.VizTooltipOptions().mode(TooltipDisplayMode.MULTI))
    return targets(panel, queries)


def number(title, unit, description, expr, bad_above=None, bad_below=None, legend="{{instance}}", shown=BigValueTextMode.AUTO):
    """A single figure, red from its limit on."""
    green, red = "green", "red"
    if bad_above is not None:
        steps = [Threshold(value=None, color=green), Threshold(value=bad_above, color=red)]
    elif bad_below is not None:
        steps = [Threshold(value=None, color=red), Threshold(value=bad_below, color=green)]
    else:
        steps = [Threshold(value=None, color=green)]
    limits = ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(steps)
    panel = stat.Panel().title(title).unit(unit).description(description).datasource(SOURCE).thresholds(limits)
    panel = panel.reduce_options(options.ReduceDataOptions().calcs(["lastNotNull"])).text_mode(shown)
    return targets(panel.height(4).span(4), [(expr, legend)])


def dashboard(uid, title, rows):
    built = Dashboard(title).uid(uid).tags(["vigil"]).time("now-6h", "now").refresh("30s").editable()
    instances = QueryVariable("instance").label("gateway").datasource(SOURCE)
    built = built.with_variable(
        instances.query("label_values(vigil_build, instance)").multi(True).include_all(True).all_value(".*")
    )
    for name, panels in rows:
        built = built.with_row(Row(name))
        for panel in panels:
            built = built.with_panel(panel)
    return built.build()


def endpoints():
    return dashboard("vigil-endpoints", "Vigil: endpoints and keys", [
        ("Now", [
            number("Missing", "short", "Trusted endpoints, silent for three wake intervals.",
                   f'sum by (instance) (vigil_mirror_endpoints{{{OF},trust="trusted",freshness="missing"}})', bad_above=1),
            number("On time", "short", "Trusted endpoints heard within their last wake interval.",
                   f'sum by (instance) (vigil_mirror_endpoints{{{OF},trust="trusted",freshness="on_time"}})'),
            number("Waiting keys", "short", "Keys that wait for an operator's decision.",
                   f'vigil_mirror_keys{{{OF},state="pending"}}', bad_above=1),
            number("Updates", "ops", "Accepted updates per second.", rate("vigil_mirror_accepted_total", 'kind="update"')),
            number("Refused", "ops", "Refused requests per second.", rate("vigil_mirror_rejected_total", by="instance")),
            number("Open alarms", "short", "Open alarms of this gateway; see /api/alarms.", f"sum by (instance) (vigil_alarms{{{OF}}})", bad_above=1),
        ]),
        ("Endpoints", [
            graph("Endpoints by freshness", "short", "Trusted endpoints.",
                  (f'sum by (freshness) (vigil_mirror_endpoints{{{OF},trust="trusted"}})', "{{freshness}}"), stacked=True),
            graph("Endpoints by trust", "short", "All registered endpoints.",
                  (f"sum by (trust) (vigil_mirror_endpoints{{{OF}}})", "{{trust}}"), stacked=True),
            graph("Keys by state", "short", "Includes former keys and keys that request a name.",
                  (f"sum by (state) (vigil_mirror_keys{{{OF}}})", "{{state}}"),
                  (f"sum(vigil_mirror_keys_listed{{{OF}}})", "imported")),
        ]),
        ("Requests", [
            graph("Accepted", "ops", "Requests per second that the mirror accepted.",
                  (rate("vigil_mirror_accepted_total", by="kind"), "{{kind}}")),
            graph("Refused by reason", "ops", "Requests per second that the mirror refused.",
                  (rate("vigil_mirror_rejected_total", by="reason"), "{{reason}}")),
            graph("Time of a verification", "s", "Mean time per signature.",
                  (f"{rate('vigil_mirror_verification_seconds_sum')} / {rate('vigil_mirror_verification_seconds_count')}", "{{instance}}")),
            graph("Directory", "short", "Registrations; endpoints that other directories show.",
                  (f"vigil_directory_endpoints{{{OF}}}", "here")),
            graph("Refused by the directory", "ops", "Lookups and registrations per second, by CoAP response code.",
                  (rate("vigil_directory_rejected_total", by="code"), "{{code}}")),
            graph("Requests by route", "ops", "Successful requests over CoAP and HTTP.",
                  (rate("vigil_requests_total", 'class="2"', by="route"), "{{route}}")),
        ]),
    ])


def network():
    return dashboard("vigil-network", "Vigil: radio, CoAP and DTLS", [
        ("Radio", [
            graph("Radios", "short", "1 while the radio works.", (f"vigil_radio_link_up{{{OF}}}", "{{radio}}")),
            graph("Frames", "pps", "Sent and received frames per second.",
                  (rate("vigil_radio_link_frames_total", by="radio, direction"), "{{radio}} {{direction}}")),
            graph("Frames given up", "pps", "After all retries.", (rate("vigil_radio_link_failed_total", by="radio"), "{{radio}}")),
            graph("Neighbours and routes", "short", "Nodes heard directly, and reachable nodes.",
                  (f"vigil_radio_neighbours{{{OF}}}", "neighbours"), (f"vigil_radio_routes{{{OF}}}", "routes")),
            graph("ETX by neighbour", "short", "Expected transmissions per frame; 1 is best.",
                  (f"topk(10, vigil_radio_neighbour_etx{{{OF}}})", "{{neighbour}}")),
            graph("Drops by reason", "pps", "Frames and packets per second.",
                  (rate("vigil_radio_dropped_total", by="reason"), "{{reason}}")),
        ]),
        ("CoAP", [
            graph("Datagrams", "pps", "Received datagrams per second.", (rate("vigil_coap_datagrams_total", by="scheme"), "{{scheme}}")),
            graph("Dropped datagrams", "pps", "Dropped datagrams of sources that exceed their share.",
                  (rate("vigil_coap_datagrams_dropped_total", by="scheme"), "{{scheme}}")),
            graph("Queues", "short", "Datagrams and requests that wait.",
                  (f"sum by (scheme) (vigil_coap_datagrams_waiting{{{OF}}})", "{{scheme}} datagrams"),
                  (f"sum(vigil_coap_requests_waiting{{{OF}}})", "requests")),
            graph("Echo", "ops", "Challenges to unverified sources, and proofs.",
                  (rate("vigil_coap_echo_challenges_total", by="instance"), "challenges"),
                  (rate("vigil_coap_echo_proofs_total", by="instance"), "proofs")),
            graph("Observations and uploads", "short", "Current number.",
                  (f"vigil_coap_observations{{{OF}}}", "observations"), (f"vigil_coap_uploads{{{OF}}}", "uploads")),
        ]),
        ("DTLS", [
            graph("Sessions", "short", "Established sessions, and unfinished handshakes.",
                  (f"vigil_coap_dtls_sessions{{{OF}}}", "sessions"), (f"vigil_coap_dtls_handshakes_open{{{OF}}}", "half open")),
            graph("Handshakes", "ops", "Finished handshakes per second.",
                  (rate("vigil_coap_dtls_handshakes_total", by="result"), "{{result}}")),
        ]),
    ])


def system():
    return dashboard("vigil-system", "Vigil: store, disk and process", [
        ("Now", [
            number("Build", "string", "Version and number.", f"vigil_build{{{OF}}}", legend="{{version}}, {{number}}", shown=BigValueTextMode.NAME),
            number("Store", "short", "1 while the store cannot write.", f"vigil_store_failing{{{OF}}}", bad_above=1),
            number("Free disk", "percentunit", "Of the data folder's disk.",
                   f"vigil_disk_free_bytes{{{OF}}} / vigil_disk_total_bytes{{{OF}}}", bad_below=0.05),
            number("Certificate", "s", "Time until the HTTPS certificate expires.",
                   f'vigil_certificate_expires_seconds{{{OF},protocol="https"}} - time()', bad_below=14 * 86400),
            number("Clock", "s", "Seconds that the clock is behind stored times.", f"vigil_clock_behind_store_seconds{{{OF}}}", bad_above=60),
            number("Running for", "s", "Since the start.", f"process_uptime_seconds{{{OF}}}"),
        ]),
        ("Store", [
            graph("Changes", "ops", "On disk, refused by the sequence or version rule, refused by the disk.",
                  (rate("vigil_store_landed_total"), "landed"), (rate("vigil_store_refused_total"), "refused"),
                  (rate("vigil_store_failed_total"), "failed")),
            graph("Time of a transaction", "s", "Mean time, including the sync.",
                  (f"{rate('vigil_store_commit_seconds_sum')} / {rate('vigil_store_commit_seconds_count')}", "{{instance}}")),
            graph("Waiting changes", "short", "Changes that wait for the disk.", (f"vigil_store_waiting{{{OF}}}", "{{instance}}")),
            graph("Disk", "bytes", "Free space, and the size of the database.",
                  (f"vigil_disk_free_bytes{{{OF}}}", "free"), (f"vigil_store_size_bytes{{{OF}}}", "database")),
        ]),
        ("Process", [
            graph("Heap", "bytes", "In use.", (f'sum by (instance) (jvm_memory_used_bytes{{{OF},area="heap"}})', "{{instance}}")),
            graph("Processor", "percentunit", "Of all processors of the machine.", (f"process_cpu_usage{{{OF}}}", "{{instance}}")),
            graph("Threads", "short", "Of the operating system.", (f"jvm_threads_live_threads{{{OF}}}", "{{instance}}")),
        ]),
        ("Other systems", [
            graph("Waiting for other systems", "short", "Readings that brokers, webhooks and databases have not acknowledged.",
                  (f"vigil_northbound_waiting{{{OF}}}", "{{destination}}")),
            graph("Delay of other systems", "s", "Age of the oldest waiting reading.",
                  (f"vigil_northbound_lag_seconds{{{OF}}}", "{{destination}}")),
            graph("Deliveries", "ops", "Acknowledged deliveries, and failed attempts.",
                  (rate("vigil_northbound_delivered_total", by="destination"), "{{destination}}"),
                  (rate("vigil_northbound_failed_total", by="destination"), "{{destination}} failed")),
        ]),
    ])


def main(folder):
    for built in (endpoints(), network(), system()):
        text = JSONEncoder(sort_keys=True, indent=2).encode(built)
        (folder / f"{built.uid}.json").write_text(text + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
