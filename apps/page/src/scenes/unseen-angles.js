import { clocks } from '../figures/clocks.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const TRAINED = 2048;
const extend = (to, ...more) => ['extend', '--from', String(TRAINED), '--to', String(to), '--rule', 'linear', ...more];
const plain = (data) => data.rules.find((r) => r.label === 'none');
const turns = (theta, last) => Math.min(1, theta * last / (2 * Math.PI));

export default {
  id: 'unseen-angles',
  step: 12,
  formula: String.raw`\p{unseen}{\lambda_i} = 2\pi b^{2i/d} > T`,
  parts: ['seen', 'unseen'],
  controls: [{ name: 'to', min: 2560, max: 32768, step: 512, value: 8192 }],
  command: ({ to, broken }) => extend(to, ...(broken ? ['--base', '100'] : [])),
  breaks: [{ command: ({ to }) => extend(to, '--base', '100'), verdict: () => differs() }],
  broken: { parts: ['seen'] },

  figure({ main }, { w, to }, t) {
    const rule = plain(main);
    return clocks({
      w, label: t.figure,
      dials: rule.theta.map((theta, k) => {
        const [seen, reached] = [turns(theta, TRAINED - 1), turns(theta, to - 1)];
        return { name: String(k), seen: [0, seen], unseen: reached > seen ? [seen, reached] : undefined };
      }),
    });
  },
  number: ({ main }, state, t) => ({
    text: fill(t.number, { pairs: num(main.pairs_without_a_turn), share: places(plain(main).unseen[63]) }), kind: 'rounding' }),
  sentence: ({ main }, { to }, t) => fill(t.sentence, { to: num(to), pairs: num(main.pairs_without_a_turn), share: num(plain(main).unseen[63], 3) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: plain(main).theta.map((theta, k) => [num(k), num(theta, 6), num(plain(main).reach[k], 4), num(plain(main).unseen[k], 4)]) }),
};
