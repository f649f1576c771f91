// The stream of a run under way: one endless answer for each side that shows one. A side that loses
// its server asks again, and a hidden side does not ask.
function takePiece(side, piece) {
  if (piece[0] === 0x7b) {
    const said = JSON.parse(decoder.decode(piece));
    if (said.facts) factFields = said.facts;
    if (said.end) { side.end = said.end; side.standing = said.end === 'over' ? 'all runs are over' : 'the process has gone'; }
    return;
  }
  if (piece[0] === 3 || piece[0] === 4) return;
  const body = unpack(piece.subarray(1));
  if (piece[0] === 1) takeFrame(side, piece, body); else takeAside(side, piece[0], body);
}

// With two sides, each shows only its chosen run.
function takeFrame(side, piece, body) {
  if (sides.length > 1 && side.wanted && body[2][0] !== Number(side.wanted) - 1) {
    setStanding(side, `run ${side.wanted} is not under way`);
    if (side.stream) side.stream.abort();
    side.stream = null;
    side.retry = setTimeout(() => follow(side), 2000);
    return;
  }
  const now = performance.now();
  const run = applyFrame(side.live, body, { kinds: side.kinds, now, live: true });
  if (!run) return;
  side.live = run;
  keepFrame(side.recording, piece, body, run, now);
  refreshStory(side, run);
  followStory(side, run.fresh);
  side.standing = run.over ? 'over' : run.cost.held ? 'held' : 'live';
  side.frames.push(now);
}

async function follow(side) {
  if (side.stream || document.hidden || side.end || side.recording.stored || !sides.includes(side)) return;
  const stream = new AbortController();
  side.stream = stream;
  if (!side.story.whole) side.storyOf = null;
  clearTimeout(side.retry);
  let after = 'the server has gone; asking again';
  try {
    const answer = await askFor(`/stream?page=${side.name}${side.wanted ? '&run=' + side.wanted : ''}${overlay.kind >= 0 ? '&views=1' : ''}`, { signal: stream.signal });
    const reader = answer.body.getReader();
    const split = makeSplitter((piece) => takePiece(side, piece));
    for (;;) {
      const { done, value } = await reader.read();
      if (done || stream.signal.aborted) break;
      work(() => split(value));
      wake();
    }
    after = 'asking again';
  } catch (error) {
    if (!(error instanceof TypeError) && !stream.signal.aborted) after = error.message;
  }
  if (stream.signal.aborted) return;  // a later call goes on
  side.stream = null;
  if (!side.end) { setStanding(side, after); side.retry = setTimeout(() => follow(side), 2000); }
  wake();
}

function leave(side) {
  if (side.stream) side.stream.abort();
  side.stream = null;
  clearTimeout(side.retry);
}

function restart(side) {
  leave(side);
  follow(side);
}
