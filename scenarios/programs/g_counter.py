"""A counter that only grows, over the store "seq-kv": each peer keeps its own sum there."""

from rhizome_peer import Peer, run


class GrowingCounter(Peer):
    def on_start(self):
        self.sums = {peer: 0 for peer in self.peers}
        self.after(0.5, "look")

    def on_message(self, sender, body):
        if body["type"] == "add":
            self.sums[self.id] += body["delta"]
            done = lambda store, said: self.reply(sender, body, "add_ok")
            self.ask("seq-kv", done, "write", key=self.id, value=self.sums[self.id])
        elif body["type"] == "read":
            self.reply(sender, body, "read_ok", value=sum(self.sums.values()))

    def on_timer(self, name):
        for peer in self.peers:
            if peer != self.id:
                self.ask("seq-kv", lambda store, said, peer=peer: self.learn(peer, said), "read", key=peer)
        self.after(0.5, "look")

    def learn(self, peer, said):
        self.sums[peer] = max(self.sums[peer], said.get("value", 0))


run(GrowingCounter)
