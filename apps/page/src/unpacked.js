/** Text of base64, of gzip. Decoded by hand: the page's policy fetches nothing, not even data. @returns {Promise<Uint8Array>} */
export async function unpacked(text) {
  const stream = new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
