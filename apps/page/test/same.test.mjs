// What the program shows and teaches with, run by WebAssembly and by a native program: the same bytes. The lines are
// the program's own: the examples of its help, the steps of its lesson, and what shows its claims.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { hasCore, openNative, openWasm } from '../core-node.mjs';
import { beyondBounds, differences, unboundedlyApart } from './compare.mjs';

// These compute through the machine's own cos, sin, pow and exp, and say so; the last bits of such numbers may differ.
const LIBM = ['precision', 'verify', 'claims', 'extend', 'rotate', 'lesson', 'compare', 'decay', 'attention', 'score'];

// The page cannot start a program; the native one finds none.
const NO_GNUPLOT = /cannot (make a file in memory|start gnuplot) \(.*\)/;

/** Two measurements with another C library stay on one side of each bound; other numbers are a last bit apart. */
function agree(a, b) {
  if (!a.startsWith('{')) return true;  // the same line's --json is looked at
  const [ours, theirs] = [JSON.parse(a), JSON.parse(b)];
  return isDeepStrictEqual(beyondBounds(ours), beyondBounds(theirs))
    && (/^rope\.(verify|precision)\//.test(ours.schema) || unboundedlyApart(ours, theirs).length === 0);
}

function linesOf(program) {
  const out = (...argv) => program.run(argv).stdout;
  const lines = [];
  for (const [, command] of out('--help').matchAll(/^ {2}([a-z]+) {2,}/gm))
    lines.push(...[...out(command, '--help').matchAll(/^ {2}(rope .*)$/gm)].map(([, line]) => line));
  for (const step of JSON.parse(out('lesson', '--json')).steps)
    lines.push(step.command, step.break.command, step.exercise.command);
  for (const claim of JSON.parse(out('claims', '--json')).claims) lines.push(claim.show);
  const words = lines.filter((line) => line?.startsWith('rope ') && !/[|&;$"'<>`\n]/.test(line))
    .map((line) => line.split(/\s+#/)[0].trim().split(/\s+/).slice(1));
  const both = words.flatMap((argv) => argv.includes('--json') ? [argv] : [argv, [...argv, '--json']]);
  return [...new Map(both.map((argv) => [argv.join(' '), argv])).values()];
}

test('the same command lines print the same', { skip: !hasCore || !process.env.ROPE }, async () => {
  // Without gnuplot, as on the page; what a line writes goes nowhere.
  const folder = mkdtempSync(join(tmpdir(), 'rope-'));
  const native = openNative(process.env.ROPE, { cwd: folder, env: { PATH: '', LC_ALL: 'C.UTF-8' } });
  const wasm = await openWasm();
  const lines = linesOf(native);
  assert.ok(lines.length >= 300, `only ${lines.length} lines`);
  let same = 0;
  const near = [], wrong = [];
  for (const argv of lines) {
    const line = `rope ${argv.join(' ')}`;
    const [a, b] = [wasm.run(argv), native.run(argv)];
    const found = differences(a.stdout, b.stdout);
    if (a.exit !== b.exit || a.stderr.replace(NO_GNUPLOT, '') !== b.stderr.replace(NO_GNUPLOT, '') || found === undefined || !agree(a.stdout, b.stdout))
      wrong.push({ line, a, b });
    else if (found.length > 0) near.push({ line, numbers: found.length, ...found.sort((x, y) => y.ulps - x.ulps)[0] });
    else ++same;
  }
  console.log(`${lines.length} lines: ${same} the same to the last byte, ${near.length} but for numbers through libm`);
  for (const { line, numbers, a, b, ulps } of near) console.log(`  ${numbers} in ${line}: at most ${a} for ${b} (${ulps} ulp)`);
  assert.deepEqual(wrong, []);
  assert.deepEqual(near.filter(({ line }) => !LIBM.includes(line.split(' ')[1])), []);
});

test('one bit is seen', { skip: !hasCore || !process.env.ROPE }, async () => {
  const argv = ['score', '--json'];
  const { stdout } = (await openWasm()).run(argv);
  const number = stdout.match(/-?\d\.\d{15,17}/)[0];
  const next = (() => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, Number(number));
    view.setBigInt64(0, view.getBigInt64(0) + 1n);
    return String(view.getFloat64(0));
  })();
  const planted = stdout.replace(number, next);
  const found = differences(planted, openNative().run(argv).stdout);
  assert.deepEqual(found.map(({ ulps }) => ulps), [1]);
  assert.equal(differences(stdout.replace('"', '«'), stdout), undefined);
});
