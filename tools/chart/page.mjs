// What a page needs to draw its charts: one function, on the window.
import embed from 'vega-embed';

window.rhizomeEmbed = embed;
