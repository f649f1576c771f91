// The header: the run shown, its state, and the choices.
function processesText(processes) {
  const count = (state) => processes.filter((each) => each[state]).length;
  const those = ['lost', 'silent'].filter((state) => count(state) > 0).map((state) => `, ${count(state)} ${state}`);
  return processes.length > 0 ? `${processes.length} processes${those.join('')}` : '';
}

function figuresOf(run, now) {
  const { title, totals, cost } = run;
  const engine = title.engine === 'threads' ? `threads x${figure(title.timeScale)}` : title.engine;
  recent(shown.busy, now, (each) => each[0]);
  recent(known.frames, now, (each) => each);
  const busy = `this page ${figure(100 * shown.busy.reduce((sum, each) => sum + each[1], 0) / 3000)} %`;
  const { frames } = known;
  const rate = frames.length > 1 ? (frames.length - 1) * 1000 / (frames.at(-1) - frames[0]) : 0;
  return [engine, `${run.now.toFixed(1)} s`, run.real > 0 && !isRecorded() ? `x${figure(run.now / run.real)}` : '', `peers ${totals.alive}/${title.peers}`,
    processesText(cost.processes),
    cost.byHand > 0 ? `${cost.byHand} faults by hand` : '', `dropped ${figure(totals.dropped)}`, isRecorded() ? busy
      : `${figure(rate)} frames/s${cost.slowed ? ' (slowed)' : ''} for ${figure(100 * cost.share)} % of a core, ${busy}`].filter(Boolean).join(' · ');
}

// The position in a few words: live, or how far back in the recording.
function standingOf(side) {
  if (side.standing !== '' && (player.at === null || (isRecorded() && !side.run))) return side.standing;
  if (!isRecorded()) return `${Math.max(0, side.recording.end - player.at).toFixed(1)} s back`;
  if (side.standing) return side.standing;
  return player.playing ? 'replayed' : player.at >= timeRange()[1] ? 'its end' : 'paused';
}

function tellStanding() {
  const words = standingOf(known);
  const standing = byId('standing');
  setText(standing, words);
  const calm = /^(over|held|replayed|paused|its end|.* s back)$/.test(words) || known.end === 'over';
  standing.className = 'badge ' + (words === 'live' ? 'good' : calm ? '' : 'bad');
}

function tellHeader(run, now) {
  const { title } = run;
  setText(byId('scenario'), title.scenario);
  setText(byId('label'), `${title.label} #${title.repetition + 1}${title.cell ? ', ' + title.cell : ''}`);
  document.title = `${title.scenario} – Rhizome`;
  setText(byId('figures'), figuresOf(run, now));
  tellProgress(run);
  tellStanding();
  tellVerdict(run);
}

function tellProgress({ title, totals, now }) {
  const { submitted, completed, reissued, jobs, waiting: waits } = totals.tasks;
  const all = Math.max(title.tasks, submitted);
  const share = title.openFor > 0 ? now / title.openFor : all > 0 ? completed / all : 0;
  const percent = Math.min(100, 100 * share);
  byId('progress').firstElementChild.style.width = percent + '%';
  byId('progress').setAttribute('aria-valuenow', percent.toFixed(0));
  setText(byId('work'), (title.openFor > 0 ? `of ${figure(title.openFor)} s, ${figure(completed)} tasks done` : `${figure(completed)} of ${figure(all)} tasks`)
    + `, ${figure(totals.working)} run, ${figure(waits)} wait, ${figure(reissued)} again; ${figure(jobs)} jobs`);
}

// The verdict of the finished run if known, otherwise the verdict so far.
function verdictOf(run) {
  const end = run.over ? known.ends.get(run.title.number) : null;
  if (end) return { level: end.verdict, words: end.verdict && end.verdict + ' at the end', why: end.reason, broken: end.violations };
  if (run.title.engine !== 'threads' || isRecorded()) return { level: '', words: '', why: '', broken: [] };
  const lost = run.cost.processes.filter((process) => process.lost).length;
  if (lost > 0) return { level: 'invalid', words: `invalid, ${lost} process${lost === 1 ? '' : 'es'} lost`, why: 'what their peers did is not counted', broken: [] };
  const level = verdictSoFar(run.totals);
  return { level, words: level + (run.over ? ' at the end' : ' so far'), why: `${figure(100 * run.totals.late / Math.max(1, run.totals.seen))} % were late`, broken: [] };
}

function downText(run) {
  const names = [];
  for (let i = 0; i < run.title.peers && names.length < 8; i += 1) if (run.down > 0 && !isAlive(run, i)) names.push(nameOf(i));
  return run.down > 0 ? `${run.down} down: ${names.join(', ')}${run.down > names.length ? ' and more' : ''}` : '';
}

// Planned events that have not happened by the shown time.
function planText(run) {
  const { plan } = known;
  if (!plan || plan.run !== run.title.number || run.over) return '';
  const parting = plan.partings.find(({ from, until }) => from <= run.now && run.now < until);
  const coming = [...plan.faults.map(({ at, peer, kind }) => [at, `${kind} of ${nameOf(peer)}`]), ...plan.partings.map(({ from }) => [from, 'a partition'])]
    .filter(([at]) => at > run.now).sort((a, b) => a[0] - b[0]);
  return [parting ? `the network is parted until ${figure(parting.until)} s` : '',
    coming.length > 0 ? `${coming.length} faults to come, first the ${coming[0][1]} at ${coming[0][0].toFixed(1)} s` : ''].filter(Boolean).join('; ');
}

// The text is replaced only if it differs, so that a screen reader does not repeat it.
function tellVerdict(run) {
  const { level, words, why, broken } = verdictOf(run);
  const badge = byId('verdict');
  badge.hidden = words === '';
  badge.className = 'badge ' + (level === 'valid' ? 'good' : 'bad');
  setText(badge, words);
  badge.title = why;
  setText(byId('faults'), [...broken.map((each) => 'broken: ' + each), downText(run), run.restarts > 0 ? `${run.restarts} came back or late` : ''].filter(Boolean).join('; '));
  setText(byId('plan'), planText(run));
}

// Choices of a run with its label, or of a recording; and of a second side.
function choices() {
  if (isRecorded()) return shown.recordings.map((name, i) => [String(i), name]);
  const { live, labels, runs } = sides[0];
  const numbers = [...new Set([...(live ? [...live.underWay, live.title.number] : []), ...sides.map((side) => Number(side.wanted) - 1)])]
    .filter((number) => number >= 0).sort((a, b) => a - b);
  return numbers.map((number) => [String(number + 1), `${number + 1} of ${runs || numbers.length}${labels.has(number) ? ', ' + labels.get(number) : ''}`]);
}

function tellRuns() {
  const all = choices();
  const beside = sides.length > 1 ? (isRecorded() ? String(sides[1].recording.index ?? '') : sides[1].wanted) : '';
  const key = JSON.stringify([all, sides[0].wanted, beside]);
  const menu = byId('runs');
  if (menu.dataset.key === key) return;
  menu.dataset.key = key;
  const option = ([value, words]) => make('option', { value }, [words]);
  menu.replaceChildren(...(isRecorded() ? [] : [option(['', 'the newest'])]), ...all.map(option));
  menu.value = isRecorded() ? String(sides[0].recording.index) : sides[0].wanted;
  byId('beside').replaceChildren(option(['', 'nothing']), ...all.map(option));
  byId('beside').value = beside;
  byId('beside').closest('label').hidden = all.length < 2 && beside === '';
}

function tellLegend() {
  const words = legendTexts();
  const unknown = isRecorded() && !known.recording.burdens;
  const shares = !isRecorded() && known.run?.cost.processes.length > 0;  // its peers among processes
  const key = scale.metric + words.join() + unknown + shares;
  if (byId('legend').dataset.key === key) return;
  byId('legend').dataset.key = key;
  const swatch = (color) => { const box = make('span', { className: 'key' }); box.style.background = color; return box; };
  const grey = swatch('var(--soft)');
  grey.style.transform = 'scale(0.5)';
  const hollow = swatch('transparent');
  hollow.style.border = '1px solid var(--bad)';
  byId('legend').replaceChildren(metrics[scale.metric].unit + ': ', ...words.map((word, i) => make('span', {}, [swatch(`var(--heat${i})`), word])),
    make('span', {}, [hollow, 'down']), ...(shares ? [make('span', {}, [grey, 'silent'])] : []), unknown ? 'What each peer sent is known of runs with engine.log_messages = true.' : '');
}
