// Peers of a Rhizome emulation in JavaScript: one file for Node, without dependencies.
//
// Write a class that extends Peer, and call run(YourPeer). Rhizome starts the program and speaks
// with it over standard input and output, in lines of JSON. A scenario uses it as a scheduler:
//
//     [[scheduler]]
//     use = "program"
//     command = "node mine.js"
//
// Print nothing to standard output: use console.error. One process may run several peers
// (peers_per_process); each is an object of its own. A program is deterministic if all its chance
// comes from this.random().
"use strict";

const fs = require("fs");

/** @typedef {{type: string, [field: string]: any}} Body */
/** @typedef {{id: string, duration: number, cpus: number, memory: number}} Task */

let said = []; // lines, until an event has been handled

// A generator of numbers in [0, 1) (splitmix32), of a seed below 2^53.
function generator(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * One peer. Override the on methods; each is called with one event.
 *   id:         the name of this peer, such as "n0"
 *   peers:      the names of all peers
 *   source:     the peer where jobs enter
 *   neighbours: the peers that this one knows at first
 *   speed:      a task takes its duration divided by this
 *   slots:      tasks that the peer runs at a time; more wait in its queue
 *   life:       how often the peer has begun anew after a crash
 *   now:        emulated time, in seconds
 *   random():   the peer's own random numbers in [0, 1), of the run's seed and this life
 */
class Peer {
  #asked = new Map();
  #questions = 0;

  /** @param {Body} init */
  constructor(init) {
    this.id = init.node_id;
    this.peers = init.node_ids;
    this.source = init.source ?? this.peers[0];
    this.neighbours = init.neighbours ?? [];
    this.speed = init.speed ?? 1;
    this.slots = init.slots ?? 1;
    this.random = generator(init.seed ?? 0);
    this.life = init.life ?? 0;
    this.now = init.now ?? 0;
  }

  // What a program overrides.

  /** The peer begins, or begins anew after a crash. */
  onStart() {}
  /** A message of another peer, or of a client ("c0"), has come.
   * @param {string} sender @param {Body} body */
  onMessage(sender, body) {}
  /** A timer that was set by after() is due. @param {string} name */
  onTimer(name) {}
  /** At the source: a job has come. @param {number} job @param {Task[]} tasks */
  onJob(job, tasks) {}
  /** Work is done: a task of work(), or work of compute(), which has no task.
   * @param {string} work @param {string} [task] */
  onWorkDone(work, task) {}
  /** All jobs are done and no more will come: the run ends. */
  onDrained() {}

  // What a program may do.

  /** Sends information, which moves no task. */
  send(to, type, fields = {}) {
    this.#say(to, { type, ...fields });
  }
  /** Answers a message that has a "msg_id", as those of clients have. */
  reply(to, body, type, fields = {}) {
    this.#say(to, { type, in_reply_to: body.msg_id, ...fields });
  }
  /** Sends a message; then(sender, body) is called with the answer to it, if one comes. */
  ask(to, then, type, fields = {}) {
    this.#asked.set(++this.#questions, then);
    this.#say(to, { type, msg_id: this.#questions, ...fields });
  }
  /** Hands tasks that have come here to a peer, in a job message. @param {string[]} tasks */
  hand(to, tasks, type = "tasks", fields = {}) {
    this.#say(to, { type, class: "job", tasks, ...fields });
  }
  /** Sends results that were made here, or have come here, in a result message. */
  giveBack(to, tasks, type = "results", fields = {}) {
    this.#say(to, { type, class: "result", tasks, ...fields });
  }
  /** Begins a task here; it waits where all slots are busy. */
  work(task, work = task) {
    this.#say("env", { type: "work", id: work, task });
  }
  /** Begins work of the program's own beside all tasks: so long at a peer of speed 1. */
  compute(seconds, work) {
    this.#say("env", { type: "work", id: work, duration: seconds });
  }
  /** Stops work that was begun here; nothing if it has ended. A task may be begun again. */
  stop(work) {
    this.#say("env", { type: "stop", id: work });
  }
  /** At the source: the result of a task is here. */
  finished(task, executor = undefined) {
    this.#say("env", { type: "finished", task, executor });
  }
  /** Sets a timer in emulated time; one of the same name is replaced. */
  after(seconds, name) {
    this.#say("env", { type: "timer", after: seconds, name });
  }
  /** Cancels a timer; nothing if there is none of that name. */
  cancel(name) {
    this.#say("env", { type: "cancel", name });
  }
  /** Records a fact of this peer and this time in the store of the run. */
  note(name, fields = {}) {
    this.#say("env", { type: "note", name, fields });
  }

  #say(to, body) {
    said.push(JSON.stringify({ src: this.id, dest: to, body }));
  }

  /** Hands an event to the method that it is for. Called by run(). */
  hear(sender, body) {
    if (sender !== "env") {
      const then = this.#asked.get(body.in_reply_to);
      if (then === undefined) return this.onMessage(sender, body);
      this.#asked.delete(body.in_reply_to);
      return then(sender, body);
    }
    if (body.type === "job") this.onJob(body.id, body.tasks);
    else if (body.type === "timer") this.onTimer(body.name);
    else if (body.type === "work_done") this.onWorkDone(body.id, body.task);
    else if (body.type === "drained") this.onDrained();
  }
}

function handle(kind, peers, line) {
  const { src, dest, body } = JSON.parse(line);
  if (src === "env" && body.type === "time") {
    peers.get(dest).now = body.now;
    return;
  }
  if (body.type === "init") {
    peers.set(dest, new kind(body));
    const ready = { type: "init_ok", in_reply_to: body.msg_id, rhizome: 1 };
    said.push(JSON.stringify({ src: dest, dest: src, body: ready }));
    peers.get(dest).onStart();
  } else {
    peers.get(dest).hear(src, body);
  }
  said.push(`{"src":"${dest}","dest":"env","body":{"type":"idle"}}\n`);
  const lines = Buffer.from(said.join("\n"));
  said = [];
  for (let written = 0; written < lines.length; ) written += fs.writeSync(1, lines, written);
}

/** Runs peers of that class until Rhizome ends the process. @param {typeof Peer} kind */
function run(kind) {
  const peers = new Map();
  const input = Buffer.alloc(65536);
  const decoder = new (require("string_decoder").StringDecoder)("utf8");
  let text = "";
  for (;;) {
    const size = fs.readSync(0, input, 0, input.length, null);
    if (size === 0) return;
    text += decoder.write(input.subarray(0, size)); // a character may be cut in two
    let first = 0;
    for (let end; (end = text.indexOf("\n", first)) >= 0; first = end + 1)
      handle(kind, peers, text.slice(first, end));
    text = text.slice(first);
  }
}

module.exports = { Peer, run };
