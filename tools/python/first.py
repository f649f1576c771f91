"""A first scheduler: the source gives each task to the peer that has most processors free.

Change what you like: the methods of Peer in rhizome_peer.py are all there is.
"""

from rhizome_peer import Peer, run


class First(Peer):
    def on_start(self):
        self.waiting = []  # at the source: tasks that no peer has been given
        self.free = {}  # at the source: of each peer, processors without a task
        self.cpus = {}  # at the source: processors that each task needs
        # One more than there are, so that a task waits there already when another ends.
        self.send(self.source, "ready", free=self.slots + 1)

    def on_job(self, job, tasks):
        """At the source: a job has come."""
        self.waiting += [task["id"] for task in tasks]
        self.cpus.update({task["id"]: task["cpus"] for task in tasks})
        self.deal()

    def deal(self):
        """Hands out tasks in turn, as long as the next one fits somewhere."""
        while self.waiting and self.free:
            task = self.waiting[0]
            peer = max(self.free, key=self.free.get)
            if self.free[peer] < self.cpus[task]:
                return
            self.free[peer] -= self.cpus[task]
            self.hand(peer, self.waiting.pop(0))

    def on_message(self, sender, body):
        if body["type"] == "tasks":
            for task in body["tasks"]:
                self.work(task)
        elif body["type"] == "ready":
            self.free[sender] = body["free"]
            self.deal()
        elif body["type"] == "results":
            for task in body["tasks"]:
                self.finished(task, sender)
                self.free[sender] += self.cpus[task]
            self.deal()

    def on_work_done(self, work, task):
        """At any peer: a task that was begun by work() is done."""
        self.give_back(self.source, task)


run(First)
