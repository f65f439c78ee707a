import { at, drawing, el, group, line, words } from '../svg.js';
import { handle, heat } from '../figures/heat.js';
import { fill, num } from '../numbers.js';
import { differs } from '../verdict.js';

const REACH = 24;  // rows and columns to each side
const PER_ROW = 2 * REACH;  // patches in a row of the picture, where they are counted in one sequence
const DISTANCES = Array.from({ length: 2 * REACH + 1 }, (_, i) => i - REACH);
// Head size and base stay where the axes are forgotten.
const LAYOUTS = {
  'Qwen2-VL': { axes: ['--sections', '16,24,24'], rest: ['--base', '1000000'] },
  'Qwen3-VL': { axes: ['--sections', '24,20,20:interleaved'], rest: ['--base', '5000000'] },
  'FLUX': { axes: ['--axes', '16,56,56'], rest: ['--dim', '128'] },
  'Pixtral': { axes: ['--axes', '32,32:dealt'], rest: ['--dim', '64'] },
};
const flat = ({ layout }) => ['decay', ...LAYOUTS[layout].rest, '--distances', `0:${PER_ROW * REACH + REACH}`, '--random-pairs', '0'];

const loss = (data, down, across) => 1 - data.mean_cosine[down + REACH][across + REACH];
const shareOf = (v) => num(v, 3);

export default {
  id: 'axes',
  step: null,
  formula: String.raw`\begin{aligned}1 - \p{sum}{\bar c} = {}&\p{rows}{\frac2d\sum_{i\in y}(1 - \cos\Delta_y\theta_i)}\\ {}+{}&\p{columns}{\frac2d\sum_{i\in x}(1 - \cos\Delta_x\theta_i)}\end{aligned}`,
  parts: ['rows', 'columns', 'sum'],
  dots: ['sum'],
  controls: [{ name: 'down', min: -REACH, max: REACH, step: 1, value: 16 }, { name: 'across', min: -REACH, max: REACH, step: 1, value: 16 },
    { name: 'layout', choices: Object.keys(LAYOUTS), value: 'Qwen2-VL' }],
  command: ({ layout }) => ['decay', ...LAYOUTS[layout].axes, ...LAYOUTS[layout].rest, '--map', '--distances', `${-REACH}:${REACH}`],
  more: (state) => (state.broken ? { flat: flat(state) } : {}),
  breaks: [{ follows: true, command: flat, verdict: ({ curves: [{ mean_cosine: c }] }) => differs(c[1] - c[PER_ROW]) }],

  figure({ main, flat: sequence }, { w, down, across }, t) {
    const size = Math.min(w - 120, 470);
    const [x0, y0] = [40, 34];
    const cell = size / DISTANCES.length;
    const values = sequence ? DISTANCES.map((i) => DISTANCES.map((j) => sequence.curves[0].mean_cosine[Math.abs(PER_ROW * i + j)])) : main.mean_cosine;
    const least = Math.min(...values.flat());
    const place = (rows, columns) => [x0 + (columns + REACH + 0.5) * cell, y0 + (rows + REACH + 0.5) * cell];
    const [middle, below, beside, both] = [place(0, 0), place(down, 0), place(0, across), place(down, across)];
    const names = DISTANCES.map((v) => (v % 8 ? '' : num(v)));
    const mark = ([x, y], part, other) => group({ class: `mark ${part}`, 'data-part': part },
      ...['casing', 'stroke'].map((kind) => el('path', { class: kind, d: `M${at(other[0])} ${at(other[1])}L${at(x)} ${at(y)}` })),
      el('circle', { class: 'dot', cx: x, cy: y, r: 5 }));
    return drawing(w, size + y0 + 44, t.figure,
      // The shade of 1 is the strongest, that of the least value the weakest.
      heat({ x0, y0, size, values, extent: [1, 2 * least - 1], every: 1, rowNames: names, columnNames: names, rowTitle: t.rowsBelow, columnTitle: t.columnsBeside }),
      key({ x: x0 + size + 18, y: y0 + 8, high: Math.min(size - 16, 160), least }),
      mark(below, 'rows', middle), mark(beside, 'columns', middle),
      group({ class: 'mark sum', 'data-part': 'sum' }, el('circle', { class: 'dot hollow', cx: both[0], cy: both[1], r: 6.5 })),
      handle({ x0, y0, cell, rows: DISTANCES.length, columns: DISTANCES.length, grip: { row: 'down', column: 'across', rowFrom: -REACH, columnFrom: -REACH } }));
  },
  number: ({ main }, { down, across }, t) => ({
    text: fill(t.number, { down: num(down), across: num(across), rows: shareOf(loss(main, down, 0)), columns: shareOf(loss(main, 0, across)), both: shareOf(loss(main, down, across)) }), kind: 'rounding' }),
  sentence: ({ main }, { down, across, layout }, t) => fill(t.sentence, {
    layout, pairs: main.rotary.axes.pairs.map((n, i) => `${num(n)} ${t.axisNames[layout === 'FLUX' && i === 0 ? 'index' : main.rotary.axes.names[i]]}`).join(t.between),
    down: num(down), across: num(across), rows: shareOf(loss(main, down, 0)), columns: shareOf(loss(main, 0, across)) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: DISTANCES.filter((v) => v >= 0).map((v) => [num(v), shareOf(loss(main, v, 0)), shareOf(loss(main, 0, v)), shareOf(loss(main, v, v))]) }),
};

/** The shades from 1 down to the least value of the map. */
const key = ({ x, y, high, least }) => group({ class: 'key' },
  ...Array.from({ length: 11 }, (_, i) => el('rect', { class: `div${i}`, x, y: y + i * high / 11, width: 12, height: high / 11 + 0.3 })),
  words(x + 18, y + 10, '1', { class: 'tick' }), words(x + 18, y + high, num(least, 3), { class: 'tick' }));
