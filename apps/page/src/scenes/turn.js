import { drawing } from '../svg.js';
import { arc, arrow, paper, planeAt } from '../figures/plane.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

// Twenty numbers of length 1 with exact decimals, around the circle.
const QUARTER = [[1, 0], [0.96, 0.28], [0.8, 0.6], [0.6, 0.8], [0.28, 0.96]];
const quarters = (turns, [a, b]) => [[a, b], [-b, a], [-a, -b], [b, -a]][turns].map((v) => v + 0);
const AROUND = [0, 1, 2, 3].flatMap((turns) => QUARTER.map((w) => quarters(turns, w)));

const product = (i) => ['rotate', '--primer', 'product', '--z', '3,1', '--w', AROUND[i].join(',')];
/** The line of the product's angle: (3 + i)·w has two places behind the point, as w has. */
const arctan = (i) => {
  const [a, b] = AROUND[i];
  return ['rotate', '--primer', 'argument', '--z', [3 * a - b, a + 3 * b].map((v) => String(Number(v.toFixed(2)))).join(',')];
};
/** arctan(b/a) is the angle itself wherever the arrow points to the right. */
const verdict = (data) => {
  const { value, expected, bound } = of(data, 'arctan');
  return differs(Math.abs(value - expected), bound);
};
const of = (data, name) => data.numbers.find((n) => n.name === name);
const written = (i) => {
  const [a, b] = AROUND[i];
  const imaginary = b === 0 ? '' : `${Math.abs(b) === 1 ? '' : num(Math.abs(b))}i`;
  if (a === 0) return (b < 0 ? '−' : '') + imaginary;
  return num(a) + (imaginary && `${b < 0 ? ' − ' : ' + '}${imaginary}`);
};
const place = (data) => {
  const [r, phi] = [of(data, 'length').value, of(data, 'principal_angle').value];
  return { x: r * Math.cos(phi), y: r * Math.sin(phi), phi };
};

export default {
  id: 'turn',
  step: 1,
  formula: String.raw`\begin{aligned}(a + b\mathrm i)\cdot \p{turn}{\mathrm e^{\mathrm i\theta}} = {}&(a\cos\theta - b\sin\theta)\\ {}+{}&(a\sin\theta + b\cos\theta)\mathrm i\end{aligned}`,
  parts: ['before', 'q', 'turn', 'wrong'],
  controls: [{ name: 'by', min: 0, max: 19, step: 1, value: 5, show: written }],
  command: ({ by }) => product(by),
  more: ({ by, broken }) => ({ start: product(0), ...(broken && { arctan: arctan(by) }) }),
  breaks: [{ follows: true, command: ({ by }) => arctan(by), verdict }],

  figure({ main, start, arctan: mistaken }, { w, by }, t) {
    const radius = Math.min(w / 2 - 56, 200);
    const plane = planeAt(w / 2, radius + 26, radius, 3.5);
    const [z, product_] = [place(start), place(main)];
    const turned = (product_.phi - z.phi + 2 * Math.PI) % (2 * Math.PI);
    const wrong = mistaken && of(mistaken, 'arctan').value;
    const length = of(main, 'length').value;
    return drawing(w, 2 * radius + 52, t.figure,
      paper(plane, [{ length, part: 'q' }]),
      by ? arc(plane, { from: z.phi, by: turned, radius: radius * 0.42, part: 'turn', label: 'θ' }) : '',
      arrow(plane, { ...z, part: 'before', label: '3 + i' }),
      arrow(plane, { ...product_, part: 'q', label: '(3 + i)·w', grip: { name: 'by', per: Math.PI / 10 } }),
      mistaken ? arrow(plane, { x: 0.85 * length * Math.cos(wrong), y: 0.85 * length * Math.sin(wrong), part: 'wrong', label: 'arctan(b/a)' }) : '');
  },
  number: ({ main, start }, state, t) => ({
    text: fill(t.number, { before: places(of(start, 'length').value, 4), after: places(of(main, 'length').value, 4),
      from: places(of(start, 'principal_angle').value, 4), to: places(of(main, 'principal_angle').value, 4) }),
    kind: 'rounding',
  }),
  sentence: ({ main }, { by }, t) => fill(t.sentence, { w: written(by), length: places(of(main, 'length').value, 3), angle: places(of(main, 'principal_angle').value, 3) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: main.numbers.map((n) => [n.formula, num(n.value, 10), num(n.expected, 10), num(n.bound, 3)]) }),
};
