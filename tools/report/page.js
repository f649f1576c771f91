// Draws every chart of the page, and says on the body how many it drew. Charts take the colour of the
// text around them, so that they follow it from light to dark, and to paper.
const specs = JSON.parse(document.getElementById('charts').textContent);

// On a telephone a legend has fewer columns, or its last names would be cut off.
function legible(spec) {
  const columns = Math.max(1, Math.floor(document.body.clientWidth / 180));
  const fitted = (key, value) => key === 'legend' && value?.columns > columns ? { ...value, columns } : value;
  return JSON.parse(JSON.stringify(spec), fitted);
}

function themed(spec) {
  const ink = 'currentColor';
  const text = { labelColor: ink, titleColor: ink };
  const soft = { gridColor: ink, gridOpacity: 0.15, domainColor: ink, domainOpacity: 0.6, tickColor: ink, tickOpacity: 0.6 };
  const config = { ...spec.config, background: 'transparent' };
  config.axis = { ...config.axis, ...text, ...soft };
  config.point = { ...config.point, color: ink };
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
