"""Work of a program's own, work that is stopped, facts, and a time until which it is idle.

Speaks without the library, which has no idle with a time.
"""

import json
import sys


def say(body, to="env"):
    print(json.dumps({"src": me, "dest": to, "body": body}))


def note(name, **fields):
    say({"type": "note", "name": name, "fields": fields})


now = 0.0
for line in sys.stdin:
    said = json.loads(line)
    me, body = said["dest"], said["body"]
    kind = body["type"]
    idle = {"type": "idle"}
    if kind == "time":
        now = body["now"]
        continue
    if kind == "init":
        say({"type": "init_ok", "in_reply_to": body["msg_id"], "rhizome": 1})
    elif kind == "job":
        for task in body["tasks"]:
            say({"type": "work", "id": "task " + task["id"], "task": task["id"]})
        say({"type": "work", "id": "short", "duration": 1.0})
        # This work would end before the run does if it were not stopped.
        say({"type": "work", "id": "long", "duration": 2.0})
        say({"type": "stop", "id": "long"})
        say({"type": "stop", "id": "never begun"})
        say({"type": "stop", "id": "task " + body["tasks"][0]["id"]})
        idle["until"] = now + 0.25
    elif kind == "timer":
        note("awake", timer=body["name"])
        task = "0.0"
        say({"type": "work", "id": "again", "task": task})
    elif kind == "work_done":
        note("done", work=body["id"])
        if "task" in body:
            say({"type": "finished", "task": body["task"]})
    say(idle)
    sys.stdout.flush()
