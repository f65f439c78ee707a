// A map of numbers over rows and columns. Colours are classes, so that light and dark need one map.
import { num } from '../numbers.js';
import { at, el, group, words } from '../svg.js';

const STEPS = 20;
const round = (v) => Math.round(v * 10) / 10;

/** From an axis to the picked cell, legible on every colour. */
const guide = (part, d) => group({ class: part, 'data-part': part }, ...['casing', 'stroke'].map((kind) => el('path', { class: kind, d })));

/** Cells of one colour are one path, those beside each other one rectangle. */
export function heat({ x0, y0, size, values, extent, kind = 'div', rowNames, columnNames, pick, grip, title, rowTitle, columnTitle,
  every = Math.max(1, Math.ceil((columnNames?.length ?? 1) * 26 / size)) }) {
  const rows = values.length;
  const columns = values[0].length;
  const cell = size / Math.max(rows, columns);
  const [low, high] = extent;
  const paths = new Map();
  const shade = (v) => (v === null || v === undefined ? null : Math.min(STEPS, Math.max(0, Math.round(STEPS * (v - low) / (high - low || 1)))));
  values.forEach((row, i) => {
    for (let j = 0, end; j < columns; j = end) {
      const step = shade(row[j]);
      for (end = j + 1; end < columns && shade(row[end]) === step;) ++end;
      if (step === null) continue;
      const wide = round((end - j) * cell + 0.15);
      paths.set(step, (paths.get(step) ?? '') + `M${round(x0 + j * cell)} ${round(y0 + i * cell)}h${wide}v${round(cell + 0.15)}h${-wide}z`);
    }
  });
  return group({ class: 'heat' },
    title ? words(x0, y0 - (columnTitle ? 26 : 10), title, { class: 'label' }) : '',
    ...[...paths].map(([step, d]) => el('path', { class: `${kind}${step}`, d })),
    ...(rowNames ?? []).map((n, i) => (i % every || n === '' ? '' : words(x0 - 6, y0 + (i + 0.5) * cell + 4, n, { class: 'tick', 'text-anchor': 'end' }))),
    ...(columnNames ?? []).map((n, j) => (j % every || n === '' ? '' : words(x0 + (j + 0.5) * cell, y0 + rows * cell + 15, n, { class: 'tick', 'text-anchor': 'middle' }))),
    rowTitle ? words(x0, y0 - 8, rowTitle, { class: 'name' }) : '',
    columnTitle ? words(x0 + columns * cell, y0 + rows * cell + 31, columnTitle, { class: 'name', 'text-anchor': 'end' }) : '',
    pick ? guide(pick.parts[0], `M${at(x0)} ${at(y0 + (pick.row + 0.5) * cell)}H${at(x0 + pick.column * cell)}`)
      + guide(pick.parts[1], `M${at(x0 + (pick.column + 0.5) * cell)} ${at(y0 + rows * cell)}V${at(y0 + (pick.row + 1) * cell)}`)
      + el('rect', { class: 'picked', x: x0 + pick.column * cell, y: y0 + pick.row * cell, width: cell, height: cell }) : '',
    grip ? handle({ x0, y0, cell, rows, columns, grip }) : '');
}

/** The colours of a map, from its least number to its largest. */
export const scaleBar = ({ x, y, wide, extent: [low, high], kind = 'div' }) => group({ class: 'key' },
  ...Array.from({ length: STEPS + 1 }, (_, i) => el('rect', { class: `${kind}${i}`, x: x + i * wide / (STEPS + 1), y, width: wide / (STEPS + 1) + 0.3, height: 10 })),
  ...[low, (low + high) / 2, high].map((v, i) => words(x + i * wide / 2, y + 25, num(v, 3), { class: 'tick', 'text-anchor': 'middle' })));

/** What catches the hand; it lies over whatever is drawn on the cells. */
export const handle = ({ x0, y0, cell, rows, columns, grip }) => el('rect', { class: 'catch', x: x0, y: y0, width: columns * cell, height: rows * cell,
  'data-grip': grip.row, 'data-grip2': grip.column, 'data-kind': 'cell', 'data-p0': x0, 'data-q0': y0, 'data-cell': String(cell),
  'data-v0': String(grip.rowFrom ?? 0), 'data-v1': String(grip.columnFrom ?? 0) });
