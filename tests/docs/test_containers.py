"""The container files: what they promise of users, roots and secrets holds, and the settings are the service's own."""
import re

import pytest

from conftest import ROOT, Run, environment, program

yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
FOLDER = ROOT / "deploy" / "containers"
LABEL = {"app.kubernetes.io/name": "opcheckd"}


def documents(name):
    return list(yaml.safe_load_all((FOLDER / "kubernetes" / name).read_text(encoding="utf-8")))


def objects():
    return {one["kind"]: one for one in documents("opcheckd.yaml")}


def replicas():
    """The objects of the form with PostgreSQL: {(kind, name): object}."""
    return {(one["kind"], one["metadata"]["name"]): one for one in documents("replicas.yaml")}


def stages():
    text = re.sub(r"\\\n\s*", "", (FOLDER / "Containerfile").read_text(encoding="utf-8"))
    return [[line.split(None, 1) for line in stage.splitlines() if line and line[0] != "#"] for stage in re.split(r"^(?=FROM )", text, flags=re.M)[1:]]


@pytest.mark.parametrize("text", [(FOLDER / "opcheckd.conf").read_text(encoding="utf-8"), objects()["ConfigMap"]["data"]["opcheckd.conf"]], ids=["image", "kubernetes"])
def test_the_settings_are_those_of_the_service(tmp_path, text):
    """They listen where others can reach the service, which it refuses without an answer to who may submit."""
    (tmp_path / "opcheckd.conf").write_text(text, encoding="utf-8")
    run = Run([program("opcheckd", "OPCHECKD"), "--check-config", "--config", tmp_path / "opcheckd.conf", "--state-dir", tmp_path / "state"], env=environment())
    assert run.status == 0, run.err
    assert "listen = 0.0.0.0:8787\n" in text and "insecure" not in text and "anonymous = read\n" in text


def test_the_image_runs_as_no_root_and_checks_its_own_health():
    last = stages()[-1]
    said = dict(last)
    assert said["USER"] == "65532:65532" and [word for word, _ in last].index("USER") > [word for word, _ in last].index("RUN")
    assert said["ENTRYPOINT"] == '["opcheckd"]' and said["HEALTHCHECK"].endswith('CMD ["opcheckd", "health"]')
    installed = said["RUN"]
    assert "ca-certificates" in installed and "/packages/opcheckd_*.deb" in installed and "/packages/opcheck-db_*.deb" in installed
    assert "opcheck_*.deb" not in installed.replace("/packages/opcheckd_*.deb", "")
    for word, arguments in last:
        if word == "COPY":
            assert (ROOT / arguments.split()[0]).exists()


def test_the_compose_file_gives_the_service_its_volume_alone():
    service = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]["opcheckd"]
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == ["state:/var/lib/opcheck"] and all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert (FOLDER / service["build"]["context"]).resolve() == ROOT.resolve() and (ROOT / service["build"]["dockerfile"]).exists()


def test_the_compose_file_with_postgresql_shows_nginx_alone(tmp_path):
    """The service listens in the network that nginx shares, its database in one that has no way out; the password is in no file here."""
    found = yaml.safe_load((FOLDER / "compose.postgresql.yaml").read_text(encoding="utf-8"))
    services, text = found["services"], (FOLDER / "opcheckd.postgresql.conf").read_text(encoding="utf-8")
    plain = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]["opcheckd"]
    for setting in ("build", "read_only", "cap_drop", "security_opt", "tmpfs", "mem_limit", "pids_limit", "stop_grace_period"):
        assert services["opcheckd"][setting] == plain[setting]
    assert services["nginx"]["network_mode"] == "service:opcheckd" and "listen = 127.0.0.1:8787\n" in text and "trusted-proxy = 127.0.0.1\n" in text
    assert services["postgresql"]["networks"] == ["store"] and found["networks"]["store"] == {"internal": True} and "ports" not in services["postgresql"]
    proxy = (ROOT / "deploy/proxy/nginx.conf").read_text(encoding="utf-8")
    assert "proxy_pass http://127.0.0.1:8787;" in proxy and "host = opcheck.example.org\n" in text and "server_name opcheck.example.org;" in proxy
    mounted = dict(volume.split(":")[:2] for service in ("opcheckd", "nginx") for volume in services[service]["volumes"])
    assert (FOLDER / "opcheckd.postgresql.conf").exists() and mounted["./opcheckd.postgresql.conf"] == "/etc/opcheck/opcheckd.conf"
    assert (FOLDER / "../proxy/nginx.conf").exists() and set(re.findall(r"ssl_certificate(?:_key)? (\S+);", proxy)) <= set(mounted.values())
    assert set(found["secrets"]) == {"postgresql"} and "/run/secrets/postgresql\n" in text
    assert services["postgresql"]["environment"]["POSTGRES_PASSWORD_FILE"] == "/run/secrets/postgresql"
    (tmp_path / "opcheckd.conf").write_text(text, encoding="utf-8")
    run = Run([program("opcheckd", "OPCHECKD"), "--check-config", "--config", tmp_path / "opcheckd.conf", "--state-dir", tmp_path / "state"], env=environment())
    assert run.status == 0, run.err


def test_the_manifests_belong_together():
    found = objects()
    assert set(found) == {"ConfigMap", "PersistentVolumeClaim", "Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"}
    deployment = found["Deployment"]["spec"]
    pod = deployment["template"]["spec"]
    container, = pod["containers"]
    assert deployment["template"]["metadata"]["labels"] == deployment["selector"]["matchLabels"] == LABEL == found["Service"]["spec"]["selector"]
    assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == LABEL
    assert deployment["replicas"] == 1 and deployment["strategy"] == {"type": "Recreate"}, "two processes must not share a SQLite store"
    assert pod["securityContext"]["runAsNonRoot"] and container["securityContext"]["readOnlyRootFilesystem"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]} and not container["securityContext"]["allowPrivilegeEscalation"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"http": 8787} and found["Service"]["spec"]["ports"][0]["targetPort"] == "http"
    mounts, volumes = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}, {volume["name"]: volume for volume in pod["volumes"]}
    assert mounts.keys() == volumes.keys() and mounts["state"] == "/var/lib/opcheck" and mounts["config"] == "/etc/opcheck"
    assert volumes["state"]["persistentVolumeClaim"]["claimName"] == found["PersistentVolumeClaim"]["metadata"]["name"]
    assert volumes["config"]["configMap"]["name"] == found["ConfigMap"]["metadata"]["name"]


def test_replicas_answer_and_workers_do_the_jobs(tmp_path):
    """Two deployments of one pod that differ by the role: each takes the settings, and both get the password from the Secret."""
    found, pods = replicas(), {}
    (tmp_path / "opcheckd.conf").write_text(found["ConfigMap", "opcheckd"]["data"]["opcheckd.conf"], encoding="utf-8")
    for role in ("web", "worker"):
        deployment = found["Deployment", "opcheckd-" + role]["spec"]
        template, label = deployment["template"], {**LABEL, "app.kubernetes.io/component": role}
        assert template["metadata"]["labels"] == label == deployment["selector"]["matchLabels"]
        assert found["PodDisruptionBudget", "opcheckd-" + role]["spec"]["selector"]["matchLabels"] == label
        annotations = template["metadata"]["annotations"]
        assert (annotations["prometheus.io/port"], annotations["prometheus.io/path"]) == ("8787", "/metrics")
        container, = template["spec"]["containers"]
        assert container.pop("env") == [{"name": "OPCHECKD_ROLE", "value": role}]
        run = Run([program("opcheckd", "OPCHECKD"), "--check-config", "--config", tmp_path / "opcheckd.conf", "--state-dir", tmp_path / "state"],
                  env=environment(OPCHECKD_ROLE=role))
        assert run.status == 0, run.err
        container.pop("resources")
        template["spec"].pop("topologySpreadConstraints", None)
        pods[role] = template["spec"]
    single = objects()["Deployment"]["spec"]["template"]["spec"]
    container, alone = pods["web"]["containers"][0], single["containers"][0]
    assert pods["web"] == pods["worker"] and pods["web"]["securityContext"] == single["securityContext"]
    assert all(container[name] == alone[name] for name in ("image", "ports", "securityContext", "livenessProbe", "readinessProbe"))
    mounts, volumes = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}, {volume["name"]: volume for volume in pods["web"]["volumes"]}
    assert mounts.keys() == volumes.keys() and volumes["store"]["secret"]["secretName"] == "opcheckd-store"
    assert "store-password-file = %s/password\n" % mounts["store"] in (tmp_path / "opcheckd.conf").read_text(encoding="utf-8")
    assert found["Service", "opcheckd"]["spec"]["selector"] == {**LABEL, "app.kubernetes.io/component": "web"}
    networks = {name: one["spec"] for (kind, name), one in found.items() if kind == "NetworkPolicy"}
    assert networks["opcheckd"]["podSelector"]["matchLabels"] == LABEL and networks["opcheckd-web"]["podSelector"]["matchLabels"]["app.kubernetes.io/component"] == "web"
    assert {port["port"] for port in networks["opcheckd"]["egress"][0]["ports"]} == {53, 5432}


def test_workers_follow_the_queue_that_the_service_states(service):
    """The autoscaler, the adapter's rule and /metrics name the same series; the manual says from how many jobs a worker on."""
    spec = replicas()["HorizontalPodAutoscaler", "opcheckd-worker"]["spec"]
    metric, target = (spec["metrics"][0]["external"][name] for name in ("metric", "target"))
    series = "%s{%s}" % (metric["name"], ",".join('%s="%s"' % pair for pair in metric["selector"]["matchLabels"].items()))
    assert "\n%s 0\n" % series in service.api.get("/metrics").text
    rule, = documents("prometheus-adapter.yaml")[0]["externalRules"]
    assert '__name__="%s"' % metric["name"] in rule["seriesQuery"] and rule["metricsQuery"] == "max(<<.Series>>{<<.LabelMatchers>>})"
    assert "max(%s) > %s * count" % (series, target["averageValue"]) in (ROOT / "deploy/man/opcheckd.8").read_text(encoding="utf-8")
    assert ("Deployment", spec["scaleTargetRef"]["name"]) in replicas() and "replicas" not in replicas()["Deployment", "opcheckd-worker"]["spec"]


def test_no_secret_is_in_a_file():
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*") if path.is_file()]
    assert len(texts) >= 8 and "Secret" not in objects() and "Secret" not in {kind for kind, _ in replicas()}
    assert [text for text in texts if re.search(r"\b(token|password|secret|key)\s*[:=]\s*(?!ro\b)[^\s/{]", text, re.I)] == []
