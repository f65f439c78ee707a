import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const curve = (key, distances) => ['score', '--view', 'curve', '--query', 'ones', '--key', key, '--distances', distances];
const at = (data, distance) => data.curves[0].cosine[data.distance.indexOf(distance)];

export default {
  id: 'far-tokens',
  step: 7,
  formula: String.raw`\begin{aligned}\q^{\mathsf T} R_{n-m}(\p{turn}{R_s} \q) = {}&\q^{\mathsf T} R_{n-m+s}\,\q\\ = {}&|\q|^2 \quad (n - m = -s)\end{aligned}`,
  parts: ['sum', 'turn', 'wrong'],
  dots: ['turn'],
  controls: [{ name: 's', min: 1, max: 240, step: 1, value: 50 }],
  command: ({ s }) => curve(`turned:${s}`, '-300:100'),
  more: ({ s, broken }) => (broken ? { mistaken: curve(`turned:${-s}`, '-300:100') } : {}),
  breaks: [{ command: () => curve('turned:-50', '-50,0,50'), verdict: ({ curves: [c] }) => differs(1 - c.cosine[0]) }],

  figure({ main, mistaken }, { w, s }, t) {
    const { largest } = main.curves[0];
    return curves({
      w, label: t.figure,
      x: { domain: [-300, 100], label: t.x, ticks: [-300, -200, -100, 0, 100] },
      y: { domain: [-0.1, 1.08], label: t.y, ticks: [0, 0.5, 1] },
      rules: [{ x: 0, label: t.query }],
      series: [...(mistaken ? [{ x: mistaken.distance, y: mistaken.curves[0].cosine, part: 'wrong' }] : []),
        { x: main.distance, y: main.curves[0].cosine, part: 'sum' }],
      cursor: { name: 's', value: s, sign: -1 },
      marks: [{ x: 0, y: at(main, 0), part: 'sum', hollow: true, label: places(at(main, 0)) },
        { x: largest.distance, y: largest.cosine, part: 'turn', label: places(largest.cosine) }],
    });
  },
  number: ({ main }, state, t) => ({
    text: fill(t.number, { at: num(main.curves[0].largest.distance), most: places(main.curves[0].largest.cosine), zero: places(at(main, 0)) }), kind: 'rounding' }),
  sentence: ({ main }, { s }, t) => fill(t.sentence, { s: num(s), at: num(main.curves[0].largest.distance), zero: places(at(main, 0)) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: main.distance.filter((d) => d % 10 === 0).map((d) => [num(d), num(at(main, d), 6)]) }),
};
