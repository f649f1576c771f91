// Recordings on the server, of which stored runs are made, too. Their stretches are fetched when
// they are viewed, and only a bounded number is kept.

async function openRecording(number) {
  const summary = await (await askFor('/recording?recording=' + number)).json();
  const moments = summary.moments.map(([at, information, job, result, submitted, started, completed, seen, lateEvents]) =>
    ({ at, sent: [information, job, result], submitted, started, completed, seen, late: lateEvents }));
  return { stored: true, index: number, name: text(new TextEncoder().encode(summary.name)), first: 0, end: summary.end, bytes: 0, held: [],
    burdens: summary.burdens, stretches: summary.stretches.map((at) => ({ at, frames: null })), runs: summary.runs, moments,
    marks: [...summary.marks.map(([at, kind, peer]) => ({ at, kind, peer })), ...summary.runs.slice(1).map(({ at }) => ({ at, kind: 'begin', peer: -1 }))]
      .sort((a, b) => a.at - b.at) };
}

// The history of the run that begins there, in that run's times.
function historyAt(recording, offset) {
  if (!recording.histories) recording.histories = new Map();
  if (!recording.histories.has(offset)) {
    const next = recording.runs.find((run) => run.at > offset);
    recording.histories.set(offset, recording.moments.filter(({ at }) => at >= offset && (!next || at <= next.at)).map((moment) => ({ ...moment, at: moment.at - offset })));
  }
  return recording.histories.get(offset);
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
function holdStretch(recording, stretch) {
  recording.held.push(stretch);
  recording.bytes += stretch.bytes;
  while (recording.bytes > mostRecording.bytes && recording.held.length > 3) {
    const oldest = recording.held.shift();
    recording.bytes -= oldest.bytes;
    oldest.frames = null;
  }
}

async function fetchStretch(recording, number) {
  const stretch = recording.stretches[number];
  if (stretch.asked) return;
  stretch.asked = true;
  try {
    const answer = await askFor(`/stretch?recording=${recording.index}&stretch=${number}`);
    readStretch(stretch, new Uint8Array(await answer.arrayBuffer()), recording.side);
    holdStretch(recording, stretch);
    stretch.asked = false;
    setStanding(recording.side, '');
  } catch (error) {
    setStanding(recording.side, error instanceof TypeError ? 'the server has gone; asking again' : error.message);
    setTimeout(() => { stretch.asked = false; wake(); }, 2000);
  }
}
