import { clocks } from '../figures/clocks.js';
import { fill, num, places } from '../numbers.js';
import { verified } from '../verdict.js';

const TRAINED = 4096;
const RULES = { linear: 'linear', ntk: 'ntk', 'ntk-mixed': 'ntk-mixed', dynamic: 'dynamic', yarn: 'yarn', llama3: 'llama3:low=1,high=4' };
const turns = (theta, last) => Math.min(1, theta * last / (2 * Math.PI));
const of = (data, own) => (own ? data.rules.at(-1) : data.rules[0]);

export default {
  id: 'free-extension',
  step: null,
  formula: String.raw`\p{unseen}{\theta'_i\, L'} > \p{seen}{\theta_i\, L}`,
  parts: ['seen', 'unseen'],
  controls: [{ name: 's', min: 2, max: 16, step: 1, value: 4 }, { name: 'rule', choices: Object.keys(RULES), value: 'ntk' }],
  command: ({ s, rule }) => ['extend', '--from', String(TRAINED), '--to', String(TRAINED * s), '--rule', RULES[rule]],
  breaks: [{ command: () => ['verify', '--control', 'base-mismatch', '--trials', '50'], verdict: verified }],

  figure: ({ main }, { w, s, broken }, t) => clocks({
    w, label: t.figure,
    dials: of(main, !broken).theta.map((theta, k) => {
      const seen = turns(of(main, false).theta[k], TRAINED - 1);
      const reached = turns(theta, TRAINED * s - 1);
      return { name: String(k), seen: [0, seen], unseen: reached > seen ? [seen, reached] : undefined };
    }),
  }),
  number: ({ main }, { rule }, t) => ({
    text: fill(t.number, { rule, unseen: num(of(main, true).unseen.filter((u) => u > 0).length), before: num(of(main, false).unseen.filter((u) => u > 0).length), gap: places(of(main, true).adjacent_gap, 4), trained: places(of(main, false).adjacent_gap, 4) }), kind: 'rounding' }),
  sentence: ({ main }, { s, rule }, t) => fill(t.sentence, { rule, to: num(TRAINED * s), unseen: num(of(main, true).unseen.filter((u) => u > 0).length), first: num(of(main, true).first_negative) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: of(main, true).theta.map((v, k) => [num(k), num(of(main, false).theta[k], 6), num(v, 6), num(of(main, true).reach[k], 4), num(of(main, true).unseen[k], 4)]) }),
};
