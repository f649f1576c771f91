"""A peer that tells n1 of all that it is told, by every method of the library."""

import sys

sys.path.append(sys.path[0] + "/../../../tools/python")
from rhizome_peer import Peer, run


class Told(Peer):
    def on_start(self):
        self.send("n1", "start", id=self.id, peers=self.peers, source=self.source)
        self.send("n1", "world", neighbours=self.neighbours, speed=self.speed, slots=self.slots)
        self.after(1.5, "alarm")
        self.cancel("alarm")

    def on_message(self, sender, body):
        if body["type"] == "question":
            self.reply(sender, body, "answer", of=body["x"])
        elif body["type"] == "please-ask":
            self.ask("n1", lambda who, said: self.send("n1", "heard", who=who, x=said["x"]), "question", x=7)
        elif body["type"] == "chance":
            numbers = [self.random.random() for _ in range(1000)]
            fair = 0 <= min(numbers) < 0.1 and 0.9 < max(numbers) < 1 and len(set(numbers)) > 990
            self.send("n1", "chance", fair=fair)
        else:
            self.send("n1", "message", sender=sender, text=body["text"])

    def on_timer(self, name):
        self.send("n1", "timer", name=name, now=self.now)

    def on_job(self, job, tasks):
        self.hand("n1", *(task["id"] for task in tasks))
        self.work(tasks[0]["id"])
        self.work(tasks[1]["id"], "mine")

    def on_work_done(self, work, task):
        if task is None:
            self.note("own-work", work=work)
            self.stop(work)
            return self.compute(0.5, "again")
        self.give_back("n1", task)
        self.finished(task)
        self.finished(task, "n1")

    def on_drained(self):
        self.note("drained")


run(Told)
