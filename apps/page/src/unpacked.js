import { decompress } from 'fzstd';
import { toBytes } from './base85.js';

/** Unpacks Zstandard, written as text of base 85. No data: address is fetched, which the page's policy forbids. @returns {Uint8Array} */
export const unpacked = (text) => decompress(toBytes(text));
