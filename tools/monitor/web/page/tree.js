// The tree or the groups, drawn as rings around the top: the wedge of a peer is as wide as its
// subtree, and peers in no tree stand on rings outside. Changes move over 300 ms.
const makeView = () => ({ shape: -1, kind: -1, lines: null, coming: null, run: null, at: null, from: null, to: null, since: 0, radius: 1, zoom: 1, x: 0, y: 0, drag: null });
const moveTime = 300;

// The place of every peer, in rings of distance 1 from the middle.
function placesOf(run) {
  const { children, depth, size, roots, outside, order, height } = structure(run);
  const n = run.title.peers;
  const places = new Float32Array(2 * n);
  const begin = new Float32Array(n);
  const width = new Float32Array(n);
  const weigh = (peer) => size[peer] ** 0.8;  // small ones get more than their share
  const share = (peers, from, room) => {
    let all = 0;
    for (const peer of peers) all += weigh(peer);
    let at = from;
    for (const peer of peers) { begin[peer] = at; width[peer] = room * weigh(peer) / all; at += width[peer]; }
  };
  share(roots, -Math.PI / 2, 2 * Math.PI);
  const inner = roots.length > 1 ? 1 : 0;  // several tops stand on a ring, too
  for (const peer of order) {
    const angle = begin[peer] + width[peer] / 2;
    places[2 * peer] = (depth[peer] + inner) * Math.cos(angle);
    places[2 * peer + 1] = (depth[peer] + inner) * Math.sin(angle);
    if (children[peer].length > 0) share(children[peer], begin[peer], width[peer]);
  }
  const radius = placeOutside(places, outside, order.length > 0 ? height + inner : 0, order.length);
  return { places, radius };
}

// Places peers of no tree on as many rings as they need, the first apart from the tree. Without a
// tree they fill a disc.
function placeOutside(places, outside, height, inside) {
  if (outside.length === 0) return Math.max(height, 1);
  const alone = inside === 0;
  const most = 160;  // on a ring beside a tree
  const rings = Math.max(1, Math.ceil(outside.length / most));
  const distance = alone ? 1 / Math.sqrt(outside.length) : Math.max(height, 1) * 0.09;
  outside.forEach((peer, i) => {
    const ring = i % rings;
    const radius = alone ? distance * Math.sqrt(i + 0.5) : Math.max(height, 1) * 1.12 + ring * distance;
    const angle = alone ? i * 2.399963 : 2 * Math.PI * i / outside.length;  // the golden angle
    places[2 * peer] = radius * Math.cos(angle);
    places[2 * peer + 1] = radius * Math.sin(angle);
  });
  return alone ? 1.02 : Math.max(height, 1) * 1.12 + (rings - 1) * distance;
}

// At another time of the same run peers move to their new places; another run begins anew.
function arrange(tree, run, now) {
  structure(run);
  if (tree.run === run && tree.shape === run.shape && tree.kind === overlay.kind) return;
  if (overlay.kind >= 0 && tree.kind >= 0 && isSameRun(tree.run, run)) { Object.assign(tree, { run, shape: run.shape, kind: overlay.kind }); return; }
  const { places, radius } = overlay.kind < 0 ? placesOf(run) : ringPlaces(run);
  const fresh = !tree.at || !isSameRun(tree.run, run);
  tree.from = fresh ? places : tree.at.slice();
  tree.at = fresh ? places.slice() : tree.at;
  Object.assign(tree, { run, shape: run.shape, kind: overlay.kind, to: places, since: fresh ? now - moveTime : now });
  tree.radius = radius;
}

// False once all are where they belong.
function move({ at, from, to, since }, now) {
  const passed = Math.min(1, (now - since) / moveTime);
  const eased = 1 - (1 - passed) ** 3;
  for (let i = 0; i < at.length; i += 1) at[i] = from[i] + (to[i] - from[i]) * eased;
  return passed < 1;
}

function viewOf(tree, width, height) {
  const unit = (Math.min(width, height) / 2 - 14) / tree.radius * tree.zoom;
  return { unit, x: width / 2 + tree.x, y: height / 2 + tree.y };
}

function sizeOf(run, peer, base) {
  if (overlay.kind >= 0) return degreeSize(run, peer, base);
  return base * Math.min(4, 1 + Math.log2(run.structure.size[peer]) * 0.35);
}

function drawEdges(run, context, spot, now) {
  const { order, parent } = run.structure;
  context.strokeStyle = palette.edge;
  context.lineWidth = order.length > 3000 ? 0.5 : 1;
  context.beginPath();
  for (const peer of order) {
    if (parent[peer] < 0) continue;
    const [x, y] = spot(peer);
    const [upX, upY] = spot(parent[peer]);
    context.moveTo(x, y);
    context.lineTo(upX, upY);
  }
  context.stroke();
  context.strokeStyle = palette.glow;
  for (const [peer, glow] of run.glows) {
    if (parent[peer] < 0) continue;
    context.globalAlpha = Math.max(0.15, 1 - (now - glow.since) / glowTime);
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(...spot(peer));
    context.lineTo(...spot(parent[peer]));
    context.stroke();
  }
  context.globalAlpha = 1;
}

// Draws all peers of one colour at once: a thousand changes of colour would cost more than the
// circles.
function drawPeers(run, context, spot, base, chosen) {
  const byShade = Array.from({ length: shades }, () => []);
  const { down, silent } = sortPeers(run, byShade);
  const circles = (peers, least, part = 1) => {
    context.beginPath();
    for (const peer of peers) {
      const [x, y] = spot(peer);
      const radius = Math.max(least, part * sizeOf(run, peer, base));
      if (radius < 2) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else { context.moveTo(x + radius, y); context.arc(x, y, radius, 0, 2 * Math.PI); }
    }
  };
  byShade.forEach((peers, shade) => {
    context.fillStyle = palette.heat[shade];
    circles(peers, 0);
    context.fill();
  });
  context.fillStyle = palette.soft;
  circles(silent, 0, 0.5);
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = palette.bad;
  context.fillStyle = palette.paper;
  circles(down, 2.5);
  context.fill();
  context.stroke();
  context.lineWidth = 2;
  context.strokeStyle = palette.ink;
  circles(chosen, 5);
  context.stroke();
}

// Names where there is room for them: of marked peers and the stations of the followed task, of the
// tops of trees, and the reason of a move.
function drawNames(side, context, spot, base, chosen) {
  const { run, story } = side;
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = palette.ink;
  context.strokeStyle = palette.paper;
  context.lineWidth = 3;
  const name = (peer, what) => {
    const [x, y] = spot(peer);
    const right = x + sizeOf(run, peer, base) + 3;
    context.strokeText(what, right, y + 4);
    context.fillText(what, right, y + 4);
  };
  const { roots } = run.structure;
  const stations = followed.task === null ? new Map() : stationsOf(story, run.now);
  const named = new Set(chosen);
  if (overlay.kind >= 0) apart([...named, ...chosen.flatMap((peer) => [...viewOfPeer(run, peer, overlay.kind)])], spot).forEach((peer) => named.add(peer));
  else if (roots.length <= 8) roots.forEach((root) => named.add(root));
  named.forEach((peer) => name(peer, stations.has(peer) ? `${nameOf(peer)} · ${stations.get(peer)}` : nameOf(peer)));
  if (run.glows.size > 8 || overlay.kind >= 0) return;
  for (const [peer, glow] of run.glows) if (!named.has(peer)) name(peer, nameOf(peer) + ' ' + glow.reason);
}

// True while something moves.
function drawTree(side, now) {
  const { run, canvas, view: tree } = side;
  arrange(tree, run, now);
  let moves = move(tree, now);
  const { context, width, height } = prepare(canvas);
  const view = viewOf(tree, width, height);
  const spot = (peer) => [view.x + tree.at[2 * peer] * view.unit, view.y + tree.at[2 * peer + 1] * view.unit];
  const usual = overlay.kind < 0 ? Math.max(1.2, Math.min(6, 0.18 * Math.min(width, height) / Math.sqrt(run.title.peers))) : degreeBase(run, width, height);
  const base = usual * Math.min(2, Math.sqrt(tree.zoom));
  const chosen = marked(side);
  if (overlay.kind < 0) drawEdges(run, context, spot, now);
  else moves = drawOverlay(side, context, spot, view, { width, height, chosen, still: !moves }) || moves;
  drawPeers(run, context, spot, base, chosen);
  drawWay(side, context, spot);
  drawNames(side, context, spot, base, chosen);
  return moves;
}

function treePeerAt({ run, canvas, view: tree }, x, y) {
  const view = viewOf(tree, canvas.clientWidth, canvas.clientHeight);
  let nearest = -1;
  let least = 14 ** 2;
  for (let i = 0; run && tree.at && i < run.title.peers; i += 1) {
    const square = (view.x + tree.at[2 * i] * view.unit - x) ** 2 + (view.y + tree.at[2 * i + 1] * view.unit - y) ** 2;
    if (square < least) { least = square; nearest = i; }
  }
  return nearest;
}

// The point under the pointer stays in place.
function zoomTree({ canvas, view: tree }, factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const zoom = Math.min(40, Math.max(0.5, tree.zoom * factor));
  const ratio = zoom / tree.zoom;
  tree.x = (tree.x + canvas.clientWidth / 2 - x) * ratio + x - canvas.clientWidth / 2;
  tree.y = (tree.y + canvas.clientHeight / 2 - y) * ratio + y - canvas.clientHeight / 2;
  tree.zoom = zoom;
}

function treeText(run, recorded) {
  if (overlay.kind >= 0) return overlayText(run, recorded);
  const { roots, order, outside, height } = structure(run);
  const counts = new Map();
  for (const { reason } of run.moves) counts.set(reason, (counts.get(reason) || 0) + 1);
  const why = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => figure(count / (glowTime / 1000)) + ' ' + reason);
  const forest = order.length === 0 ? 'no tree' : (roots.length === 1 ? `tree of ${nameOf(roots[0])}` : `${roots.length} trees or groups`)
    + `, ${order.length} peers, height ${height}`;
  return forest + (outside.length > 0 ? `; ${outside.length} outside` : '') + (why.length > 0 ? `; moves a second: ${why.join(', ')}` : '');
}
