"""Broadcast by gossip: a peer tells each neighbour of the grid what that one may not know."""

from rhizome_peer import Peer, run


class Gossip(Peer):
    def on_start(self):
        self.known = set()
        self.near = {}  # of each neighbour, the messages that it is known to know
        self.after(0.1 * self.random.random(), "round")

    def on_message(self, sender, body):
        if body["type"] == "topology":
            self.near = {peer: set() for peer in body["topology"][self.id]}
            self.reply(sender, body, "topology_ok")
        elif body["type"] == "broadcast":
            self.known.add(body["message"])
            self.reply(sender, body, "broadcast_ok")
        elif body["type"] == "read":
            self.reply(sender, body, "read_ok", messages=sorted(self.known))
        elif body["type"] == "news":
            self.known |= set(body["messages"])
            self.near[sender] |= set(body["messages"])
            self.send(sender, "heard", messages=body["messages"])
        elif body["type"] == "heard":
            self.near[sender] |= set(body["messages"])

    def on_timer(self, name):
        for peer, knows in self.near.items():
            news = self.known - knows
            if news:
                self.send(peer, "news", messages=sorted(news))
        self.after(0.1, "round")


run(Gossip)
