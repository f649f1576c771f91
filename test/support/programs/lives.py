"""An echo service whose peers note how each of their lives begins."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "tools" / "python"))
from rhizome_peer import Peer, run  # noqa: E402


class Lives(Peer):
    def on_start(self):
        self.note("began", life=self.life, late=self.now > 0, drawn=self.random.random())

    def on_message(self, sender, body):
        self.reply(sender, body, "echo_ok", echo=body["echo"])


run(Lives)
