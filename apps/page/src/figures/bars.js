// Numbers as lengths: one row each, the value at its end.
import { drawing, el, group, line, words } from '../svg.js';
import { holding, scale } from './axes.js';

/**
 * @param {{w: number, label: string, domain: [number, number], log?: boolean, origin?: number, left?: number,
 *   rows: {name: string, value: number, text: string, part: string, limit?: number, apart?: boolean}[]}} how
 *   apart: some room above the row, which begins a group
 */
export function bars({ w, label, rows, domain, log = false, origin = log ? domain[0] : 0, left = 120, high = 46, title }) {
  const x = scale({ domain: holding(domain, rows.map((row) => row.value), log), log, range: [left, w - 92] });
  const top = title ? 30 : 8;
  const below = rows.map((row, i) => high * (i + 1) + 14 * rows.slice(1, i + 1).filter((r) => r.apart).length);
  return drawing(w, top + below.at(-1) + 6, label,
    title ? words(0, 14, title, { class: 'name' }) : '',
    line(x(origin), top, x(origin), top + below.at(-1), 'zero'),
    ...rows.map((row, i) => {
      const y = top + below[i] - high / 2;
      const end = x(row.value);
      return group({ class: `bar ${row.part}`, 'data-part': row.part },
        words(0, y + 5, row.name, { class: 'label' }),
        el('rect', { class: 'body', x: Math.min(x(origin), end), y: y - 5, width: Math.abs(end - x(origin)), height: 10 }),
        el('circle', { class: 'dot', cx: end, cy: y, r: 6 }),
        row.limit !== undefined ? line(x(row.limit), y - 13, x(row.limit), y + 13, 'limit') : '',
        words(end + (end < x(origin) ? -14 : 14), y + 5, row.text, { class: 'label value', 'text-anchor': end < x(origin) ? 'end' : 'start' }));
    }));
}
