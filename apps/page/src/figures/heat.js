// A map of numbers over rows and columns. Colours are classes, so that light and dark need one map.
import { el, group, words } from '../svg.js';

const STEPS = 20;
const round = (v) => Math.round(v * 10) / 10;

/** Cells of one colour are one path. */
export function heat({ x0, y0, size, values, extent, kind = 'div', rowNames, columnNames, pick, grip, title, rowTitle, columnTitle }) {
  const rows = values.length;
  const columns = values[0].length;
  const cell = size / Math.max(rows, columns);
  const [low, high] = extent;
  const paths = new Map();
  values.forEach((row, i) => row.forEach((v, j) => {
    if (v === null) return;
    const step = Math.min(STEPS, Math.max(0, Math.round(STEPS * (v - low) / (high - low || 1))));
    paths.set(step, (paths.get(step) ?? '') + `M${round(x0 + j * cell)} ${round(y0 + i * cell)}h${round(cell + 0.15)}v${round(cell + 0.15)}h${-round(cell + 0.15)}z`);
  }));
  const every = Math.max(1, Math.ceil((columnNames?.length ?? 1) * 26 / size));
  return group({ class: 'heat' },
    title ? words(x0, y0 - (columnTitle ? 26 : 10), title, { class: 'label' }) : '',
    ...[...paths].map(([step, d]) => el('path', { class: `${kind}${step}`, d })),
    ...(rowNames ?? []).map((n, i) => (i % every ? '' : words(x0 - 6, y0 + (i + 0.5) * cell + 4, n, { class: 'tick', 'text-anchor': 'end' }))),
    ...(columnNames ?? []).map((n, j) => (j % every ? '' : words(x0 + (j + 0.5) * cell, y0 + rows * cell + 15, n, { class: 'tick', 'text-anchor': 'middle' }))),
    rowTitle ? words(x0, y0 - 8, rowTitle, { class: 'name' }) : '',
    columnTitle ? words(x0 + columns * cell, y0 + rows * cell + 31, columnTitle, { class: 'name', 'text-anchor': 'end' }) : '',
    ...(pick ? [pick].flat() : []).map((p) => el('rect', { class: `picked ${p.part ?? ''}`, x: x0 + p.column * cell, y: y0 + p.row * cell, width: cell, height: cell })),
    grip ? el('rect', { class: 'catch', x: x0, y: y0, width: columns * cell, height: rows * cell, 'data-grip': grip.row, 'data-grip2': grip.column,
      'data-kind': 'cell', 'data-p0': x0, 'data-q0': y0, 'data-cell': String(cell), 'data-v0': String(grip.rowFrom ?? 0), 'data-v1': String(grip.columnFrom ?? 0) }) : '');
}
