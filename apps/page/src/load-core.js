// Starts the program that the file carries. A test may have put another in its place.
import create from 'rope-core';

/** Text of base64, of gzip, of WebAssembly. Decoded by hand: the page's policy fetches nothing, not even data. */
async function carried() {
  const text = atob(document.getElementById('core').textContent);
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @returns {Promise<{run(argv: string[]): {exit: number, stdout: string, stderr: string}, write(name: string, bytes: Uint8Array): void, remove?(name: string): void}>} */
export const loadCore = async () => globalThis.ropeCore ?? create(await carried());
