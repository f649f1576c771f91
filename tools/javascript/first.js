// A first scheduler: a peer that has no work asks the source for some.
//
// Change what you like: the methods of Peer in rhizome_peer.js are all there is.
"use strict";

const { Peer, run } = require("./rhizome_peer.js");

class First extends Peer {
  waiting = []; // at the source: tasks that no peer has been given
  wanting = []; // at the source: peers that want a task, as often as they want one

  onStart() {
    this.send(this.source, "ready", { wanted: 2 * this.slots });
  }

  /** At the source: a job has come. */
  onJob(job, tasks) {
    this.waiting.push(...tasks.map((task) => task.id));
    this.deal();
  }

  deal() {
    while (this.waiting.length > 0 && this.wanting.length > 0)
      this.hand(this.wanting.shift(), [this.waiting.shift()]);
  }

  onMessage(sender, body) {
    if (body.type === "ready") this.want(sender, body.wanted);
    for (const task of body.tasks ?? [])
      if (body.type === "tasks") this.work(task);
      else {
        this.finished(task, sender);
        this.want(sender, 1);
      }
  }

  want(peer, tasks) {
    for (let i = 0; i < tasks; ++i) this.wanting.push(peer);
    this.deal();
  }

  /** At any peer: a task that was begun by work() is done. */
  onWorkDone(work, task) {
    this.giveBack(this.source, [task]);
  }
}

run(First);
