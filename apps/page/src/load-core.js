// Starts the program that the file carries, beside the page. A test may have put another in its place.
import { unpacked } from './unpacked.js';

/**
 * @typedef {{exit: number, stdout: string, stderr: string}} Ran
 * @returns {Promise<{run(argv: string[]): Promise<Ran>, write(name: string, bytes: Uint8Array): Promise<void>, remove(name: string): Promise<void>}>}
 */
export async function loadCore() {
  if (globalThis.ropeCore) return globalThis.ropeCore;
  const carried = (id) => document.getElementById(id).textContent;
  const worker = new Worker(URL.createObjectURL(new Blob([await unpacked(carried('worker'))], { type: 'text/javascript' })));
  const waiting = new Map();  // calls without an answer, by number
  let calls = 0;
  const call = (name, ...given) => new Promise((done, failed) => {
    waiting.set(++calls, { done, failed });
    worker.postMessage({ id: calls, name, given });
  });
  worker.addEventListener('message', ({ data: { id, result, error } }) => {
    const { done, failed } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) done(result);
    else failed(new Error(error));
  });
  worker.addEventListener('error', (event) => {
    for (const { failed } of waiting.values()) failed(new Error(event.message ?? 'the program did not start'));
    waiting.clear();
  });
  await call('start', carried('core'));
  return { run: (argv) => call('run', argv), write: (name, bytes) => call('write', name, bytes), remove: (name) => call('remove', name) };
}
