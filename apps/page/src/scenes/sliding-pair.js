import { curves } from '../figures/curves.js';
import { fill, num, places } from '../numbers.js';
import { verified } from '../verdict.js';

const APART = 5;
const SHIFTS = Array.from({ length: 26 }, (_, i) => 40 * i);
const places5 = (shifts) => [...new Set(shifts.flatMap((s) => [s, s + APART]))].join(',');
const GRID = ['score', '--view', 'grid', '--dim', '64', '--positions'];

/** Score of the query at s + 5 and the key at s. */
const scoreAt = (data, encoding, s) => {
  const i = (p) => data.positions.indexOf(p);
  return data.encodings.find((e) => e.encoding === encoding).scores[i(s + APART)][i(s)];
};

export default {
  id: 'sliding-pair',
  step: 2,
  formula: String.raw`\langle R_{m+\p{shift}{s}} \q, R_{n+\p{shift}{s}} \k\rangle = \p{rope}{\langle R_m \q, R_n \k\rangle}`,
  parts: ['rope', 'added', 'shift'],
  dots: ['added'],
  controls: [{ name: 's', min: 0, max: 1000, step: 5, value: 900 }],
  command: ({ s }) => [...GRID, places5([0, s])],
  more: () => ({ trace: [...GRID, places5(SHIFTS)] }),
  breaks: [{
    command: ({ s }) => ['verify', '--policy', 'angle=bf16', '--query', '1,2', '--key', '3,-1', '--positions', `${s + 105},${s + 102}`],
    verdict: verified,
  }],

  figure({ main, trace }, { w, s }, t) {
    const series = (encoding) => SHIFTS.map((v) => scoreAt(trace, encoding, v));
    const [rope, added] = [scoreAt(main, 'rope', s), scoreAt(main, 'sinusoidal', s)];
    return curves({
      w, label: t.figure,
      x: { domain: [0, 1000], label: t.x, ticks: [0, 250, 500, 750, 1000] },
      y: { domain: [-3, 3], label: t.y, ticks: [-2, 0, 2] },
      series: [
        { x: SHIFTS, y: series('sinusoidal'), part: 'added', dots: true },
        { x: SHIFTS, y: series('rope'), part: 'rope', name: 'RoPE' },
        { x: SHIFTS, y: series('rope'), part: 'rope', dots: true },
      ],
      cursor: { name: 's', value: s, part: 'shift' },
      marks: [{ x: s, y: rope, part: 'rope', label: places(rope, 3) }, { x: s, y: added, part: 'added', label: places(added, 3) }],
    });
  },
  number: ({ main }, { s }, t) => ({
    text: fill(t.number, { s: num(s), s5: num(s + APART), a: places(scoreAt(main, 'rope', 0), 6), b: places(scoreAt(main, 'rope', s), 6),
      c: places(scoreAt(main, 'sinusoidal', 0), 3), d: places(scoreAt(main, 'sinusoidal', s), 3) }),
    kind: 'seeded',
  }),
  sentence: ({ main }, { s }, t) => fill(t.sentence, { s: num(s), s5: num(s + APART), rope: places(scoreAt(main, 'rope', s), 3), added: places(scoreAt(main, 'sinusoidal', s), 3) }),
  table: ({ trace }, state, t) => ({
    head: t.head,
    rows: SHIFTS.map((v) => [`(${v + APART}, ${v})`, places(scoreAt(trace, 'rope', v), 6), places(scoreAt(trace, 'sinusoidal', v), 6)]),
  }),
};
