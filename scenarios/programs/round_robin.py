"""Round robin: the source deals tasks to all peers in turn."""

from rhizome_peer import Peer, run


class RoundRobin(Peer):
    turn = 0

    def on_job(self, job, tasks):
        for task in tasks:
            self.hand(self.peers[self.turn % len(self.peers)], task["id"])
            self.turn += 1

    def on_message(self, sender, body):
        for task in body["tasks"]:
            if body["type"] == "tasks":
                self.work(task)
            else:
                self.finished(task, sender)

    def on_work_done(self, work, task):
        self.give_back(self.source, task)


run(RoundRobin)
