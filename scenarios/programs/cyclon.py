"""Cyclon (Voulgaris, Gavidia and van Steen, 2005). Clients ask each peer for its view."""

from rhizome_peer import Peer, run

VIEW, SHUFFLE, PERIOD = 10, 5, 0.25


class Cyclon(Peer):
    def on_start(self):
        known = self.random.sample(self.neighbours, len(self.neighbours))
        self.view = {peer: 0 for peer in known[:VIEW]}  # the age of each link
        self.sent = []  # links that the last shuffle gave away
        self.after(PERIOD * self.random.random(), "shuffle")

    def send_links(self, to, type, size, first=()):
        sample = self.random.sample(list(self.view), min(size, len(self.view)))
        links = [[peer, self.view.get(peer, 0)] for peer in [*first, *sample]]
        self.send(to, type, cause="maintenance", links=links)
        return sample

    def on_timer(self, name):
        self.after(PERIOD, "shuffle")
        self.view = {peer: age + 1 for peer, age in self.view.items()}
        if self.view:
            oldest = max(self.view, key=self.view.get)
            del self.view[oldest]
            self.sent = self.send_links(oldest, "shuffle", SHUFFLE - 1, [self.id])

    def on_message(self, sender, body):
        if body["type"] == "view":
            self.reply(sender, body, "view_ok", peers=list(self.view))
            return
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


run(Cyclon)
