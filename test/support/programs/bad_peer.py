"""A peer that begins well, and does what its argument names when it is told of a job."""

import json
import sys
import time

sys.path.append(sys.path[0] + "/../../../tools/python")
from rhizome_peer import Peer, run

kind = sys.argv[1]
if kind == "starts-slowly":
    time.sleep(0.5)
if kind == "goes-on-and-on":  # as quickly as it can
    for line in sys.stdin:
        said = json.loads(line)
        reply = '{"src":"%s","dest":"env","body":{%%s}}\n' % said["dest"]
        if said["body"]["type"] == "init":
            print(reply % '"type":"init_ok","in_reply_to":1,"rhizome":1', end="")
        if said["body"]["type"] != "time":
            print(reply % '"type":"timer","name":"t","after":0' + reply % '"type":"idle"', end="")
            sys.stdout.flush()


class Bad(Peer):
    def on_job(self, job, tasks):
        if kind == "dies":
            sys.exit("this is my end")
        elif kind == "speaks-for-another":
            self.id = next(peer for peer in self.peers if peer != self.id)
            self.send(self.peers[0], "hello")
        elif kind == "sends-to-a-stranger":
            self.send("n99", "hello")
        elif kind == "writes-100-megabytes":
            self.send("n1", "hello", text="x" * 100_000_000)
        elif kind == "writes-many-lines":
            for _ in range(200_000):
                self.send("n1", "hello")
        elif kind == "says-long-lines":
            for _ in range(70):
                self.send("n1", "hello", text="x" * 1_000_000)
        elif kind == "nests":
            sys.stdout.write('{"src":"n0","dest":"n1","body":' + '{"a":' * 200_000 + "\n")
        elif kind == "begins-what-it-has-not":
            self.work("7.7")
        elif kind == "begins-twice":
            self.work(tasks[0]["id"], "one")
            self.work(tasks[0]["id"], "other")
        elif kind == "names-twice":
            self.work(tasks[0]["id"], "same")
            self.work(tasks[1]["id"], "same")
        elif kind == "returns-what-it-has-not-done":
            self.give_back("n1", tasks[0]["id"])
        elif kind == "says-more-after-idle":
            self._say("env", {"type": "idle"})
        elif kind == "dies-while-others-hang":
            for peer in self.peers:
                self.send(peer, "hang") if peer != self.id else self.after(0.5, "die")
        elif kind == "notes-what-is-no-word":
            self._say("env", {"type": "note", "name": "the weather"})
        else:
            for task in tasks:
                self.work(task["id"])

    def on_timer(self, name):
        sys.exit("this is my end")

    def on_message(self, sender, body):
        time.sleep(1000)

    def on_work_done(self, work, task):
        self.finished(task)


run(Bad)
