import { curves } from '../figures/curves.js';
import { bars } from '../figures/bars.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const shuffle = ['attention', '--view', 'shuffle'];
const of = (data, encoding) => data.curves.find((c) => c.encoding === encoding);
const caseOf = (data, encoding, mask = 'none') => data.cases.find((c) => c.encoding === encoding && c.mask === mask);

export default {
  id: 'shuffle-repeat',
  step: 11,
  formula: String.raw`\p{scores}{\sum_n a_{mn}}\, v = v, \qquad \sum_n a_{mn} = 1`,
  parts: ['scores', 'added', 'wrong'],
  controls: [{ name: 'layers', min: 1, max: 8, step: 1, value: 6 }],
  command: ({ layers }) => ['attention', '--view', 'repeat', '--layers', String(layers)],
  more: ({ broken }) => (broken ? { shuffled: shuffle } : {}),
  breaks: [{ command: () => shuffle, verdict: (data) => differs(caseOf(data, 'rope').outputs.value, caseOf(data, 'rope').outputs.allowed) }],

  figure({ main, shuffled }, { w, layers }, t) {
    if (shuffled) {
      const [plain, rope] = [caseOf(shuffled, 'none'), caseOf(shuffled, 'rope')];
      return bars({ w, label: t.figureBroken, title: t.titleBroken, domain: [0, 0.4], left: Math.min(190, w * 0.4), high: 40,
        rows: shuffled.words.flatMap((word, i) => [
          { name: `${word}, ${t.without}`, value: plain.change_of_word[i], text: num(plain.change_of_word[i], 2), part: 'scores' },
          { name: `${word}, RoPE`, value: rope.change_of_word[i], text: places(rope.change_of_word[i]), part: 'wrong' }]) });
    }
    const steps = main.curves[0].difference.map((_, i) => i);
    return curves({
      w, label: t.figure,
      x: { domain: [0, 8], label: t.x, ticks: [0, 2, 4, 6, 8] },
      y: { domain: [-0.15, 2.6], label: t.y, ticks: [0, 1, 2] },
      series: ['sinusoidal', 'rope'].flatMap((e) => [false, true].map((dots) => ({ x: steps, y: of(main, e).difference, part: e === 'rope' ? 'scores' : 'added', dots }))),
      cursor: { name: 'layers', value: layers },
      marks: ['sinusoidal', 'rope'].map((e) => ({ x: layers, y: of(main, e).difference.at(-1), part: e === 'rope' ? 'scores' : 'added',
        label: e === 'rope' ? num(of(main, e).difference.at(-1), 2) : places(of(main, e).difference.at(-1), 2) })),
    });
  },
  number: ({ main }, { layers }, t) => ({ text: fill(t.number, { layers: num(layers), rope: num(of(main, 'rope').difference.at(-1), 2), added: places(of(main, 'sinusoidal').difference.at(-1), 2) }), kind: 'seeded' }),
  sentence: ({ main }, { layers }, t) => fill(t.sentence, { layers: num(layers), rope: num(of(main, 'rope').difference.at(-1), 2), allowed: num(of(main, 'rope').allowed.at(-1), 2), added: places(of(main, 'sinusoidal').difference.at(-1), 2) }),
  table: ({ main }, state, t) => ({ head: t.head, rows: of(main, 'rope').difference.map((v, i) => [num(i), num(v, 3), num(of(main, 'rope').allowed[i], 3), places(of(main, 'sinusoidal').difference[i], 4)]) }),
};
