// Holding a run in virtual time and letting it go, if it was begun with --control. Two runs side by
// side are steered together.
const postOrder = (side, command, more) => askFor('/steer', { method: 'POST', headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ command, run: side.live.title.number + 1, ...more }) });

async function tell(command, more, whom) {
  try {
    for (const side of whom.filter(({ live }) => live && !live.over)) await postOrder(side, command, more);
    setText(byId('steer-text'), '');
  } catch (error) {
    setText(byId('steer-text'), error instanceof TypeError ? 'the server has gone' : error.message);
    steered.speed = NaN;
  }
}

// Orders are heard in the order in which they were given.
let told = Promise.resolve();
function order(command, more = {}, whom = sides) {
  told = told.then(() => tell(command, more, whom));
  return told;
}

const passes = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

const steered = { met: [NaN, NaN], speed: 0 };  // the times at which two have met; the pace that was told last

// Waits until the condition holds, at most a minute.
async function waitFor(holds) {
  for (let i = 0; i < 600 && !holds(); i += 1) await passes(100);
  return holds();
}

// Brings both runs to one time: holds both, and lets the one behind go on to the time of the other,
// as fast as it can.
async function meet() {
  await order('hold');
  if (!await waitFor(() => sides.every((side) => side.live.cost.held)) || sides.length < 2) return;
  const [behind, ahead] = [...sides].sort((a, b) => a.live.now - b.live.now);
  const { speed } = behind.live.cost;
  const before = behind.live.now;
  await order('speed', { speed: 0 }, [behind]);
  await order('until', { until: ahead.live.now }, [behind]);
  // A run that was told to hold ends its step: it has come to its end once its time stays the same.
  let since = 0;
  let last = [];
  const met = await waitFor(() => {
    const now = sides.map(({ live }) => live?.now);
    since = behind.live.cost.held && behind.live.now > before && now.every((time, i) => time === last[i]) ? since + 1 : 0;
    last = now;
    return since >= 20;
  });
  if (met) steered.met = last;
  await order('speed', { speed }, [behind]);
  wake();
}
const haveMet = () => sides.length > 1 && sides.every(({ live }, i) => live && live.now === steered.met[i]);

// Whether the two runs are further apart than their events require.
function areApart() {
  if (sides.length < 2 || !sides.every(({ live }) => live && live.cost.paced && !live.over)) return false;
  const [a, b] = sides.map(({ live }) => live.now);
  return Math.abs(a - b) > 0.05 && !haveMet();
}

const paceOption = (speed) => make('option', { value: String(speed) }, [speed === 0 ? 'as fast as it can' : 'x' + figure(speed)]);

// The pace that a user has set, here or elsewhere. A choice made here is shown until the run has
// adopted or refused it.
function tellPace({ speed }) {
  if (speed === steered.speed) return;
  steered.speed = speed;
  const select = byId('run-speed');
  if (![...select.options].some(({ value }) => Number(value) === speed)) select.append(paceOption(speed));
  select.value = String(speed);
}

function tellSteering() {
  const { live, end } = sides[0];
  byId('steer').hidden = isRecorded() || !live || !live.cost.paced || live.over || end !== null;
  if (byId('steer').hidden) return;
  const held = sides.every((side) => !side.live || side.live.cost.held);
  byId('hold').disabled = held;
  byId('go').disabled = !sides.some((side) => side.live && side.live.cost.held);
  byId('meet').hidden = !areApart();
  tellPace(live.cost);
}

function listenToSteering() {
  byId('run-speed').append(...[0, 0.1, 0.5, 1, 2, 10, 100].map(paceOption));
  byId('run-speed').addEventListener('change', (event) => order('speed', { speed: Number(event.target.value) }));
  byId('hold').addEventListener('click', () => order('hold'));
  byId('go').addEventListener('click', () => order('go'));
  byId('meet').addEventListener('click', meet);
  byId('step').addEventListener('click', () => order('step', { steps: Math.max(1, Math.floor(Number(byId('steps').value)) || 1) }));
}
