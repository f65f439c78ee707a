// What a page was built from: every file that the program and the page are made of, npm's lock file, and the compiler.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'src', 'data', 'apps/rope', 'apps/page/CMakeLists.txt', 'apps/page/core',
  'apps/page/src', 'apps/page/words', 'apps/page/build.mjs', 'apps/page/core-node.mjs', 'apps/page/sources.mjs'];
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

const filesOf = (path) => (statSync(path).isDirectory()
  ? readdirSync(path).flatMap((name) => filesOf(join(path, name))) : [path]);

/** A digest of names and contents, the same in every folder. */
export function sourcesHash(base = root, parts = PARTS) {
  const files = parts.flatMap((part) => filesOf(join(base, part))).map((file) => [relative(base, file), sha256(readFileSync(file))]);
  return sha256(JSON.stringify(files.sort(([a], [b]) => (a < b ? -1 : 1))));
}
export const lockHash = () => sha256(readFileSync(join(root, 'apps/page/package-lock.json')));

/** The first line of `emcc --version`, or a word that no compiler made the page. */
export function compiler(hasCore) {
  if (!hasCore) return 'no compiler: still pictures only';
  return execFileSync('emcc', ['--version'], { encoding: 'utf8' }).split('\n')[0].replace(/ \([^)]*\)/g, '').trim();
}

export const identity = (hasCore) => `sources ${sourcesHash()}; lock ${lockHash()}; ${compiler(hasCore)}`;
/** What a built page says of itself. */
export const identityOf = (html) => html.match(/<meta name="built-from" content="([^"]*)">/)?.[1];
