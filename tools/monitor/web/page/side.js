// Sides: a run, or a recording of one, with its known state and its place on the page. There are one or
// two, side by side; the grid, the charts, events and the drawer show the `known` one.
const pageName = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function makeSide(canvas) {
  return { name: pageName(), kinds: [], runs: 0, control: false, labels: new Map(), ends: new Map(), plan: null, recording: makeLiveRecording(), live: null, run: null,
    cursor: null, offset: 0, standing: 'connecting', end: null, wanted: '', stream: null, retry: 0, story: makeStory(), storyOf: null,
    frames: [], view: makeView(), canvas };
}
const sides = [makeSide(byId('tree'))];
let known = sides[0];

function setStanding(side, words) { side.standing = words; wake(); }

// Takes an answer that is no frame (scenarios/live/messages.hpp), by its index among all answers.
function takeAside(side, kind, body) {
  if (kind === 0) Object.assign(side, { runs: body[3], kinds: body[4].map(text), control: body[5] });
  if (kind === 2) setStanding(side, text(body));
  if (kind === 5) side.plan = planOf(body);
  if (kind === 6) takeStory(side, body);
  if (kind === 7) takeRoll(side, body);
}

const keptFaults = 100000;  // of a plan; pages show the first of them
const faultKinds = ['crash', 'restart', 'leave', 'join'];
function planOf([run, [faults, partings]]) {
  return { run, faults: faults.slice(0, keptFaults).map(([at, peer, kind]) => ({ at: seconds(at), peer, kind: faultKinds[kind] || 'fault' })),
    partings: partings.map(([from, until]) => ({ from: seconds(from), until: seconds(until) })) };
}

// Labels of the runs under way and of those that have ended, and how they did.
function takeRoll(side, [underWay, , ends]) {
  for (const [rawTitle] of underWay) {
    const { number, label, repetition } = titleOf(rawTitle);
    side.labels.set(number, `${label} #${repetition + 1}`);
  }
  for (const [number, label, repetition, , , judged, validity, reason, violations] of ends) {
    side.labels.set(number, `${text(label)} #${repetition + 1}`);
    side.ends.set(number, { verdict: judged ? ['valid', 'suspect', 'invalid'][validity] : '', reason: text(reason), violations: violations.map(text) });
  }
}

// Shows a side at a time of its recording, or live: false while its frames are on their way.
function showSide(side, at) {
  const { recording } = side;
  if (at === null) {
    side.run = side.live;
    side.offset = recording.offset;
    return true;
  }
  if (recording.stretches.length === 0) return false;
  if (!seek(side, Math.max(beginOf(recording), Math.min(recording.end, at)))) return false;
  const { cursor } = side;
  side.run = cursor.run;
  side.offset = cursor.offset;
  if (recording.stored) side.run.history = historyAt(recording, cursor.offset);
  return true;
}

// Live runs side by side are shown at one time: that of the run that is behind. Runs that have met are
// shown as they are: the last frame of the one before that time may be of long before.
function commonTime() {
  const going = sides.filter((side) => side.live && !side.live.over && !side.end);
  return sides.length > 1 && going.length > 0 && !haveMet() ? Math.min(...going.map((side) => side.recording.end)) : null;
}

function showSides() {
  const common = player.at === null ? commonTime() : null;
  let whole = true;
  for (const side of sides) {
    const at = player.at ?? (common !== null && side.recording.end > common + 1e-9 ? common : null);
    whole = showSide(side, at) && whole;
    if (side.run) refreshStory(side, side.run);
  }
  return whole;
}

// The second side: another run of the experiment by its number, or another recording; '' for none.
async function setBeside(value) {
  if (sides.length > 1) leave(sides.pop());
  known = sides[0];
  const place = byId('tree-beside').closest('figure');
  place.hidden = value === '';
  document.querySelector('main').classList.toggle('beside', value !== '');
  byId('tree').closest('figure').querySelector('figcaption').hidden = value === '';
  wake();
  if (value === '') return;
  const side = makeSide(byId('tree-beside'));
  sides.push(side);
  if (isRecorded()) await putRecording(side, Number(value));
  else {
    side.wanted = value;
    if (!sides[0].wanted && sides[0].live) byId('runs').value = sides[0].wanted = String(sides[0].live.title.number + 1);
    follow(side);
  }
  if (followed.task !== null) askForStory(side);
}

async function putRecording(side, number) {
  setStanding(side, 'the recording is being made');
  try {
    const recording = await openRecording(number);
    Object.assign(side, { recording, cursor: null, run: null, standing: '', plan: null });
    recording.side = side;
    if (!recording.burdens && scale.metric === 'burden') byId('metric').value = scale.metric = 'running';
  } catch (error) {
    setStanding(side, error instanceof TypeError ? 'the server has gone' : error.message);
  }
  wake();
}

// Reports if the two sides have no common time in their recordings.
function apartText() {
  if (sides.length < 2 || haveMet() || sides.some(({ run }) => !run || run.over)) return '';
  const [a, b] = sides.map((side) => side.offset + side.run.now);
  const later = Math.max(...sides.map(({ recording }) => beginOf(recording)));
  return Math.min(a, b) < later - 0.05 ? `not at one time: of the one that is ahead nothing before ${later.toFixed(1)} s was seen` : '';
}

function tellSide(side) {
  const caption = side.canvas.closest('figure').querySelector('figcaption');
  const button = caption.querySelector('button');
  button.setAttribute('aria-pressed', String(side === known));
  const { run } = side;
  setText(button, run ? `${run.title.label} #${run.title.repetition + 1}` : '–');
  if (!run) { setText(caption.querySelector('span'), side.standing); return; }
  const { completed, submitted } = run.totals.tasks;
  const trouble = side.standing && side.standing !== 'live' && side.standing !== 'over' ? side.standing + ' · ' : '';
  setText(caption.querySelector('.bad'), side === sides[1] ? apartText() : '');
  setText(caption.querySelector('span'), `${trouble}${run.now.toFixed(2)} s${run.over ? ', its end' : ''} · ${figure(completed)} of ${figure(Math.max(run.title.tasks, submitted))} tasks · ${treeText(run, side.recording.stored)}`);
  side.canvas.ariaLabel = treeText(run, side.recording.stored);
}
