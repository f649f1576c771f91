// The story of a task: the facts of all peers about it, from its submission to its result, and its
// way among them.
const followed = { task: null };

const makeStory = () => ({ facts: [], keys: new Set(), whole: false, asked: false, shape: 0 });

function addToStory(story, facts) {
  const before = story.facts.length;
  for (const fact of facts) {
    const key = `${fact.at} ${fact.peer} ${fact.kind} ${fact.said}`;
    if (story.keys.has(key)) continue;
    story.keys.add(key);
    story.facts.push(fact);
  }
  if (story.facts.length === before) return;
  story.facts.sort((a, b) => a.at - b.at);
  story.shape += 1;
}

// New facts about the followed task are shown at once; the server is asked for the rest.
function followStory(side, facts) {
  if (followed.task === null) return;
  addToStory(side.story, facts.filter((fact) => fact.task === followed.task));
}

async function askForStory(side) {
  const task = followed.task;
  const { story, recording } = side;
  if (task === null || story.asked || !side.run) return;
  story.asked = true;
  try {
    const words = recording.stored ? `recording=${recording.index}&run=${side.run.title.number}` : 'page=' + side.name;
    const answer = await askFor(`/story?${words}&task=${task}`);
    if (recording.stored) makeSplitter((piece) => takeAside(side, piece[0], unpack(piece.subarray(1))))(new Uint8Array(await answer.arrayBuffer()));
  } catch (error) {
    story.failed = error instanceof TypeError ? 'the server has gone' : error.message;
  }
  wake();
}

// An answer, or a part of it; an answer about another run or task is ignored.
function takeStory(side, [, whole, , facts]) {
  if (followed.task === null) return;
  addToStory(side.story, facts.map((each) => factOf(each, side.kinds)).filter((fact) => fact.task === followed.task));
  side.story.whole = whole || side.story.whole;
}

function followTask(task) {
  followed.task = task;
  for (const side of sides) {
    side.story = makeStory();
    side.storyOf = side.run && { title: side.run.title };
    if (side.run) followStory(side, side.run.facts);
    askForStory(side);
  }
}

// A run that takes the place of another has a story of its own. A new stream brings nothing that was
// asked for of the one before.
function refreshStory(side, run) {
  if (followed.task === null || isSameRun(side.storyOf, run)) return;
  side.storyOf = { title: run.title };
  side.story = makeStory();
  askForStory(side);
}

// The way of the task from peer to peer: [{peer, at, kind}], with each change of peer.
function wayOf(story) {
  if (story.wayShape === story.shape) return story.way;
  const way = [];
  for (const { peer, at, kind } of story.facts) if (way.length === 0 || way.at(-1).peer !== peer) way.push({ peer, at, kind });
  story.way = way;
  story.wayShape = story.shape;
  return way;
}

// The numbers of the stations at each peer, as "1, 4".
function stationsOf(story, now) {
  const stations = new Map();
  wayOf(story).forEach(({ peer, at }, i) => {
    if (at <= now) stations.set(peer, stations.has(peer) ? `${stations.get(peer)}, ${i + 1}` : String(i + 1));
  });
  return stations;
}

// Bent, so that there and back again are two lines; with an arrow in the middle.
function drawStep(context, [x, y], [toX, toY]) {
  const [dx, dy] = [toX - x, toY - y];
  const length = Math.hypot(dx, dy);
  if (length < 1) return;
  const [bendX, bendY] = [(x + toX) / 2 - dy * 0.16, (y + toY) / 2 + dx * 0.16];
  context.beginPath();
  context.moveTo(x, y);
  context.quadraticCurveTo(bendX, bendY, toX, toY);
  context.stroke();
  const [middleX, middleY] = [(x + toX) / 4 + bendX / 2, (y + toY) / 4 + bendY / 2];
  const [ux, uy] = [dx / length, dy / length];
  context.beginPath();
  context.moveTo(middleX + 6 * ux, middleY + 6 * uy);
  context.lineTo(middleX - 4 * ux - 4 * uy, middleY - 4 * uy + 4 * ux);
  context.lineTo(middleX - 4 * ux + 4 * uy, middleY - 4 * uy - 4 * ux);
  context.fill();
}

// The way so far as a line, and the rest dotted.
function drawWay(side, context, spot) {
  if (followed.task === null) return;
  const way = wayOf(side.story).filter(({ peer }) => peer < side.run.title.peers);
  context.strokeStyle = palette.way;
  context.fillStyle = palette.way;
  for (let i = 1; i < way.length; i += 1) {
    const gone = way[i].at <= side.run.now;
    context.lineWidth = gone ? 2.5 : 1.2;
    context.setLineDash(gone ? [] : [2, 4]);
    context.globalAlpha = gone ? 1 : 0.6;
    drawStep(context, spot(way[i - 1].peer), spot(way[i].peer));
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}
