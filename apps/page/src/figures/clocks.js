// A wall of dials, one for each pair.
import { at, drawing, el, group, words } from '../svg.js';

const sector = (cx, cy, r, from, to) => {
  const turn = Math.abs(to - from);
  if (turn > 0.999) return `M${at(cx - r)} ${at(cy)}a${at(r)} ${at(r)} 0 1 0 ${at(2 * r)} 0a${at(r)} ${at(r)} 0 1 0 ${at(-2 * r)} 0z`;
  const [a, b] = [from * 2 * Math.PI, (from + turn) * 2 * Math.PI];
  const p = (t) => `${at(cx + r * Math.cos(t))} ${at(cy - r * Math.sin(t))}`;
  return `M${at(cx)} ${at(cy)}L${p(a)}A${at(r)} ${at(r)} 0 ${turn > 0.5 ? 1 : 0} 0 ${p(b)}Z`;
};

/**
 * Dials in rows, the first at the top left. A hand points where (x, y) does; `seen` and `unseen` are
 * arcs [from, to] in turns. What is alike in all dials is one element, or few of them.
 * @param {{w: number, label: string, columns?: number, dials: {name?: string, x?: number, y?: number,
 *   wrong?: {x: number, y: number}, seen?: [number, number], unseen?: [number, number], part?: string}[]}} how
 */
export function clocks({ w, label, columns = 8, dials }) {
  const cell = w / columns;
  const r = Math.min(cell * 0.36, 34);
  const high = r * 2 + (cell > 52 ? 26 : 20);
  const rows = Math.ceil(dials.length / columns);
  const all = dials.map((d, i) => ({ ...d, cx: cell * (i % columns + 0.5), cy: high * Math.floor(i / columns) + r + 3 }));
  const path = (cls, of, d, more = {}) => (of.length ? el('path', { class: cls, d: of.map(d).join(''), ...more }) : '');
  const hand = (v, { cx, cy }) => `M${at(cx)} ${at(cy)}L${at(cx + v.x * r * 0.88)} ${at(cy - v.y * r * 0.88)}`;
  const rim = ({ cx, cy }) => el('circle', { cx, cy, r });
  const marked = all.filter((d) => d.part);
  const plain = all.filter((d) => !d.part);
  const named = all.filter((d) => d.name !== undefined);
  const turning = plain.filter((d) => d.x !== undefined);
  return drawing(w, rows * high + 2, label,
    path('seen', all.filter((d) => d.seen), (d) => sector(d.cx, d.cy, r, ...d.seen), { 'data-part': 'seen' }),
    path('unseen', all.filter((d) => d.unseen), (d) => sector(d.cx, d.cy, r, ...d.unseen), { 'data-part': 'unseen' }),
    group({ class: 'rim' }, ...plain.map(rim)),
    path('noon', all, ({ cx, cy }) => `M${at(cx + r - 3)} ${at(cy)}h5`),
    path('hand wrong', all.filter((d) => d.wrong), (d) => hand(d.wrong, d), { 'data-part': 'wrong' }),
    path('hand', turning, (d) => hand(d, d)),
    path('hub', turning, ({ cx, cy }) => `M${at(cx)} ${at(cy)}h0`),
    ...marked.map((d) => group({ class: 'dial', 'data-part': d.part },
      group({ class: 'rim' }, rim(d)),
      d.x !== undefined ? path('hand', [d], () => hand(d, d)) + path('hub', [d], ({ cx, cy }) => `M${at(cx)} ${at(cy)}h0`) : '')),
    named.length ? group({ class: 'tick', 'text-anchor': 'middle' }, ...named.map((d) => words(d.cx, d.cy + r + 14, d.name))) : '');
}
