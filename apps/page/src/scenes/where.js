import { powers } from '../figures/axes.js';
import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const values = (shift) => ['attention', '--view', 'values', '--shift', String(shift)];
const of = (data, rotated) => data.curves.find((c) => c.values_rotated === rotated);
const FLOOR = 1e-17;  // of the axis: what is 0 stands there, hollow

export default {
  id: 'where',
  step: 10,
  formula: String.raw`o_m = \sum_n \operatorname{softmax}_n\!\bigl(\p{scores}{\langle R_m \q_m, R_n \k_n\rangle}/\sqrt d\bigr)\,\p{wrong}{v_n}`,
  parts: ['scores', 'bound', 'wrong'],
  controls: [{ name: 's', min: 1, max: 200, step: 1, value: 100 }],
  command: ({ s }) => values(s),
  more: () => ({ trace: values(200) }),
  breaks: [{ follows: true, command: ({ s }) => values(s), verdict: (data) => differs(of(data, true).change.at(-1), of(data, true).allowed.at(-1)) }],

  figure: ({ main, trace }, { w, s, broken }, t) => curves({
    w, label: t.figure,
    x: { domain: [0, 200], label: t.x },
    y: { domain: [FLOOR, 10], log: true, label: t.y, ticks: [1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1], names: powers },
    bands: [{ x: trace.shift, low: trace.shift.map(() => FLOOR), high: of(trace, false).allowed.map((v) => Math.max(v, FLOOR)), part: 'bound' }],
    series: [
      { x: trace.shift, y: of(trace, true).change, part: 'wrong', thin: !broken },
      { x: trace.shift, y: of(trace, false).change, part: 'scores' },
    ],
    cursor: { name: 's', value: s },
    marks: [[true, 'wrong', (v) => places(v, 2)], [false, 'scores', (v) => num(v, 2)]]
      .map(([rotated, part, written]) => ({ value: of(main, rotated).change.at(-1), part, written }))
      .map(({ value, part, written }) => ({ x: s, y: value || FLOOR, part, hollow: value === 0, label: written(value) })),
  }),
  number: ({ main }, { s }, t) => ({
    text: fill(t.number, { s: num(s), kept: num(of(main, false).change.at(-1), 2), allowed: num(of(main, false).allowed.at(-1), 3), turned: places(of(main, true).change.at(-1), 2) }), kind: 'seeded' }),
  sentence: ({ main }, { s }, t) => fill(t.sentence, { s: num(s), kept: num(of(main, false).change.at(-1), 2), turned: places(of(main, true).change.at(-1), 2) }),
  table: ({ trace }, state, t) => ({ head: t.head, rows: trace.shift.map((s, i) => [num(s), num(of(trace, false).change[i], 2), places(of(trace, true).change[i], 4)]) }),
};
