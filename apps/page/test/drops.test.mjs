// Files dropped on the two tools: the page says what the native program says of them.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openNative } from '../core-node.mjs';
import { differences } from './compare.mjs';
import { open, stop, until } from './browser.mjs';

after(stop);
const folder = mkdtempSync(join(tmpdir(), 'rope-'));
const native = process.env.ROPE && openNative(process.env.ROPE, { cwd: folder });
const reference = fileURLToPath(new URL('../../../data/reference/rotation/', import.meta.url));
const run = (...argv) => native.run(argv);

/** What the page says after files, by their names in `folder`, were chosen for a tool. */
async function said(tool, names) {
  const { page, errors, close } = await open('');
  await page.locator(`[data-tool="${tool}"] input`).setInputFiles(names.map((name) => join(folder, name)));
  await until(page, () => document.querySelector('.said pre, .said .error'), 20000);
  const text = await page.locator(`[data-tool="${tool}"] .said`).evaluate((e) => (e.querySelector('pre') ?? e.querySelector('.error')).textContent);
  assert.deepEqual(errors, []);
  await close();
  return text;
}

function sameAsNative(text, ...argv) {
  const ran = native.run(argv);
  assert.ok(differences(text, ran.stdout + ran.stderr) !== undefined, `rope ${argv.join(' ')}\n${text}\n---\n${ran.stdout}${ran.stderr}`);
}

for (const model of ['llama3_2_1b_d64', 'yarn_gptoss_d64', 'yarn_deepseek_v3_d64'])
  test(`the config.json of ${model}`, { skip: !native }, async () => {
    copyFileSync(join(reference, model, 'config.json'), join(folder, '1-config.json'));
    copyFileSync(join(reference, model, 'config.json'), join(folder, 'config.json'));
    sameAsNative(await said('config', ['config.json']), 'inspect', '1-config.json');
  });

test('two config.json: their difference', { skip: !native }, async () => {
  for (const [to, from] of [['a.json', 'llama2_d128'], ['1-a.json', 'llama2_d128'], ['b.json', 'yarn_llama2_128k_d128'], ['2-b.json', 'yarn_llama2_128k_d128']])
    copyFileSync(join(reference, from, 'config.json'), join(folder, to));
  sameAsNative(await said('config', ['a.json', 'b.json']), 'inspect', '1-a.json', '2-b.json');
});

test('three pairs of arrays, one of them wrong', { skip: !native }, async () => {
  assert.equal(run('apply', '--golden', 'q_', '--quiet').exit, 0);
  const verdicts = [];
  for (const [name, options] of [['interleaved', ['--layout', 'interleaved']], ['half', ['--layout', 'half', '--base', '500000']], ['wrong', ['--layout', 'half']]]) {
    const [x, y] = [`${name}-1.npy`, `${name}-2.npy`];
    copyFileSync(join(folder, 'q_x.npy'), join(folder, x));
    assert.equal(run('apply', x, ...options, '-o', y).exit, 0, name);
    if (name === 'wrong') {
      const bytes = readFileSync(join(folder, y));  // the last number of the last vector: no rotation makes it
      bytes[bytes.length - 1] ^= 0x80;
      writeFileSync(join(folder, y), bytes);
    }
    copyFileSync(join(folder, x), join(folder, `1-${x}`));
    copyFileSync(join(folder, y), join(folder, `2-${y}`));
    const text = await said('npy', [y, x]);  // their names count, not the order of the hand
    sameAsNative(text, 'diagnose', '--input', `1-${x}`, '--result', `2-${y}`);
    verdicts.push(run('diagnose', '--input', `1-${x}`, '--result', `2-${y}`, '--json').exit);
  }
  assert.deepEqual(verdicts, [0, 0, 1]);
});

test('one array alone, and a file too large, are refused', { skip: !native }, async () => {
  assert.match(await said('npy', ['q_x.npy']), /two files/);
  writeFileSync(join(folder, 'large.json'), '');
  truncateSync(join(folder, 'large.json'), (4 << 20) + 1);
  assert.match(await said('config', ['large.json']), /large\.json is 4\.0 MB; files larger than 4 MB/);
});
