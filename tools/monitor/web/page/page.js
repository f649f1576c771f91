// The page: asks for frames, shows what has come, and takes what the user wants.
const token = location.hash.slice(1);
const shown = { live: 'connecting', end: null, wanted: '', frames: [], busy: [], draw: 0, texts: 0, tables: 0, verdict: '', stream: null, retry: 0 };
const charts = Object.fromEntries(Object.keys(series).map((name) => [name, makeChart(name)]));

// A share of the time in which this page worked, in the last seconds.
function work(what) {
  const begin = performance.now();
  what();
  const end = performance.now();
  shown.busy.push([end, end - begin]);
  return end - begin;
}
function recent(list, now, at) {
  while (list.length > 0 && now - at(list[0]) > 3000) list.shift();
}

function take(piece) {
  if (piece[0] === 0x7b) {
    const said = JSON.parse(decoder.decode(piece));
    if (said.facts) known.fields = said.facts;
    if (said.end) { shown.end = said.end; shown.live = said.end === 'over' ? 'all runs are over' : 'the process has gone'; }
    return;
  }
  const body = piece[0] === 3 ? null : unpack(piece.subarray(1));
  if (piece[0] === 0) known.welcome = { process: body[1], runs: body[3], kinds: body[4].map(text) };
  if (piece[0] === 2) setStanding(text(body));
  if (piece[0] !== 1 || !applyFrame(body)) return;
  shown.live = known.run.over ? 'over' : 'live';
  shown.frames.push(performance.now());
}

function setStanding(words) { shown.live = words; wake(); }

// One endless answer; whoever is lost is asked again, and who is hidden asks nothing.
async function follow() {
  if (shown.stream || document.hidden || shown.end) return;
  const stream = new AbortController();
  shown.stream = stream;
  clearTimeout(shown.retry);
  let after = 'the server has gone; asking again';
  try {
    const answer = await fetch('/stream' + (shown.wanted ? '?run=' + shown.wanted : ''),
      { headers: { Authorization: 'Bearer ' + token }, signal: stream.signal, cache: 'no-store' });
    if (answer.ok) {
      const reader = answer.body.getReader();
      const split = makeSplitter(take);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        work(() => split(value));
        wake();
      }
      after = 'asking again';
    } else {
      after = answer.status === 401 ? 'no or a wrong token: open the address that rhizome monitor printed' : await answer.text();
    }
  } catch (error) {
    if (stream.signal.aborted) return;  // somebody else goes on
  }
  shown.stream = null;
  if (!shown.end) { setStanding(after); shown.retry = setTimeout(follow, 2000); }
  wake();
}

function restart() {
  if (shown.stream) shown.stream.abort();
  shown.stream = null;
  clearTimeout(shown.retry);
  follow();
}

function tellHeader(run, now) {
  const { title, totals, cost } = run;
  setText(byId('scenario'), title.scenario);
  setText(byId('label'), `${title.label} #${title.repetition + 1}${title.cell ? ', ' + title.cell : ''}`);
  document.title = `${title.scenario} – Rhizome`;
  const engine = title.engine === 'threads' ? `threads x${figure(title.timeScale)}` : title.engine;
  const speed = run.real > 0 ? run.now / run.real : 0;
  recent(shown.frames, now, (each) => each);
  recent(shown.busy, now, (each) => each[0]);
  const busy = shown.busy.reduce((sum, each) => sum + each[1], 0) / 3000;
  const rate = shown.frames.length > 1 ? (shown.frames.length - 1) * 1000 / (shown.frames.at(-1) - shown.frames[0]) : 0;
  setText(byId('figures'), [engine, `${run.now.toFixed(1)} s`, `x${figure(speed)}`, `peers ${totals.alive}/${title.peers}`, `dropped ${figure(totals.dropped)}`,
    ...(cost.byHand > 0 ? [`steered by hand: ${cost.byHand}`] : []),
    `${figure(rate)} frames/s${cost.slowed ? ' (slowed)' : ''} for ${figure(100 * cost.share)} % of a core, this page ${figure(100 * busy)} %`].join(' · '));
  tellProgress(run);
  const standing = byId('standing');
  setText(standing, shown.live);
  standing.className = 'badge ' + (shown.live === 'live' ? 'good' : shown.live === 'over' || shown.end === 'over' ? '' : 'bad');
  tellVerdict(run);
}

function tellProgress({ title, totals, now }) {
  const { submitted, started, executed, completed, reissued, jobs } = totals.tasks;
  const all = Math.max(title.tasks, submitted);
  const share = title.openFor > 0 ? now / title.openFor : all > 0 ? completed / all : 0;
  const percent = Math.min(100, 100 * share);
  byId('progress').firstElementChild.style.width = percent + '%';
  byId('progress').setAttribute('aria-valuenow', percent.toFixed(0));
  setText(byId('work'), (title.openFor > 0 ? `of ${figure(title.openFor)} s, ${figure(completed)} tasks done` : `${figure(completed)} of ${figure(all)} tasks`)
    + `, ${figure(Math.max(0, started - executed))} run, ${figure(Math.max(0, submitted - started))} wait, ${figure(reissued)} again; ${figure(jobs)} jobs`);
}

// Told anew only where it is another, so that a voice does not repeat it.
function tellVerdict(run) {
  const threads = run.title.engine === 'threads';
  const level = threads ? verdictSoFar(run.totals) : '';
  const badge = byId('verdict');
  badge.hidden = !threads;
  badge.className = 'badge ' + (level === 'valid' ? 'good' : 'bad');
  setText(badge, threads ? level + (run.over ? ' at the end' : ' so far') : '');
  badge.title = `${figure(100 * run.totals.late / Math.max(1, run.totals.seen))} % were late`;
  const names = [];
  for (let i = 0; i < run.title.peers && names.length < 8; i += 1) if (run.down > 0 && !isAlive(run, i)) names.push(nameOf(i));
  setText(byId('faults'), [run.down > 0 ? `${run.down} down: ${names.join(', ')}${run.down > names.length ? ' and more' : ''}` : '',
    run.restarts > 0 ? `${run.restarts} came back or late` : ''].filter(Boolean).join('; '));
}

function tellRuns(run) {
  const numbers = [...new Set([...run.underWay, run.title.number])].sort((a, b) => a - b);
  const menu = byId('runs');
  const key = numbers.join();
  if (menu.dataset.key === key) return;
  menu.dataset.key = key;
  const total = known.welcome ? known.welcome.runs : numbers.length;
  menu.replaceChildren(make('option', { value: '' }, ['the newest']), ...numbers.map((number) => make('option', { value: String(number + 1) }, [`${number + 1} of ${total}`])));
  menu.value = shown.wanted;
}

function tellLegend(run) {
  const words = legendTexts();
  const key = scale.metric + words.join();
  if (byId('legend').dataset.key === key) return;
  byId('legend').dataset.key = key;
  const swatch = (color) => { const box = make('span', { className: 'key' }); box.style.background = color; return box; };
  const hollow = swatch('transparent');
  hollow.style.border = '1px solid var(--bad)';
  byId('legend').replaceChildren(metrics[scale.metric].unit + ': ', ...words.map((word, i) => make('span', {}, [swatch(`var(--heat${i})`), word])),
    make('span', {}, [hollow, 'down']));
}

function tellTables(run) {
  const { of, name } = metrics[scale.metric];
  const burdened = (peers) => peers.sort((a, b) => of(run, b) - of(run, a)).slice(0, 50);
  const { parent, children, depth, size, order } = structure(run);
  if (byId('tree-table').open)
    fillTable(byId('tree-table').querySelector('div'), ['peer', 'above', 'depth', 'children', 'below', name],
      burdened([...order]).map((i) => [{ peer: i }, { peer: parent[i] }, String(depth[i]), String(children[i].length), String(size[i] - 1), figure(of(run, i))]));
  if (byId('heat-table').open)
    fillTable(byId('heat-table').querySelector('div'), ['peer', 'sent/s', 'received/s', 'inbox', 'running', 'late', 'life'],
      burdened([...Array(run.title.peers).keys()]).map((i) => [{ peer: i }, ...[run.sentRate[i], run.receivedRate[i], run.row[inbox][i], run.row[running][i],
        run.row[late][i], Math.floor(run.row[life][i] / 4)].map(figure)]));
}

function draw(now) {
  const run = known.run;
  if (!run) { setText(byId('standing'), shown.live); return false; }
  refreshScale(run, now);
  const moves = drawTree(run, byId('tree'), now);
  const texts = now - shown.texts > 240 || shown.end;
  if (!texts) return moves || run.glows.size > 0;
  shown.texts = now;
  forgetGlows(run, now);
  drawHeat(run, byId('heat'));
  const choice = { span: Number(byId('span').value), logarithmic: byId('log').checked };
  for (const [name, element] of Object.entries(charts)) {
    element.hidden = Boolean(series[name].threads) && run.title.engine !== 'threads';
    if (!element.hidden) drawChart(run, name, element, choice);
  }
  tellRuns(run);
  tellLegend(run);
  setText(byId('tree-text'), treeText(run));
  byId('tree').ariaLabel = treeText(run);
  tellEvents(run, now);
  tellDrawer(run, now);
  if (now - shown.tables > 1000) { shown.tables = now; tellTables(run); }
  tellHeader(run, now);
  return moves || run.glows.size > 0;
}

// No more often than a sixth of the time goes into it.
function wake() {
  if (shown.draw || document.hidden) return;
  shown.draw = requestAnimationFrame((now) => {
    let goesOn = false;
    const spent = work(() => { goesOn = draw(performance.now()); });
    const pause = Math.max(20, Math.min(400, 6 * spent));
    setTimeout(() => { shown.draw = 0; if (goesOn || shown.asked) { shown.asked = false; wake(); } }, pause);
  });
}
function ask() { if (shown.draw) shown.asked = true; else wake(); }

function find(words) {
  const task = words.match(/^(?:task\s*)?(\d+\.\d+)$/i);
  const peer = words.match(/^(?:peer\s*)?#?(\d+)$/i);
  return task ? openTask(task[1]) : peer ? openPeer(Number(peer[1])) : false;
}

function showTip(x, y, peer) {
  const tip = byId('tip');
  tip.hidden = peer < 0 || !known.run;
  if (tip.hidden) return;
  const run = known.run;
  setText(tip, `${nameOf(peer)}${isAlive(run, peer) ? '' : ', down'}\n${figure(run.sentRate[peer])} sent/s, ${figure(run.receivedRate[peer])} received/s\n${run.row[inbox][peer]} wait, ${run.row[running][peer]} run`);
  tip.style.left = Math.min(x + 12, innerWidth - 190) + 'px';
  tip.style.top = Math.min(y + 12, innerHeight - 70) + 'px';
}

function listenToTree(canvas) {
  const peerAt = (event) => (known.run ? treePeerAt(known.run, canvas, event.offsetX, event.offsetY) : -1);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoomTree(canvas, Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    ask();
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    tree.drag = { x: event.clientX, y: event.clientY, far: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!tree.drag) { showTip(event.clientX, event.clientY, peerAt(event)); return; }
    const [dx, dy] = [event.clientX - tree.drag.x, event.clientY - tree.drag.y];
    if (!tree.drag.far && Math.hypot(dx, dy) < 4) return;
    Object.assign(tree, { x: tree.x + dx, y: tree.y + dy, drag: { x: event.clientX, y: event.clientY, far: true } });
    ask();
  });
  canvas.addEventListener('pointerup', (event) => {
    if (tree.drag && !tree.drag.far && peerAt(event) >= 0) openPeer(peerAt(event));
    tree.drag = null;
  });
  canvas.addEventListener('pointercancel', () => { tree.drag = null; });
  canvas.addEventListener('pointerleave', () => showTip(0, 0, -1));
  const steps = { ArrowLeft: [30, 0], ArrowRight: [-30, 0], ArrowUp: [0, 30], ArrowDown: [0, -30] };
  canvas.addEventListener('keydown', (event) => {
    if (steps[event.key]) { tree.x += steps[event.key][0]; tree.y += steps[event.key][1]; }
    else if (event.key === '+' || event.key === '=') zoomTree(canvas, 1.3);
    else if (event.key === '-') zoomTree(canvas, 1 / 1.3);
    else if (event.key === '0') Object.assign(tree, { x: 0, y: 0, zoom: 1 });
    else return;
    event.preventDefault();
    ask();
  });
}

function listenToHeat(canvas) {
  const peerAt = (event) => (known.run ? heatPeerAt(known.run, event.offsetX, event.offsetY) : -1);
  canvas.addEventListener('click', (event) => openPeer(peerAt(event)));
  canvas.addEventListener('pointermove', (event) => showTip(event.clientX, event.clientY, peerAt(event)));
  canvas.addEventListener('pointerleave', () => showTip(0, 0, -1));
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -heat.across, ArrowDown: heat.across }[event.key];
    if (event.key === 'Enter' && heat.cursor >= 0) openPeer(heat.cursor);
    if (!step || !known.run) return;
    event.preventDefault();
    heat.cursor = Math.max(0, Math.min(known.run.title.peers - 1, heat.cursor < 0 ? 0 : heat.cursor + step));
    setText(byId('heat-text'), `${nameOf(heat.cursor)}: ${figure(metrics[scale.metric].of(known.run, heat.cursor))} ${metrics[scale.metric].unit}`);
    ask();
  });
}

function listen() {
  byId('metric').append(...Object.entries(metrics).map(([key, { name }]) => make('option', { value: key }, [name])));
  byId('metric').addEventListener('change', (event) => { scale.metric = event.target.value; scale.run = null; ask(); });
  byId('runs').addEventListener('change', (event) => { shown.wanted = event.target.value; restart(); });
  byId('filter').addEventListener('input', (event) => { eventsShown.passes = filterOf(event.target.value); ask(); });
  byId('freeze').addEventListener('click', (event) => {
    eventsShown.frozen = !eventsShown.frozen;
    event.target.setAttribute('aria-pressed', String(eventsShown.frozen));
  });
  byId('find').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.target.setCustomValidity(find(event.target.value.trim()) ? '' : 'There is no such peer; a task is job.portion.');
    if (event.key === 'Enter') event.target.reportValidity();
  });
  byId('find').addEventListener('input', (event) => event.target.setCustomValidity(''));
  byId('close').addEventListener('click', closeDrawer);
  for (const id of ['span', 'log']) byId(id).addEventListener('change', ask);
  document.addEventListener('toggle', () => { shown.tables = 0; ask(); }, true);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeDrawer();
    if (event.key !== '/' || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    byId('find').focus();
  });
  listenToTree(byId('tree'));
  listenToHeat(byId('heat'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readPalette(); ask(); });
  addEventListener('resize', ask);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) { follow(); wake(); return; }
    if (shown.stream) shown.stream.abort();
    shown.stream = null;
    shown.live = 'paused while hidden';
  });
}

readPalette();
listen();
follow();
