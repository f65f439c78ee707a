// The two tools: what a dropped config.json or pair of arrays is. Files stay on this machine.
import { esc } from './svg.js';

const LIMITS = { config: 4 << 20, npy: 64 << 20 };
export const tools = {
  config: { most: 2, accept: '.json', command: (names) => ['inspect', ...names] },
  npy: { most: 2, fewest: 2, accept: '.npy', command: ([before, after]) => ['diagnose', '--input', before, '--result', after] },
};

/** Refused by its size, before it is read. */
export const tooLarge = (tool, file) => file.size > LIMITS[tool];
export const limitOf = (tool) => `${LIMITS[tool] >> 20} MB`;

/** What names of a pair of arrays say, before and after the rotation. */
const BEFORE_AFTER = [['pre', 'post'], ['before', 'after'], ['x', 'y'], ['in', 'out'], ['input', 'output'], ['input', 'result'], ['unrotated', 'rotated'], ['1', '2'], ['0', '1']];

/** Two arrays, the one before the rotation first if their names tell; else as they were given. */
export function beforeFirst(files) {
  const words = (file) => file.name.toLowerCase().replace(/\.npy$/, '').match(/[a-z]+|\d+/g) ?? [];
  const [first, second] = files.map(words);
  const are = (a, b) => BEFORE_AFTER.some(([before, behind]) => a.includes(before) && !b.includes(before) && b.includes(behind) && !a.includes(behind));
  return are(second, first) ? [files[1], files[0]] : files;
}

export async function examine(core, tool, files) {
  const names = [];
  for (const [i, file] of files.entries()) {
    const name = `${i + 1}-${file.name.replace(/[^\w.-]/g, '_')}`;
    await core.write(name, new Uint8Array(await file.arrayBuffer()));
    names.push(name);
  }
  const argv = tools[tool].command(names);
  const ran = await core.run(argv, true);
  const json = await core.run([...argv, '--json'], true);
  for (const name of names) await core.remove?.(name);
  return { argv, text: ran.stdout + ran.stderr, exit: ran.exit, json: json.stdout };
}

export const toolHtml = (tool, words) => `<div class="tool" data-tool="${tool}"><h3>${esc(words[tool].title)}</h3><p>${esc(words[tool].lead)}</p>
<label class="drop"><input type="file" ${tools[tool].most > 1 ? 'multiple ' : ''}accept="${tools[tool].accept}"><span>${esc(words[tool].drop)}</span></label><div class="said" aria-live="polite"></div></div>`;
