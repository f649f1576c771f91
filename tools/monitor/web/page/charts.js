// Lines over time: the number of events in each second.
const series = {
  messages: { title: 'messages a second', lines: classes.map((name) => [name, (moment) => moment.sent[inTotals[name]]]) },
  tasks: { title: 'tasks a second', lines: ['submitted', 'started', 'completed'].map((name) => [name, (moment) => moment[name]]) },
  lateness: { title: 'late, in 100 events', lines: [['late', (moment) => moment.late]], of: (moment) => moment.seen, times: 100, threads: true },
};

// A count at a time, interpolated between the known moments.
function countAt(history, count, time) {
  let low = 0;
  let high = history.length - 1;
  while (low < high) { const middle = (low + high) >> 1; if (history[middle].at < time) low = middle + 1; else high = middle; }
  const after = history[low];
  const before = history[Math.max(0, low - 1)];
  if (after.at <= time || after === before) return count(after);
  return count(before) + (count(after) - count(before)) * Math.max(0, time - before.at) / (after.at - before.at);
}

// NaN where nothing is known.
function ratesOf(history, { of, times = 1 }, count, begin, end, bins) {
  const step = (end - begin) / bins;
  return Array.from({ length: bins }, (_, i) => {
    const [from, to] = [begin + i * step, begin + (i + 1) * step];
    const more = countAt(history, count, to) - countAt(history, count, from);
    const base = of ? countAt(history, of, to) - countAt(history, of, from) : step;
    return base > 0 ? times * more / base : (of && base === 0 ? 0 : NaN);
  });
}

function makeChart(name) {
  const { title, lines } = series[name];
  const figureElement = make('figure', {}, [
    make('figcaption', { className: 'soft' }, [title, ...lines.map(([line], i) => {
      const key = make('span', { className: 'key' });
      key.style.background = `var(--line${i})`;
      return make('span', {}, [key, line + ' ', make('b', {}, ['–'])]);
    })]),
    make('canvas', { role: 'img', ariaLabel: title }),
    make('details', {}, [make('summary', {}, ['as a table']), make('div', { className: 'scroll' })]),
  ]);
  byId('charts').append(figureElement);
  return figureElement;
}

function drawLine(context, rates, color, at) {
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  let down = false;
  rates.forEach((rate, i) => {
    if (Number.isNaN(rate)) { down = false; return; }
    if (down) context.lineTo(...at(i, rate)); else context.moveTo(...at(i, rate));
    down = true;
  });
  context.stroke();
}

function drawAxes(context, { width, height, left, top, begin, end }) {
  context.font = '10px system-ui, sans-serif';
  context.fillStyle = palette.soft;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.textAlign = 'right';
  const bottom = height - 14;
  for (const [value, y] of [[top.text, 8], ['0', bottom]]) {
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillText(value, left - 4, y + 3);
  }
  context.fillText(figure(end) + ' s', width, height - 2);
  context.textAlign = 'left';
  context.fillText(figure(begin) + ' s', left, height - 2);
}

// Where the time is that is shown.
function drawTime(context, x, bottom) {
  context.strokeStyle = palette.glow;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, 2);
  context.lineTo(x, bottom);
  context.stroke();
}

// The range of times of a chart: around the shown time, if that is in the past.
function rangeOf(run, history, span, past) {
  const last = history.at(-1).at;
  const end = past && span > 0 ? Math.max(history[0].at, Math.min(last, Math.max(run.now + span / 2, history[0].at + span))) : last;
  return [Math.max(history[0].at, span > 0 ? end - span : 0), end];
}

function drawChart(run, name, element, { span, logarithmic, past }) {
  const chart = series[name];
  const canvas = element.querySelector('canvas');
  const { context, width, height } = prepare(canvas);
  const history = run.history;
  if (history.length < 2) return;
  const [begin, end] = rangeOf(run, history, span, past);
  const bins = Math.max(2, Math.min(Math.floor(width / 4), history.length - 1));
  const rates = chart.lines.map(([, count]) => ratesOf(history, chart, count, begin, end, bins));
  const most = Math.max(1e-9, ...rates.flat().filter((rate) => rate === rate));
  const left = 44;
  const logOf = (rate) => Math.log10(1 + 999 * Math.max(0, rate) / most) / 3;
  const part = (rate) => (logarithmic ? logOf(rate) : Math.max(0, rate) / most);
  drawAxes(context, { width, height, left, begin, end, top: { text: figure(most) } });
  const at = (i, rate) => [left + (width - left) * (i + 0.5) / bins, height - 14 - part(rate) * (height - 22)];
  rates.forEach((line, i) => drawLine(context, line, palette['line' + i], at));
  if (past && end > begin) drawTime(context, left + (width - left) * Math.max(0, Math.min(1, (run.now - begin) / (end - begin))), height - 14);
  const shownBin = past && end > begin ? Math.max(0, Math.min(bins - 1, Math.floor(bins * (run.now - begin) / (end - begin)))) : bins - 1;
  tellChart(element, chart, rates, most, shownBin);
}

// The same in words and in a table, for screen readers.
function tellChart(element, { title, lines }, rates, most, bin) {
  const latest = rates.map((line) => line[bin]);
  element.querySelectorAll('figcaption b').forEach((each, i) => setText(each, latest[i] === latest[i] ? figure(latest[i]) : '–'));
  element.querySelector('canvas').ariaLabel = title + ': ' + lines.map(([line], i) => `${line} ${figure(latest[i] || 0)}`).join(', ') + `; at most ${figure(most)}`;
  const details = element.querySelector('details');
  if (!details.open) return;
  const row = ([line], i) => {
    const knownRates = rates[i].filter((rate) => rate === rate);
    const mean = knownRates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, knownRates.length);
    return [line, figure(latest[i] || 0), figure(mean), figure(Math.max(0, ...knownRates))];
  };
  fillTable(details.querySelector('div'), [title, 'now', 'mean', 'at most'], lines.map(row));
}
