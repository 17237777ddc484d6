"""A PostgreSQL that a test starts for itself: a fresh cluster in a temporary directory, reached by a socket alone."""
import contextlib
import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.parse


def programs():
    """The folder of the newest version's programs; None without any."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    return pathlib.Path(found[-1]).parent if found else None


class Cluster:
    """One running server, with another collation than that of bytes. Nothing outlives the machine but in a folder that is named.
    primary: its synchronous standby."""

    def __init__(self, folder=None, primary=None):
        memory = "/dev/shm" if shutil.disk_usage("/dev/shm").free > 512 << 20 else "/tmp"
        self.folder, self.fsync = pathlib.Path(tempfile.mkdtemp(prefix="opcheck-pg-", dir=folder or memory)), "on" if folder else "off"
        self.user, self.options = {}, ["listen_addresses=", "fsync=" + self.fsync, "shared_buffers=" + ("128MB" if folder else "16MB"), "max_connections=1000"]
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            other = pwd.getpwnam("nobody")
            os.chown(self.folder, other.pw_uid, other.pw_gid)
            self.user = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
        if primary:
            self.run("pg_basebackup", "-D", "data", "-R", "--checkpoint=fast", "--no-sync", "-d",
                     "host=%s user=opcheck application_name=standby" % primary.folder)
        else:
            self.run("initdb", "-D", "data", "-U", "opcheck", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8",
                     "--locale-provider=icu", "--icu-locale=en-US", "--wal-segsize=1")
        self.start()
        if primary:
            primary.query("ALTER SYSTEM SET synchronous_standby_names = standby")
            primary.query("SELECT pg_reload_conf()")
            while primary.query("SELECT sync_state FROM pg_stat_replication") != "sync":
                time.sleep(0.05)

    def run(self, name, *args):
        return subprocess.run([programs() / name, *args], cwd=self.folder, capture_output=True, text=True, check=True, **self.user).stdout

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.server = subprocess.Popen(
                [programs() / "postgres", "-D", "data", "-k", self.folder, *(word for option in self.options for word in ("-c", option))], cwd=self.folder, stdout=log, stderr=log, **self.user)
        end = time.monotonic() + 60
        while "ready" not in self.state():
            assert time.monotonic() < end and self.server.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            time.sleep(0.05)

    def state(self):
        path = self.folder / "data" / "postmaster.pid"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def query(self, sql, database="postgres", role="opcheck"):
        return self.run("psql", "-X", "-A", "-t", "-q", "-h", self.folder, "-U", role, "-d", database, "-c", sql).strip()

    @contextlib.contextmanager
    def session(self, sql, database):
        """Runs statements meanwhile, and ends them behind it."""
        client = subprocess.Popen([programs() / "psql", "-X", "-h", self.folder, "-U", "opcheck", "-d", database, "-c", sql],
                                  cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.user)
        yield
        self.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()", database)
        client.wait(60)

    def host(self):
        return urllib.parse.quote(str(self.folder), safe="")

    def url(self, database):
        return "postgresql://opcheck@%s/%s" % (self.host(), database)

    def create(self, database):
        self.query("CREATE DATABASE %s" % database)
        return self.url(database)

    def guard(self, role):
        """Asks this role for its password, and for TLS where it does not come by the socket."""
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text("local all %s scram-sha-256\nhostssl all %s all scram-sha-256\nhost all %s all reject\n%s" % (role, role, role, rules.read_text(encoding="utf-8")), encoding="utf-8")
        self.query("SELECT pg_reload_conf()")

    def encrypt(self, host, port):
        """Takes TLS connections on 127.0.0.1 with a certificate for this host, whose path it returns, beside the one that signed nothing."""
        for name in ("server", "other"):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                            "/CN=" + host, "-addext", "subjectAltName=DNS:" + host, "-keyout", name + ".key", "-out", name + ".crt"],
                           cwd=self.folder / "data", capture_output=True, check=True, **self.user)
        self.stop()
        self.options += ["listen_addresses=127.0.0.1", "port=%d" % port, "ssl=on"]
        self.user["env"] = {**os.environ, "PGPORT": str(port)}
        self.start()
        return [self.folder / "data" / (name + ".crt") for name in ("server", "other")]

    def stop(self):
        self.server.send_signal(signal.SIGQUIT)
        self.server.wait(60)

    def kill(self):
        """Ends the server without warning, with all that it does for others."""
        pids = self.query("SELECT pid FROM pg_stat_activity").split()
        self.server.kill()
        self.server.wait(60)
        while any(os.path.exists("/proc/" + pid) for pid in pids):  # they end by themselves, and hold its memory until then
            time.sleep(0.02)
        (self.folder / "data" / "postmaster.pid").unlink()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)
