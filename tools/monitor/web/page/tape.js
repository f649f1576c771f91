// Tapes: recorded frames, to be shown again. A tape is a row of stretches, each of which can be
// shown without earlier ones, with its frames in order of arrival. Times on it are emulated
// seconds; on a tape with several runs, each begins where the one before it ended.
const mostTape = { bytes: 16 * 2 ** 20, age: 600e3, frames: 50 };  // in memory; milliseconds; in a stretch

// The tape of a run under way: the page keeps received frames, as far as memory allows.
function makeLiveTape() {
  return { recorded: false, first: 0, stretches: [], bytes: 0, offset: 0, end: 0, run: null, marks: [], fresh: 0 };
}
const countOf = (tape) => tape.first + tape.stretches.length;
const beginOf = (tape) => (tape.stretches.length > 0 ? tape.stretches[0].at : 0);

function addStretch(tape, at, run, now) {
  const snapshot = copyOf(run);
  const stretch = { at, since: now, snapshot, offset: tape.offset, frames: [], bytes: bytesOf(snapshot) };
  tape.stretches.push(stretch);
  tape.bytes += stretch.bytes;
  return stretch;
}

function forgetOldest(tape, now) {
  while (tape.stretches.length > 1 && (tape.bytes > mostTape.bytes || now - tape.stretches[1].since > mostTape.age)) {
    tape.bytes -= tape.stretches.shift().bytes;
    tape.first += 1;
  }
  while (tape.marks.length > 0 && tape.marks[0].at < beginOf(tape)) tape.marks.shift();
}

function markTape(tape, at, run) {
  for (const peer of run.turned) tape.marks.push({ at, kind: isAlive(run, peer) ? 'up' : 'down', peer });
  for (const fact of run.fresh) if (fact.kind === 'run-failed') tape.marks.push({ at, kind: 'failed', peer: fact.peer });
}

// A frame that has come and made that run. Where nothing has happened it is not worth its memory.
function keepOnTape(tape, piece, body, run, now) {
  const begins = !isSameRun(tape.run, run) || tape.offset + run.now < tape.end;
  if (begins && tape.run) { tape.offset = tape.end; tape.marks.push({ at: tape.end, kind: 'begin', peer: -1 }); }
  tape.run = { title: run.title };
  const at = tape.offset + run.now;
  let stretch = tape.stretches.at(-1);
  if (!begins && stretch && at === tape.end && !run.over && body[7].length === 0 && run.fresh.length === 0) return;
  if (begins || !stretch || stretch.frames.length >= mostTape.frames) stretch = addStretch(tape, at, run, now);
  stretch.frames.push({ at, piece: piece.slice() });  // copied, so that the whole buffer is not kept
  stretch.bytes += piece.length + 100;
  tape.bytes += piece.length + 100;
  tape.end = at;
  markTape(tape, at, run);
  forgetOldest(tape, now);
}

// The number of the stretch that holds a time.
function stretchNumber(tape, at) {
  let low = tape.first;
  let high = countOf(tape) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tape.stretches[middle - tape.first].at <= at) low = middle; else high = middle - 1;
  }
  return low;
}

// A stretch with its frames; null while it is on its way.
function loadStretch(tape, number) {
  const stretch = tape.stretches[number - tape.first];
  if (!stretch || stretch.frames) return stretch || null;
  fetchStretch(tape, number);
  return null;
}

// A cursor in a tape: {run, number of the stretch, the next frame of it, at}. Each view that shows
// a tape has one.
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
function advance(tape, cursor, at) {
  const until = performance.now() + 50;
  for (;;) {
    const stretch = loadStretch(tape, cursor.number);
    if (!stretch) return false;
    while (cursor.next < stretch.frames.length && stretch.frames[cursor.next].at <= at) {
      if (performance.now() > until) { wake(); return false; }
      applyNext(cursor, stretch, at - stretch.frames[cursor.next].at < 1);
    }
    if (cursor.next < stretch.frames.length || cursor.number + 1 >= countOf(tape)) return true;
    if (tape.stretches[cursor.number + 1 - tape.first].at > at) { loadStretch(tape, cursor.number + 1); return true; }
    cursor.number += 1;
    enter(cursor, tape.stretches[cursor.number - tape.first]);
  }
}

// A cursor before the stretch of that time; without a copy of the run, one stretch earlier, so that
// rates and events are known, too.
function cursorFor(tape, at, kinds) {
  const number = stretchNumber(tape, at);
  const stretch = loadStretch(tape, number);
  if (!stretch) return null;
  if (stretch.snapshot)
    return { run: runOf(stretch.snapshot), raw: null, number, next: 1, at: stretch.at, offset: stretch.offset, kinds };
  const earlier = Math.max(tape.first, number - 1);
  if (!loadStretch(tape, earlier)) return null;
  return { run: null, raw: null, number: earlier, next: 0, at: -1, offset: 0, kinds };
}

// Moves the cursor of a side to that time, or makes a new one; false while frames are on their way.
function seek(side, at) {
  const { tape, cursor } = side;
  const goesOn = cursor && cursor.number >= tape.first && cursor.at <= at && stretchNumber(tape, at) - cursor.number <= 1;
  const made = goesOn ? cursor : cursorFor(tape, at, side.kinds);
  if (!made) return false;
  side.cursor = made;
  if (!advance(tape, made, at)) return false;
  const stretch = made.run ? null : loadStretch(tape, made.number);
  if (stretch && made.next < stretch.frames.length) applyNext(made, stretch, false);  // before the first of all
  return Boolean(made.run);
}

// The time of the frame before or after, among the frames in memory.
function frameBeside(tape, at, step) {
  const number = stretchNumber(tape, at);
  const times = [];
  for (const each of [number - 1, number, number + 1]) {
    const stretch = tape.stretches[each - tape.first];
    if (stretch && stretch.frames) times.push(...stretch.frames.map((frame) => frame.at));
  }
  if (step > 0) return times.find((time) => time > at + 1e-9) ?? tape.end;
  return times.findLast((time) => time < at - 1e-9) ?? beginOf(tape);
}
