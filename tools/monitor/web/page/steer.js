// Holding a run in virtual time and letting it go, where it was begun with --control. What stands
// side by side is steered together.
async function order(command, more = {}, whom = sides) {
  try {
    for (const { live } of whom.filter((side) => side.live && !side.live.over))
      await askFor('/steer', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ command, run: live.title.number + 1, ...more }) });
    setText(byId('steer-text'), '');
  } catch (error) {
    setText(byId('steer-text'), error instanceof TypeError ? 'the server has gone' : error.message);
  }
}

// Who is ahead is held, and the other goes on until there.
async function meet() {
  const [behind, ahead] = [...sides].sort((a, b) => a.live.now - b.live.now);
  await order('hold', {}, [ahead]);
  await order('until', { until: ahead.live.now }, [behind]);
}
const areApart = () => sides.length > 1 && sides.every(({ live }) => live && live.cost.steered && !live.over)
  && Math.abs(sides[0].live.now - sides[1].live.now) > 0.05;

function tellSteering() {
  const { live, end } = sides[0];
  byId('steer').hidden = isRecorded() || !live || !live.cost.steered || live.over || end !== null;
  if (byId('steer').hidden) return;
  const held = sides.every((side) => !side.live || side.live.cost.held);
  byId('hold').disabled = held;
  byId('go').disabled = !sides.some((side) => side.live && side.live.cost.held);
  byId('meet').hidden = !areApart();
}

function listenToSteering() {
  byId('run-speed').append(...[0, 0.1, 0.5, 1, 2, 10, 100].map((speed) => make('option', { value: String(speed) }, [speed === 0 ? 'as fast as it can' : 'x' + speed])));
  byId('run-speed').addEventListener('change', (event) => order('speed', { speed: Number(event.target.value) }));
  byId('hold').addEventListener('click', () => order('hold'));
  byId('go').addEventListener('click', () => order('go'));
  byId('meet').addEventListener('click', meet);
  byId('step').addEventListener('click', () => order('step', { steps: Math.max(1, Math.floor(Number(byId('steps').value)) || 1) }));
}
