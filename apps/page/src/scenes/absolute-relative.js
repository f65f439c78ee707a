import { drawing } from '../svg.js';
import { arc, arrow, paper, planeAt } from '../figures/plane.js';
import { fill, num, places, point } from '../numbers.js';
import { verified } from '../verdict.js';
import { PAIR, REACH, THETA, angleOf, arrowsAt } from './pair.js';

const at = (s) => `${5 + s},${2 + s}`;

export default {
  id: 'absolute-relative',
  step: 3,
  formula: String.raw`\langle R_m \q, R_n \k\rangle = \q^{\mathsf T}\p{turn}{R_{n-m}}\k`,
  parts: ['q', 'k', 'turn', 'before', 'wrong'],
  controls: [{ name: 's', min: 0, max: 30, step: 1, value: 10 }],
  command: ({ s }) => ['score', ...PAIR, '--positions', at(s)],
  more: ({ s }) => ({ turned: ['rotate', ...PAIR, '--positions', `5,${5 + s}`] }),
  breaks: [{ follows: true, command: ({ s }) => ['verify', '--control', 'key-not-rotated', ...PAIR, '--positions', at(s)], verdict: verified }],

  figure({ turned }, { w, s, broken }, t) {
    const radius = Math.min(w / 2 - 50, 205);
    const plane = planeAt(w / 2, radius + 26, radius, REACH);
    const [before, here] = [arrowsAt(turned, 5), arrowsAt(turned, 5 + s)];
    const { angle } = turned.pairs[0];
    const start = angleOf(here.q_x, here.q_y);
    return drawing(w, 2 * radius + 52, t.figure,
      paper(plane, [{ length: Math.sqrt(5), part: 'q' }, { length: Math.sqrt(10), part: 'k' }]),
      s ? arc(plane, { from: angleOf(before.q_x, before.q_y), by: angle, radius: radius * 0.24, part: 'before', tip: true }) : '',
      s ? arrow(plane, { x: before.q_x, y: before.q_y, part: 'q', ghost: true, label: 'R_{5}q' }) : '',
      s ? arrow(plane, { x: before.k_x, y: before.k_y, part: 'k', ghost: true, label: 'R_{2}k' }) : '',
      arc(plane, { from: start, by: angle, radius: radius * 0.36, part: 'turn' }),
      broken ? arrow(plane, { x: turned.key[0], y: turned.key[1], part: 'wrong', label: 'k' }) : '',
      arrow(plane, { x: here.k_x, y: here.k_y, part: 'k', label: `R_{${2 + s}}k` }),
      arrow(plane, { x: here.q_x, y: here.q_y, part: 'q', label: `R_{${5 + s}}q`, grip: { name: 's', per: THETA } }));
  },
  number: ({ main, turned }, { s }, t) => ({
    text: fill(t.number, { from: point(arrowsAt(turned, 5).q_x, arrowsAt(turned, 5).q_y), to: point(arrowsAt(turned, 5 + s).q_x, arrowsAt(turned, 5 + s).q_y), score: places(main.left, 6) }),
    kind: 'rounding',
  }),
  sentence: ({ main, turned }, { s }, t) => fill(t.sentence, { m: num(5 + s), n: num(2 + s), score: num(main.left, 4), angle: num(turned.pairs[0].angle, 3) }),
  table: ({ main, turned }, state, t) => ({
    head: t.head,
    rows: [...turned.arrows.map((a) => [num(a.position), point(a.q_x, a.q_y, 4), point(a.k_x, a.k_y, 4), num(a.turns, 5)]),
      [t.score, num(main.left, 12), num(main.right, 12), '']],
  }),
};
