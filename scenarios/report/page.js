// Draws every chart of the page in the colours of its reader, and says on the body how many it drew.
const specs = JSON.parse(document.getElementById('charts').textContent);
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function themed(spec) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const text = { labelColor: colour('--ink'), titleColor: colour('--ink') };
  const config = { ...spec.config, background: 'transparent' };
  config.axis = { ...config.axis, ...text, gridColor: colour('--soft'), domainColor: colour('--soft'), tickColor: colour('--soft') };
  config.point = { ...config.point, color: colour('--ink') };
  config.legend = { ...config.legend, ...text };
  return { ...spec, width: 'container', autosize: { type: 'fit-x', contains: 'padding' }, config };
}

async function draw() {
  let drawn = 0;
  for (const [id, spec] of Object.entries(specs)) {
    const options = { renderer: 'svg', actions: { export: true, source: false, compiled: false, editor: false }, downloadFileName: id };
    await window.rhizomeEmbed(document.getElementById(id), themed(spec), options);
    drawn += 1;
  }
  document.body.dataset.drawn = String(drawn);
}

dark.addEventListener('change', draw);
draw();
