import { decompress } from 'fzstd';
import { toBytes } from './base85.js';

/** Text of base 85, of Zstandard. Decoded by hand: the page's policy fetches nothing, not even data. @returns {Uint8Array} */
export const unpacked = (text) => decompress(toBytes(text));
