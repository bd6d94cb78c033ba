"""Checks packaging/kubernetes against the schemas of Kubernetes, and compares it with the settings and the images."""

import re

import kubernetes_validate
import pytest
import yaml
from stand_in import ROOT

FOLDER = ROOT / "packaging/kubernetes"
VERSIONS = ("1.31.0", "1.34.0")
LISTED = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]
GATEWAYS = [{"podSelector": {"matchLabels": {"app.kubernetes.io/name": "gateway"}}}]
OBJECTS = [one for file in LISTED for one in yaml.safe_load_all((FOLDER / file).read_text())]


def named(kind, name):
    [found] = [one for one in OBJECTS if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return found


def container(name):
    return named("StatefulSet", name)["spec"]["template"]["spec"]["containers"][0]


def ports_for(rules, direction, peers):
    """The ports of the rules of a network policy for these peers alone."""
    return [port for rule in rules if rule.get(direction) == peers for port in rule["ports"]]


def test_every_file_is_applied():
    assert {*LISTED, "kustomization.yaml", "README.md"} == {file.name for file in FOLDER.iterdir()}
    kinds = {one["kind"] for one in OBJECTS}
    assert {"StatefulSet", "Service", "NetworkPolicy", "PodDisruptionBudget", "ConfigMap", "Namespace"} == kinds


@pytest.mark.parametrize("version", VERSIONS)
def test_the_schemas_accept_every_object(version):
    for one in OBJECTS:
        kubernetes_validate.validate(one, version, strict=True)


def test_the_schemas_refuse_a_wrong_member():
    wrong = {**named("Service", "nats"), "spec": {**named("Service", "nats")["spec"], "clusterIp": "None"}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


def test_selectors_services_and_ports_fit():
    for name in ("nats", "gateway"):
        workload = named("StatefulSet", name)["spec"]
        labels = workload["template"]["metadata"]["labels"]
        assert workload["selector"]["matchLabels"].items() <= labels.items()
        assert named("Service", workload["serviceName"])["spec"]["clusterIP"] == "None"
        assert named("PodDisruptionBudget", name)["spec"]["selector"] == workload["selector"]
    ports = {port["name"]: port for port in container("gateway")["ports"]}
    for service in ("gateway-https", "gateway-coap"):
        spec = named("Service", service)["spec"]
        assert spec["sessionAffinity"] == "ClientIP" and spec["externalTrafficPolicy"] == "Local"
        for port in spec["ports"]:
            assert ports[port["targetPort"]].get("protocol", "TCP") == port.get("protocol", "TCP")
    policy = named("NetworkPolicy", "gateway")["spec"]
    private = {(one["protocol"], one["port"]) for one in ports_for(policy["ingress"], "from", GATEWAYS)}
    assert private == {("UDP", ports["coaps-cluster"]["containerPort"])}, "only gateways reach the private socket"
    assert private == {(one["protocol"], one["port"]) for one in ports_for(policy["egress"], "to", GATEWAYS)}
    everyone = {(one["protocol"], one["port"]) for rule in policy["ingress"] if "from" not in rule for one in rule["ports"]}
    assert not everyone & private
    assert everyone | private == {(port.get("protocol", "TCP"), port["containerPort"]) for port in ports.values()}


def test_pods_are_confined_as_the_namespace_demands():
    assert named("Namespace", "vigil")["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    for name in ("nats", "gateway"):
        pod = named("StatefulSet", name)["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for one in [*pod["containers"], *pod.get("initContainers", [])]:
            assert one["securityContext"] == {
                "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    dockerfile = (ROOT / "docker/Dockerfile").read_text()
    user = named("StatefulSet", "gateway")["spec"]["template"]["spec"]["securityContext"]
    assert re.search(rf"^USER {user['runAsUser']}:{user['runAsGroup']}$", dockerfile, re.M)


def test_probes_ask_for_paths_that_exist():
    guide = (ROOT / "docs/guide/monitor.md").read_text()
    one = container("gateway")
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert f"`{one[probe]['httpGet']['path']}`" in guide and one[probe]["httpGet"]["port"] == "https"


def test_settings_and_secrets_exist():
    environment = {one["name"]: one.get("value", "") for one in container("gateway")["env"]}
    assert environment.pop("POD_ADDRESS") == "", "a variable for the next one, no setting"
    assert environment["VIGIL_CLUSTER_COAPS_ADDRESS"] == "[$(POD_ADDRESS)]"
    compose = (ROOT / "docker/cluster.yaml").read_text() + (ROOT / "docker/compose.yaml").read_text() + (ROOT / "docker/Dockerfile").read_text()
    assert all(name in compose for name in environment)
    readme = (FOLDER / "README.md").read_text()
    listed = {name: set(re.findall(r"--from-file=([\w.-]+)", files)) for name, files in re.findall(
        r"^kubectl -n vigil create secret generic ([\w-]+) ((?:.*\\\n)*.*)$", readme, re.M)}
    read = {value.removeprefix("/run/secrets/") for value in environment.values() if value.startswith("/run/secrets/")}
    configuration = named("ConfigMap", "nats")["data"]["nats.conf"]
    assert listed == {"nats-server": set(re.findall(r"/etc/nats-tls/([\w.-]+)\"", configuration)), "gateway": read}
    made = set(re.findall(r"^ *secret (\S+)", (ROOT / "docker/secrets.sh").read_text(), re.M))
    assert read | listed["nats-server"] <= made
    secrets = {volume["secret"]["secretName"] for name in ("nats", "gateway")
               for volume in named("StatefulSet", name)["spec"]["template"]["spec"]["volumes"] if "secret" in volume}
    assert secrets == set(listed)


def test_servers_have_the_names_that_gateways_and_certificates_use():
    replicas = named("StatefulSet", "nats")["spec"]["replicas"]
    servers = [f"nats-{number}.nats" for number in range(replicas)]
    environment = {one["name"]: one.get("value", "") for one in container("gateway")["env"]}
    assert environment["VIGIL_CLUSTER_SERVERS"].split(",") == [f"tls://{name}:4222" for name in servers]
    assert re.findall(r"tls://(\S+):6222", named("ConfigMap", "nats")["data"]["nats.conf"]) == servers
    assert "VIGIL_NATS_NAMES=" + ",".join(f"DNS:{name}" for name in servers) in (FOLDER / "README.md").read_text()
    images = re.findall(r"image: (docker\.io/library/nats:\S+)", (ROOT / "docker/cluster.yaml").read_text())
    assert [container("nats")["image"]] == images
