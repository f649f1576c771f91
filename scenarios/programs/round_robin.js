// Round robin: the source deals tasks to all peers in turn.
"use strict";

const { Peer, run } = require("./rhizome_peer.js");

class RoundRobin extends Peer {
  turn = 0;

  onJob(job, tasks) {
    for (const task of tasks) this.hand(this.peers[this.turn++ % this.peers.length], [task.id]);
  }

  onMessage(sender, body) {
    for (const task of body.tasks)
      if (body.type === "tasks") this.work(task);
      else this.finished(task, sender);
  }

  onWorkDone(work, task) {
    this.giveBack(this.source, [task]);
  }
}

run(RoundRobin);
