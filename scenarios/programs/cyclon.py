"""Cyclon (Voulgaris, Gavidia and van Steen, 2005). The source does all work, as in overlay-only."""

from rhizome_peer import Peer, run

VIEW, SHUFFLE, PERIOD, CYCLES = 10, 5, 0.25, 100


class Cyclon(Peer):
    def on_start(self):
        known = self.random.sample(self.neighbours, len(self.neighbours))
        self.view = {peer: 0 for peer in known[:VIEW]}  # the age of each link
        self.sent = []  # links that the last shuffle gave away
        self.after(PERIOD * self.random.random(), "shuffle")
        self.after(PERIOD * CYCLES, "look")

    def send_links(self, to, type, size, first=()):
        sample = self.random.sample(list(self.view), min(size, len(self.view)))
        links = [[peer, self.view.get(peer, 0)] for peer in [*first, *sample]]
        self.send(to, type, cause="maintenance", links=links)
        return sample

    def on_timer(self, name):
        if name == "look":
            for peer in self.view:
                self.note_link(peer)
        elif name != "shuffle":
            self.finished(name)
        elif self.now < PERIOD * CYCLES:
            self.shuffle()

    def shuffle(self):
        self.after(PERIOD, "shuffle")
        self.view = {peer: age + 1 for peer, age in self.view.items()}
        if self.view:
            oldest = max(self.view, key=self.view.get)
            del self.view[oldest]
            self.sent = self.send_links(oldest, "shuffle", SHUFFLE - 1, [self.id])

    def on_message(self, sender, body):
        given = self.sent
        if body["type"] == "shuffle":
            given = self.send_links(sender, "swapped", SHUFFLE)
        for peer, age in body["links"]:
            if peer != self.id and peer not in self.view:
                sent = [each for each in given if each in self.view]
                if len(self.view) == VIEW and sent:  # what was sent away makes room
                    del self.view[sent[0]]
                if len(self.view) < VIEW:
                    self.view[peer] = age

    def on_job(self, job, tasks):
        for task in tasks:
            self.work(task["id"])

    def on_work_done(self, work, task):  # the run ends once all have looked
        self.after(max(0, PERIOD * (CYCLES + 4) - self.now), task)


run(Cyclon)
