import { powers } from '../figures/axes.js';
import { curves } from '../figures/curves.js';
import { fill, num } from '../numbers.js';
import { verified } from '../verdict.js';

const POLICIES = ['bfloat16-positions', 'bfloat16-table', 'float16-table', 'float16-positions', 'tf32', 'ggml', 'bfloat16-frequencies', 'float64'];
/** Where a policy is first off by more than a hundredth. */
const beyond = (policy) => policy.first.find((f) => f.tolerance === 0.01);
/** Whole powers of ten that hold the numbers and a hundredth, and a tick at every other. */
const decades = (values) => {
  const [from, to] = [Math.floor(Math.log10(Math.min(...values.filter((v) => v > 0)))), 1];
  return { domain: [10 ** from, 10 ** to], ticks: Array.from({ length: to - from + 1 }, (_, i) => to - i).filter((e) => e % 2 === 0).map((e) => 10 ** e) };
};

export default {
  id: 'free-precision',
  step: null,
  formula: String.raw`\bigl|\p{own}{\langle \hat R_m \q, \hat R_n \k\rangle} - \langle R_m \q, R_n \k\rangle\bigr|`,
  parts: ['old', 'own', 'bound'],
  controls: [{ name: 'last', choices: [1023, 4095, 16383, 65535], value: 16383, show: num }, { name: 'policy', choices: POLICIES, value: 'bfloat16-positions' }],
  command: ({ last, policy }) => ['precision', '--policy', `float32,${policy}`, '--against', 'exact', '--max-position', String(last)],
  breaks: [{ follows: true, command: ({ policy }) => ['verify', '--control', 'off-by-one', '--policy', policy, '--trials', '50'], verdict: verified }],

  figure: ({ main: { policies: [a, b] } }, { w, last, policy }, t) => curves({
    w, label: t.figure,
    x: { domain: [1, last + 1], log: true, label: t.x, ticks: [1, 16, 256, 4096, 65536].filter((v) => v <= last + 1), names: num },
    y: { ...decades([...a.worst, ...b.worst]), log: true, label: t.y, names: powers },
    rules: [{ y: 0.01, label: t.hundredth }],
    bands: [{ x: b.position, low: b.worst, high: b.bound, part: 'bound' }],
    series: [{ x: a.position, y: a.worst, part: 'old', name: 'float32' }, { x: b.position, y: b.worst, part: 'own', name: policy }],
    marks: [[a, 'old'], [b, 'own']].map(([p, part]) => ({ ...beyond(p), part })).filter((p) => p.position !== null)
      .map(({ position, error, part }) => ({ x: position, y: error, part, label: num(position) })),
  }),
  number: ({ main: { policies: [a, b] } }, { policy, last }, t) => ({ text: fill(t.number, { policy, last: num(last), own: num(b.worst.at(-1), 2), f32: num(a.worst.at(-1), 2) }), kind: 'rounding' }),
  sentence({ main: { policies: [, b] } }, { policy, last }, t) {
    const first = beyond(b);
    return fill(first.position === null ? t.sentence : t.sentenceFails, { policy, last: num(last), first: num(first.position) });
  },
  table: ({ main: { policies: [a, b] } }, state, t) => ({ head: t.head, rows: b.position.map((p, i) => [num(p), num(a.worst[i], 3), num(b.worst[i], 3), num(b.bound[i], 3)]) }),
};
