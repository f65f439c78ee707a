// Every scene, in the order of the page.
import turn from './turn.js';
import slidingPair from './sliding-pair.js';
import absoluteRelative from './absolute-relative.js';
import sign from './sign.js';
import clocks from './clocks.js';
import decay from './decay.js';
import farTokens from './far-tokens.js';
import anotherTheta from './another-theta.js';
import twoWirings from './two-wirings.js';
import where from './where.js';
import shuffleRepeat from './shuffle-repeat.js';
import unseenAngles from './unseen-angles.js';
import longerContexts from './longer-contexts.js';
import whichNumber from './which-number.js';
import cache from './cache.js';
import bfloat16 from './bfloat16.js';
import freeArrows from './free-arrows.js';
import freeClocks from './free-clocks.js';
import freeDecay from './free-decay.js';
import freeWavelengths from './free-wavelengths.js';
import freeExtension from './free-extension.js';
import freeEncodings from './free-encodings.js';
import freePrecision from './free-precision.js';
import freeAxes from './free-axes.js';

/** @type {import('./contract.js').Scene[]} */
export const scenes = [
  turn, slidingPair, absoluteRelative, sign, clocks, decay, farTokens, anotherTheta,
  twoWirings, where, shuffleRepeat, unseenAngles, longerContexts, whichNumber, cache, bfloat16,
  freeArrows, freeClocks, freeDecay, freeWavelengths, freeExtension, freeEncodings, freePrecision, freeAxes,
];
