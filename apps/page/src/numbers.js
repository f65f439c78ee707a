// How numbers are written: true minus signs, powers of ten as in a book.

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const raised = (n) => (n < 0 ? '⁻' : '') + String(Math.abs(n)).replace(/\d/g, (d) => RAISED[+d]);

/** `x` to so many digits; whole numbers in full. */
export function num(x, digits = 4) {
  if (x === null || x === undefined) return '–';
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'NaN' : x < 0 ? '−∞' : '∞';
  if (x === 0) return '0';
  if (Number.isInteger(x) && Math.abs(x) < 1e9) return minus(String(x));
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e9) {
    const [m, e] = x.toExponential(digits - 1).split('e');
    return minus(`${m.replace(/\.?0+$/, '')}·10`) + raised(+e);
  }
  return minus(String(+x.toPrecision(digits)));
}

/** With so many places behind the point: a number that moves keeps its width. */
export const places = (x, n = 3) => {
  const text = x.toFixed(n);
  return minus(Number(text) === 0 ? text.replace('-', '') : text);
};

export const minus = (text) => text.replace(/-/g, '−');
export const point = (x, y, n = 2) => `(${places(x, n)}, ${places(y, n)})`;

/** "… {m} …" with the values put in, and "{m|token|tokens}" with the noun that the number takes; what has no value is a mistake of the page. */
export const fill = (template, values) => template.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name, one, many) => {
  if (!(name in values)) throw new Error(`no value for ${whole} in “${template}”`);
  return many === undefined ? values[name] : `${values[name]} ${values[name] === '1' ? one : many}`;
});
