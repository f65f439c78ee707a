// The program for Node: a native one that ROPE names, or the WebAssembly.
import { spawnSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Folder of rope.js and rope.wasm. */
export const coreFolder = process.env.ROPE_CORE ?? fileURLToPath(new URL('../../build/page/core', import.meta.url));
export const hasCore = existsSync(join(coreFolder, 'rope.wasm'));

export async function openWasm() {
  globalThis.crypto ??= webcrypto;  // which browsers have, and Node from its version 20 on: names of temporary files are drawn from it
  const { default: create } = await import(pathToFileURL(join(coreFolder, 'rope.js')));
  return create(new Uint8Array(readFileSync(join(coreFolder, 'rope.wasm'))));
}

export function openNative(program = process.env.ROPE, options = {}) {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };  // as the page writes: θ, not theta
  return {
    run(argv) {
      const { status, stdout, stderr, error } = spawnSync(program, argv, { encoding: 'utf8', maxBuffer: 1 << 28, env, ...options });
      if (error) throw error;
      return { exit: status, stdout, stderr };
    },
  };
}

export async function openCore() {
  if (process.env.ROPE) return openNative();
  if (hasCore) return openWasm();
  throw new Error(`no core in ${coreFolder}: build it, name its folder by ROPE_CORE, or name a native program by ROPE`);
}
