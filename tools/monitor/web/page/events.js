// Elements, and lists of events: texts go in as texts, whatever they look like.
const byId = (id) => document.getElementById(id);

function make(tag, properties = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name in element) element[name] = value; else element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function setText(element, content) {
  if (element.textContent !== content) element.textContent = content;
}

// A cell that is a number of a peer opens it.
function fillTable(place, heads, rows) {
  const cell = (content) => make('td', {}, [typeof content === 'object' ? peerButton(content.peer) : content]);
  place.replaceChildren(make('table', {}, [
    make('thead', {}, [make('tr', {}, heads.map((head) => make('th', { scope: 'col' }, [head])))]),
    make('tbody', {}, rows.map((row) => make('tr', {}, row.map(cell)))),
  ]));
}

function peerButton(peer) {
  return peer === nobody || peer < 0 ? 'nobody' : make('button', { type: 'button', onclick: () => openPeer(peer) }, [nameOf(peer)]);
}

const lineOf = (fact) => `${nameOf(fact.peer)} ${fact.kind} ${taskOf(fact)} ${fact.said}`;

// A filter from words: peer=17, task=112.3, or texts that a line must contain.
function filterOf(words) {
  const tests = words.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    if (/^peer=#?\d+$/.test(word)) { const peer = Number(word.replace(/\D/g, '')); return (fact) => fact.peers.includes(peer); }
    if (/^task=\d+(\.\d+)?$/.test(word)) {
      const task = word.slice(5);
      return (fact) => fact.task === task || String(fact.job) === task;
    }
    return (fact) => lineOf(fact).toLowerCase().includes(word);
  });
  return (fact) => tests.every((test) => test(fact));
}

// The latest first.
function latestOf(all, passes, most) {
  const found = [];
  for (let i = all.length - 1; i >= 0 && found.length < most; i -= 1) if (passes(all[i])) found.push(all[i]);
  return found;
}

// The time is a button only where the user can go to it.
function eventItem(fact, kind) {
  const task = fact.task === undefined ? [] : [make('button', { type: 'button', onclick: () => openTask(fact.task) }, [fact.task]), ' '];
  const at = fact.at.toFixed(3);
  const time = kind === 'time' ? make('button', { type: 'button', title: 'show this time', onclick: () => showTimeOf(fact) }, [at]) : at;
  return make('li', {}, [make('time', {}, [time]), peerButton(fact.peer), make('b', {}, [fact.kind]), make('span', {}, [...task, fact.said])]);
}

// Reuses existing lines, and makes only new ones.
function showEvents(list, wanted, kind = '') {
  const old = new Map([...list.children].map((item) => [item.fact, item]));
  list.replaceChildren(...wanted.map((fact) => {
    const item = old.get(fact) || eventItem(fact, kind);
    item.fact = fact;
    return item;
  }));
}

const eventsShown = { most: 80, frozen: false, passes: () => true, count: 0, since: 0, rate: 0 };

// Events a second: live by the page's clock; in the past, within the last known emulated second.
function rateOfEvents(run, now) {
  if (player.at !== null) return run.facts.filter((fact) => fact.at > run.now - 1).length;
  if (now - eventsShown.since > 1000) {
    eventsShown.rate = Math.max(0, run.seenFacts + run.missed - eventsShown.count) * 1000 / (now - eventsShown.since);
    eventsShown.count = run.seenFacts + run.missed;
    eventsShown.since = now;
  }
  return eventsShown.rate;
}

function tellEvents(run, now) {
  setText(byId('events-text'), `${figure(Math.round(rateOfEvents(run, now)))} a second, the latest first, ${run.missed === 0 ? 'none' : figure(run.missed)} missed`);
  if (!eventsShown.frozen) showEvents(byId('events'), latestOf(run.facts, eventsShown.passes, eventsShown.most));
}
