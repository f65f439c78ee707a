import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const TRAINED = 4096;
const OLD = 10000;
const score = (base) => ['score', '--positions', '1000,0', '--base', String(base)];
const slow = (pairs) => pairs.filter((p) => p.turns < 1).length;
const of = (data, which) => (data.embeddings?.[which]?.pairs ?? data.pairs);

export default {
  id: 'which-number',
  step: 14,
  formula: String.raw`\p{own}{\lambda_i} = 2\pi\, \p{own}{b}^{2i/d}`,
  parts: ['old', 'own', 'unseen'],
  controls: [{ name: 'base', min: 1000, max: 10000000, log: true, step: 1, value: 500000 }],
  command: ({ base }) => ['wavelengths', '--base', String(OLD), ...(base === OLD ? [] : ['--base', String(base)]), '--context', String(TRAINED)],
  more: ({ broken }) => (broken ? { before: score(OLD) } : {}),
  breaks: [{ follows: true, command: ({ base }) => score(base), verdict: (data, { before }) => differs(Math.abs(data.left - before.left), data.difference.allowed) }],

  figure({ main }, { w, base }, t) {
    const both = [[of(main, 0), 'old', t.parts.old], [of(main, 1), 'own', `b = ${num(base)}`]];
    return curves({
      w, label: t.figure,
      x: { domain: [0, 63], label: t.x, ticks: [0, 16, 32, 48, 63] },
      y: { domain: [1, 1e8], log: true, label: t.y },
      rules: [{ y: TRAINED, label: t.context, part: 'unseen' }],
      series: both.map(([pairs, part]) => ({ x: pairs.map((p) => p.pair), y: pairs.map((p) => p.wavelength), part })),
      marks: both.map(([pairs, part, name]) => ({ pair: pairs.find((p) => p.turns < 1), part, name })).filter((m) => m.pair)
        .map(({ pair, part }) => ({ x: pair.pair, y: pair.wavelength, part, label: `${t.x} ${pair.pair}` })),
    });
  },
  number: ({ main }, { base }, t) => ({ text: fill(t.number, { old: num(slow(of(main, 0))), own: num(slow(of(main, 1))), base: num(base) }), kind: 'exact' }),
  sentence: ({ main }, { base }, t) => fill(t.sentence, { own: num(slow(of(main, 1))), base: num(base), longest: num(Math.round(of(main, 1).at(-1).wavelength)) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: of(main, 0).map((p, i) => [num(p.pair), num(p.wavelength, 6), num(p.turns, 4), num(of(main, 1)[i].wavelength, 6), num(of(main, 1)[i].turns, 4)]) }),
};
