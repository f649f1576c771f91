// Draws Vega-Lite specifications as SVG: `node render_svg.mjs SPECS.json DRAWN.json` reads an array
// of specifications and writes an array of SVG texts in the same order.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'vega-lite';
import { parse, View, Warn } from 'vega';

// Of a pixel's digits three are enough; the rest would be half of the file.
function trimmed(svg) {
  return svg.replace(/ (?:d|transform)="[^"]*"/g, (part) => part.replace(/(\.\d{3})\d+/g, '$1'));
}

// Vega tells a description to pages only.
function described(svg, text) {
  if (!text) return svg;
  const safe = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return svg.replace(/^<svg[^>]*>/, (head) => `${head}<desc>${safe}</desc>`);
}

async function draw(spec) {
  const view = new View(parse(compile(spec).spec), { renderer: 'none', logLevel: Warn });
  const svg = await view.toSVG();
  view.finalize();
  return described(trimmed(svg), spec.description);
}

const [specs, drawn] = process.argv.slice(2);
const svgs = [];
for (const spec of JSON.parse(readFileSync(specs, 'utf8'))) svgs.push(await draw(spec));
writeFileSync(drawn, JSON.stringify(svgs));
