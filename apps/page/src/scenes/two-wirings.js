import { drawing, words } from '../svg.js';
import { row, threads } from '../figures/wiring.js';
import { fill, num, places } from '../numbers.js';
import { verified } from '../verdict.js';

const score = (layout, vector, n) => ['score', '--query', vector, '--key', vector === '1,2,3,4' ? 'same' : vector, '--positions', `0,${n}`, '--layout', layout];
const NEIGHBOURS = [[0, 1], [2, 3]];
const HALVES = [[0, 2], [1, 3]];

export default {
  id: 'two-wirings',
  step: 9,
  formula: String.raw`R_m^{\mathrm{half}} = \p{moved}{P}\, R_m\, \p{moved}{P^{\mathsf T}}`,
  parts: ['pair0', 'pair1', 'moved', 'wrong'],
  controls: [{ name: 'n', min: 0, max: 24, step: 1, value: 3 }],
  command: ({ n }) => score('half', '1,2,3,4', n),
  more: ({ n }) => ({ neighbours: score('interleaved', '1,2,3,4', n), moved: score('half', '1,3,2,4', n) }),
  breaks: [{ follows: true, command: ({ n }) => ['verify', '--control', 'mixed-layouts', '--query', '1,2,3,4', '--key', 'same', '--positions', `5,${5 + n}`], verdict: verified }],

  figure({ main, neighbours, moved }, { w, broken }, t) {
    const cell = Math.min(92, (w - 150) / 4);
    const x = Math.max(0, (w - 4 * cell - 150) / 2);
    const right = x + 4 * cell + 18;
    const tops = [58, 176, 328];
    const reads = (y, name, value, part) => words(right, y + 12, name, { class: 'name' }) + words(right, y + 33, places(value, 4), { class: `label value ${part}` });
    return drawing(w, 384, t.figure,
      threads({ x, cell, from: tops[1] + 36, to: tops[2] - 2, order: [0, 2, 1, 3], faint: broken }),
      row({ x, y: tops[0], cell, values: [1, 2, 3, 4], pairs: NEIGHBOURS }),
      reads(tops[0], t.neighbours, neighbours.left, 'sum'),
      row({ x, y: tops[1], cell, values: [1, 2, 3, 4], pairs: HALVES }),
      broken ? row({ x, y: tops[1], cell, values: ['', '', '', ''], pairs: NEIGHBOURS, below: true, wrong: true }) : '',
      reads(tops[1], t.half, main.left, 'sum'),
      row({ x, y: tops[2], cell, values: [1, 3, 2, 4], pairs: HALVES }),
      reads(tops[2], t.moved, moved.left, 'sum'));
  },
  number: ({ main, neighbours, moved }, state, t) => ({
    text: fill(t.number, { neighbours: places(neighbours.left, 4), half: places(main.left, 4), moved: places(moved.left, 4) }), kind: 'rounding' }),
  sentence: ({ main, neighbours, moved }, { n }, t) => fill(t.sentence, { n: num(n), neighbours: places(neighbours.left, 2), half: places(main.left, 2), moved: places(moved.left, 2) }),
  table: ({ main, neighbours, moved }, state, t) => ({
    head: t.head,
    rows: [[t.neighbours, neighbours], [t.half, main], [t.moved, moved]].map(([name, d]) => [name, num(d.pairs[0].term, 8), num(d.pairs[1].term, 8), num(d.left, 10)]),
  }),
};
