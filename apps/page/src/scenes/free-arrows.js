import { drawing, words } from '../svg.js';
import { arc, arrow, paper, planeAt } from '../figures/plane.js';
import { fill, num } from '../numbers.js';
import { angleOf } from './pair.js';

const PAIRS = [0, 20, 40];
const turned = ({ m, d }) => ['rotate', '--pairs', PAIRS.join(','), '--distance', String(d), '--positions', String(m)];
const mistaken = (state) => [...turned(state), '--break', state.mistake];
const WORDS = { pass: 'PASS', fail: 'FAIL', inconclusive: 'INCONCLUSIVE' };

export default {
  id: 'free-arrows',
  step: null,
  formula: String.raw`\angle(R_m \q, R_n \k) = \p{turn}{(n - m)\,\theta_i}`,
  parts: ['q', 'k', 'turn', 'wrong'],
  controls: [{ name: 'm', min: 0, max: 200, step: 1, value: 8 }, { name: 'd', min: -40, max: 40, step: 1, value: -3 },
    { name: 'mistake', choices: ['sign', 'pairing', 'base', 'bfloat16', 'off-by-one'], value: 'sign' }],
  command: turned,
  more: (state) => (state.broken ? { wrong: mistaken(state) } : {}),
  breaks: [{ follows: true, command: mistaken, verdict: (data) => ({ word: WORDS[data.verdict], off: data.max_relative_error, allowed: data.relative_bound }) }],

  figure({ main, wrong }, { w }, t) {
    const radius = Math.min(w / 6 - 14, 110);
    return drawing(w, 2 * radius + 90, t.figure, ...main.arrows.map((a, i) => {
      const plane = planeAt(w * (2 * i + 1) / 6, radius + 34, radius, 1.25);
      const bad = wrong?.arrows[i];
      return words(plane.cx, 14, `${t.pair} ${a.pair}`, { class: 'name', 'text-anchor': 'middle' })
        + paper(plane, [{ length: 1 }])
        + arc(plane, { from: angleOf(a.q_x, a.q_y), by: main.pairs[i].angle, radius: radius * 0.4, part: 'turn' })
        + arrow(plane, { x: a.k_x, y: a.k_y, part: 'k' })
        + arrow(plane, { x: a.q_x, y: a.q_y, part: 'q', grip: { name: 'm', per: main.pairs[i].theta } })
        + (bad ? arrow(plane, { x: bad.wrong_k_x * 0.86, y: bad.wrong_k_y * 0.86, part: 'wrong' })
          + arrow(plane, { x: bad.wrong_q_x * 0.86, y: bad.wrong_q_y * 0.86, part: 'wrong' })
          + words(plane.cx, 2 * radius + 80, fill(t.off, { off: num(wrong.pairs[i].off_by, 2) }), { class: 'label small wrong', 'text-anchor': 'middle' }) : '')
        + words(plane.cx, 2 * radius + 60, `${num(main.pairs[i].angle, 3)} rad`, { class: 'label small turn', 'text-anchor': 'middle' });
    }));
  },
  number: ({ main }, state, t) => ({ text: fill(t.number, { angles: main.pairs.map((p) => num(p.angle, 4)).join(', ') }), kind: 'rounding' }),
  sentence: ({ main }, { m, d }, t) => fill(t.sentence, { m: num(m), n: num(m + d), turns: num(main.arrows[0].turns, 3), angle: num(main.pairs[0].angle, 3) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: main.arrows.map((a, i) => [num(a.pair), num(main.pairs[i].theta, 6), num(a.turns, 5), num(main.pairs[i].angle, 6)]) }),
};
