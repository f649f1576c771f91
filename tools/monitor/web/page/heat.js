// Colours by burden and its like, in steps with figures; and the grid of all peers.
const metrics = {
  burden: { name: 'burden', unit: 'messages a second, sent and received', of: (run, i) => run.sentRate[i] + run.receivedRate[i] },
  inbox: { name: 'inbox', unit: 'messages that wait', of: (run, i) => run.row[inbox][i], whole: true },
  late: { name: 'late', unit: 'late events a second', of: (run, i) => run.lateRate[i] },
  running: { name: 'running', unit: 'pieces of work', of: (run, i) => run.row[running][i], whole: true },
  waiting: { name: 'waiting', unit: 'tasks that nobody has begun', of: (run, i) => run.row[waiting][i], whole: true },
};
const shades = 6;
const scale = { metric: 'burden', bounds: [0, 1, 2, 3, 4], since: -1e9, key: '' };
let palette = {};

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const names = ['ink', 'soft', 'line', 'paper', 'accent', 'glow', 'edge', 'bad', 'way', 'good', 'line0', 'line1', 'line2'];
  palette = Object.fromEntries(names.map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  palette.heat = Array.from({ length: shades }, (_, i) => style.getPropertyValue('--heat' + i).trim());
}

// Short figures for people: "0", "3.4", "120", "5,300", "1.2 M".
function figure(number) {
  if (number >= 1e7) return (number / 1e6).toPrecision(3) + ' M';
  if (number >= 100) return Math.round(number).toLocaleString('en');
  if (number === Math.round(number)) return String(number);
  return number >= 1 ? number.toPrecision(3) : String(Number(number.toPrecision(2)));
}

function niceNumber(number) {
  const unit = 10 ** Math.floor(Math.log10(number));
  return Math.round(number / unit) * unit;
}

// Bounds of shades: above 0, then steps of equal ratio up to the 99th percentile of the peers that
// are up, so that a hot spot stands out. Runs side by side have the same bounds.
function boundsOf(runs) {
  const { of, whole } = metrics[scale.metric];
  const values = [];
  for (const run of runs) for (let i = 0; i < run.title.peers; i += 1) { const value = of(run, i); if (value > 0 && isAlive(run, i)) values.push(value); }
  values.sort((a, b) => a - b);
  const quantile = (share) => (values.length > 0 ? values[Math.floor(share * (values.length - 1))] : 0);
  const low = quantile(0.5);
  const high = Math.max(quantile(0.99), 2 * low);
  if (whole && high <= 12) return [0, 1, 2, 4, 8];
  if (high <= 0) return whole ? [0, 1, 2, 4, 8] : [0, 1, 3, 10, 30];
  const step = (i) => niceNumber(low * (high / low) ** (i / 3));
  return [...new Set([0, step(0), step(1), step(2), step(3)])];  // steps that are near each other are one
}

// Steps stay for a while, so that a change of colour is one of the peer.
function refreshScale(runs, now) {
  const key = scale.metric + runs.map(({ title }) => ` ${title.number} ${title.label}`).join();
  if (scale.key === key && now - scale.since < 3000) return;
  Object.assign(scale, { bounds: boundsOf(runs), since: now, key });
}

function shadeOf(run, peer) {
  const value = metrics[scale.metric].of(run, peer);
  let shade = 0;
  while (shade < scale.bounds.length && value > scale.bounds[shade]) shade += 1;
  return shade;
}

// Peers that are up, by shade; and apart from them peers that are down, and peers not heard lately.
function sortPeers(run, byShade) {
  const down = [];
  const silent = [];
  for (let i = 0; i < run.title.peers; i += 1)
    (!isAlive(run, i) ? down : isSilent(run, i) ? silent : byShade[shadeOf(run, i)]).push(i);
  return { down, silent };
}

function legendTexts() {
  return ['0', ...scale.bounds.map((bound) => '> ' + figure(bound))];
}

// Sets a canvas to the resolution of the screen. Returns the context and the size in its units.
function prepare(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

const heat = { cell: 10, across: 1, cursor: -1 };

// The largest cells with which all peers fit a height of a few hundred pixels.
function fitHeat(canvas, peers) {
  const width = canvas.clientWidth;
  let cell = 26;
  while (cell > 3 && Math.ceil(peers / Math.floor(width / cell)) * cell > 260) cell -= 1;
  heat.cell = cell;
  heat.across = Math.max(1, Math.floor(width / cell));
  const height = Math.max(cell, Math.ceil(peers / heat.across) * cell) + 'px';
  if (canvas.style.height !== height) canvas.style.height = height;
}

function drawHeat(run, canvas) {
  fitHeat(canvas, run.title.peers);
  const { context } = prepare(canvas);
  const { cell, across } = heat;
  const gap = cell > 5 ? 1 : 0;
  const size = cell - gap;
  const cells = Array.from({ length: shades }, () => []);
  const { down, silent } = sortPeers(run, cells);
  cells.forEach((peers, shade) => {
    context.fillStyle = palette.heat[shade];
    for (const i of peers) context.fillRect((i % across) * cell, Math.floor(i / across) * cell, size, size);
  });
  context.fillStyle = palette.soft;
  for (const i of silent) context.fillRect((i % across) * cell + size / 4, Math.floor(i / across) * cell + size / 4, size / 2, size / 2);
  context.strokeStyle = palette.bad;
  context.lineWidth = 1;
  for (const i of down) context.strokeRect((i % across) * cell + 1, Math.floor(i / across) * cell + 1, size - 2, size - 2);
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  for (const i of marked()) context.strokeRect((i % across) * cell, Math.floor(i / across) * cell, size, size);
}

function heatPeerAt(run, x, y) {
  const column = Math.floor(x / heat.cell);
  const peer = Math.floor(y / heat.cell) * heat.across + column;
  return column >= 0 && column < heat.across && peer >= 0 && peer < run.title.peers ? peer : -1;
}
