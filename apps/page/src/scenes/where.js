import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const values = (shift) => ['attention', '--view', 'values', '--shift', String(shift)];
const of = (data, rotated) => data.curves.find((c) => c.values_rotated === rotated);

export default {
  id: 'where',
  step: 10,
  formula: String.raw`o_m = \sum_n \operatorname{softmax}_n\!\bigl(\p{scores}{\langle R_m \q_m, R_n \k_n\rangle}/\sqrt d\bigr)\,\p{wrong}{v_n}`,
  parts: ['scores', 'wrong'],
  controls: [{ name: 's', min: 1, max: 200, step: 1, value: 100 }],
  command: ({ s }) => values(s),
  more: () => ({ trace: values(200) }),
  breaks: [{ follows: true, command: ({ s }) => values(s), verdict: (data) => differs(of(data, true).change.at(-1), of(data, true).allowed.at(-1)) }],

  figure: ({ main, trace }, { w, s, broken }, t) => curves({
    w, label: t.figure,
    x: { domain: [0, 200], label: t.x },
    y: { domain: [-0.25, 6], label: t.y, ticks: [0, 2, 4, 6] },
    series: [
      ...(broken ? [{ x: trace.shift, y: of(trace, true).change, part: 'wrong' }] : []),
      { x: trace.shift, y: of(trace, false).change, part: 'scores', name: t.only },
    ],
    cursor: { name: 's', value: s },
    marks: [...(broken ? [{ x: s, y: of(main, true).change.at(-1), part: 'wrong', label: places(of(main, true).change.at(-1), 2) }] : []),
      { x: s, y: of(main, false).change.at(-1), part: 'scores', label: num(of(main, false).change.at(-1), 2) }],
  }),
  number: ({ main }, { s }, t) => ({
    text: fill(t.number, { s: num(s), kept: num(of(main, false).change.at(-1), 2), allowed: num(of(main, false).allowed.at(-1), 3), turned: places(of(main, true).change.at(-1), 2) }), kind: 'seeded' }),
  sentence: ({ main }, { s }, t) => fill(t.sentence, { s: num(s), kept: num(of(main, false).change.at(-1), 2), turned: places(of(main, true).change.at(-1), 2) }),
  table: ({ trace }, state, t) => ({ head: t.head, rows: trace.shift.map((s, i) => [num(s), num(of(trace, false).change[i], 2), places(of(trace, true).change[i], 4)]) }),
};
