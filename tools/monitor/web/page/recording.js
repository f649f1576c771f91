// Recordings: frames to be shown again. A recording is a row of stretches, each of which can be
// shown without earlier ones, with its frames in order of arrival. Its times are emulated
// seconds; in a recording of several runs, each begins where the one before it ended.
const mostRecording = { bytes: 16 * 2 ** 20, age: 600e3, frames: 50 };  // in memory; milliseconds; in a stretch

// The recording of a run under way: the page keeps received frames, as far as memory allows.
function makeLiveRecording() {
  return { stored: false, first: 0, stretches: [], bytes: 0, offset: 0, end: 0, run: null, marks: [], fresh: 0 };
}
const countOf = (recording) => recording.first + recording.stretches.length;
const beginOf = (recording) => (recording.stretches.length > 0 ? recording.stretches[0].at : 0);

function addStretch(recording, at, run, now) {
  const snapshot = copyOf(run);
  const stretch = { at, since: now, snapshot, offset: recording.offset, frames: [], bytes: bytesOf(snapshot) };
  recording.stretches.push(stretch);
  recording.bytes += stretch.bytes;
  return stretch;
}

function forgetOldest(recording, now) {
  while (recording.stretches.length > 1 && (recording.bytes > mostRecording.bytes || now - recording.stretches[1].since > mostRecording.age)) {
    recording.bytes -= recording.stretches.shift().bytes;
    recording.first += 1;
  }
  while (recording.marks.length > 0 && recording.marks[0].at < beginOf(recording)) recording.marks.shift();
}

function markRecording(recording, at, run) {
  for (const peer of run.turned) recording.marks.push({ at, kind: isAlive(run, peer) ? 'up' : 'down', peer });
  for (const fact of run.fresh) if (fact.kind === 'run-failed') recording.marks.push({ at, kind: 'failed', peer: fact.peer });
}

// A frame that has come and made that run. Where nothing has happened it is not worth its memory.
function keepFrame(recording, piece, body, run, now) {
  const begins = !isSameRun(recording.run, run) || recording.offset + run.now < recording.end;
  if (begins && recording.run) { recording.offset = recording.end; recording.marks.push({ at: recording.end, kind: 'begin', peer: -1 }); }
  recording.run = { title: run.title };
  const at = recording.offset + run.now;
  let stretch = recording.stretches.at(-1);
  if (!begins && stretch && at === recording.end && !run.over && body[7].length === 0 && run.fresh.length === 0) return;
  if (begins || !stretch || stretch.frames.length >= mostRecording.frames) stretch = addStretch(recording, at, run, now);
  stretch.frames.push({ at, piece: piece.slice() });  // copied, so that the whole buffer is not kept
  stretch.bytes += piece.length + 100;
  recording.bytes += piece.length + 100;
  recording.end = at;
  markRecording(recording, at, run);
  forgetOldest(recording, now);
}

// The number of the stretch that holds a time.
function stretchNumber(recording, at) {
  let low = recording.first;
  let high = countOf(recording) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (recording.stretches[middle - recording.first].at <= at) low = middle; else high = middle - 1;
  }
  return low;
}

// A stretch with its frames; null while it is on its way.
function loadStretch(recording, number) {
  const stretch = recording.stretches[number - recording.first];
  if (!stretch || stretch.frames) return stretch || null;
  fetchStretch(recording, number);
  return null;
}

// A cursor in a recording: {run, number of the stretch, the next frame of it, at}. Each view that
// shows a recording has one.
function applyNext(cursor, stretch, glows) {
  const { at, piece, offset = stretch.offset } = stretch.frames[cursor.next];
  cursor.next += 1;
  cursor.at = at;
  const body = unpack(piece.subarray(1));
  if (cursor.run && body[0] === cursor.run.number && body[4] === cursor.raw) return;  // repeated for a reader that begins here
  const run = applyFrame(cursor.run, body, { kinds: stretch.kinds || cursor.kinds, now: glows ? performance.now() : null, live: false });
  if (!run) return;
  cursor.raw = body[4];
  cursor.run = run;
  cursor.offset = offset;
}

// Enters a stretch at its first frame; a new run is restored from a copy, with its past.
function enter(cursor, stretch) {
  const begins = stretch.snapshot && !isSameRun(stretch.snapshot, cursor.run);
  cursor.next = begins ? 1 : 0;
  if (begins) Object.assign(cursor, { run: runOf(stretch.snapshot), raw: null, at: stretch.at, offset: stretch.offset });
}

// Advances to that time; false if frames are still missing, or if very many have kept the page from
// all else for long enough: it goes on when it draws next.
function advance(recording, cursor, at) {
  const until = performance.now() + 50;
  for (;;) {
    const stretch = loadStretch(recording, cursor.number);
    if (!stretch) return false;
    while (cursor.next < stretch.frames.length && stretch.frames[cursor.next].at <= at) {
      if (performance.now() > until) { wake(); return false; }
      applyNext(cursor, stretch, at - stretch.frames[cursor.next].at < 1);
    }
    if (cursor.next < stretch.frames.length || cursor.number + 1 >= countOf(recording)) return true;
    if (recording.stretches[cursor.number + 1 - recording.first].at > at) { loadStretch(recording, cursor.number + 1); return true; }
    cursor.number += 1;
    enter(cursor, recording.stretches[cursor.number - recording.first]);
  }
}

// A cursor before the stretch of that time; without a copy of the run, one stretch earlier, so that
// rates and events are known, too.
function cursorFor(recording, at, kinds) {
  const number = stretchNumber(recording, at);
  const stretch = loadStretch(recording, number);
  if (!stretch) return null;
  if (stretch.snapshot)
    return { run: runOf(stretch.snapshot), raw: null, number, next: 1, at: stretch.at, offset: stretch.offset, kinds };
  const earlier = Math.max(recording.first, number - 1);
  if (!loadStretch(recording, earlier)) return null;
  return { run: null, raw: null, number: earlier, next: 0, at: -1, offset: 0, kinds };
}

// Moves the cursor of a side to that time, or makes a new one; false while frames are on their way.
function seek(side, at) {
  const { recording, cursor } = side;
  const goesOn = cursor && cursor.number >= recording.first && cursor.at <= at && stretchNumber(recording, at) - cursor.number <= 1;
  const made = goesOn ? cursor : cursorFor(recording, at, side.kinds);
  if (!made) return false;
  side.cursor = made;
  if (!advance(recording, made, at)) return false;
  const stretch = made.run ? null : loadStretch(recording, made.number);
  if (stretch && made.next < stretch.frames.length) applyNext(made, stretch, false);  // before the first of all
  return Boolean(made.run);
}

// The time of the frame before or after, among the frames in memory.
function frameBeside(recording, at, step) {
  const number = stretchNumber(recording, at);
  const times = [];
  for (const each of [number - 1, number, number + 1]) {
    const stretch = recording.stretches[each - recording.first];
    if (stretch && stretch.frames) times.push(...stretch.frames.map((frame) => frame.at));
  }
  if (step > 0) return times.find((time) => time > at + 1e-9) ?? recording.end;
  return times.findLast((time) => time < at - 1e-9) ?? beginOf(recording);
}
