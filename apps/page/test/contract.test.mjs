// Every scene has all that a scene has, in both languages, at its first setting and at random ones.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { openCore } from '../core-node.mjs';
import { documents, firstState, ask } from '../src/core.js';
import { scenes } from '../src/scenes/index.js';
import { spoken, textsOf } from '../src/texts.js';
import { stillScene, verdictOf } from '../src/shell.js';
import { rich } from '../src/svg.js';
import { lineOf } from '../src/command.js';
import { curves } from '../src/figures/curves.js';
import { meet, wideOf } from '../src/svg.js';
import { sceneOf } from '../src/fit.js';
import { toBytes, toText } from '../src/base85.js';
import { anySeed, anyState, generator } from './random.mjs';


const core = await openCore();
const lesson = JSON.parse(core.run(['lesson', '--json']).stdout).steps;
const words = Object.fromEntries(['en', 'zh'].map((l) => [l, JSON.parse(readFileSync(new URL(`../words/${l}.json`, import.meta.url)))]));
const KINDS = ['exact', 'rounding', 'seeded', 'habit'];
const BAD = /undefined|NaN|\[object|\{\w+\}(?!<)/;
const seed = anySeed();
console.log(`seed ${seed}`);
const random = generator(seed);

const saidIn = (o) => (typeof o === 'string' ? [o] : o && typeof o === 'object' ? Object.values(o).flatMap(saidIn) : []);
/** As a reader sees it: without commands, and without names that have an underscore of their own. */
const read = (html) => html.replace(/<code>.*?<\/code>/g, '').replace(/<[^>]*>/g, '').replace(/[a-z]{2,}(_[a-z]{2,})+/g, '');

const keys = (o, path = '') => Object.entries(o).flatMap(([k, v]) => (v && typeof v === 'object' ? keys(v, `${path}${k}.`) : [`${path}${k}`]));

test('the two languages have the same words', () => assert.deepEqual(keys(words.en).sort(), keys(words.zh).sort()));
const HAN = '\u4e00-\u9fff';
const FULL = '，。；：、！？「」（）';
/** Half-width punctuation behind Chinese, and a blank between Chinese characters or beside full-width punctuation. */
const AMISS = new RegExp(`[${HAN}] *[:;,!?](?!\\d)|[${HAN}]\\(|\\)[${HAN}]|[${HAN}${FULL}] +[${HAN}${FULL}]|[${FULL}] | [${FULL}]`);
test('Chinese has its own punctuation', () => {
  const folder = new URL('../../../data/lesson/', import.meta.url);
  for (const text of [...saidIn(words.zh), ...readdirSync(folder).flatMap((name) => saidIn(JSON.parse(readFileSync(new URL(name, folder)))))].filter((s) => /[\u4e00-\u9fff]/.test(s)))
    assert.doesNotMatch(text, AMISS, text);
});
test('every step of the lesson has a scene, in order', () =>
  assert.deepEqual(scenes.filter((s) => s.step).map((s) => s.step), lesson.map((s) => s.number)));
test('names are unique', () => assert.equal(new Set(scenes.map((s) => s.id)).size, scenes.length));

test('bytes survive as text', () => {
  for (let length = 0; length < 40; ++length) {
    const bytes = Uint8Array.from({ length }, () => (random() < 0.3 ? 255 : Math.floor(random() * 256)));
    assert.deepEqual(toBytes(toText(bytes)), bytes);
    assert.doesNotMatch(toText(bytes), /[<>&"'`\\]/);
  }
});

test('the arrow of arctan(b/a) is that of each product: right, or half a turn off', async () => {
  const scene = scenes.find((s) => s.id === 'turn');
  const turns = new Set();
  for (let by = 0; by < 20; ++by) {
    const data = await documents(core, scene, { by, broken: true });
    const value = (document, name) => document.numbers.find((n) => n.name === name).value;
    const off = Math.abs(value(data.arctan, 'arctan') - value(data.main, 'principal_angle')) / Math.PI;
    assert.ok(Math.abs(off - Math.round(off)) < 1e-9, `${by}: ${off} half turns`);
    turns.add(`${Math.round(off)} ${scene.breaks[0].verdict(await ask(core, scene.breaks[0].command({ by }))).word}`);
  }
  assert.deepEqual([...turns].sort(), ['0 PASS', '1 ≠']);
});

test('a value beyond the domain that was asked for is drawn at its own height', () => {
  for (const log of [false, true]) {
    const figure = curves({ w: 400, label: 'four dots', x: { domain: [0, 3] }, y: { domain: log ? [10, 100] : [1, 2], log },
      marks: [0, 1, 2, 3].map((v) => ({ x: v, y: log ? 10 ** v : v, part: 'own' })) });
    const heights = [...figure.matchAll(/cy="([\d.]+)"/g)].map((hit) => Number(hit[1]));
    for (const i of [1, 2]) assert.ok(Math.abs(2 * heights[i] - heights[i - 1] - heights[i + 1]) < 0.3, String(heights));
  }
});

/** Labels of which one lies on another; a text's width is an estimate, and nothing is said of neighbours that nearly touch. */
function onEachOther(svg) {
  const boxes = [...svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)" class="label([^"]*)"([^>]*)>(.*?)<\/text>/g)].map(([, x, y, small, how, inside]) => {
    const size = /small/.test(small) ? 13 : 15;
    const text = inside.replace(/<[^>]*>/g, '');
    const wide = wideOf(text, size) * 0.8;
    const left = x - (how.includes('"end"') ? wide : how.includes('"middle"') ? wide / 2 : 0);
    return { text, box: [left, y - size * 0.6, left + wide, Number(y)] };
  }).filter(({ text }) => text);
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a.box, b.box)).map((b) => `${a.text} on ${b.text}`));
}

/** Dots and labels that stand outside a drawing, by a little more than nothing; a text's width is an estimate. */
function outside(svg) {
  const [, w, h] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).map(Number);
  const dots = [...svg.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"/g)].filter(([, x, y]) => x < 0 || x > w || y < 0 || y > h).map((hit) => hit[0]);
  const texts = [...svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"([^>]*)>(.*?)<\/text>/g)].filter(([, x, y, how, inside]) => {
    const wide = wideOf(inside.replace(/<[^>]*>/g, ''), /small|tick|name/.test(how) ? 13 : 15) * 0.9;
    const left = x - (how.includes('"end"') ? wide : how.includes('"middle"') ? wide / 2 : 0);
    return left < -4 || left + wide > w + 4 || y < 4 || y > h + 2;
  }).map((hit) => hit[0]);
  return [...dots, ...texts];
}

/** Where labels are most likely to meet: each numeric control at each of its ends, or at each of a few values, whole and broken. */
const ends = (scene) => scene.controls.filter((c) => !c.choices).flatMap((c) => ((c.max - c.min) / c.step < 40 ? Array.from({ length: (c.max - c.min) / c.step + 1 }, (_, i) => c.min + i * c.step) : [...new Set([c.min, c.max, Math.max(c.min, 1)])].filter((v) => (v - c.min) % c.step === 0)).flatMap((v) => [false, true].map((broken) => ({ ...firstState(scene), [c.name]: v, broken }))));

for (const scene of scenes) {
  test(`${scene.id} keeps the contract`, async () => {
    assert.ok(scene.formula && scene.parts.length && scene.controls.length && scene.breaks.length);
    const states = [firstState(scene), { ...firstState(scene), broken: true }, ...ends(scene), ...Array.from({ length: 12 }, () => anyState(scene, random))];
    const drawn = { whole: new Set(), broken: new Set() };
    const strokes = { lines: new Set(), dots: new Set() };
    for (const state of states) {
      const data = await documents(core, scene, { ...state, w: 600 });
      const verdict = scene.breaks[0].verdict(await ask(core, scene.breaks[0].command(state)), state.broken ? data : await documents(core, scene, { ...state, broken: true }));
      assert.match(verdict.word, /^(PASS|FAIL|INCONCLUSIVE|≠)$/);
      for (const lang of ['en', 'zh']) {
        const t = textsOf(words[lang], scene, lesson);
        const where = `${scene.id} ${lang} ${JSON.stringify(state)}`;
        assert.ok(t.title && t.question && t.choices.length > 1 && t.told && t.answer && t.switch && t.broke, where);
        assert.ok(verdict.off === null || t.sizeOf, `${where}: of what the size is`);
        assert.doesNotMatch(verdictOf(verdict, t), BAD, where);
        assert.equal(t.choices.filter((c) => c.right).length, 1, where);
        assert.ok(t.choices.every((c) => c.right || c.thinks), where);
        for (const part of [...scene.parts, ...(scene.broken?.parts ?? [])]) assert.ok(t.parts[part], `${where} ${part}`);
        if (state === states[0]) for (const text of saidIn(t)) {
          assert.doesNotMatch(read(rich(text)), /[_^]/, text);
          assert.doesNotMatch(read(rich(text)), / [−+] |\([−\d]+, [−\d]/, `no line breaks here: ${text}`);
          assert.doesNotMatch(rich(text), /<code>[^<]*-/, text);
        }
        for (const c of scene.controls) assert.doesNotMatch(spoken(c, state, t), BAD, where);
        for (const w of [340, 640]) {
          const svg = scene.figure(data, { ...state, w }, t);
          for (const [, part] of svg.matchAll(/data-part="(\w+)"/g)) drawn[state.broken ? 'broken' : 'whole'].add(part);
          for (const [, part, inside] of svg.matchAll(/<g [^>]*data-part="(\w+)"[^>]*>(.*?)(?=<g |<\/g>)/g)) {
            if (/<(path|line|rect) /.test(inside)) strokes.lines.add(part);
            else if (/<circle [^>]*class="dot/.test(inside)) strokes.dots.add(part);
          }
          for (const [, part] of svg.matchAll(/<(?:path|line|rect|circle) [^>]*data-part="(\w+)"/g)) strokes.lines.add(part);
          assert.match(svg, /^<svg viewBox="0 0 [\d.]+ [\d.]+" role="img" aria-label="[^"]{12,}/, where);
          assert.deepEqual(outside(svg), [], `${where} ${w}`);
          assert.deepEqual(onEachOther(svg), [], `${where} ${w}`);
          assert.doesNotMatch(svg, /undefined|NaN|Infinity|\[object/, where);
          assert.doesNotMatch(read(svg), /[_^]/, where);
          assert.ok(svg.length < 90000, `${where}: ${svg.length}`);
        }
        const number = scene.number(data, state, t);
        assert.ok(KINDS.includes(number.kind), where);
        assert.doesNotMatch(number.text, /undefined|NaN|\[object/, where);
        assert.match(number.text, /\d/, where);
        const sentence = scene.sentence(data, state, t);
        assert.doesNotMatch(sentence, /undefined|NaN|\[object/, where);
        for (const text of [number.text, sentence, ...scene.controls.map((c) => spoken(c, state, t))]) assert.doesNotMatch(text, /(?<![\d.,−]|of |bfloat)\b1 (tokens|positions|layers|rows|columns|turns|times|pairs)|\{\w+\|/, where);
        for (const text of [number.text, sentence]) assert.doesNotMatch(read(rich(text)), /[_^]/, text);
        if (state === states[0]) {
          const still = stillScene(scene, t, data, { ...state, w: 440 }, '');
          const [figure] = still.match(/<svg.*<\/svg>/s);
          for (const part of scene.parts)
            assert.equal(still.includes(`<li class="${part}">`), figure.includes(`data-part="${part}"`), `${where}: the legend of the still picture has ${part}`);
          assert.doesNotMatch(read(still), /dashed|虚线|of the picture/, `${where}: on paper nothing is broken`);
          assert.ok(!t.brokeShown || !still.includes(rich(t.brokeShown)), where);
          if (lang === 'zh') assert.doesNotMatch(still.replace(/<code>.*?<\/code>/gs, '').replace(/<[^>]*>/g, '¦'), new RegExp(`[${HAN}]¦*[:;,] |：¦* |，¦* `), where);
          assert.doesNotMatch(t.presenter ?? '', /on the screen|picture file|panels|exercise|four terms:|屏幕|图片|三联图|练习|格子/, `${where}: notes speak of the page`);
        }
        const table = scene.table(data, state, t);
        assert.ok(table.rows.length && table.rows.every((r) => r.length === table.head.length), where);
        assert.doesNotMatch(JSON.stringify(table), /undefined|NaN|\[object/, where);
      }
    }
    // What the switch brings stands in the legend before it is on.
    const named = { whole: scene.parts, broken: scene.broken?.parts ?? scene.parts };
    for (const how of ['whole', 'broken']) {
      assert.deepEqual(named[how].filter((part) => !drawn[how].has(part) && !(how === 'whole' && drawn.broken.has(part))), [], `${how}: in the legend, not in the figure, so that nothing can light`);
      assert.deepEqual([...drawn[how]].filter((part) => !named[how].includes(part)), [], `${how}: in the figure, not in the legend`);
    }
    assert.deepEqual(scene.dots ?? [], scene.parts.filter((part) => strokes.dots.has(part) && !strokes.lines.has(part)), 'the legend shows lines as lines and dots as dots');
    for (const [, part] of scene.formula.matchAll(/\\p\{(\w+)\}/g)) assert.ok(scene.parts.includes(part), part);
  });

  test(`${scene.id}: command, number, sentence and table are of one state`, async () => {
    const t = textsOf(words.en, scene, lesson);
    for (const state of [firstState(scene), anyState(scene, random)]) {
      const [whole, broken] = await Promise.all([false, true].map(async (b) => {
        const now = { ...state, broken: b };
        const data = await documents(core, scene, now);
        return { command: lineOf(scene.command(now)), said: [scene.number(data, now, t).text, scene.sentence(data, now, t)], table: scene.table(data, now, t) };
      }));
      if (whole.command === broken.command) assert.deepEqual(broken, whole, `one command, ${JSON.stringify(state)}`);
      else for (const what of ['said', 'table']) assert.notDeepEqual(broken[what], whole[what], `two commands, one ${what}, ${JSON.stringify(state)}`);
    }
  });

  test(`${scene.id}: every control moves something, whole or broken, and none stands there idle`, async () => {
    const t = textsOf(words.en, scene, lesson);
    const shown = async (now) => {
      const data = await documents(core, scene, now);
      return [scene.figure(data, { ...now, w: 600 }, t), scene.number(data, now, t).text, scene.sentence(data, now, t)].join();
    };
    for (const c of scene.controls) {
      const [from, to] = c.choices ? [c.choices[0], c.choices.at(-1)] : [c.min, c.max];
      const moves = async (broken) => (await shown({ ...firstState(scene), broken, [c.name]: from })) !== await shown({ ...firstState(scene), broken, [c.name]: to });
      const moved = { whole: await moves(false), broken: await moves(true) };
      assert.equal(moved.broken, !scene.broken?.without?.includes(c.name), `${c.name}, broken`);
      assert.ok(moved.whole || moved.broken, c.name);
    }
  });

  test(`a pasted line opens ${scene.id}`, () => {
    for (const state of [firstState(scene), { ...anyState(scene, random), broken: false }]) {
      const line = lineOf(scene.command(state));
      const found = sceneOf(`$ ${line}`, scenes, lesson);
      assert.ok(found, line);
      assert.equal(lineOf((found.broken ? found.scene.breaks[0].command : found.scene.command)({ ...firstState(found.scene), ...found.values })), line);
    }
  });
}
