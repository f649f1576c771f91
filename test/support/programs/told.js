// A peer that tells n1 of all that it is told, by every method of the library.
"use strict";

const { Peer, run } = require("../../../tools/javascript/rhizome_peer.js");

class Told extends Peer {
  onStart() {
    this.send("n1", "start", { id: this.id, peers: this.peers, source: this.source });
    this.send("n1", "world", { neighbours: this.neighbours, speed: this.speed, slots: this.slots });
    this.after(1.5, "alarm");
    this.cancel("alarm");
  }
  onMessage(sender, body) {
    if (body.type === "question") this.reply(sender, body, "answer", { of: body.x });
    else if (body.type === "please-ask")
      this.ask("n1", (who, said) => this.send("n1", "heard", { who, x: said.x }), "question", { x: 7 });
    else if (body.type === "chance") {
      const numbers = Array.from({ length: 1000 }, () => this.random());
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      const fair = 0 <= least && least < 0.1 && 0.9 < most && most < 1 && new Set(numbers).size > 990;
      this.send("n1", "chance", { fair });
    } else this.send("n1", "message", { sender, text: body.text });
  }
  onTimer(name) {
    this.send("n1", "timer", { name, now: this.now });
  }
  onJob(job, tasks) {
    this.hand("n1", tasks.map((task) => task.id));
    this.work(tasks[0].id);
    this.work(tasks[1].id, "mine");
  }
  onWorkDone(work, task) {
    if (task === undefined) {
      this.note("own-work", { work });
      this.stop(work);
      return this.compute(0.5, "again");
    }
    this.giveBack("n1", [task]);
    this.finished(task);
    this.finished(task, "n1");
  }
  onDrained() {
    this.note("drained");
  }
}

run(Told);
