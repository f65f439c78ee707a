import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const DISTANCES = ['--distances', '1:16384:log140', '--random-pairs', '0'];
/** f(0), which no logarithmic axis shows: (2/d)(1 + 2 + … + d/2). */
const atZero = (dim) => (dim / 2 + 1) / 2;
const last = (data) => data.curves[0].mean_cosine.at(-1);
export default {
  id: 'free-decay',
  step: null,
  formula: String.raw`\p{own}{\frac{2}{d}\sum_i \cos\Delta\theta_i}`,
  parts: ['own', 'model', 'wrong'],
  controls: [{ name: 'base', min: 100, max: 10000000, log: true, step: 1, value: 10000 },
    { name: 'dim', choices: [32, 64, 128, 256], value: 128 },
    { name: 'model', choices: ['llama-2', 'llama-3', 'llama-3.1-8b', 'gpt-neox-20b', 'codellama', 'gpt-oss', 'kimi-k2'], value: 'llama-3' }],
  command: ({ base, dim }) => ['decay', '--base', String(base), '--dim', String(dim), ...DISTANCES],
  more: ({ model }) => ({ model: ['decay', '--model', model, ...DISTANCES] }),
  breaks: [{ command: ({ base, dim }) => ['decay', '--base', String(base), '--dim', String(dim), '--distances', '0,1', '--random-pairs', '0'], verdict: () => differs() }],

  figure: ({ main, model: other }, { w, broken, model, base, dim }, t) => curves({
    w, label: t.figure,
    x: { domain: [1, 16384], log: true, label: t.x, ticks: [1, 16, 256, 16384], names: num },
    y: { domain: [-0.4, 1], label: t.y, ticks: [-0.4, 0, 0.5, 1] },
    series: [
      { x: other.curves[0].distance, y: other.curves[0].mean_cosine, part: 'model', name: model },
      { x: main.curves[0].distance, y: main.curves[0].mean_cosine, part: 'own', name: `b = ${num(base)}` },
      ...(broken ? [{ x: main.curves[0].distance, y: main.curves[0].bound.map((v) => v / atZero(dim)), part: 'wrong' }] : []),
    ],
    marks: [{ x: 16384, y: last(main), part: 'own'}, { x: 16384, y: last(other), part: 'model'}],
  }),
  number: ({ main, model: other }, { base, model }, t) => ({ text: fill(t.number, { base: num(base), own: places(last(main)), model, other: places(last(other)) }), kind: 'rounding' }),
  sentence: ({ main }, { base, dim }, t) => fill(main.curves[0].first_negative.distance === null ? t.sentence : t.sentenceNegative,
    { base: num(base), dim: num(dim), own: places(last(main)), first: num(main.curves[0].first_negative.distance) }),
  table: ({ main, model: other }, state, t) => ({ head: t.head, rows: main.curves[0].distance.map((d, i) => [num(d), num(main.curves[0].mean_cosine[i], 5), num(other.curves[0].mean_cosine[i], 5)]) }),
};
