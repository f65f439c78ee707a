// Which dimensions form a pair: numbers in a row, bridges over those that turn together.
import { el, group, words } from '../svg.js';

/**
 * A row of cells with a bridge per pair.
 * @param {{x: number, y: number, cell: number, values: (string|number)[], pairs: [number, number][], below?: boolean, wrong?: boolean}} how
 */
export function row({ x, y, cell, values, pairs, below = false, wrong = false }) {
  const middle = (i) => x + (i + 0.5) * cell;
  return group({},
    ...values.map((v, i) => group({},
      el('rect', { class: 'cell', x: x + i * cell + 2, y, width: cell - 4, height: 34 }),
      words(middle(i), y + 22, String(v), { class: 'label', 'text-anchor': 'middle' }))),
    ...pairs.map(([a, b], i) => {
      const part = wrong ? 'wrong' : `pair${i % 2}`;
      const foot = below ? y + 36 : y - 2;
      const top = foot + (below ? 1 : -1) * (16 + 10 * Math.abs(b - a));
      return group({ class: part, 'data-part': part },
        el('path', { class: 'stroke', d: `M${middle(a)} ${foot}C${middle(a)} ${top} ${middle(b)} ${top} ${middle(b)} ${foot}` }));
    }));
}

/** Threads from where each number was to where it goes; arcs are drawn over them. */
export const threads = ({ from, to, x, cell, order, faint = false }) => group({ class: faint ? 'threads faint' : 'threads', 'data-part': 'moved' }, ...order.map((target, i) => {
  const [a, b] = [x + (i + 0.5) * cell, x + (target + 0.5) * cell];
  const middle = (from + to) / 2;
  return el('path', { class: 'stroke', d: `M${a} ${from}C${a} ${middle} ${b} ${middle} ${b} ${to}` });
}));
