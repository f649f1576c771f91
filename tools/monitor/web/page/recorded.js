// Tapes on the server: recordings and stored runs. Their stretches are fetched when they are
// viewed, and only a bounded number is kept.

async function openTape(number) {
  const summary = await (await askFor('/tape?tape=' + number)).json();
  const moments = summary.moments.map(([at, information, job, result, submitted, started, completed, seen, lateEvents]) =>
    ({ at, sent: [information, job, result], submitted, started, completed, seen, late: lateEvents }));
  return { recorded: true, index: number, name: text(new TextEncoder().encode(summary.name)), first: 0, end: summary.end, bytes: 0, held: [],
    burdens: summary.burdens, stretches: summary.stretches.map((at) => ({ at, frames: null })), runs: summary.runs, moments,
    marks: [...summary.marks.map(([at, kind, peer]) => ({ at, kind, peer })), ...summary.runs.slice(1).map(({ at }) => ({ at, kind: 'begin', peer: -1 }))]
      .sort((a, b) => a.at - b.at) };
}

// The history of the run that begins there, in that run's times.
function historyAt(tape, offset) {
  if (!tape.histories) tape.histories = new Map();
  if (!tape.histories.has(offset)) {
    const next = tape.runs.find((run) => run.at > offset);
    tape.histories.set(offset, tape.moments.filter(({ at }) => at >= offset && (!next || at <= next.at)).map((moment) => ({ ...moment, at: moment.at - offset })));
  }
  return tape.histories.get(offset);
}

function readStretch(stretch, bytes, side) {
  stretch.frames = [];
  stretch.bytes = bytes.length;
  let place = { at: 0, offset: 0 };
  makeSplitter((piece) => {
    if (piece[0] === 0x7b) {
      const said = JSON.parse(decoder.decode(piece));
      if (said.facts) factFields = said.facts; else place = said;
    } else if (piece[0] === 1) {
      stretch.frames.push({ ...place, piece: piece.slice() });
    } else {
      takeAside(side, piece[0], unpack(piece.subarray(1)));
      stretch.kinds = side.kinds;
    }
  })(bytes);
}

// Keeps the stretches that were used last.
function holdStretch(tape, stretch) {
  tape.held.push(stretch);
  tape.bytes += stretch.bytes;
  while (tape.bytes > mostTape.bytes && tape.held.length > 3) {
    const oldest = tape.held.shift();
    tape.bytes -= oldest.bytes;
    oldest.frames = null;
  }
}

async function fetchStretch(tape, number) {
  const stretch = tape.stretches[number];
  if (stretch.asked) return;
  stretch.asked = true;
  try {
    const answer = await askFor(`/stretch?tape=${tape.index}&stretch=${number}`);
    readStretch(stretch, new Uint8Array(await answer.arrayBuffer()), tape.side);
    holdStretch(tape, stretch);
    stretch.asked = false;
    setStanding(tape.side, '');
  } catch (error) {
    setStanding(tape.side, error instanceof TypeError ? 'the server has gone; asking again' : error.message);
    setTimeout(() => { stretch.asked = false; wake(); }, 2000);
  }
}
