import { clocks } from '../figures/clocks.js';
import { fill, num } from '../numbers.js';
import { unfaithful } from '../verdict.js';

export default {
  id: 'free-clocks',
  step: null,
  formula: String.raw`\p{pair}{\theta_i} = b^{-2i/d}`,
  parts: ['pair', 'slow', 'wrong'],
  controls: [{ name: 'm', min: 0, max: 4096, step: 1, value: 40 }, { name: 'base', min: 100, max: 10000000, log: true, step: 1, value: 500000 }],
  command: ({ m, base }) => ['rotate', '--view', 'clocks', '--base', String(base), '--positions', String(m)],
  breaks: [{ follows: true, command: ({ base }) => ['verify', '--control', 'pairs-from-one', '--base', String(base), '--trials', '50'], verdict: unfaithful }],

  // Counted from one, each pair has the frequency of the next.
  figure: ({ main }, { w, broken }, t) => clocks({
    w, label: t.figure,
    dials: main.arrows.map((a, i) => ({ x: a.q_x, y: a.q_y, name: String(a.pair), part: i === 0 ? 'pair' : i === 63 ? 'slow' : undefined,
      wrong: broken && i < 63 ? { x: main.arrows[i + 1].q_x, y: main.arrows[i + 1].q_y } : undefined })),
  }),
  number: ({ main }, { m }, t) => ({ text: fill(t.number, { m: num(m), middle: num(main.arrows[32].turns, 3), slow: num(main.arrows[63].turns, 3) }), kind: 'rounding' }),
  sentence: ({ main }, { m, base }, t) => fill(t.sentence, { m: num(m), base: num(base), middle: num(main.arrows[32].turns, 3), longest: num(Math.round(main.pairs[63].wavelength)) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: main.pairs.map((p, i) => [num(p.pair), num(p.theta, 6), num(p.wavelength, 6), num(main.arrows[i].turns, 6)]) }),
};
