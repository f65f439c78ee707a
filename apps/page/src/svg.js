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

/** Text with a_b and a^{b} set below and above the line. */
export function words(x, y, text, attributes = {}) {
  let out = '';
  let shift = 0;
  for (const piece of indices(text)) {
    const wanted = piece.kind === 'sub' ? 3.5 : piece.kind === 'sup' ? -5 : 0;
    const body = esc(piece.text);
    out += piece.kind === 'plain' && shift === 0
      ? body
      : el('tspan', { dy: at(wanted - shift) === '0' ? undefined : wanted - shift, class: piece.kind === 'plain' ? undefined : 'idx' }, body);
    shift = wanted;
  }
  return el('text', { x, y, ...attributes }, out);
}

/** How wide such a text is in units of its size, by the widths of common faces: Chinese 1, wide signs 0.9, others 0.58. */
export const wideOf = (text, size) => size * indices(text).reduce((sum, piece) => sum + (piece.kind === 'plain' ? 1 : 0.72)
  * [...piece.text].reduce((wide, c) => wide + (c >= '\u2e80' ? 1 : 'mwMWθ−+='.includes(c) ? 0.75 : '.,:;|()1il '.includes(c) ? 0.36 : 0.58), 0), 0);

/** Whether two boxes [left, top, right, bottom] have more than an edge in common. */
export const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** The same for HTML. @param {string} text */
export const rich = (text) =>
  text.split('`').map((part, i) => i % 2
    ? `<code>${esc(part)}</code>`
    : indices(part).map((p) => p.kind === 'plain' ? esc(p.text) : `<${p.kind}>${esc(p.text)}</${p.kind}>`).join('')).join('');

/** Splits "R_{n−m} and 2^{k}" into plain pieces and indices; names such as rotate_half stay whole. */
export function indices(text) {
  const pieces = [];
  const pattern = /(?<![A-Za-z_])([A-Za-zθλΔΣφ]['′]?)_(\{[^{}]*\}|[A-Za-z](?![A-Za-z0-9_])|\d+)|([^\s^])\^(\{[^{}]*\}|[A-Za-z0-9])/g;
  let from = 0;
  const plain = (t) => t && pieces.push({ kind: 'plain', text: t });
  for (const hit of text.matchAll(pattern)) {
    plain(text.slice(from, hit.index) + (hit[1] ?? hit[3]));
    pieces.push({ kind: hit[2] ? 'sub' : 'sup', text: (hit[2] ?? hit[4]).replace(/^\{|\}$/g, '') });
    from = hit.index + hit[0].length;
  }
  // An index that follows an index at once: R_m^{half}.
  const rest = text.slice(from).match(/^\^(\{[^{}]*\}|[A-Za-z0-9])/);
  if (rest && from) {
    pieces.push({ kind: 'sup', text: rest[1].replace(/^\{|\}$/g, '') });
    from += rest[0].length;
  }
  plain(text.slice(from));
  return pieces;
}
