// A linearizable store: every request goes to the first peer, which alone has the values.
"use strict";

const { Peer, run } = require("./rhizome_peer.js");

class Store extends Peer {
  values = new Map();

  onMessage(sender, body) {
    const answer = (said) => {
      const { type, in_reply_to, msg_id, ...fields } = said;
      this.reply(sender, body, type, fields);
    };
    if (this.id === this.peers[0]) answer(this.handle(body));
    else this.ask(this.peers[0], (from, said) => answer(said), body.type, this.fields(body));
  }

  fields({ key, value, from, to }) {
    return { key, value, from, to };
  }

  handle({ type, key, value, from, to }) {
    if (type === "read" && this.values.has(key)) return { type: "read_ok", value: this.values.get(key) };
    if (type === "write") this.values.set(key, value);
    if (type === "write") return { type: "write_ok" };
    if (!this.values.has(key)) return { type: "error", code: 20, text: "there is no such key" };
    if (this.values.get(key) !== from) return { type: "error", code: 22, text: "it has another value" };
    this.values.set(key, to);
    return { type: "cas_ok" };
  }
}

run(Store);
