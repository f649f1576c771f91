// The slider of time: goes back in the recording and forward again, plays it, and marks where a
// peer crashed or came back, where the network was cut, and where a run began.
const player = { at: null, playing: false, speed: 1, last: 0, waits: false, until: null };  // at: null is live
const speeds = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600, 3600];

const isRecorded = () => sides[0].recording.stored;
const shownSides = () => sides.filter((side) => side.recording.stretches.length > 0);
function timeRange() {
  const all = shownSides();
  if (all.length === 0) return [0, 0];
  return [Math.min(...all.map((side) => beginOf(side.recording))), Math.max(...all.map((side) => side.recording.end))];
}

function goTo(at) {
  const [begin, end] = timeRange();
  player.at = !isRecorded() && at >= end - 1e-9 ? null : Math.max(begin, Math.min(end, at));
  if (player.at === null) player.playing = false;
  wake();
}
function goLive() {
  player.playing = false;
  if (isRecorded()) goTo(timeRange()[1]); else player.at = null;
  wake();
}

// Shows the first frame that contains the fact, once it is loaded.
function showTimeOf(fact) {
  player.playing = false;
  player.until = known.offset + fact.at;
  goTo(player.until);
}
function goUntil() {
  const at = player.until;
  player.until = null;
  if (at !== null && at === player.at) goTo(frameBeside(known.recording, at - 1e-6, 1));
}

// Goes one frame, or one second, forward or back.
function step(by, second) {
  const from = player.at ?? timeRange()[1];
  player.playing = false;
  goTo(second ? from + by : frameBeside(known.recording, Math.max(beginOf(known.recording), Math.min(known.recording.end, from)), by));
}

const isFault = (mark) => mark.kind !== 'begin';
function goToFault(by) {
  const from = player.at ?? timeRange()[1];
  const times = known.recording.marks.filter(isFault).map(({ at }) => at);
  const found = by < 0 ? times.findLast((at) => at < from - 1e-9) : times.find((at) => at > from + 1e-9);
  if (found === undefined) return;
  player.playing = false;
  goTo(found);
}

function play() {
  const [begin, end] = timeRange();
  if (!player.playing && isRecorded() && player.at >= end) player.at = begin;
  player.playing = !player.playing && player.at !== null;
  player.last = performance.now();
  wake();
}

// Called before drawing: advances the shown time, and waits for frames that are on their way.
function goOn(now) {
  const passed = Math.min(0.5, (now - player.last) / 1000);
  player.last = now;
  if (!player.playing || player.waits || player.at === null) return;
  const [, end] = timeRange();
  player.at = Math.min(end, player.at + passed * player.speed);
  if (player.at < end) return;
  if (isRecorded()) player.playing = false; else goLive();
}

// A recording of seconds or minutes goes as it went, others in about half a minute.
function usualSpeed(length) {
  if (length >= 2 && length <= 300) return 1;
  return speeds.reduce((best, speed) => (Math.abs(Math.log(speed * 30 / length)) < Math.abs(Math.log(best * 30 / length)) ? speed : best));
}

function setSpeed(speed) {
  player.speed = speed;
  byId('speed').value = String(speed);
}

const markColors = { down: 'bad', failed: 'bad', up: 'good', begin: 'soft' };
function drawMarks(begin, end) {
  const canvas = byId('marks');
  const { context, width, height } = prepare(canvas);
  const inset = 8;  // half the knob of the slider
  const x = (at) => inset + (width - 2 * inset) * (at - begin) / Math.max(1e-9, end - begin);
  const { recording, plan, offset, run } = known;
  context.fillStyle = palette.glow;
  context.globalAlpha = 0.25;
  if (plan && run && plan.run === run.title.number)
    for (const { from, until } of plan.partings) {
      const [left, right] = [Math.max(begin, offset + from), Math.min(end, offset + until)];
      if (right > left) context.fillRect(x(left), 0, Math.max(2, x(right) - x(left)), height);
    }
  context.globalAlpha = 1;
  for (const { at, kind } of recording.marks) {
    context.fillStyle = palette[markColors[kind] || 'soft'];
    if (kind === 'up') { context.beginPath(); context.arc(x(at), height - 3, 2.5, 0, 2 * Math.PI); context.fill(); } else
      context.fillRect(x(at) - 1, 0, 2, kind === 'begin' ? height : height - 5);
  }
}

function timeText(end) {
  if (!known.run) return '';
  const at = known.run.now;
  if (player.at === null) return `${at.toFixed(2)} s`;
  const runs = known.offset > 0 ? `, ${player.at.toFixed(2)}` : '';
  return `${at.toFixed(2)} s${runs} of ${end.toFixed(2)} s`;
}

function tellTime() {
  const [begin, end] = timeRange();
  const slider = byId('at');
  slider.min = String(begin);
  slider.max = String(Math.max(end, begin + 1e-6));
  slider.value = String(player.at ?? end);
  drawMarks(begin, end);
  const words = timeText(end);
  const faults = known.recording.marks.filter(isFault).length;
  setText(byId('at-text'), words);
  slider.setAttribute('aria-valuetext', words + (player.at === null ? ', live' : ''));
  byId('marks').ariaLabel = `${faults} marks of faults`;
  setText(byId('play'), player.playing ? 'pause' : 'play');
  byId('play').disabled = player.at === null;
  byId('speed').closest('label').hidden = player.at === null;
  for (const id of ['fault-before', 'fault-after']) byId(id).disabled = faults === 0;
  setText(byId('to-live'), isRecorded() ? 'end' : 'live');
  byId('to-live').setAttribute('aria-pressed', String(player.at === null));
}

const keySteps = { ArrowLeft: -1, ArrowRight: 1 };
function listenToTime() {
  byId('speed').append(...speeds.map((speed) => make('option', { value: String(speed) }, ['x' + figure(speed)])));
  setSpeed(1);
  byId('speed').addEventListener('change', (event) => setSpeed(Number(event.target.value)));
  byId('at').addEventListener('input', (event) => { player.playing = false; goTo(Number(event.target.value)); });
  byId('play').addEventListener('click', play);
  byId('to-live').addEventListener('click', goLive);
  byId('fault-before').addEventListener('click', () => goToFault(-1));
  byId('fault-after').addEventListener('click', () => goToFault(1));
  document.addEventListener('keydown', (event) => {
    const writes = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.id !== 'at';
    if (event.defaultPrevented || writes || event.altKey || event.ctrlKey || event.metaKey) return;
    if (keySteps[event.key]) step(keySteps[event.key], event.shiftKey);
    else if (event.key === 'End') goLive();
    else if (event.key === 'Home') { player.playing = false; goTo(timeRange()[0]); }
    else if (event.key === 'p') play();
    else return;
    event.preventDefault();
  });
}
