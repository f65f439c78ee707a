import { clocks } from '../figures/clocks.js';
import { fill, num } from '../numbers.js';
import { unfaithful } from '../verdict.js';

const at = (data, pair) => data.arrows.find((a) => a.pair === pair);

export default {
  id: 'clocks',
  step: 5,
  formula: String.raw`\p{pair}{\theta_i} = b^{-2\p{pair}{i}/d}, \qquad \lambda_i = 2\pi/\theta_i`,
  parts: ['pair', 'slow', 'wrong'],
  controls: [{ name: 'm', min: 0, max: 1000, step: 1, value: 100 }],
  command: ({ m }) => ['rotate', '--view', 'clocks', '--positions', `${m}`],
  // Leaving out the 2 of the exponent is the same as base 100 for 10000.
  more: ({ m, broken }) => (broken ? { wrong: ['rotate', '--view', 'clocks', '--base', '100', '--positions', `${m}`] } : {}),
  breaks: [{ command: () => ['verify', '--control', 'wrong-exponent', '--trials', '100'], verdict: unfaithful }],

  figure: ({ main, wrong }, { w }, t) => clocks({
    w, label: t.figure,
    dials: main.arrows.map((a) => ({
      x: a.q_x, y: a.q_y, name: String(a.pair), part: a.pair === 0 ? 'pair' : a.pair === 63 ? 'slow' : undefined,
      wrong: wrong && { x: at(wrong, a.pair).q_x, y: at(wrong, a.pair).q_y },
    })),
  }),
  number: ({ main }, { m }, t) => ({
    text: fill(t.number, { m: num(m), fast: num(at(main, 0).turns, 3), slow: num(at(main, 63).turns, 2) }), kind: 'rounding' }),
  sentence: ({ main }, { m }, t) => fill(t.sentence, {
    m: num(m), fast: num(at(main, 0).turns, 3), middle: num(at(main, 32).turns, 3), slow: num(at(main, 63).turns, 3), longest: num(Math.round(main.pairs[63].wavelength)) }),
  table: ({ main }, state, t) => ({
    head: t.head,
    rows: main.pairs.map((p) => [num(p.pair), num(p.theta, 6), num(p.wavelength, 6), num(at(main, p.pair).turns, 6)]),
  }),
};
