// SVG as text, so that the build and the browser draw with the same code.

/** @param {unknown} text */
export const esc = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

/** A coordinate: a tenth of a pixel is enough, and keeps the file small. */
export const at = (x) => String(Math.round(x * 10) / 10);

/** @param {string} name @param {Record<string, unknown>} attributes @param {...string} children */
export function el(name, attributes = {}, ...children) {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== null && value !== false && value !== '')
      text += ` ${key}="${typeof value === 'number' ? at(value) : esc(value === true ? '' : value)}"`;
  return children.length ? `${text}>${children.join('')}</${name}>` : `${text}/>`;
}

/** A whole figure; `label` is what a screen reader says instead of it. */
export const drawing = (w, h, label, ...children) =>
  el('svg', { viewBox: `0 0 ${at(w)} ${at(h)}`, role: 'img', 'aria-label': label }, ...children);

export const group = (attributes, ...children) => el('g', attributes, ...children);

export const line = (x1, y1, x2, y2, cls, more = {}) => el('line', { x1, y1, x2, y2, class: cls, ...more });

const SHIFT = { plain: 0, sub: 3.5, sup: -5 };
/** Text with a_b and a^{b} set below and above the line. */
export function words(x, y, text, attributes = {}) {
  let out = '';
  let shift = 0;
  for (const outer of indices(text))
    for (const piece of outer.kind === 'plain' ? [outer] : indices(outer.text)) {
      const wanted = SHIFT[outer.kind] + (piece === outer ? 0 : SHIFT[piece.kind] / 2);
      const body = esc(piece.text);
      out += outer.kind === 'plain' && shift === 0
        ? body
        : el('tspan', { dy: at(wanted - shift) === '0' ? undefined : wanted - shift, class: outer.kind === 'plain' ? undefined : 'idx' }, body);
      shift = wanted;
    }
  return el('text', { x, y, ...attributes }, out);
}

/** How wide such a text is in units of its size, by the widths of common faces: Chinese 1, wide signs 0.9, others 0.58. */
export const wideOf = (text, size) => size * indices(text).reduce((sum, piece) => sum + (piece.kind === 'plain' ? 1 : 0.72)
  * [...piece.text].reduce((wide, c) => wide + (c >= '\u2e80' ? 1 : 'mwMWθ−+='.includes(c) ? 0.75 : '.,:;|()1il '.includes(c) ? 0.36 : 0.58), 0), 0);

/** Whether two boxes [left, top, right, bottom] have more than an edge in common. */
export const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** The same for HTML, with commands between `…`. @param {string} text */
export const rich = (text) => text.split('`').map((part, i) => (i % 2 ? `<code>${commandHtml(part)}</code>` : set(whole(part)))).join('');
/** A command line breaks between its words, never behind the hyphens of an option. */
export const commandHtml = (text) => text.split(' ').map((word) => (/^-|.-/.test(word) ? `<span>${esc(word)}</span>` : esc(word))).join(' ');
/** Lines break outside formulas and tuples; a chain of equations may break at its signs. */
const whole = (text) => text
  .replace(/⟨[^⟨⟩]{1,40}⟩|\((?:[−+]?[\w.{}′Δθ√−+/]+, )+[−+]?[\w.{}′Δθ√−+/]+\)/g, (formula) => formula.replace(/ /g, NO_BREAK))
  .replace(/(?<=[^\s，。；：、]) ([−+·≈×<>≤≥≠]|(?<=\d )…(?= \d)) (?=[^\s，。；：、])/g, `${NO_BREAK}$1${NO_BREAK}`)
  .replace(/(?<!= \S*) = (?!\S* =)/g, `${NO_BREAK}=${NO_BREAK}`)
  .replace(/(\bR_(?:\d+|\w|\{[^{}]*\})|\bW_[A-Z]) (?=[pqkv](?![A-Za-z]))/g, `$1${NO_BREAK}`);
const NO_BREAK = '\u00a0';
const set = (text) => indices(text).map((p) => (p.kind === 'plain' ? esc(p.text) : `<${p.kind}>${set(p.text)}</${p.kind}>`)).join('');

/**
 * Splits "R_{n−m} and 2^{k}" into plain pieces and indices, an index of an index too; names such as rotate_half stay whole.
 * A Latin base stands alone, a Greek one also behind its factors: mθ_i.
 */
export function indices(text) {
  const pieces = [];
  const plain = (t) => t && pieces.push({ kind: 'plain', text: t });
  let from = 0;
  for (const hit of text.matchAll(INDEX)) {
    const [whole, base = '', below, behind, alone] = hit;
    plain(text.slice(from, hit.index) + base);
    for (const [kind, index] of [['sub', below], ['sup', behind ?? alone]]) if (index) pieces.push({ kind, text: index.replace(/^\{|\}$/g, '') });
    from = hit.index + whole.length;
  }
  plain(text.slice(from));
  return pieces;
}
const BRACED = String.raw`\{[^{}]*\}`;
const ABOVE = String.raw`\^(${BRACED}|[A-Za-z0-9])`;
const INDEX = new RegExp(String.raw`((?<![A-Za-z_])[A-Za-z]['′]?|[θλΔΣφ]['′]?)_(${BRACED}|[A-Za-z](?![A-Za-z0-9_])|\d+)(?:${ABOVE})?|(?<=[^\s^])${ABOVE}`, 'g');
