// The overlay in place of the tree: all peers in order of address on rings, a line for each link,
// and a large dot for a peer that many know. Lines are many and change all the time, so they are
// drawn apart from the rest, a few with every frame, and shown once all of them are there.
const overlayKinds = ['random', 'similar'];  // in the order of core/peer/views.hpp
const overlay = { kind: -1 };                // -1: the tree is shown
const nobodyKnown = new Uint32Array(0);
const onARing = 500;
const sliceTime = 6;  // milliseconds of a frame that go into lines
const views = { shapes: 0 };

// `told`: nothing, or the changes since a frame, 0 for a complete list
// (scenarios/live/view_table.hpp).
function applyViews(run, told) {
  if (told.length === 0) { if (run.views) Object.assign(run, { views: null, viewShape: views.shapes += 1 }); return; }
  const [since, list] = told[0];
  if (since === 0) run.views = new Array(run.title.peers * overlayKinds.length).fill(nobodyKnown);
  if (!run.views) return;
  let at = 0;
  for (let place = 0; at < list.length; place += 1) {
    place += list[at];
    if (!(place < run.views.length && list[at + 1] <= list.length - at - 2)) return;  // no list of this run's
    const view = new Uint32Array(list[at + 1]);
    at += 2;
    let next = 0;
    for (let i = 0; i < view.length; i += 1) { next += list[at]; view[i] = next; next += 1; at += 1; }
    run.views[place] = view;
  }
  if (since === 0 || list.length > 0) run.viewShape = views.shapes += 1;
}

const viewOfPeer = (run, peer, kind) => (run.views ? run.views[peer * overlayKinds.length + kind] : nobodyKnown);

// How many of the peers that are up know each peer.
function inDegrees(run, kind) {
  const key = `${run.viewShape} ${run.lifeShape} ${kind}`;
  if (run.degrees && run.degrees.key === key) return run.degrees.of;
  const of = new Uint32Array(run.title.peers);
  const living = [...of.keys()].filter((i) => isAlive(run, i));
  let links = 0;
  for (const i of living) for (const link of viewOfPeer(run, i, kind)) { of[link] += 1; links += 1; }
  run.degrees = { key, of, living, links, mean: links / Math.max(1, living.length) };
  return of;
}

function knownBy(run, peer, kind) {
  const by = [];
  for (let i = 0; i < run.title.peers; i += 1) if (viewOfPeer(run, i, kind).includes(peer)) by.push(i);
  return by;
}

// Places in units of the outermost ring.
function ringPlaces(run) {
  const n = run.title.peers;
  const rings = ringsOf(run);
  const places = new Float32Array(2 * n);
  for (let i = 0; i < n; i += 1) {
    const angle = 2 * Math.PI * i / n - Math.PI / 2;
    const radius = 1 - 0.08 * (i % rings);
    places[2 * i] = radius * Math.cos(angle);
    places[2 * i + 1] = radius * Math.sin(angle);
  }
  return { places, radius: 1 };
}

const ringsOf = (run) => Math.ceil(run.title.peers / onARing);

// The dot of a peer with the mean in-degree just touches its neighbours on the ring.
function degreeSize(run, peer, base) {
  const degree = inDegrees(run, overlay.kind)[peer];
  return base * Math.min(3, Math.max(0.4, degree / Math.max(1, run.degrees.mean)));
}
const degreeBase = (run, width, height) => Math.max(1, Math.min(6, Math.min(width, height) * ringsOf(run) / run.title.peers));

// The peers that are far enough from each other to have names.
function apart(peers, spot) {
  const taken = [];
  return peers.filter((peer) => {
    const [x, y] = spot(peer);
    if (taken.some(([atX, atY]) => Math.abs(x - atX) < 30 && Math.abs(y - atY) < 12)) return false;
    taken.push([x, y]);
    return true;
  });
}

function beginLines({ run, view: tree }, at, width, height) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const canvas = make('canvas', { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.scale(ratio, ratio);
  context.strokeStyle = palette.edge;
  context.lineWidth = 0.5;
  context.globalAlpha = Math.min(0.6, Math.max(0.05, 2500 / inDegrees(run, overlay.kind).reduce((sum, each) => sum + each, 1)));
  return { canvas, context, ...at, width, height, places: tree.at.slice(), next: overlay.kind,
    links: run.views.map((view, place) => (isAlive(run, Math.floor(place / overlayKinds.length)) ? view : nobodyKnown)) };
}

// Draws some more lines; true once all are drawn. A browser draws lazily: reading one pixel back
// makes it draw now, so that the time of the lines is measured.
function drawSomeLines(lines) {
  const { context, places, links, unit, x, y } = lines;
  const until = performance.now() + sliceTime;
  while (lines.next < links.length && performance.now() < until) {
    context.beginPath();
    for (let some = 0; some < 10 && lines.next < links.length; some += 1) {
      const peer = Math.floor(lines.next / overlayKinds.length);
      for (const link of links[lines.next]) {
        context.moveTo(x + places[2 * peer] * unit, y + places[2 * peer + 1] * unit);
        context.lineTo(x + places[2 * link] * unit, y + places[2 * link + 1] * unit);
      }
      lines.next += overlayKinds.length;
    }
    context.stroke();
    context.getImageData(0, 0, 1, 1);
  }
  return lines.next >= links.length;
}

// The former lines are shown, at their new place, until the new ones are complete. True until then.
function drawLines(side, context, at, width, height) {
  const { run, view: tree } = side;
  const key = `${run.viewShape} ${run.lifeShape} ${overlay.kind} ${at.unit} ${at.x} ${at.y} ${width} ${height} ${palette.edge}`;
  if (tree.lines && tree.lines.of !== overlay.kind) tree.lines = null;
  if (tree.coming && tree.coming.of !== overlay.kind) tree.coming = null;
  if (!tree.coming && (!tree.lines || tree.lines.key !== key)) tree.coming = { ...beginLines(side, at, width, height), key, of: overlay.kind };
  if (tree.coming && drawSomeLines(tree.coming)) { tree.lines = tree.coming; tree.coming = null; }
  if (tree.lines) {
    const { canvas, unit, x, y, width: wide, height: high } = tree.lines;
    const ratio = at.unit / unit;
    context.drawImage(canvas, at.x - x * ratio, at.y - y * ratio, wide * ratio, high * ratio);
  }
  return tree.coming !== null;
}

// Links of the marked peers; dotted, links of other peers to them.
function drawNeighbours(run, context, spot, chosen) {
  const line = (from, to) => { context.moveTo(...spot(from)); context.lineTo(...spot(to)); };
  context.strokeStyle = palette.way;
  for (const peer of chosen) {
    context.lineWidth = 2;
    context.beginPath();
    for (const link of viewOfPeer(run, peer, overlay.kind)) line(peer, link);
    context.stroke();
    context.lineWidth = 1;
    context.setLineDash([2, 4]);
    context.beginPath();
    for (const other of knownBy(run, peer, overlay.kind)) line(other, peer);
    context.stroke();
    context.setLineDash([]);
  }
}

function drawOverlay(side, context, spot, at, { width, height, chosen, still }) {
  if (!side.run.views || !still) return false;
  const comes = drawLines(side, context, at, width, height);
  drawNeighbours(side.run, context, spot, chosen);
  return comes;
}

function overlayText(run, recorded) {
  const name = `${overlayKinds[overlay.kind]} links`;
  if (!run.views) return recorded ? `${name}: none were recorded, which --views does` : `${name}: not told yet`;
  const degrees = inDegrees(run, overlay.kind);
  const { living, links, mean } = run.degrees;
  if (links === 0) return `${name}: nobody keeps any`;
  let least = Infinity;
  let most = 0;
  for (const i of living) { least = Math.min(least, degrees[i]); most = Math.max(most, degrees[i]); }
  const whose = living.length < run.title.peers ? ` of the ${figure(living.length)} peers that are up` : '';
  return `${name}: ${figure(links)}${whose}, ${figure(mean)} a peer, who is known by ${figure(least)} to ${figure(most)}`;
}

function fillOverlayTable(run, element) {
  const degrees = inDegrees(run, overlay.kind);
  const peers = [...run.degrees.living].sort((a, b) => degrees[b] - degrees[a]).slice(0, 50);
  fillTable(element, ['peer', 'known by', 'knows', 'whom'], peers.map((peer) => {
    const view = viewOfPeer(run, peer, overlay.kind);
    return [{ peer }, String(degrees[peer]), String(view.length), [...view].map(nameOf).join(' ')];
  }));
}

// Runs under way are asked for views only where they are looked at.
function showOverlay(kind) {
  const asked = overlay.kind >= 0;
  overlay.kind = kind;
  shown.tables = 0;
  if (asked !== kind >= 0) sides.filter((side) => !side.recording.stored).forEach(restart);
  wake();
}

// The page opens on the tree or the groups; if no peer is in one for a while, on the overlay, if
// peers keep links. The user's choice is kept. A run that is held, or has hardly begun, may get
// its links yet.
const opening = { chosen: false, run: null, since: 0, tried: false };
const longEnough = 2000;  // milliseconds, in which a tree begins to grow, and views are told

function openShape(kind, now) {
  Object.assign(opening, { since: now, tried: true });
  byId('shape').value = String(kind);
  showOverlay(kind);
}

function openOnWhatThereIs({ run, recording }, now) {
  if (opening.chosen) return;
  if (!isSameRun(opening.run, run)) Object.assign(opening, { run, since: now, tried: false });
  const grown = structure(run).order.length > 0;
  if (grown) opening.tried = true;  // a tree that dissolves at the end was what there was to see
  const linked = Boolean(run.views) && run.views.some((view) => view.length > 0);
  const waited = now - opening.since > longEnough;
  if (run.now === 0) opening.since = now;
  const linkless = waited && !linked && (run.now > 1 || run.over);
  if (overlay.kind >= 0 && (grown || linkless)) openShape(-1, now);
  else if (overlay.kind < 0 && !grown && !opening.tried && (recording.stored ? linked : waited)) openShape(0, now);
  else if (!waited) tellLater();
}
