// At random settings of every scene the WebAssembly prints what the native program prints: the same bytes, or, where a
// command computes through the machine's own libm and says so, the same but for numbers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { hasCore, openNative, openWasm } from '../core-node.mjs';
import { scenes } from '../src/scenes/index.js';
import { lineOf } from '../src/command.js';
import { differences } from './compare.mjs';
import { anySeed, anyState, generator } from './random.mjs';

const SETTINGS = Number(process.env.SETTINGS ?? 20);
const LIBM = ['precision', 'verify'];
const NUMBERS = /-?\d+\.?\d*(?:e[-+]?\d+)?/g;

test('WebAssembly and native agree', { skip: !hasCore || !process.env.ROPE }, async () => {
  const [wasm, native] = [await openWasm(), openNative()];
  const seed = anySeed();
  const random = generator(seed);
  const seen = new Set();
  const exact = { lines: 0, numbers: 0 }, libm = { lines: 0, numbers: 0, differ: 0 };
  const wrong = [];
  for (const scene of scenes)
    for (let i = 0; i < SETTINGS; ++i) {
      const state = anyState(scene, random);
      for (const argv of [scene.command(state), ...Object.values(scene.more?.(state) ?? {}), ...(state.broken ? [scene.breaks[0].command(state)] : [])]) {
        const line = lineOf([...argv, '--json']);
        if (seen.has(line)) continue;
        seen.add(line);
        const [a, b] = [wasm.run([...argv, '--json']), native.run([...argv, '--json'])];
        const found = differences(a.stdout, b.stdout);
        const through = LIBM.includes(argv[0]) ? libm : exact;
        ++through.lines;
        through.numbers += a.stdout.match(NUMBERS)?.length ?? 0;
        if (a.exit !== b.exit || found === undefined || (found.length > 0 && through === exact)) wrong.push({ line, found });
        else if (found.length > 0) libm.differ += found.length;
      }
    }
  console.log(`seed ${seed}: ${exact.numbers} numbers of ${exact.lines} lines are exact; `
    + `of ${libm.numbers} numbers of ${libm.lines} lines that go through libm ${libm.differ} differ`);
  assert.deepEqual(wrong, []);
});
