import { drawing, words } from '../svg.js';
import { arc, arrow, paper, planeAt } from '../figures/plane.js';
import { fill, num, places, point } from '../numbers.js';
import { verified } from '../verdict.js';
import { PAIR, REACH, THETA, angleOf, arrowsAt } from './pair.js';

const n = 2;

export default {
  id: 'sign',
  step: 4,
  formula: String.raw`\langle R_m \q, R_n \k\rangle = \q^{\mathsf T}(R_m)^{\mathsf T} R_n \k = \q^{\mathsf T}\p{turn}{R_{n-m}}\k`,
  parts: ['q', 'k', 'turn', 'wrong'],
  controls: [{ name: 'm', min: -10, max: 14, step: 1, value: 5 }],
  command: ({ m }) => ['score', ...PAIR, '--positions', `${m},${n}`],
  more: ({ m, broken }) => ({
    turned: ['rotate', ...PAIR, '--distance', `${n - m}`, '--positions', `0,${m}`],
    ...(broken && { wrong: ['rotate', ...PAIR, '--distance', `${m - n}`, '--positions', '0'] }),
  }),
  breaks: [{ follows: true, command: ({ m }) => ['verify', '--control', 'wrong-sign', ...PAIR, '--positions', `${m},${n}`], verdict: verified }],

  figure({ turned, wrong }, { w, m }, t) {
    const radius = Math.min(w / 4 - 24, 150);
    const top = 34;
    const h = top + 2 * radius + 34;
    const both = planeAt(w * 0.25 + 2, top + radius + 10, radius, REACH, [0, w / 2]);
    const still = planeAt(w * 0.75 - 2, top + radius + 10, radius, REACH, [w / 2, w]);
    const here = arrowsAt(turned, m);
    const start = arrowsAt(turned, 0);
    const { angle } = turned.pairs[0];
    const circles = [{ length: Math.sqrt(5), part: 'q' }, { length: Math.sqrt(10), part: 'k' }];
    const bent = wrong && arrowsAt(wrong, 0);
    return drawing(w, h, t.figure,
      words(both.cx, 16, t.left, { class: 'name', 'text-anchor': 'middle' }),
      words(still.cx, 16, t.right, { class: 'name', 'text-anchor': 'middle' }),
      paper(both, circles),
      arc(both, { from: angleOf(here.q_x, here.q_y), by: angle, radius: radius * 0.3, part: 'turn' }),
      arrow(both, { x: here.k_x, y: here.k_y, part: 'k', label: 'R_n k' }),
      arrow(both, { x: here.q_x, y: here.q_y, part: 'q', label: 'R_m q', grip: { name: 'm', per: THETA } }),
      paper(still, circles),
      arc(still, { from: angleOf(start.q_x, start.q_y), by: angle, radius: radius * 0.3, part: 'turn' }),
      bent ? arc(still, { from: angleOf(start.q_x, start.q_y), by: wrong.pairs[0].angle, radius: radius * 0.42, part: 'wrong' }) : '',
      bent ? arrow(still, { x: bent.k_x, y: bent.k_y, part: 'wrong', label: 'R_{m−n}k' }) : '',
      arrow(still, { x: start.k_x, y: start.k_y, part: 'k', label: 'R_{n−m}k' }),
      arrow(still, { x: start.q_x, y: start.q_y, part: 'q', label: 'q' }));
  },

  number: ({ main }, state, t) => ({
    text: fill(t.number, { left: places(main.left, 6), right: places(main.right, 6), wrong: places(main.wrong_sign, 6) }),
    kind: 'rounding',
  }),
  sentence: ({ main, turned }, { m }, t) => fill(t.sentence, {
    m: num(m), d: num(main.distance), angle: num(turned.pairs[0].angle, 3), left: num(main.left, 4), wrong: num(main.wrong_sign, 4) }),
  table: ({ main, turned }, { m }, t) => ({
    head: t.head,
    rows: [
      ['R_m q', point(arrowsAt(turned, m).q_x, arrowsAt(turned, m).q_y, 4)],
      ['R_n k', point(arrowsAt(turned, m).k_x, arrowsAt(turned, m).k_y, 4)],
      ['R_{n−m}k', point(arrowsAt(turned, 0).k_x, arrowsAt(turned, 0).k_y, 4)],
      ['⟨R_m q, R_n k⟩', num(main.left, 12)],
      ['qᵀR_{n−m}k', num(main.right, 12)],
      ['qᵀR_{m−n}k', num(main.wrong_sign, 12)],
      [t.difference, num(main.difference.value, 3)],
      [t.allowed, num(main.difference.allowed, 3)],
    ],
  }),
};
