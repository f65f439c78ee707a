// The program. In the page it is WebAssembly; tests and the bridge put another one in its place.
/** @typedef {{exit: number, stdout: string, stderr: string}} Ran */

const kept = new Map();  // parsed documents of lines that were run, the oldest first
const KEEP = 300;

/** Asks the program for one document. @param {{run(argv: string[]): Ran | Promise<Ran>}} core @param {string[]} argv */
export async function ask(core, argv) {
  const key = argv.join('\n');
  if (kept.has(key)) return kept.get(key);
  const ran = await core.run([...argv, '--json']);
  let data;
  try {
    data = JSON.parse(ran.stdout);
  } catch {
    throw new Error(ran.stderr.trim() || ran.stdout.trim() || `exit ${ran.exit}`);
  }
  kept.set(key, data);
  if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  return data;
}

/** All documents that a scene draws in one state. */
export async function documents(core, scene, state) {
  const data = { main: await ask(core, scene.command(state)) };
  for (const [name, argv] of Object.entries(scene.more?.(state) ?? {})) data[name] = await ask(core, argv);
  return data;
}

export const firstState = (scene) => ({ ...Object.fromEntries(scene.controls.map((c) => [c.name, c.value])), broken: false });
