import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const near = (d) => ['score', '--view', 'curve', '--query', 'ones', '--key', 'same', '--distances', d];
const at = (data, distance, what) => data.curves[0][what][data.curves[0].distance.indexOf(distance)];

export default {
  id: 'decay',
  step: 6,
  formula: String.raw`\q = \k\!: \quad \p{same}{\frac{2}{d}\sum_i \cos\Delta\theta_i} \approx \p{law}{1 - \frac{\ln\Delta + \gamma}{\ln b}}`,
  parts: ['random', 'same', 'law', 'wrong'],
  controls: [{ name: 'delta', min: 1, max: 4096, log: true, step: 1, value: 256 }],
  command: ({ delta }) => ['decay', '--distances', [...new Set([0, 1, 64, delta])].sort((a, b) => a - b).join(',')],
  more: ({ broken }) => ({ trace: ['decay', '--distances', '1:4096:log120'], ...(broken && { mistaken: near('1:4096:log120') }) }),
  breaks: [{ command: () => near('1,256'), verdict: ({ curves: [c] }) => differs(c.cosine[0] - c.cosine[1]) }],

  figure({ main, trace, mistaken }, { w, delta }, t) {
    const [c] = trace.curves;
    const plus = c.random_mean.map((v, i) => v + c.random_deviation[i]);
    const minus = c.random_mean.map((v, i) => v - c.random_deviation[i]);
    return curves({
      w, label: t.figure,
      x: { domain: [1, 4096], log: true, label: t.x, ticks: [1, 4, 16, 64, 256, 1024, 4096], names: (v) => num(v) },
      y: { domain: [-1.4, 1.4], label: t.y, ticks: [-1, 0, 1] },
      bands: [{ x: c.distance, low: minus, high: plus, part: 'random' }],
      series: [
        { x: c.distance, y: plus, part: 'random' }, { x: c.distance, y: minus, part: 'random' },
        { x: c.distance, y: c.log_law, part: 'law' },
        { x: c.distance, y: c.mean_cosine, part: 'same' },
        ...(mistaken ? [{ x: mistaken.distance, y: mistaken.curves[0].cosine, part: 'wrong' }] : []),
      ],
      cursor: { name: 'delta', value: delta },
      marks: [...[1, -1].map((side) => ({ x: delta, y: at(main, delta, 'random_mean') + side * at(main, delta, 'random_deviation'), part: 'random',
        label: side > 0 ? `± ${places(at(main, delta, 'random_deviation'))}` : undefined })),
        { x: delta, y: at(main, delta, 'mean_cosine'), part: 'same', label: places(at(main, delta, 'mean_cosine')) }],
    });
  },
  number: ({ main }, { delta }, t) => ({
    text: fill(t.number, { one: places(at(main, 1, 'random_deviation')), some: places(at(main, 64, 'random_deviation')), here: places(at(main, delta, 'random_deviation')), delta: num(delta) }),
    kind: 'seeded',
  }),
  sentence: ({ main }, { delta }, t) => fill(t.sentence, { delta: num(delta), deviation: places(at(main, delta, 'random_deviation'), 2), cosine: places(at(main, delta, 'mean_cosine')), law: num(at(main, delta, 'log_law'), 3) }),
  table: ({ trace: { curves: [c] } }, state, t) => ({
    head: t.head,
    rows: c.distance.map((d, i) => [num(d), places(c.random_mean[i]), places(c.random_deviation[i]), places(c.mean_cosine[i], 4), num(c.log_law[i], 4)]),
  }),
};
