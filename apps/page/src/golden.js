// Numbers that are known to the last bit: chosen at build time, computed anew in the browser.

const view = new DataView(new ArrayBuffer(8));
export const bitsOf = (x) => {
  view.setFloat64(0, x);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
};

/** Every number of a document that is no whole one, with its place. */
export function leaves(data, path = []) {
  if (typeof data === 'number') return Number.isInteger(data) ? [] : [{ path, value: data }];
  if (!data || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([key, value]) => leaves(value, [...path, key]));
}
export const follow = (data, path) => path.reduce((at, key) => at?.[key], data);

/** So many of them, evenly spread. */
export function choose(data, count) {
  const all = leaves(data);
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)])
    .map(({ path, value }) => ({ path, bits: bitsOf(value) }));
}

/** @param {{argv: string[], numbers: {path: string[], bits: string}[]}[]} golden */
export async function check(golden, ask, told, rest = () => new Promise((go) => setTimeout(go))) {
  const result = { equal: 0, of: 0, differ: [] };
  for (const { argv, numbers } of golden) {
    const data = await ask(argv).catch(() => null);
    for (const { path, bits } of numbers) {
      ++result.of;
      const value = follow(data, path);
      if (typeof value === 'number' && bitsOf(value) === bits) ++result.equal;
      else result.differ.push({ argv, path, value });
    }
    told(result);
    await rest();
  }
  return result;
}
