"""Work stealing: an idle peer asks a random peer, and takes half of what waits there."""

from rhizome_peer import Peer, run


class WorkStealing(Peer):
    def on_start(self):
        self.waiting = []
        self.running = 0
        self.pause = 0.01
        self.look_for_work()

    def look_for_work(self):
        """Begins a task that waits here; else asks a peer, and again after a pause that grows."""
        while self.waiting and self.running < self.slots:
            self.running += 1
            self.pause = 0.01
            self.work(self.waiting.pop())
        if self.running < self.slots and len(self.peers) > 1:
            victim = self.random.choice([peer for peer in self.peers if peer != self.id])
            self.send(victim, "steal")
            self.after(self.pause, "again")
            self.pause = min(2 * self.pause, 0.5)

    def on_job(self, job, tasks):
        self.waiting += [task["id"] for task in tasks]
        self.look_for_work()

    def on_timer(self, name):
        if self.running < self.slots:
            self.look_for_work()

    def on_message(self, sender, body):
        if body["type"] == "steal":
            half = (len(self.waiting) + 1) // 2
            stolen, self.waiting = self.waiting[:half], self.waiting[half:]
            if stolen:
                self.hand(sender, *stolen)
        elif body["type"] == "tasks":
            self.waiting += body["tasks"]
            self.look_for_work()
        else:
            for task in body["tasks"]:
                self.finished(task, sender)

    def on_work_done(self, work, task):
        self.running -= 1
        self.give_back(self.source, task)
        self.look_for_work()


run(WorkStealing)
