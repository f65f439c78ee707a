import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { exceeds } from '../verdict.js';

const precision = (last, policies = 'float32,bfloat16-positions') => ['precision', '--policy', policies, '--against', 'exact', '--max-position', String(last)];
const LASTS = [127, 255, 511, 1023, 2047, 4095];
const coarse = ['precision', '--policy', 'position=bf16', '--max-position', '4095'];

export default {
  id: 'bfloat16',
  step: 16,
  formula: String.raw`\p{wrong}{\operatorname{step}}(m) = 2^{\lfloor \log_2 m\rfloor - 7}`,
  parts: ['old', 'wrong'],
  controls: [{ name: 'last', choices: LASTS, value: 4095, show: num }],
  command: ({ last }) => precision(last),
  more: () => Object.fromEntries(LASTS.map((last) => [`to${last}`, precision(last)])),
  breaks: [{
    command: () => coarse,
    verdict: (data) => {
      const beyond = data.policies[0].first.find((f) => f.tolerance === 0.01);
      return exceeds(beyond.error, beyond.tolerance);
    },
  }],

  figure(data, { w, last }, t) {
    const counts = (i) => LASTS.map((l) => data[`to${l}`].policies[i].distinct_positions);
    const upTo = LASTS.map((l) => l + 1);
    return curves({
      w, label: t.figure,
      x: { domain: [0, 4200], label: t.x, ticks: [0, 1024, 2048, 3072, 4096] },
      y: { domain: [0, 4300], label: t.y, ticks: [0, 1024, 2048, 3072, 4096] },
      rules: [{ x: last + 1 }],
      series: [0, 1].flatMap((i) => [false, true].map((dots) => ({ x: [0, ...upTo], y: [0, ...counts(i)], part: i ? 'wrong' : 'old', dots }))),
      marks: [0, 1].map((i) => ({ x: last + 1, y: data.main.policies[i].distinct_positions, part: i ? 'wrong' : 'old', label: num(data.main.policies[i].distinct_positions) })),
    });
  },
  number: ({ main: { policies: [a, b] } }, { last }, t) => ({ text: fill(t.number, { last: num(last), f32: num(a.distinct_positions), bf16: num(b.distinct_positions) }), kind: 'exact' }),
  sentence: ({ main: { policies: [a, b] } }, { last }, t) => fill(t.sentence, { last: num(last), of: num(a.distinct_positions), bf16: num(b.distinct_positions) }),
  table: (data, state, t) => ({ head: t.head, rows: LASTS.map((l) => [`0 … ${l}`, ...data[`to${l}`].policies.map((p) => num(p.distinct_positions)), num(data[`to${l}`].policies[1].worst.at(-1), 3)]) }),
};
