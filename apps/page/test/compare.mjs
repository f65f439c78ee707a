// Two outputs of one command line: the same bytes, the same but for last bits of numbers, or different.

const NUMBER = /-?0x[\da-f]\.?[\da-f]*p[-+]\d+|[-−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

const bits = new DataView(new ArrayBuffer(8));

/** A double's place among all doubles in order. */
function place(number) {
  bits.setFloat64(0, number);
  const word = bits.getBigInt64(0);
  return word < 0n ? -(word & 0x7fffffffffffffffn) : word;
}

export function ulpsBetween(a, b) {
  const distance = Number(place(a) - place(b));
  return Math.abs(distance);
}

function valueOf(text) {
  const hex = /^(-?)0x(.)\.?(.*)p(.*)$/.exec(text);
  if (!hex) return Number(text.replace('−', '-'));
  const [, sign, whole, fraction, exponent] = hex;
  return Number(`${sign}1`) * parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
}

// The build names its compiler and its libm.
const withoutBuild = (text) => text.replace(/"build": \{[^}]*\}/, '');

/** The numbers in which two texts differ, as {a, b, ulps}; undefined if more than numbers differs. */
export function differences(a, b) {
  const [left, right] = [withoutBuild(a), withoutBuild(b)];
  if (left === right) return [];
  if (left.replace(NUMBER, '#').replace(/ +/g, ' ') !== right.replace(NUMBER, '#').replace(/ +/g, ' ')) return undefined;
  const [ours, theirs] = [left.match(NUMBER), right.match(NUMBER)];
  return ours.map((text, i) => ({ a: text, b: theirs[i], ulps: ulpsBetween(valueOf(text), valueOf(theirs[i])) }))
    .filter(({ a: one, b: other }) => one !== other);
}

/**
 * Where a document of `rope … --json` says of itself that an error is beyond its bound: paths of each. Two machines may
 * measure other errors, never another side of a bound.
 */
export function beyondBounds(of, path = '') {
  if (of === null || typeof of !== 'object') return [];
  const beyond = (error, bound) => typeof error === 'number' && typeof bound === 'number' && !(error <= bound);
  const here = [
    ...(beyond(of.error, of.bound) ? ['error'] : []),
    ...(beyond(of.off, of.allowed) ? ['off'] : []),
    ...(beyond(Math.abs(of.value - of.expected), of.bound) ? ['value'] : []),
    ...(Array.isArray(of.worst) && Array.isArray(of.bound) && of.worst.some((error, i) => beyond(error, of.bound[i])) ? ['worst'] : []),
    ...(of.max_ratio_to_bound > 1 ? ['max_ratio_to_bound'] : []),
    ...(of.violations > 0 ? [`violations ${of.violations}`] : []),
  ];
  return [...here.map((what) => `${path}.${what}`), ...Object.entries(of).flatMap(([key, value]) => beyondBounds(value, `${path}.${key}`))];
}

/** Paths of numbers of two documents that are more than a last bit apart though no bound stands beside them. */
export function unboundedlyApart(a, b, path = '', bounded = false) {
  if (typeof a === 'number') return bounded || a === b || ulpsBetween(a, b) <= 1 ? [] : [path];
  if (a === null || typeof a !== 'object') return [];
  const here = Array.isArray(a) ? bounded : 'bound' in a || 'allowed' in a;
  return Object.keys(a).flatMap((key) => unboundedlyApart(a[key], b[key], `${path}.${key}`, here));
}
