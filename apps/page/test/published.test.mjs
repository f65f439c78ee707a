// docs/page/rope.html is what the sources here make, byte for byte.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { hasCore } from '../core-node.mjs';
import { identity, identityOf, sourcesHash } from '../sources.mjs';

const published = fileURLToPath(new URL('../../../docs/page/rope.html', import.meta.url));
const AGAIN = 'run cmake --build --preset page --target publish, and commit docs/page/rope.html';

test('the published page is of these sources', { skip: !hasCore }, () => {
  assert.ok(existsSync(published), `${published} is not there: ${AGAIN}`);
  assert.equal(identityOf(readFileSync(published, 'utf8')), identity(hasCore), `docs/page/rope.html is of other sources, packages or compiler: ${AGAIN}`);
});

test('the published page is the built one', { skip: !hasCore || !process.env.PAGE }, () =>
  assert.ok(readFileSync(published).equals(readFileSync(process.env.PAGE)), `docs/page/rope.html and ${process.env.PAGE} differ: ${AGAIN}`));

test('a changed byte, a changed name and a moved folder', () => {
  const made = (name, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'rope-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', name), text);
    return sourcesHash(folder, ['src']);
  };
  const here = made('a.cpp', 'x');
  assert.equal(made('a.cpp', 'x'), here);
  assert.notEqual(made('a.cpp', 'y'), here);
  assert.notEqual(made('b.cpp', 'x'), here);
});
