import { drawing } from '../svg.js';
import { scale } from '../figures/axes.js';
import { strip } from '../figures/strip.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const score = (m, n, ...more) => ['score', '--positions', `${m},${n}`, ...more];
const [M, N] = [105, 100];
const dynamic = (length) => score(1000, 900, '--scaling', 'dynamic:factor=1,original=2048', '--seq-len', String(length));

export default {
  id: 'cache',
  step: 15,
  formula: String.raw`\langle R_{m+\p{sum}{s}} \q, R_{n+\p{sum}{s}} \k\rangle = \langle R_m \q, R_n \k\rangle`,
  parts: ['q', 'k', 'sum', 'wrong'],
  dots: ['q', 'k'],
  controls: [{ name: 'gone', min: 1, max: 100, step: 1, value: 100 }],
  command: ({ gone }) => score(M - gone, N),
  more: ({ gone, broken }) => ({ start: score(M, N), both: score(M - gone, N - gone), ...(broken && { short: dynamic(2048) }) }),
  breaks: [{ command: () => dynamic(8192), verdict: (data, { short }) => differs(Math.abs(data.left - short.left), data.difference.allowed) }],

  figure({ main, start, both }, { w, gone }, t) {
    const x = scale({ domain: [0, M], range: [26, w - 34] });
    const common = { x, last: M, right: w };
    return drawing(w, 300, t.figure,
      strip({ ...common, y: 52, q: M, k: N, name: t.rows.start, score: places(start.left, 4) }),
      strip({ ...common, y: 154, q: M - gone, k: N - gone, name: t.rows.both, score: places(both.left, 4), grip: 'gone' }),
      strip({ ...common, y: 256, q: M - gone, k: N, name: t.rows.one, score: places(main.left, 4), wrong: gone > 0 }));
  },
  number: ({ main, start, both }, { gone }, t) => ({
    text: fill(t.number, { start: places(start.left, 4), both: places(both.left, 4), one: places(main.left, 4), m: num(M - gone), n: num(N - gone) }), kind: 'seeded' }),
  sentence: ({ main, start }, { gone }, t) => fill(t.sentence, { gone: num(gone), m: num(M - gone), one: places(main.left, 4), start: places(start.left, 4) }),
  table: ({ main, start, both }, state, t) => ({ head: t.head, rows: [[start, t.rows.start], [both, t.rows.both], [main, t.rows.one]].map(([d, name]) => [name, num(d.m), num(d.n), num(d.distance), num(d.left, 10)]) }),
};
