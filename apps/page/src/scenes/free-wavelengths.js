import { curves } from '../figures/curves.js';
import { fill, num } from '../numbers.js';
import { unfaithful } from '../verdict.js';

export default {
  id: 'free-wavelengths',
  step: null,
  formula: String.raw`\p{own}{\lambda_i} = 2\pi\, b^{2i/d} \;\lessgtr\; \p{unseen}{L}`,
  parts: ['own', 'unseen', 'wrong'],
  controls: [{ name: 'context', min: 512, max: 1048576, log: true, step: 1, value: 8192 }, { name: 'base', min: 100, max: 10000000, log: true, step: 1, value: 500000 },
    { name: 'dim', choices: [32, 64, 128, 256], value: 128 }],
  command: ({ base, dim, context }) => ['wavelengths', '--base', String(base), '--dim', String(dim), '--context', String(context)],
  // Without the 2 of the exponent the base is as good as its square root.
  more: ({ dim, base, context, broken }) => (broken ? { wrong: ['wavelengths', '--base', String(base), '--dim', String(2 * dim), '--context', String(context)] } : {}),
  breaks: [{ follows: true, command: ({ base, dim }) => ['verify', '--control', 'wrong-exponent', '--base', String(base), '--dim', String(dim), '--trials', '50'], verdict: unfaithful }],

  figure({ main, wrong }, { w, context, dim }, t) {
    const pairs = main.pairs.map((p) => p.pair);
    const slow = main.pairs.find((p) => p.turns < 1);
    return curves({
      w, label: t.figure,
      x: { domain: [0, dim / 2 - 1], label: t.x }, y: { domain: [1, 1e9], log: true, label: t.y },
      rules: [{ y: context, label: t.context, part: 'unseen' }],
      series: [...(wrong ? [{ x: pairs, y: wrong.pairs.slice(0, pairs.length).map((p) => p.wavelength), part: 'wrong' }] : []),
        { x: pairs, y: main.pairs.map((p) => p.wavelength), part: 'own' }],
      marks: slow ? [{ x: slow.pair, y: slow.wavelength, part: 'own', label: `${t.pair} ${slow.pair}` }] : [],
    });
  },
  number: ({ main }, { context, dim }, t) => ({ text: fill(t.number, { slow: num(main.pairs.filter((p) => p.turns < 1).length), all: num(dim / 2), context: num(context, 7) }), kind: 'exact' }),
  sentence: ({ main }, { base }, t) => fill(t.sentence, { base: num(base), first: num(main.pairs[0].turns, 4), last: num(main.pairs.at(-1).turns, 3) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: main.pairs.map((p) => [num(p.pair), num(p.theta, 6), num(p.wavelength, 6), num(p.turns, 5)]) }),
};
