"""Serves jobs on the nodes of a cluster: to be run on one of its machines, in a directory that all see.
  served_nodes.py RHIZOME SCHEDULER slurm
  served_nodes.py RHIZOME SCHEDULER LIST SSH     on hosts, by that command
All that does not depend on the scheduler is tested under master-worker alone.
"""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

rhizome, scheduler, nodes = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3]
store = "%s-%s" % (scheduler, nodes[:5])
by_slurm = nodes == "slurm"
whole = scheduler == "master-worker"
failures = 0
checks = 0


def check(holds, name, seen=""):
    global failures, checks
    checks += 1
    if not holds:
        failures += 1
        print("FAILED: %s%s" % (name, ": %s" % (seen,) if seen != "" else ""))


def awaits(condition, name, seconds=60):
    until = time.time() + seconds
    seen = condition()
    while not seen and time.time() < until:
        time.sleep(0.1)
        seen = condition()
    check(seen, name, "" if seen else open(store + ".err").read()[-1500:])
    return seen


with open("need.toml", "w") as file:
    file.write("""
[peers]
count = 5
[workload]
kind = "job-list"
file = "served.txt"
programs = "sh"
[engine]
kind = "virtual"
[run]
repetitions = 1
[provision]
policy = "formula"
max_nodes = 3
interval = "1s"
step = 0
time_unit = "1s"
[[scheduler]]
use = "%s"
""" % scheduler)
with open("served.txt", "w") as file:
    file.write("0 1 0.1\n")
# Tasks wait until nodes have come, which may take long on a busy machine.
with open("task.sh", "w") as file:
    file.write('until [ -e go ]; do sleep 0.1; done\nsleep "$1"\n')


def let_go(go):
    if go:
        open("go", "w").close()
    elif os.path.exists("go"):
        os.remove("go")


class Server:
    def __init__(self):
        words = ["--slurm"] if by_slurm else ["--hosts", nodes, "--ssh", sys.argv[4]]
        self.process = subprocess.Popen(
            [rhizome, "serve", "need.toml", "--store", store + ".sqlite", "--port", "0", "--no-monitor",
             "--runs-dir", "runs-" + store, *words],
            stdout=subprocess.PIPE, stderr=open(store + ".err", "a"), text=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("no server: " + open(store + ".err").read()[-2000:])
        self.url = line.strip()
        with open(store + ".sqlite.token") as file:
            self.token = file.read().strip()
        awaits(self.ready, "the server is ready")

    def ready(self):
        try:
            return self.ask("/ready") is not None
        except urllib.error.HTTPError:
            return False

    def ask(self, path, order=None):
        request = urllib.request.Request(self.url + path,
                                         data=None if order is None else json.dumps(order).encode())
        request.add_header("Authorization", "Bearer " + self.token)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def post(self, tasks, seconds=0.5):
        return self.ask("/jobs", {"work": "child", "tasks": tasks, "seconds": seconds,
                                  "settings": {"program": "sh", "arguments": "task.sh %s" % seconds}})["id"]

    def done(self, jobs):
        return all(self.ask("/jobs/%d" % job)["state"] == "done" for job in jobs)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


# The running workers, by process number. A worker that starts a child is listed twice for a moment.
def workers():
    found = {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open("/proc/%s/cmdline" % number, "rb").read().split(b"\0")
            if words[:2] != [rhizome.encode(), b"worker"] or os.getcwd() != os.readlink("/proc/%s/cwd" % number):
                continue
            found[int(number)] = int(open("/proc/%s/stat" % number).read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    return {number for number, parent in found.items() if parent not in found}


# Jobs in Slurm's queue in that state, whose names begin with `name`.
def jobs(name, state="RUNNING"):
    said = subprocess.run(["squeue", "--noheader", "--states=" + state, "--format=%j %i"], capture_output=True,
                          text=True, check=True).stdout
    return [line.split()[0] for line in said.splitlines() if line.startswith(name)]


def settled(count):
    return len(workers()) == count and (not by_slurm or len(jobs("rhizome-")) == count)


let_go(False)
server = Server()
awaits(lambda: settled(1), "one node is held before work comes")
first = [server.post(24) for _ in range(2)]
awaits(lambda: settled(3), "it grows for a burst")

if whole and by_slurm:
    let_go(True)
    subprocess.run(["sbatch", "--nodes=2", "--exclusive", "--job-name=foreign", "--output=/dev/null",
                    "--wrap=sleep 3"], check=True, capture_output=True)
    awaits(lambda: jobs("foreign"), "it yields to a job of another user on top of the queue")
    check(len(jobs("rhizome-")) <= 1 and not server.done(first), "while there is work", jobs("rhizome-"))
    awaits(lambda: not jobs("foreign"), "that job ends")

if whole:
    let_go(False)
    first += [server.post(24) for _ in range(2)]
    awaits(lambda: settled(3), "it grows again")
before = workers()
os.kill(min(before), signal.SIGKILL)  # this worker has run from the start
awaits(lambda: workers() - before, "a node whose worker dies is replaced")
let_go(True)
awaits(lambda: server.done(first), "no task is lost", 120)
results = [task for job in first for task in server.ask("/jobs/%d/tasks" % job)["tasks"]]
check(len(results) == 24 * len(first) and all(task["result"] == "exit status 0" for task in results), "each is done",
      [task for task in results if task["result"] != "exit status 0"][:3])
check("has died" in open(store + ".err").read(), "the death is told")
awaits(lambda: settled(1), "it shrinks afterwards")
check(server.end() == 0, "it ends in good order")
awaits(lambda: settled(0), "no worker is left", 10)
if by_slurm:
    awaits(lambda: not jobs("rhizome-", "pending,running,completing"), "no job is left", 10)

stored = sqlite3.connect("runs-%s/latest/results.sqlite" % store)
figures = dict(stored.execute("select metric, value from metrics"))
readings = stored.execute("select goal, demand, queue, nodes_index, reserved, change from fact_index_read").fetchall()
check(all(abs(goal - held - demand) < 1e-6 and abs(demand - queue - index) < 1e-6
          for goal, demand, queue, index, held, _ in readings), "each decision follows the formula")
check(not (whole and by_slurm) or any(queue > 0 and demand - queue < 0 and change < 0
                          for _, demand, queue, _, _, change in readings), "one gives way by it", readings)
check(figures["most_nodes"] == 3 and figures["node_drains"] >= 2, "it has grown and shrunk", figures["node_drains"])
deaths = stored.execute("select node, tasks from fact_node_died").fetchall()
check(len(deaths) == figures["node_deaths"] == 1, "the death is a fact", deaths)
check(0 < figures["node_seconds"] < 3 * figures["makespan"], "node-seconds", figures["node_seconds"])
print("%s, %s: %.1f node-seconds in %.1f s, %d nodes at most, %d drained" %
      (scheduler, nodes, figures["node_seconds"], figures["makespan"], figures["most_nodes"], figures["node_drains"]))

if whole:
    let_go(False)
    server = Server()
    kept = server.post(24)
    awaits(lambda: settled(3), "nodes for a job whose server is killed, and none that is still to come")
    server.process.kill()
    server.process.wait()
    awaits(lambda: settled(0), "the workers of a killed server end")
    let_go(True)
    server = Server()
    awaits(lambda: server.done([kept]), "the next start does what was accepted")
    check(server.end() == 0, "it ends in good order, again")
    awaits(lambda: settled(0), "no worker is left, again", 10)
    if by_slurm:
        awaits(lambda: not jobs("rhizome-", "pending,running,completing"), "no job is left, again", 10)
print("%d checks, %d failures" % (checks, failures))
sys.exit(1 if failures else 0)
