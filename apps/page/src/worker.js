// The program, running beside the page so that no answer, however long, stops the hand on a slider.
import create from 'rope-core';
import { unpacked } from './unpacked.js';

let program;
const calls = {
  start: async (text) => { program = await create(unpacked(text)); },
  run: (argv) => program.run(argv),
  write: (name, bytes) => program.write(name, bytes),
  remove: (name) => program.remove(name),
};

addEventListener('message', async ({ data: { id, name, given } }) => {
  try {
    postMessage({ id, result: await calls[name](...given) });
  } catch (error) {
    postMessage({ id, error: error.message ?? String(error) });
  }
});
