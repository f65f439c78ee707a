import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const TRAINED = 2048;
const RULES = ['linear', 'ntk', 'yarn'];
const ruleOf = (data, name) => data.rules.find((r) => r.label.split(':')[0] === name);
const gap = (data, name) => places(ruleOf(data, name).adjacent_gap, 4);

export default {
  id: 'longer-contexts',
  step: 13,
  formula: String.raw`\p{linear}{\theta'_i = \theta_i/s}, \qquad \p{ntk}{b' = b\,s^{d/(d-2)}}`,
  parts: ['linear', 'ntk', 'yarn', 'none', 'unseen'],
  dots: ['unseen'],
  controls: [{ name: 's', min: 2, max: 16, step: 1, value: 4 }],
  command: ({ s }) => ['extend', '--from', String(TRAINED), '--to', String(TRAINED * s), '--rule', RULES.join(',')],
  breaks: [{ command: ({ s }) => ['extend', '--from', String(TRAINED), '--to', String(TRAINED * s), '--rule', 'ntk'], verdict: () => differs() }],
  broken: { parts: ['ntk', 'none', 'unseen'] },

  figure({ main }, { w, s, broken }, t) {
    const pairs = main.rules[0].theta.map((_, k) => k);
    const shown = broken ? ['ntk'] : RULES;
    const beyond = (name) => pairs.filter((k) => ruleOf(main, name).unseen[k] > 0);
    const reach = ruleOf(main, 'ntk').reach;
    const most = Math.max(...beyond('ntk').map((k) => reach[k]));
    const worst = { x: reach.indexOf(most), y: most, part: 'unseen', label: places(most, 2) };
    return curves({
      w, label: t.figure,
      x: { domain: [0, 63], label: t.x, ticks: [0, 16, 32, 48, 63] },
      y: { domain: [0, s * 1.12], label: t.y },
      rules: [{ y: 1, label: t.trained }],
      series: [
        { x: pairs, y: ruleOf(main, 'none').reach, part: 'none' },
        ...shown.map((name) => ({ x: pairs, y: ruleOf(main, name).reach, part: name })),
        ...shown.map((name) => ({ x: beyond(name), y: beyond(name).map((k) => ruleOf(main, name).reach[k]), part: 'unseen', dots: true })),
      ],
      marks: broken ? [worst] : [],
    });
  },
  number: ({ main }, state, t) => ({ text: fill(t.number, { none: gap(main, 'none'), linear: gap(main, 'linear'), ntk: gap(main, 'ntk'), yarn: gap(main, 'yarn') }), kind: 'rounding' }),
  sentence: ({ main }, { s }, t) => fill(t.sentence, { s: num(s), to: num(TRAINED * s), linear: gap(main, 'linear'), factor: num(main.covering_factor, 3), ntk: num(main.ntk_factor, 3) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: main.rules[0].theta.map((_, k) => [num(k), ...['none', ...RULES].map((r) => num(ruleOf(main, r).reach[k], 4))]) }),
};
