import { curves } from '../figures/curves.js';
import { bars } from '../figures/bars.js';
import { fill, num, places } from '../numbers.js';
import { differs } from '../verdict.js';

const shuffle = ['attention', '--view', 'shuffle'];
const of = (data, encoding) => data.curves.find((c) => c.encoding === encoding);
const caseOf = (data, encoding, mask = 'none') => data.cases.find((c) => c.encoding === encoding && c.mask === mask);
const shuffled = (data) => ({ rope: places(caseOf(data, 'rope').outputs.value), plain: num(caseOf(data, 'none').outputs.value, 2), allowed: num(caseOf(data, 'none').outputs.allowed, 2) });

export default {
  id: 'shuffle-repeat',
  step: 11,
  formula: String.raw`\p{scores}{\sum_n a_{mn}}\, v = v, \qquad \sum_n a_{mn} = 1`,
  parts: ['scores', 'added'],
  controls: [{ name: 'layers', min: 1, max: 8, step: 1, value: 6 }],
  command: ({ layers, broken }) => (broken ? shuffle : ['attention', '--view', 'repeat', '--layers', String(layers)]),
  breaks: [{ command: () => shuffle, verdict: (data) => differs(caseOf(data, 'rope').outputs.value, caseOf(data, 'rope').outputs.allowed) }],
  broken: { parts: ['old', 'rope'], without: ['layers'] },

  figure({ main }, { w, layers, broken }, t) {
    if (broken) {
      const changes = [['none', 'old'], ['rope', 'rope']].map(([encoding, part]) => ({ part, of: caseOf(main, encoding).change_of_word }));
      return bars({ w, label: t.figureBroken, title: t.titleBroken, domain: [0, 0.4], left: 70, high: 30,
        rows: main.words.flatMap((word, i) => changes.map(({ part, of: change }, j) => (
          { name: j ? '' : t.words[word], apart: j === 0, value: change[i], text: part === 'rope' ? places(change[i]) : num(change[i], 2), part }))) });
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
  number: ({ main }, { layers, broken }, t) => ({ text: broken ? fill(t.numberBroken, shuffled(main))
    : fill(t.number, { layers: num(layers), rope: num(of(main, 'rope').difference.at(-1), 2), added: places(of(main, 'sinusoidal').difference.at(-1), 2) }), kind: 'seeded' }),
  sentence: ({ main }, { layers, broken }, t) => (broken ? fill(t.sentenceBroken, shuffled(main))
    : fill(t.sentence, { layers: num(layers), rope: num(of(main, 'rope').difference.at(-1), 2), allowed: num(of(main, 'rope').allowed.at(-1), 2), added: places(of(main, 'sinusoidal').difference.at(-1), 2) })),
  table: ({ main }, { broken }, t) => (broken
    ? { head: t.headBroken, rows: main.words.map((word, i) => [t.words[word], ...['none', 'rope'].map((e) => num(caseOf(main, e).change_of_word[i], 3))]) }
    : { head: t.head, rows: of(main, 'rope').difference.map((v, i) => [num(i), num(v, 3), num(of(main, 'rope').allowed[i], 3), places(of(main, 'sinusoidal').difference[i], 4)]) }),
};
