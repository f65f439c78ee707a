// Starts the program that the file carries, beside the page. A test may have put another in its place.
import { unpacked } from './unpacked.js';

/**
 * `cancel` ends what runs for a tool, and a program that begins anew answers all else that was asked.
 *
 * @typedef {{exit: number, stdout: string, stderr: string}} Ran
 * @returns {Promise<{run(argv: string[], forTool?: boolean): Promise<Ran>, write(name: string, bytes: Uint8Array): Promise<void>, remove(name: string): Promise<void>, cancel(): Promise<void>}>}
 */
export async function loadCore() {
  if (globalThis.ropeCore) return globalThis.ropeCore;
  const carried = (id) => document.getElementById(id).textContent;
  const source = URL.createObjectURL(new Blob([unpacked(carried('worker'))], { type: 'text/javascript' }));
  const waiting = new Map();  // calls without an answer, by number
  let calls = 0;
  let worker;
  const send = (id) => worker.postMessage({ id, name: waiting.get(id).name, given: waiting.get(id).given });
  const ask = (name, given, forTool) => new Promise((done, failed) => {
    waiting.set(++calls, { name, given, forTool, done, failed });
    send(calls);
  });
  const begin = () => {
    worker = new Worker(source);
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
    return ask('start', [carried('core')]);
  };
  let ready = begin();
  await ready;
  const call = async (name, given, forTool = false) => {
    await ready;
    return ask(name, given, forTool);
  };
  const cancel = async () => {
    worker.terminate();
    const asked = [...waiting];
    waiting.clear();
    ready = begin();
    for (const [, { forTool, failed }] of asked) if (forTool) failed(new Error('cancelled'));
    await ready;
    for (const [id, one] of asked)
      if (!one.forTool) {
        waiting.set(id, one);
        send(id);
      }
  };
  return { run: (argv, forTool) => call('run', [argv], forTool), write: (name, bytes) => call('write', [name, bytes]), remove: (name) => call('remove', [name]), cancel };
}
