import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const decay = (distances, ...family) => ['decay', ...family, '--distances', distances, '--random-pairs', '0'];
const at = (data, distance) => data.curves[0].bound[data.curves[0].distance.indexOf(distance)];
const TWO_PAIRS = ['--dim', '4', '--base', '100'];
/** As a height: each curve begins at the top. */
const share = ({ curves: [c] }) => c.bound.map((v) => v / c.bound[0]);
const AGAIN = 377;  // where two pairs are back
/** A curve that swings with every few tokens is a surface at this width: the least and the most of each few. */
function swings(curve, few = 8) {
  const { distance } = curve.curves[0];
  const heights = share(curve);
  const starts = distance.map((_, i) => i).filter((i) => i % few === 0 && i + few < distance.length);
  const each = (of) => starts.map((i) => of(...heights.slice(i, i + few + 1)));
  return { x: starts.map((i) => distance[i]), low: each(Math.min), high: each(Math.max), part: 'wrong' };
}

export default {
  id: 'another-theta',
  step: 8,
  formula: String.raw`\p{even}{\theta_i} = 2i/d, \quad \Delta = \pi d\!: \quad \Delta\,\theta_i = i \cdot 2\pi`,
  parts: ['even', 'geometric', 'wrong'],
  controls: [{ name: 'delta', min: 1, max: 1000, step: 1, value: 402 }],
  command: ({ delta }) => decay([...new Set([0, 201, delta])].sort((a, b) => a - b).join(','), '--family', 'linear'),
  more: ({ broken }) => ({ even: decay('0:1000:2', '--family', 'linear'), geometric: decay('0:1000:2'),
    ...(broken && { two: decay('0:1000:1', ...TWO_PAIRS) }) }),
  breaks: [{ command: () => decay(`0,${AGAIN}`, ...TWO_PAIRS), verdict: ({ curves: [c] }) => differs(c.mean_cosine[1] - 0.5) }],

  figure({ main, even, geometric, two }, { w, delta }, t) {
    return curves({
      w, label: t.figure,
      x: { domain: [0, 1000], label: t.x, ticks: [0, 200, 400, 600, 800, 1000] },
      y: { domain: [0, 1.05], label: t.y, ticks: [0, 0.5, 1] },
      bands: two ? [swings(two)] : [],
      series: [
        { x: geometric.curves[0].distance, y: share(geometric), part: 'geometric' },
        { x: even.curves[0].distance, y: share(even), part: 'even' },
      ],
      cursor: { name: 'delta', value: delta },
      marks: [...(two ? [{ x: AGAIN, y: share(two)[AGAIN], part: 'wrong', hollow: true, label: `${AGAIN}` }] : []),
        { x: delta, y: at(main, delta) / at(main, 0), part: 'even', label: places(at(main, delta)) }],
    });
  },
  number: ({ main }, { delta }, t) => ({ text: fill(t.number, { start: num(at(main, 0)), half: places(at(main, 201)), delta: num(delta), here: places(at(main, delta)) }), kind: 'rounding' }),
  sentence: ({ main }, { delta }, t) => fill(t.sentence, { delta: num(delta), here: num(at(main, delta), 3), start: num(at(main, 0)) }),
  table: ({ even, geometric }, state, t) => ({
    head: t.head, rows: even.curves[0].distance.filter((d) => d % 20 === 0).map((d) => [num(d), num(at(even, d), 5), num(at(geometric, d), 5)]) }),
};
