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
import { sceneOf } from '../src/fit.js';
import { toBytes, toText } from '../src/base85.js';
import { anySeed, anyState, generator } from './random.mjs';

/** Each control at its least, its greatest and at 1. */
const ends = (scene) => scene.controls.filter((c) => !c.choices).flatMap((c) => [...new Set([c.min, c.max, Math.max(c.min, 1)])].filter((v) => (v - c.min) % c.step === 0).map((v) => ({ ...firstState(scene), [c.name]: v })));

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

for (const scene of scenes) {
  test(`${scene.id} keeps the contract`, async () => {
    assert.ok(scene.formula && scene.parts.length && scene.controls.length && scene.breaks.length);
    const states = [firstState(scene), { ...firstState(scene), broken: true }, ...ends(scene), ...Array.from({ length: 12 }, () => anyState(scene, random))];
    const drawn = new Set();
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
        for (const part of scene.parts) assert.ok(t.parts[part], `${where} ${part}`);
        if (state === states[0]) for (const text of saidIn(t)) {
          assert.doesNotMatch(read(rich(text)), /[_^]/, text);
          assert.doesNotMatch(read(rich(text)), / [−+] |\([−\d]+, [−\d]/, `no line breaks here: ${text}`);
          assert.doesNotMatch(rich(text), /<code>[^<]*-/, text);
        }
        for (const c of scene.controls) assert.doesNotMatch(spoken(c, state, t), BAD, where);
        for (const w of [340, 640]) {
          const svg = scene.figure(data, { ...state, w }, t);
          for (const [, part] of svg.matchAll(/data-part="(\w+)"/g)) drawn.add(part);
          for (const [, part, curve] of svg.matchAll(/<g class="curve (\w+)[^>]*>(.*?)<\/g>/g)) strokes[/class="stroke"/.test(curve) ? 'lines' : 'dots'].add(part);
          assert.match(svg, /^<svg viewBox="0 0 [\d.]+ [\d.]+" role="img" aria-label="[^"]{12,}/, where);
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
    assert.deepEqual(scene.parts.filter((part) => !drawn.has(part)), [], 'parts that no figure draws, so that nothing can light');
    assert.deepEqual(scene.dots ?? [], scene.parts.filter((part) => strokes.dots.has(part) && !strokes.lines.has(part)), 'the legend shows lines as lines and dots as dots');
    for (const [, part] of scene.formula.matchAll(/\\p\{(\w+)\}/g)) assert.ok(scene.parts.includes(part), part);
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
