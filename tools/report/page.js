// Draws every chart of the page, and sets their number as an attribute of the body. Charts take the
// colour of the text around them, so that they follow it from light to dark, and to paper.
const specs = JSON.parse(document.getElementById('charts').textContent);

const letter = 6;  // pixels, on average
const longest = (names) => Math.max(12, ...names.map((name) => String(name).length));

// A legend has as many columns as its longest name allows, or the last names would be cut off. It
// is above the chart, where names of groups may leave two thirds of the width.
function fitLegend(legend, names, width) {
  if (!legend?.columns) return legend;
  const room = width * 2 / 3 - 40;
  const columns = Math.max(1, Math.floor(room / (longest(names) * letter + 36)));
  return { ...legend, columns: Math.min(legend.columns, columns), labelLimit: room - 20 };
}

// Names of groups below their bars have a part of the width each, and those beside them a third.
function fitAxis(channel, key, width) {
  if (channel?.axis?.labelLimit !== 0) return channel;
  const labelLimit = key === 'x' ? (width - 100) / Math.max(1, channel.sort?.length ?? 1) : width / 3;
  return { ...channel, axis: { ...channel.axis, labelLimit } };
}

// The figures of a heat map of many columns would cover each other; the table has them.
function fitFigures(spec, width) {
  const columns = new Set(spec.data?.values?.map((row) => row.across)).size;
  if (columns * 50 < width - 100) return spec;
  return { ...spec, layer: spec.layer.filter((layer) => layer.mark?.type !== 'text') };
}

// A chart specified for a desktop, scaled to the width of this window.
function legible(spec) {
  const width = document.body.clientWidth;
  const fitted = (key, value) => {
    if ((key === 'color' || key === 'shape') && value?.legend)
      return { ...value, legend: fitLegend(value.legend, value.scale?.domain ?? [], width) };
    return key === 'x' || key === 'y' ? fitAxis(value, key, width) : value;
  };
  return fitFigures(JSON.parse(JSON.stringify(spec), fitted), width);
}

function themed(spec) {
  const ink = 'currentColor';
  const text = { labelColor: ink, titleColor: ink };
  const soft = { gridColor: ink, gridOpacity: 0.15, domainColor: ink, domainOpacity: 0.6, tickColor: ink, tickOpacity: 0.6 };
  const config = { ...spec.config, background: 'transparent' };
  config.axis = { ...config.axis, ...text, ...soft };
  config.point = { ...config.point, color: ink };
  config.rule = { ...config.rule, color: ink };
  config.legend = { ...config.legend, ...text, symbolBaseFillColor: ink };
  return { ...spec, width: 'container', autosize: { type: 'fit-x', contains: 'padding' }, config };
}

async function draw() {
  let drawn = 0;
  for (const [id, spec] of Object.entries(specs)) {
    const options = { renderer: 'svg', actions: { export: true, source: false, compiled: false, editor: false }, downloadFileName: id };
    await window.rhizomeEmbed(document.getElementById(id), themed(legible(spec)), options);
    drawn += 1;
  }
  document.body.dataset.drawn = String(drawn);
}

draw();
