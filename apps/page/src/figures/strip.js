// Positions in a row, and two tokens on them.
import { el, group, line, words } from '../svg.js';

/**
 * @param {{x: (position: number) => number, y: number, q: number, k: number, last: number, gone?: number,
 *   name: string, score: string, right: number, wrong?: boolean, grip?: string}} how
 *   gone: positions before it were evicted
 */
export function strip({ x, y, q, k, last, gone = 0, name, score, right, wrong, grip }) {
  const ends = [Math.min(q, k), Math.max(q, k)];
  const part = wrong ? 'wrong' : 'sum';
  return group({ class: `strip ${part}`, 'data-part': part },
    words(0, y - 26, name, { class: 'name' }),
    words(right, y - 26, score, { class: 'label value', 'text-anchor': 'end' }),
    line(x(0), y, x(last), y, 'base'),
    gone > 0 ? line(x(0), y, x(gone), y, 'gone') : '',
    el('path', { class: 'stroke', d: `M${x(ends[0]).toFixed(1)} ${y - 9}V${y - 15}H${x(ends[1]).toFixed(1)}V${y - 9}` }),
    ...[['k', k], ['q', q]].map(([who, at]) => group({ class: who, 'data-part': who },
      el('circle', { class: 'dot', cx: x(at), cy: y, r: 6 }),
      words(x(at) + ((who === 'k') === (k < q) ? -2 : 2), y + 22, `${who} ${at}`, { class: 'label small', 'text-anchor': Math.abs(x(q) - x(k)) > 40 ? 'middle' : (who === 'k') === (k < q) ? 'end' : 'start' }))),
    grip ? el('rect', { class: 'catch', x: x(0), y: y - 20, width: x(last) - x(0), height: 40, 'data-grip': grip, 'data-kind': 'x',
      'data-p0': x(0), 'data-p1': x(last), 'data-v0': String(last), 'data-v1': '0' }) : '');
}
