"""Peers of a Rhizome emulation in Python: one file, standard library only.

Write a class that derives from Peer, and call run(YourPeer). Rhizome starts the
program and speaks with it over standard input and output, in lines of JSON. A
scenario uses it as a scheduler:

    [[scheduler]]
    use = "program"
    command = "python3 mine.py"

Print nothing to standard output: use sys.stderr. One process may run several
peers (peers_per_process); each is an object of its own. A program is
deterministic if all its chance comes from self.random and it iterates over no
set of texts, whose order differs from process to process.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any, Callable, Optional

Body = dict[str, Any]
Reply = Callable[[str, Body], None]


class Peer:
    """One peer. Override the on_ methods; each is called with one event.

    id:         the name of this peer, such as "n0"
    peers:      the names of all peers
    source:     the peer where jobs enter
    neighbours: the peers that this one knows at first
    speed:      a task takes its duration divided by this
    slots:      tasks that the peer runs at a time; more wait in its queue
    life:       how often the peer has begun anew after a crash
    now:        emulated time, in seconds
    random:     the peer's own random numbers, of the run's seed and this life
    """

    def __init__(self, init: Body) -> None:
        self.id: str = init["node_id"]
        self.peers: list[str] = _shared(init["node_ids"])
        self.source: str = init.get("source", self.peers[0])
        self.neighbours: list[str] = init.get("neighbours", [])
        self.speed: float = init.get("speed", 1.0)
        self.slots: int = init.get("slots", 1)
        self.random = random.Random(init.get("seed", 0))
        self.life: int = init.get("life", 0)
        self.now: float = init.get("now", 0.0)
        self._asked: dict[int, Reply] = {}
        self._questions = 0

    # What a program overrides.

    def on_start(self) -> None:
        """The peer begins, or begins anew after a crash."""

    def on_message(self, sender: str, body: Body) -> None:
        """A message of another peer, or of a client ("c0"), has come."""

    def on_timer(self, name: str) -> None:
        """A timer that was set by after() is due."""

    def on_job(self, job: int, tasks: list[Body]) -> None:
        """At the source: a job has come. Each task has id, duration, cpus and memory."""

    def on_work_done(self, work: str, task: Optional[str]) -> None:
        """Work is done: a task of work(), or work of compute(), which has no task."""

    def on_drained(self) -> None:
        """All jobs are done and no more will come: the run ends."""

    # What a program may do.

    def send(self, to: str, type: str, **fields: Any) -> None:
        """Sends information, which moves no task."""
        self._say(to, {"type": type, **fields})

    def reply(self, to: str, body: Body, type: str, **fields: Any) -> None:
        """Answers a message that has a "msg_id", as those of clients have."""
        self._say(to, {"type": type, "in_reply_to": body["msg_id"], **fields})

    def ask(self, to: str, then: Reply, type: str, **fields: Any) -> None:
        """Sends a message; then(sender, body) is called with the answer to it, if one comes."""
        self._questions += 1
        self._asked[self._questions] = then
        self._say(to, {"type": type, "msg_id": self._questions, **fields})

    def hand(self, to: str, *tasks: str, type: str = "tasks", **fields: Any) -> None:
        """Hands tasks that have come here to a peer, in a job message."""
        self._say(to, {"type": type, "class": "job", "tasks": list(tasks), **fields})

    def give_back(self, to: str, *tasks: str, type: str = "results", **fields: Any) -> None:
        """Sends results that were made here, or have come here, in a result message."""
        self._say(to, {"type": type, "class": "result", "tasks": list(tasks), **fields})

    def work(self, task: str, work: Optional[str] = None) -> None:
        """Begins a task here; it waits where all slots are busy."""
        self._say("env", {"type": "work", "id": work or task, "task": task})

    def compute(self, seconds: float, work: str) -> None:
        """Begins work of the program's own beside all tasks: so long at a peer of speed 1."""
        self._say("env", {"type": "work", "id": work, "duration": seconds})

    def stop(self, work: str) -> None:
        """Stops work that was begun here; nothing if it has ended. A task may be begun again."""
        self._say("env", {"type": "stop", "id": work})

    def finished(self, task: str, executor: Optional[str] = None) -> None:
        """At the source: the result of a task is here."""
        body: Body = {"type": "finished", "task": task}
        if executor is not None:
            body["executor"] = executor
        self._say("env", body)

    def after(self, seconds: float, name: str) -> None:
        """Sets a timer in emulated time; one of the same name is replaced."""
        self._say("env", {"type": "timer", "after": seconds, "name": name})

    def cancel(self, name: str) -> None:
        """Cancels a timer; nothing if there is none of that name."""
        self._say("env", {"type": "cancel", "name": name})

    def note(self, name: str, **fields: Any) -> None:
        """Records a fact of this peer and this time in the store of the run."""
        self._say("env", {"type": "note", "name": name, "fields": fields})

    def _say(self, to: str, body: Body) -> None:
        _said.append(_encode({"src": self.id, "dest": to, "body": body}))

    def _hear(self, sender: str, body: Body) -> None:
        if sender != "env":
            then = self._asked.pop(body.get("in_reply_to", 0), None)
            then(sender, body) if then else self.on_message(sender, body)
        elif body["type"] == "job":
            self.on_job(body["id"], body["tasks"])
        elif body["type"] == "timer":
            self.on_timer(body["name"])
        elif body["type"] == "work_done":
            self.on_work_done(body["id"], body.get("task"))
        elif body["type"] == "drained":
            self.on_drained()


def _shared(names: list[str]) -> list[str]:
    """One list for all peers of a process, which may be many."""
    if _names != names:
        _names[:] = names
    return _names


_names: list[str] = []
_encode = json.JSONEncoder(separators=(",", ":")).encode
_said: list[str] = []  # lines, until an event has been handled


def run(kind: type[Peer]) -> None:
    """Runs peers of that class until Rhizome ends the process."""
    peers: dict[str, Peer] = {}
    for line in sys.stdin:
        said = json.loads(line)
        sender, to, body = said["src"], said["dest"], said["body"]
        if sender == "env" and body["type"] == "time":
            peers[to].now = body["now"]
            continue
        if body.get("type") == "init":
            peers[to] = kind(body)
            ready = {"type": "init_ok", "in_reply_to": body["msg_id"], "rhizome": 1}
            _said.append(_encode({"src": to, "dest": sender, "body": ready}))
            peers[to].on_start()
        else:
            peers[to]._hear(sender, body)
        _said.append('{"src":"%s","dest":"env","body":{"type":"idle"}}\n' % to)
        sys.stdout.write("\n".join(_said))
        sys.stdout.flush()
        _said.clear()
