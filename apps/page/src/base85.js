// Bytes as text that HTML leaves alone: four bytes in five characters, where base64 takes five and a third.

const DIGITS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((c) => !'<>&"\'`\\'.includes(c)).slice(0, 85).join('');

/** @param {Uint8Array} bytes */
export function toText(bytes) {
  const pieces = [];
  for (let i = 0; i < bytes.length; i += 4) {
    let word = 0;
    for (let k = 0; k < 4; ++k) word = word * 256 + (bytes[i + k] ?? 0);
    let five = '';
    for (let k = 0; k < 5; ++k, word = Math.floor(word / 85)) five = DIGITS[word % 85] + five;
    pieces.push(five.slice(0, 1 + Math.min(4, bytes.length - i)));
  }
  return pieces.join('');
}

/** @param {string} text @returns {Uint8Array} */
export function toBytes(text) {
  const value = new Uint8Array(128);
  for (let i = 0; i < 85; ++i) value[DIGITS.charCodeAt(i)] = i;
  const bytes = new Uint8Array(Math.floor(text.length * 4 / 5));
  for (let i = 0, to = 0; i < text.length; i += 5) {
    let word = 0;
    for (let k = 0; k < 5; ++k) word = word * 85 + (i + k < text.length ? value[text.charCodeAt(i + k)] : 84);
    for (let k = 24; k >= 0 && to < bytes.length; k -= 8) bytes[to++] = (word / 2 ** k) & 255;
  }
  return bytes;
}
