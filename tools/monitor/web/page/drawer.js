// The drawer: one peer, or one task from where it was handed in to its result.
const drawer = { kind: '', peer: -1, back: null };

// Peers that are drawn with a mark.
function marked(side = known) {
  if (drawer.kind === 'peer') return drawer.peer < side.run.title.peers ? [drawer.peer] : [];
  if (drawer.kind === 'task') return [...stationsOf(side.story, side.run.now).keys()].filter((peer) => peer < side.run.title.peers);
  return heat.cursor >= 0 && side === known ? [heat.cursor] : [];
}

// The end of what the program of the peer wrote to standard error, asked for once a second.
async function askWhatItSaid(now) {
  if (known.recording.stored || now - (drawer.asked || 0) < 1000) return;
  drawer.asked = now;
  const { peer } = drawer;
  try {
    const { said } = await (await askFor(`/said?page=${known.name}&peer=${peer}`)).json();
    if (drawer.kind === 'peer' && drawer.peer === peer) tellSaid(said);
  } catch (error) {
    tellSaid([]);
  }
}

function tellSaid(lines) {
  byId('said').hidden = lines.length === 0;
  setText(byId('said'), lines.join('\n'));
}

function openDrawer(kind, title) {
  tellSaid([]);
  drawer.asked = 0;
  if (!drawer.kind) drawer.back = document.activeElement;
  drawer.kind = kind;
  setText(byId('drawer-title'), title);
  byId('drawer').hidden = false;
  byId('drawer-title').focus({ preventScroll: false });
  drawer.since = 0;
  wake();
}

function openPeer(peer) {
  if (!known.run || peer < 0 || peer >= known.run.title.peers) return false;
  drawer.peer = peer;
  openDrawer('peer', `Peer ${nameOf(peer)}`);
  return true;
}

function openTask(task) {
  followTask(task);
  openDrawer('task', `Task ${task}`);
  return true;
}

function closeDrawer() {
  if (!drawer.kind) return;
  drawer.kind = '';
  followed.task = null;
  byId('drawer').hidden = true;
  if (drawer.back && drawer.back.isConnected) drawer.back.focus();
  wake();
}

function fillList(entries) {
  const list = byId('drawer').querySelector('dl');
  list.replaceChildren(...entries.map(([name, value]) => make('div', {}, [make('dt', {}, [name]),
    make('dd', {}, [typeof value === 'object' ? peerButton(value.peer) : value])])));
}

function tellPeer(run) {
  const i = drawer.peer;
  const { row } = run;
  const { parent, children, depth, size } = structure(run);
  const states = row[life][i];
  const by = processOf(run, i);
  const state = (states & 1) === 0 ? 'down' : (states & 2) === 2 ? 'up, has finished' : 'up';
  setText(byId('drawer-text'), state + (states >= 4 ? `, life ${Math.floor(states / 4)}` : ''));
  fillList([['sent/s', figure(run.sentRate[i])], ['received/s', figure(run.receivedRate[i])], ['inbox', figure(row[inbox][i])],
    ['running', figure(row[running][i])], ['waiting', figure(row[waiting][i]) + ' tasks'], ['above', { peer: parent[i] }], ['depth', depth[i] < 0 ? 'in no tree' : String(depth[i])],
    ['children', String(children[i].length)], ['below', String(size[i] - 1)], ...classes.map((name, c) => [name, figure(row[c][i])]),
    ['sent', figure(row[sentBytes][i] / 1024) + ' KiB'], ['received', figure(row[received][i])], ['dropped', figure(row[dropped][i])],
    ['events', figure(row[events][i])], ['late', figure(row[late][i])],
    ...(by ? [['process', `${by.number} on ${by.host}${by.lost ? ', lost' : by.silent ? ', silent' : ''}`]] : []),
    ...(run.views ? overlayKinds.map((name, kind) => [`${name} links`, `${viewOfPeer(run, i, kind).length}, known by ${inDegrees(run, kind)[i]}`]) : [])]);
  showEvents(byId('drawer').querySelector('ol'), latestOf(run.facts, (fact) => fact.peers.includes(i), 60));
}

// The state of the task in a few words.
function storyText(story, now) {
  const told = story.facts.filter((fact) => fact.at <= now);
  const rest = story.facts.length - told.length;
  if (story.facts.length === 0) return story.failed || (story.whole ? 'Nobody noted anything of it up to now.' : 'The run is asked for it.');
  const last = told.findLast((fact) => fact.kind.startsWith('task-'));
  return [!last ? 'not yet handed in' : told.some((fact) => fact.kind === 'task-completed') ? 'completed' : last.kind,
    rest > 0 ? `${rest} events to come after this time` : '', story.whole ? '' : 'logs are still searched'].filter(Boolean).join('; ');
}

// How far the task has come by the shown time, and how long that took.
function tellTask(run) {
  const { story } = known;
  const first = (kind) => story.facts.find((fact) => fact.kind === kind && fact.at <= run.now);
  const [submitted, started, completed] = ['task-submitted', 'task-started', 'task-completed'].map(first);
  const hops = story.facts.filter((fact) => fact.kind === 'task-handed' && fact.at <= run.now).length;
  const took = (from, to) => (from && to ? figure(to.at - from.at) + ' s' : '–');
  setText(byId('drawer-text'), storyText(story, run.now));
  fillList([['waited', took(submitted, started)], ['from start to result', took(started, completed)], ['in all', took(submitted, completed)],
    ...(hops > 0 ? [['hops', String(hops)]] : []), ['started', String(story.facts.filter((fact) => fact.kind === 'task-started' && fact.at <= run.now).length) + ' times'], ['peers', String(marked().length)]]);
  const list = byId('drawer').querySelector('ol');
  showEvents(list, story.facts.slice(-200), 'time');
  for (const item of list.children) item.classList.toggle('to-come', item.fact.at > run.now);
}

function tellDrawer(run, now) {
  if (!drawer.kind) return;
  if (now - (drawer.since || 0) < 250) { tellLater(); return; }
  drawer.since = now;
  if (drawer.kind === 'peer') { tellPeer(run); askWhatItSaid(now); } else tellTask(run);
}
