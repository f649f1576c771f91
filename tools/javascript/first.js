// A first scheduler: the source gives each task to the peer that has most processors free.
//
// Change what you like: the methods of Peer in rhizome_peer.js are all there is.
"use strict";

const { Peer, run } = require("./rhizome_peer.js");

class First extends Peer {
  waiting = []; // at the source: tasks that no peer has been given
  free = new Map(); // at the source: of each peer, processors without a task
  cpus = new Map(); // at the source: processors that each task needs

  onStart() {
    // One more than there are, so that a task waits there already when another ends.
    this.send(this.source, "ready", { free: this.slots + 1 });
  }

  /** At the source: a job has come. */
  onJob(job, tasks) {
    for (const { id, cpus } of tasks) {
      this.waiting.push(id);
      this.cpus.set(id, cpus);
    }
    this.deal();
  }

  /** Hands out tasks in turn, as long as the next one fits somewhere. */
  deal() {
    while (this.waiting.length > 0 && this.free.size > 0) {
      const needed = this.cpus.get(this.waiting[0]);
      const [peer, free] = [...this.free].reduce((best, each) => (each[1] > best[1] ? each : best));
      if (free < needed) return;
      this.free.set(peer, free - needed);
      this.hand(peer, [this.waiting.shift()]);
    }
  }

  onMessage(sender, body) {
    if (body.type === "ready") this.free.set(sender, body.free);
    for (const task of body.tasks ?? [])
      if (body.type === "tasks") this.work(task);
      else {
        this.finished(task, sender);
        this.free.set(sender, this.free.get(sender) + this.cpus.get(task));
      }
    this.deal();
  }

  /** At any peer: a task that was begun by work() is done. */
  onWorkDone(work, task) {
    this.giveBack(this.source, [task]);
  }
}

run(First);
