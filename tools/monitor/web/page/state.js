// The known state of a run: takes frames (scenarios/live/frame.hpp), and gives figures.
const classes = ['job', 'result', 'information'];  // in the order of rows
const inTotals = { information: 0, job: 1, result: 2 };
const [sentBytes, received, receivedBytes, dropped, events, facts, running, waiting, inbox, late, life, above, process] =
  [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const columns = 16;
const nobody = 0xffffffff;
const keptFacts = 10000;
const keptMoments = 1500;
const glowTime = 2000;

let factFields = {};  // by kind of fact: names and types of its values

const seconds = (nanoseconds) => nanoseconds / 1e9;
const nameOf = (peer) => (peer === nobody ? 'nobody' : '#' + peer);
const taskOf = (fact) => (fact.task === undefined ? '' : fact.task);
// The process of a peer, if several processes share the run.
const processOf = (run, peer) => run.cost.processes[run.row[process][peer]] || null;
// Whether the peer's process was silent for some seconds: its values are old.
const isSilent = (run, peer) => processOf(run, peer)?.silent === true;
const isAlive = (run, peer) => (run.row[life][peer] & 1) === 1;

function titleOf(raw) {
  const [number, scenario, scheduler, label, engine, cell, timeScale, seed, repetition, peers, [openFor, limit], tasks] = raw;
  return { number, scenario: text(scenario), scheduler: text(scheduler), label: text(label), engine: text(engine), cell: text(cell), timeScale,
    seed, repetition, peers, openFor: seconds(openFor), limit: seconds(limit), tasks: tasks.length > 0 ? tasks[0] : 0 };
}

function totalsOf(raw) {
  const [sent, bytes, got, gotBytes, duplicated, drops, handled, alive, finished, working, tasks, lateness] = raw;
  const [submitted, started, executed, completed, reissued, duplicate, jobs, waits] = tasks;
  const judged = lateness.slice(0, 3);
  return { sent, bytes, got, gotBytes, duplicated, events: handled, alive, finished, working, lateness,
    dropped: drops.reduce((sum, each) => sum + each, 0),
    tasks: { submitted, started, executed, completed, reissued, duplicate, jobs, waiting: waits },
    seen: judged.reduce((sum, each) => sum + each[0], 0), late: judged.reduce((sum, each) => sum + each[1], 0) };
}

function newRun(title) {
  const numbers = () => new Float64Array(title.peers);
  const rates = () => new Float32Array(title.peers);
  return { title, number: 0, now: 0, row: Array.from({ length: columns }, numbers), sentRate: rates(), receivedRate: rates(),
    lateRate: rates(), before: { sent: numbers(), received: numbers(), late: numbers() }, facts: [], missed: 0, seenFacts: 0,
    history: [], glows: new Map(), moves: [], structure: null, changedShape: true, down: 0, restarts: 0, rated: false,
    views: null, viewShape: 0, lifeShape: 0, degrees: null, fresh: [], turned: [] };  // of the latest frame: its facts, and peers that came or went
}

// A snapshot from which a run can be restored: a copy of all that frames change. The history of
// totals is shared.
const copied = ['sentRate', 'receivedRate', 'lateRate'];
function copyOf(run) {
  const copy = { ...run, row: run.row.map((column) => column.slice()), facts: run.facts.slice(-200), glows: new Map(), moves: [],
    structure: null, changedShape: true, fresh: [], turned: [], before: null, views: run.views && run.views.slice() };
  for (const name of copied) copy[name] = run[name].slice();
  return copy;
}
function runOf(snapshot) {
  const run = copyOf(snapshot);
  const { row } = run;
  run.before = { sent: row[0].map((job, i) => job + row[1][i] + row[2][i]), received: row[received].slice(), late: row[late].slice() };
  return run;
}
const bytesOf = (snapshot) => snapshot.title.peers * (columns * 8 + 12) + snapshot.facts.length * 400 + 1000
  + (snapshot.views ? snapshot.views.reduce((sum, view) => sum + 100 + 4 * view.length, 0) : 0);
const isSameRun = (a, b) => Boolean(a && b) && a.title.number === b.title.number && a.title.peers === b.title.peers && a.title.label === b.title.label;

// Like judge_validity, without its judgement of standstills.
function verdictSoFar(totals) {
  const tooMany = (which) => totals.lateness.some((each) => 100 * each[which] > each[0]);
  return tooMany(2) ? 'invalid' : tooMany(1) ? 'suspect' : 'valid';
}

function applyRows(run, changes, whole) {
  let at = 0;
  for (let peer = 0; at < changes.length; peer += 1) {
    peer += changes[at];
    const mask = changes[at + 1];
    at += 2;
    if ((mask >> above & 1) === 1 || (mask >> life & 1) === 1) run.changedShape = true;
    const lived = isAlive(run, peer);
    for (let i = 0; i < columns; i += 1)
      if ((mask >> i & 1) === 1) { run.row[i][peer] = changes[at]; at += 1; }
    if (isAlive(run, peer) === lived) continue;
    run.lifeShape += 1;
    if (!whole) run.turned.push(peer);
  }
}

// Rates in emulated time, smoothed over about half a second of real time, so that colours do not
// flicker.
function reckonRates(run, passed, realPassed) {
  const share = run.rated ? 1 - Math.exp(-realPassed / 0.5) : 1;
  const { row, before } = run;
  let downs = 0;
  let lives = 0;
  for (let i = 0; i < run.title.peers; i += 1) {
    const sent = row[0][i] + row[1][i] + row[2][i];
    if (passed > 0) {
      run.sentRate[i] += share * (Math.max(0, sent - before.sent[i]) / passed - run.sentRate[i]);
      run.receivedRate[i] += share * (Math.max(0, row[received][i] - before.received[i]) / passed - run.receivedRate[i]);
      run.lateRate[i] += share * (Math.max(0, row[late][i] - before.late[i]) / passed - run.lateRate[i]);
    }
    before.sent[i] = sent;
    before.received[i] = row[received][i];
    before.late[i] = row[late][i];
    downs += (row[life][i] & 1) === 0 ? 1 : 0;
    lives += Math.floor(row[life][i] / 4);
  }
  run.rated = run.rated || passed > 0;
  run.down = downs;
  run.restarts = lives;
}

const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : [value]);

function valueText(value, kind) {
  if (kind === 'peer') return nameOf(value);
  if (kind === 'time') return figure(seconds(value)) + ' s';
  if (value instanceof Uint8Array) return text(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

function factOf([at, peer, kindNumber, payload], kinds) {
  const kind = kindNumber < kinds.length ? kinds[kindNumber] : 'unknown';
  const fact = { at: seconds(at), peer, kind, peers: [peer], said: '' };
  try {
    return factFields[kind] ? withFields(fact, factFields[kind], flat(unpack(payload))) : fact;
  } catch {
    return fact;  // what a recording holds may be no values
  }
}

function withFields(fact, fields, values) {
  const parts = [];
  fields.forEach(([name, of], i) => {
    if (name === 'job' || name === 'portion') fact[name] = values[i];
    else parts.push(name + ' ' + valueText(values[i], of));
    if (of === 'peer' && values[i] !== nobody) fact.peers.push(values[i]);
    if (name === 'reason') fact.reason = text(values[i]);
    if (name === 'parent' || name === 'leader') fact.to = values[i];
  });
  if (fact.portion !== undefined) fact.task = fact.job + '.' + fact.portion;
  else if (fact.job !== undefined) parts.unshift('job ' + fact.job);
  fact.said = parts.join(', ');
  return fact;
}

// Moves glow while the user sees them happen: at that time of the page, or not at all.
function keepFacts(run, raw, { kinds, now }) {
  run.fresh = raw.map((each) => factOf(each, kinds));
  for (const fact of run.fresh) {
    run.facts.push(fact);
    if (now === null || (fact.kind !== 'parent-changed' && fact.kind !== 'group-changed')) continue;
    run.glows.set(fact.peer, { since: now, reason: fact.reason });
    run.moves.push({ since: now, reason: fact.reason });
  }
  run.seenFacts += raw.length;
  if (run.facts.length > 1.2 * keptFacts) run.facts.splice(0, run.facts.length - keptFacts);
}

function forgetGlows(run, now) {
  for (const [peer, glow] of run.glows) if (now - glow.since > glowTime) run.glows.delete(peer);
  run.moves = run.moves.filter((move) => now - move.since <= glowTime);
}

function keepMoment(run, totals) {
  const last = run.history.at(-1);
  if (last && last.at >= run.now) return;
  const { submitted, started, completed } = totals.tasks;
  run.history.push({ at: run.now, sent: totals.sent, submitted, started, completed, seen: totals.seen, late: totals.late });
  if (run.history.length <= keptMoments) return;
  const kept = run.history.filter((_, i) => i % 2 === 1 || i > keptMoments / 2);
  run.history.splice(0, run.history.length, ...kept);  // others hold the same list
}

function keepPast(run, past) {
  for (const [at, sent, completed] of past)
    if (run.history.length === 0 || seconds(at) > run.history.at(-1).at) run.history.push({ at: seconds(at), sent, completed });
  keepMoment(run, run.totals);
}

// The run after a frame, given the known run or null; null if the frame does not follow it: a
// complete frame will come. `told` is {kinds, now, live}: the kinds of facts, the time at which
// moves begin to glow (null: they do not), and whether the frame is new.
function applyFrame(known, raw, told) {
  const [number, since, rawTitle, over, now, real, totals, rows, slice, [past, viewsTold], cost, underWay] = raw;
  const title = titleOf(rawTitle);
  const anew = !known || known.title.number !== title.number || known.title.peers !== title.peers || known.title.label !== title.label
    || seconds(now) < known.now;
  if (since !== 0 && (anew || (told.live && since !== known.number))) return null;
  if (since === 0 && rows.length < 2 * title.peers) return null;  // a complete frame has a row of each peer
  const run = anew ? newRun(title) : known;
  if (since === 0) { for (const column of run.row) column.fill(0); run.changedShape = true; }
  const passed = seconds(now) - run.now;
  const realPassed = seconds(real) - (run.real || 0);
  run.turned = [];
  Object.assign(run, { number, over, now: seconds(now), real: seconds(real), totals: totalsOf(totals), underWay,
    cost: { share: cost[0], interval: seconds(cost[1]), slowed: cost[2], held: cost[3], paced: cost[4], speed: cost[5], byHand: cost[6],
      processes: cost[8].map(([processNumber, host, lost, silent]) => ({ number: processNumber, host: text(host), lost, silent })) } });
  applyRows(run, rows, since === 0);
  applyViews(run, viewsTold);
  reckonRates(run, passed, realPassed);
  if (told.live) keepPast(run, past);
  run.missed += slice[1];
  keepFacts(run, slice[2], told);
  return run;
}

// The forest that the peers form: the parent of each peer, its depth, and the number of peers below
// it.
function structureOf(run) {
  const n = run.title.peers;
  const parent = new Int32Array(n).fill(-1);
  const children = Array.from({ length: n }, () => []);
  const depth = new Int32Array(n).fill(-1);
  const size = new Int32Array(n).fill(1);
  for (let i = 0; i < n; i += 1) {
    const up = run.row[above][i] - 1;
    if (up >= 0 && up < n && up !== i && isAlive(run, i)) { parent[i] = up; children[up].push(i); }
  }
  const roots = [];
  const outside = [];
  for (let i = 0; i < n; i += 1) if (parent[i] < 0) (children[i].length > 0 ? roots : outside).push(i);
  const order = [...roots];
  for (const root of roots) depth[root] = 0;
  for (let at = 0; at < order.length; at += 1)
    for (const child of children[order[at]]) { depth[child] = depth[order[at]] + 1; order.push(child); }
  for (let i = 0; i < n; i += 1)  // a peer in a cycle is outside of every tree
    if (depth[i] < 0 && parent[i] >= 0) { parent[i] = -1; outside.push(i); }
  for (let at = order.length - 1; at >= 0; at -= 1) if (parent[order[at]] >= 0) size[parent[order[at]]] += size[order[at]];
  let height = 0;
  for (const peer of order) height = Math.max(height, depth[peer]);
  return { parent, children, depth, size, roots, outside, order, height };
}

function structure(run) {
  if (run.changedShape || !run.structure) { run.structure = structureOf(run); run.changedShape = false; run.shape = (run.shape || 0) + 1; }
  return run.structure;
}
