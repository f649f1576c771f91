// The page: starts with what the server shows, draws the state, and handles the user's choices.
const shown = { recordings: [], busy: [], draw: 0, asked: false, texts: 0, tables: 0 };
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

function tellTables(run) {
  const { of, name } = metrics[scale.metric];
  const burdened = (peers) => peers.sort((a, b) => of(run, b) - of(run, a)).slice(0, 50);
  const { parent, children, depth, size, order } = structure(run);
  if (byId('tree-table').open && overlay.kind >= 0) fillOverlayTable(run, byId('tree-table').querySelector('div'));
  else if (byId('tree-table').open)
    fillTable(byId('tree-table').querySelector('div'), ['peer', 'above', 'depth', 'children', 'below', name],
      burdened([...order]).map((i) => [{ peer: i }, { peer: parent[i] }, String(depth[i]), String(children[i].length), String(size[i] - 1), figure(of(run, i))]));
  if (byId('heat-table').open)
    fillTable(byId('heat-table').querySelector('div'), ['peer', 'sent/s', 'received/s', 'inbox', 'running', 'waiting', 'late', 'life'],
      burdened([...Array(run.title.peers).keys()]).map((i) => [{ peer: i }, ...[run.sentRate[i], run.receivedRate[i], run.row[inbox][i], run.row[running][i],
        run.row[waiting][i], run.row[late][i], Math.floor(run.row[life][i] / 4)].map(figure)]));
}

function drawCharts(run) {
  const choice = { span: Number(byId('span').value), logarithmic: byId('log').checked, past: player.at !== null };
  for (const [name, element] of Object.entries(charts)) {
    element.hidden = Boolean(series[name].threads) && run.title.engine !== 'threads';
    if (!element.hidden) drawChart(run, name, element, choice);
  }
}

// A skipped update of texts follows a little later, even if no event happens by then.
function tellLater() {
  if (!shown.later) shown.later = setTimeout(() => { shown.later = 0; wake(); }, 250);
}

// Draws the parts that are not drawn with every frame.
function drawRest(run, now) {
  sides.forEach((side) => side.run && forgetGlows(side.run, now));
  openOnWhatThereIs(known, now);
  drawHeat(run, byId('heat'));
  drawCharts(run);
  tellRuns();
  tellLegend();
  setText(byId('tree-text'), sides.length > 1 ? '' : treeText(run, known.recording.stored));
  sides.forEach(tellSide);
  tellEvents(run, now);
  tellDrawer(run, now);
  tellSteering();
  if (now - shown.tables > 1000) { shown.tables = now; tellTables(run); } else tellLater();
  tellHeader(run, now);
}

// True while something moves.
function draw(now) {
  goOn(now);
  player.waits = !showSides() && player.at !== null;
  if (!player.waits) goUntil();
  const seen = sides.filter((side) => side.run);
  const { run } = known;
  tellTime();
  tellFaults();
  if (seen.length > 0) refreshScale(seen.map((side) => side.run), now);
  let moves = player.playing;
  for (const side of seen) moves = drawTree(side, now) || side.run.glows.size > 0 || moves;
  if (!run) { tellRuns(); tellStanding(); return moves; }
  if (now - shown.texts > 240 || known.end || player.at !== shown.at) {
    shown.texts = now;
    shown.at = player.at;
    drawRest(run, now);
  } else tellLater();
  return moves;
}

// Drawing takes at most a sixth of the time; frames that come meanwhile are drawn afterwards.
function wake() {
  shown.asked = true;
  if (shown.draw || document.hidden) return;
  shown.draw = requestAnimationFrame(() => {
    shown.asked = false;
    let goesOn = false;
    const spent = work(() => { goesOn = draw(performance.now()); });
    const pause = Math.max(20, Math.min(400, 6 * spent));
    setTimeout(() => { shown.draw = 0; if (goesOn || shown.asked) wake(); }, pause);
  });
}
async function chooseRun(value) {
  if (!isRecorded()) {
    sides[0].wanted = value;
    player.at = null;
    restart(sides[0]);
    return;
  }
  await putRecording(sides[0], Number(value));
  goTo(sides.length > 1 ? player.at : 0);
}

function listen() {
  byId('metric').append(...Object.entries(metrics).map(([key, { name }]) => make('option', { value: key }, [name])));
  byId('metric').addEventListener('change', (event) => { scale.metric = event.target.value; scale.key = ''; wake(); });
  byId('shape').addEventListener('change', (event) => { opening.chosen = true; showOverlay(Number(event.target.value)); });
  byId('runs').addEventListener('change', (event) => chooseRun(event.target.value));
  byId('beside').addEventListener('change', (event) => setBeside(event.target.value));
  byId('filter').addEventListener('input', (event) => { eventsShown.passes = filterOf(event.target.value); wake(); });
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
  for (const id of ['span', 'log']) byId(id).addEventListener('change', wake);
  document.addEventListener('toggle', () => { shown.tables = 0; wake(); }, true);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeDrawer();
    if (event.key !== '/' || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    byId('find').focus();
  });
  for (const id of ['tree', 'tree-beside']) {
    listenToTree(byId(id));
    byId(id).closest('figure').querySelector('button').addEventListener('click', () => { known = sides.find((side) => side.canvas === byId(id)) || known; wake(); });
  }
  listenToTime();
  listenToSteering();
  listenToFaults();
  listenToHeat(byId('heat'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readPalette(); wake(); });
  addEventListener('resize', wake);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) { sides.forEach(follow); wake(); return; }
    for (const side of sides.filter((each) => each.stream)) { leave(side); side.standing = 'paused while hidden'; }
  });
}

// Asks what the server shows: a run under way, or recordings.
async function begin() {
  try {
    const show = await (await askFor('/show')).json();
    if (show.recordings === null) {
      sides[0].wanted = show.first === null ? '' : String(show.first);
      follow(sides[0]);
    } else {
      shown.recordings = show.recordings.map((name) => text(new TextEncoder().encode(name)));
      await putRecording(sides[0], show.first);
      Object.assign(player, { at: 0, playing: true, last: performance.now() });
      setSpeed(usualSpeed(sides[0].recording.end));
    }
    if (show.beside !== null) await setBeside(String(show.beside));
    wake();
  } catch (error) {
    setStanding(sides[0], error instanceof TypeError ? 'the server has gone; asking again' : error.message);
    setTimeout(begin, 2000);
  }
}

readPalette();
listen();
begin();
