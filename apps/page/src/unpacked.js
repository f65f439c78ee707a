import { toBytes } from './base85.js';

/** Text of base 85, of gzip. Decoded by hand: the page's policy fetches nothing, not even data. @returns {Promise<Uint8Array>} */
export async function unpacked(text) {
  const stream = new Blob([toBytes(text)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
