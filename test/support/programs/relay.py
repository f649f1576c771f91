"""An echo service whose peers pass every question on to the first peer, which answers the client."""

import json
import sys


def say(src, dest, **body):
    print(json.dumps({"src": src, "dest": dest, "body": body}), flush=True)


for line in sys.stdin:
    said = json.loads(line)
    sender, self, body = said["src"], said["dest"], said["body"]
    if body["type"] == "time":
        continue
    if body["type"] == "init":
        say(self, sender, type="init_ok", in_reply_to=body["msg_id"], rhizome=1)
    elif sender[0] == "c" and self != "n0":
        say(sender, "n0", **body)
    elif sender[0] == "c":
        say(self, sender, type="echo_ok", in_reply_to=body["msg_id"], echo=body["echo"])
    say(self, "env", type="idle")
