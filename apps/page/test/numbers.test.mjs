// At random settings of every scene the WebAssembly prints what the native program prints: the same bytes. Three things are
// not the same on both machines. The pipeline of a rounding policy computes through the machine's own libm: its errors stay
// within the bound printed beside them. The angle between two arrows is that libm's atan2, at most a last bit away, and so is the way between two such angles. And `verify` takes the size of an exact table's rounding in long double, 64 bits here
// and 113 there: that size agrees to what 64 bits leave.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { hasCore, openNative, openWasm } from '../core-node.mjs';
import { scenes } from '../src/scenes/index.js';
import { lineOf } from '../src/command.js';
import { beyondBounds, differences, ulpsBetween } from './compare.mjs';
import { anySeed, anyState, generator } from './random.mjs';

const SETTINGS = Number(process.env.SETTINGS ?? 20);
const NUMBERS = /-?\d+\.?\d*(?:e[-+]?\d+)?/g;
/** A pipeline of formats is emulated with the host's cos, sin and pow. Nothing else of a scene is. */
const throughLibm = (argv) => argv.includes('--policy') || argv.join(' ').includes('--break bfloat16');

/**
 * The angle between two arrows is a C library's atan2 of numbers that are exact: at most the last bit differs. What a
 * mistake is off by is the way between two of them: of at most π each, a last bit is 2^-51, and so is that of their way.
 */
const OF_TWO_ANGLES = 3 * 2 ** -51;
function anglesApart(text) {
  if (!text.includes('"schema": "rope.rotate/')) return { text, angles: [], ways: [] };
  const [angles, ways] = [[], []];
  return { angles, ways, text: text.replace(/"(angle|off_by)": (-?[\d.e+-]+)/g, (all, name, value) => { (name === 'angle' ? angles : ways).push(Number(value)); return `"${name}": 0`; }) };
}

/** What verify takes in long double, beside which everything is exact: numbers at most 1, rounded fewer than 16 times at 2^-64. */
const MEASURED = 2 ** -60;
function exactPart(text) {
  if (!text.includes('"schema": "rope.verify/')) return { text, sizes: [] };
  const { certificate, orthogonality: { max_abs_modulus_minus_1: modulus, ...orthogonality }, build, ...rest } = JSON.parse(text);
  return { text: JSON.stringify({ ...rest, orthogonality, violations: certificate?.violations }), sizes: [certificate?.op_norm, modulus] };
}
const near = (x, y) => x === y || (x !== null && Math.abs(x - y) <= MEASURED * Math.max(1, Math.abs(x)));

/** Every line of every scene at random settings, each once. */
function linesOf(random, settings) {
  const lines = new Map();
  for (const scene of scenes)
    for (let i = 0; i < settings; ++i) {
      const state = anyState(scene, random);
      for (const argv of [scene.command(state), ...Object.values(scene.more?.(state) ?? {}), ...(state.broken ? [scene.breaks[0].command(state)] : [])])
        lines.set(lineOf([...argv, '--json']), [...argv, '--json']);
    }
  return [...lines.values()];
}

const sameSides = (a, b) => isDeepStrictEqual(beyondBounds(JSON.parse(a)), beyondBounds(JSON.parse(b)));

function tally() {
  const exact = { lines: 0, numbers: 0 }, angles = { numbers: 0, differ: 0 }, measured = { numbers: 0, differ: 0 }, libm = { lines: 0, numbers: 0, differ: 0 };
  const wrong = [];
  return {
    exact, angles, measured, libm, wrong,
    add(argv, a, b) {
      if (throughLibm(argv)) {
        const found = differences(a.stdout, b.stdout);
        libm.lines += 1;
        libm.numbers += a.stdout.match(NUMBERS)?.length ?? 0;
        libm.differ += found?.length ?? 0;
        if (a.exit !== b.exit || found === undefined || !sameSides(a.stdout, b.stdout)) wrong.push({ line: lineOf(argv), found });
        return;
      }
      const [ours, theirs] = [anglesApart(a.stdout), anglesApart(b.stdout)];
      const [left, right] = [exactPart(ours.text), exactPart(theirs.text)];
      const farthest = Math.max(0, ...ours.angles.map((angle, i) => ulpsBetween(angle, theirs.angles[i])));
      const waysNear = ours.ways.length === theirs.ways.length && ours.ways.every((way, i) => Math.abs(way - theirs.ways[i]) <= OF_TWO_ANGLES);
      angles.numbers += ours.angles.length + ours.ways.length;
      angles.differ += ours.angles.filter((angle, i) => angle !== theirs.angles[i]).length + ours.ways.filter((way, i) => way !== theirs.ways[i]).length;
      exact.lines += 1;
      exact.numbers += left.text.match(NUMBERS)?.length ?? 0;
      measured.numbers += left.sizes.length;
      measured.differ += left.sizes.filter((x, i) => x !== right.sizes[i]).length;
      const found = differences(left.text, right.text);
      if (a.exit !== b.exit || found?.length !== 0 || !(farthest <= 1) || !waysNear || !left.sizes.every((x, i) => near(x, right.sizes[i]))) wrong.push({ line: lineOf(argv), found, left: left.sizes, right: right.sizes });
    },
  };
}

/** The text with one number's last bit changed. */
function withOneBit(text, random) {
  const places = [...text.matchAll(/-?\d+\.\d{12,}(?:e[-+]?\d+)?/g)];
  const hit = places[Math.floor(random() * places.length)];
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(hit[0]));
  view.setBigInt64(0, view.getBigInt64(0) ^ 1n);
  return text.slice(0, hit.index) + view.getFloat64(0) + text.slice(hit.index + hit[0].length);
}

test('WebAssembly and native agree', { skip: !hasCore || !process.env.ROPE }, async () => {
  const [wasm, native] = [await openWasm(), openNative()];
  const seed = anySeed();
  const found = tally();
  for (const argv of linesOf(generator(seed), SETTINGS)) found.add(argv, wasm.run(argv), native.run(argv));
  const { exact, angles, measured, libm, wrong } = found;
  console.log(`seed ${seed}: ${exact.numbers} numbers of ${exact.lines} lines are exact; of ${angles.numbers} angles by atan2, and ways between two, ${angles.differ} differ in the last bit; of ${measured.numbers} that verify takes in long double ${measured.differ} differ; `
    + `of ${libm.numbers} numbers of ${libm.lines} lines that go through libm ${libm.differ} differ`);
  assert.deepEqual(wrong, []);
});

test('one bit of one number is seen, in every scene', { skip: !process.env.ROPE }, () => {
  const native = openNative();
  const random = generator(anySeed());
  for (const scene of scenes) {
    const argv = [...scene.command(anyState(scene, random)), '--json'];
    const b = native.run(argv);
    const found = differences(withOneBit(b.stdout, random), b.stdout);
    assert.deepEqual(found.map(({ ulps }) => ulps), [1], lineOf(argv));
  }
});

test('a libm that is off by one ulp is seen where a line goes through libm, and changes no other', { skip: !process.env.ROPE || process.platform !== 'linux' }, () => {
  const library = join(mkdtempSync(join(tmpdir(), 'rope-')), 'libm.so');
  execFileSync('cc', ['-O1', '-fno-builtin', '-shared', '-fPIC', '-o', library, fileURLToPath(new URL('another_libm.c', import.meta.url)), '-ldl', '-lm']);
  const [native, other] = [openNative(), openNative(process.env.ROPE, { env: { ...process.env, LD_PRELOAD: library } })];
  const seed = anySeed();
  const unseen = [], changed = [];
  for (const argv of linesOf(generator(seed), Math.min(4, SETTINGS))) {
    const same = native.run(argv).stdout === other.run(argv).stdout;
    if (throughLibm(argv) && argv[0] !== 'rotate' && same) unseen.push(lineOf(argv));
    if (!throughLibm(argv) && !same) changed.push(lineOf(argv));
  }
  assert.deepEqual({ seed, unseen, changed }, { seed, unseen: [], changed: [] });
});
