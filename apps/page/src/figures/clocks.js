// A wall of dials, one for each pair.
import { drawing, el, group, line, words } from '../svg.js';

const sector = (cx, cy, r, from, to) => {
  const turn = Math.abs(to - from);
  if (turn > 0.999) return `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  const [a, b] = [from * 2 * Math.PI, (from + turn) * 2 * Math.PI];
  const p = (t) => `${Math.round((cx + r * Math.cos(t)) * 10) / 10} ${Math.round((cy - r * Math.sin(t)) * 10) / 10}`;
  return `M${Math.round(cx * 10) / 10} ${Math.round(cy * 10) / 10}L${p(a)}A${r} ${r} 0 ${turn > 0.5 ? 1 : 0} 0 ${p(b)}Z`;
};

/**
 * Dials in rows, the first at the top left. A hand points where (x, y) does; `seen` and `unseen` are
 * arcs [from, to] in turns.
 * @param {{w: number, label: string, columns?: number, dials: {name?: string, x?: number, y?: number,
 *   wrong?: {x: number, y: number}, seen?: [number, number], unseen?: [number, number], part?: string,
 *   pick?: boolean}[]}} how
 */
export function clocks({ w, label, columns = 8, dials, choose }) {
  const cell = w / columns;
  const r = Math.min(cell * 0.36, 34);
  const high = r * 2 + (cell > 52 ? 26 : 20);
  const rows = Math.ceil(dials.length / columns);
  return drawing(w, rows * high + 2, label, ...dials.map((d, i) => {
    const cx = cell * (i % columns + 0.5);
    const cy = high * Math.floor(i / columns) + r + 3;
    const tip = (v, k = 0.88) => [cx + v.x * r * k, cy - v.y * r * k];
    return group({ class: `dial${d.pick ? ' picked' : ''}`, 'data-part': d.part, 'data-pick': choose ? `${choose}:${i}` : undefined },
      d.seen ? el('path', { class: 'seen', 'data-part': 'seen', d: sector(cx, cy, r, ...d.seen) }) : '',
      d.unseen ? el('path', { class: 'unseen', 'data-part': 'unseen', d: sector(cx, cy, r, ...d.unseen) }) : '',
      el('circle', { cx, cy, r, class: 'rim' }),
      line(cx + r - 3, cy, cx + r + 2, cy, 'noon'),
      d.wrong ? line(cx, cy, ...tip(d.wrong), 'hand wrong', { 'data-part': 'wrong' }) : '',
      d.x !== undefined ? line(cx, cy, ...tip(d), 'hand') : '',
      d.x !== undefined ? el('circle', { cx, cy, r: 1.8, class: 'hub' }) : '',
      d.name !== undefined ? words(cx, cy + r + 14, d.name, { class: 'tick', 'text-anchor': 'middle' }) : '');
  }));
}
