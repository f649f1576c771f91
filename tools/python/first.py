"""A first scheduler: a peer that has no work asks the source for some.

Change what you like: the methods of Peer in rhizome_peer.py are all there is.
"""

from rhizome_peer import Peer, run


class First(Peer):
    def on_start(self):
        self.waiting = []  # at the source: tasks that no peer has been given
        self.wanting = []  # at the source: peers that want a task, as often as they want one
        self.send(self.source, "ready", wanted=2 * self.slots)

    def on_job(self, job, tasks):
        """At the source: a job has come."""
        self.waiting += [task["id"] for task in tasks]
        self.deal()

    def deal(self):
        while self.waiting and self.wanting:
            self.hand(self.wanting.pop(0), self.waiting.pop(0))

    def on_message(self, sender, body):
        if body["type"] == "tasks":
            for task in body["tasks"]:
                self.work(task)
        elif body["type"] == "ready":
            self.wanting += [sender] * body["wanted"]
            self.deal()
        elif body["type"] == "results":
            for task in body["tasks"]:
                self.finished(task, sender)
                self.wanting.append(sender)
            self.deal()

    def on_work_done(self, work, task):
        """At any peer: a task that was begun by work() is done."""
        self.give_back(self.source, task)


run(First)
