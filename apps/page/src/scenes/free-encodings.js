import { drawing } from '../svg.js';
import { heat, scaleBar } from '../figures/heat.js';
import { fill, num, places } from '../numbers.js';
import { verified } from '../verdict.js';

const TOKENS = 24;
const NAMES = ['none', 'sinusoidal', 'learned', 'shaw', 'transformer-xl', 't5', 'alibi', 'partial-rope', 'xpos', 'rerope'];
const mapOf = (data, name) => data.encodings.find((e) => e.name === name).map;
/** Both maps have one scale, so that a colour is one number. */
const span = (...maps) => {
  const most = Math.max(1e-9, ...maps.flat(2).map((v) => Math.abs(v ?? 0)));
  return [-most, most];
};

export default {
  id: 'free-encodings',
  step: null,
  formula: String.raw`s(\p{q}{m}, \p{k}{n}) = s(\p{q}{m} + j, \p{k}{n} + j)\,?`,
  parts: ['q', 'k'],
  controls: [{ name: 'm', min: 0, max: TOKENS - 1, step: 1, value: 16 }, { name: 'n', min: 0, max: TOKENS - 1, step: 1, value: 9 },
    { name: 'encoding', choices: NAMES, value: 'sinusoidal' }],
  command: ({ encoding }) => ['compare', encoding, 'rope', '--tokens', String(TOKENS)],
  breaks: [{ command: () => ['verify', '--control', 'additive', '--trials', '50'], verdict: verified }],

  figure({ main }, { w, m, n, encoding }, t) {
    const size = Math.min(w / 2 - 34, 330);
    const names = Array.from({ length: TOKENS }, (_, i) => String(i));
    const extent = span(mapOf(main, encoding), mapOf(main, 'rope'));
    return drawing(w, size + 118, t.figure, ...[encoding, 'rope'].map((name, i) => heat({
      x0: 24 + i * (w / 2 + 6), y0: 36, size, values: mapOf(main, name), extent,
      columnTitle: t.n, rowTitle: 'm', title: `${name === 'rope' ? 'RoPE' : name}`, rowNames: names, columnNames: names,
      pick: { row: m, column: n, parts: ['q', 'k'] }, grip: { row: 'm', column: 'n' } })),
      scaleBar({ x: w / 2 - 90, y: size + 80, wide: 180, extent }));
  },
  number: ({ main }, { m, n, encoding }, t) => {
    const e = main.encodings.find((one) => one.name === encoding);
    return { text: fill(t.number, { encoding, m: num(m), n: num(n), other: places(mapOf(main, encoding)[m][n]), rope: places(mapOf(main, 'rope')[m][n]), spread: num(e.relative.value, 3) }), kind: 'seeded' };
  },
  sentence: ({ main }, { encoding }, t) => {
    const e = main.encodings.find((one) => one.name === encoding);
    return fill(e.relative.holds ? t.sentence : t.sentenceNot, { encoding, spread: num(e.relative.value, 3), allowed: num(e.relative.allowed, 2) });
  },
  table: ({ main }, { encoding, m }, t) => ({ head: t.head, rows: mapOf(main, 'rope')[m].map((v, j) => [`(${m}, ${j})`, num(mapOf(main, encoding)[m][j], 5), num(v, 5)]) }),
};
