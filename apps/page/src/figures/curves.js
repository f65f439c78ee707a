// Curves over one axis, with a cursor that is the control.
import { area, line as path } from 'd3-shape';
import { el, group, drawing, line, meet, wideOf, words } from '../svg.js';
import { axes, cursor, drawable, holding, scale } from './axes.js';

const SMALL = 13;  // pixels of a label

/**
 * Places for labels: each takes the one of its places that is inside and lies on the fewest strokes, and on no label or dot.
 * @param {[number, number, number, number]} box
 */
function labels(box) {
  const taken = [];
  const strokes = [];
  const cost = (area) => 1000 * taken.filter((one) => meet(one, area)).length
    + strokes.filter(([x, y]) => x > area[0] && x < area[2] && y > area[1] && y < area[3]).length
    + (area[0] < box[0] || area[2] > box[2] || area[1] < box[1] || area[3] > box[3] ? 5000 : 0);
  return {
    dot: (x, y) => taken.push([x - 6, y - 6, x + 6, y + 6]),
    /** A stroke through these points, as labels see it: a point every four pixels. */
    stroke(points) {
      points.forEach(([x, y], i) => {
        const [from, below] = points[i - 1] ?? [x, y];
        const steps = Math.max(1, Math.ceil(Math.hypot(x - from, y - below) / 4));
        for (let k = 0; k < steps; ++k) strokes.push([x + (from - x) * k / steps, y + (below - y) * k / steps]);
      });
    },
    /** `places`: where the text would begin, and its base line; the first is liked best. */
    put(text, places) {
      const wide = wideOf(text, SMALL);
      const all = places(wide).map(([x, y], i) => ({ x, y, area: [x - 1, y - SMALL + 1, x + wide + 1, y + 4], rank: i }));
      const best = all.map((p) => ({ ...p, cost: cost(p.area) + p.rank * 0.4 })).reduce((a, b) => (b.cost < a.cost ? b : a));
      taken.push(best.area);
      return best;
    },
  };
}

/** Around a dot: above and below on both sides, right above and below it, then farther away. */
const around = (x, y, first) => (wide) => {
  const sides = first === 'left' ? [x - 9 - wide, x + 9] : [x + 9, x - 9 - wide];
  return [[8, 0], [-18, 0], [8, 1], [-18, 1], [-4, 0], [-4, 1], [24, 0], [-34, 0], [24, 1], [-34, 1], [42, 0], [-52, 0], [42, 1], [-52, 1]]
    .map(([up, side]) => [sides[side], y - up]).concat([[x - wide / 2, y - 12], [x - wide / 2, y + 22]]);
};

/**
 * @param {{w: number, h?: number, label: string,
 *   x: {domain: [number, number], log?: boolean, label?: string, ticks?: number[], names?: (v: number) => string},
 *   y: {domain: [number, number], log?: boolean, label?: string, ticks?: number[], names?: (v: number) => string},
 *   series?: {x: number[], y: (number|null)[], part: string, dots?: boolean, thin?: boolean, name?: string}[],
 *   bands?: {x: number[], low: number[], high: number[], part: string}[],
 *   marks?: {x: number, y: number, part: string, label?: string, hollow?: boolean}[],
 *   rules?: {x?: number, y?: number, part?: string, label?: string}[],
 *   cursor?: {name: string, value: number, sign?: number}}} how
 */
export function curves({ w, h = Math.round(w * 0.62), label, x: xs, y: ys, series = [], bands = [], marks = [], rules = [], cursor: hand }) {
  const margin = Math.max(16, ...series.map((s) => (s.name ? 14 + wideOf(s.name, SMALL) : 0)));
  const within = margin > w * 0.3;  // too long for a margin: such names stand over the ends of their curves
  const box = [46, ys.label ? 32 : 14, w - (within ? 16 : margin), h - 44];
  const shown = (v) => v >= xs.domain[0] && v <= xs.domain[1];
  const domain = holding(ys.domain, [...series.flatMap((s) => s.y.filter((_, i) => shown(s.x[i]))), ...bands.flatMap((b) => [...b.low, ...b.high]),
    ...marks.map((m) => m.y), ...rules.map((r) => r.y).filter((v) => v !== undefined)], ys.log);
  const x = scale({ domain: holding(xs.domain, marks.map((m) => m.x), xs.log), log: xs.log, range: [box[0], box[2]] });
  const y = scale({ domain, log: ys.log, range: [box[3], box[1]] });
  const room = labels([box[0] - 2, 2, w, box[3] - 2]);
  if (ys.label) room.put(ys.label, () => [[Math.max(0, box[0] - 40), box[1] - 14]]);
  const names = [];  // of curves, at their right ends
  const parts = series.map((s) => {
    const points = s.x.map((v, i) => [v, s.y[i]]).filter(([v]) => shown(v));
    const seen = points.filter((p) => drawable(p[1], ys.log)).map((p) => [x(p[0]), y(p[1])]);
    if (!s.dots) room.stroke(seen);
    const draw = path().defined((p) => drawable(p[1], ys.log)).x((p) => x(p[0])).y((p) => y(p[1])).digits(1);
    if (s.name && seen.length) names.push({ y: seen.at(-1)[1] + 4, text: s.name, part: s.part });
    return group({ class: `curve ${s.part}${s.thin ? ' thin' : ''}`, 'data-part': s.part },
      s.dots ? '' : el('path', { class: 'stroke', d: draw(points) ?? '' }),
      ...(s.dots ? seen.map(([px, py]) => el('circle', { cx: px, cy: py, r: 2.6, class: 'dot' })) : []));
  });
  names.sort((a, b) => a.y - b.y);
  for (let i = 1; !within && i < names.length; ++i) names[i].y = Math.max(names[i].y, names[i - 1].y + 16);
  const upright = (px) => room.stroke([[px, box[1]], [px, box[3]]]);
  const across = (py) => room.stroke([[box[0], py], [box[2], py]]);
  for (const r of rules) r.x !== undefined ? upright(x(r.x)) : across(y(r.y));
  if (hand) upright(x((hand.sign ?? 1) * hand.value));
  const dots = marks.map((m) => ({ ...m, px: x(m.x), py: y(m.y) }));
  for (const m of dots) room.dot(m.px, m.py);
  const placed = dots.map((m) => m.label && room.put(m.label, around(m.px, m.py, m.px > box[2] - 90 ? 'left' : 'right')));
  const named = names.map((n) => (within ? room.put(n.text, (wide) => [-10, 20, -26, 36, -42, 52, -58, 68].map((up) => [box[2] - wide, n.y + up])) : { x: box[2] + 8, y: n.y }));
  const ruled = rules.map((r) => r.label && room.put(r.label, r.x !== undefined
    ? (wide) => [[x(r.x) + 6, box[3] - 9], [x(r.x) - 6 - wide, box[3] - 9], [x(r.x) + 6, box[1] + 12], [x(r.x) - 6 - wide, box[1] + 12], [x(r.x) + 6, (box[1] + box[3]) / 2], [x(r.x) - 6 - wide, (box[1] + box[3]) / 2]]
    : (wide) => [0, 0.5, 1].flatMap((share) => [-6, 16].map((up) => [box[0] + 6 + share * (box[2] - box[0] - 12 - wide), y(r.y) + up]))));
  const text = (place, label, cls) => words(place.x, place.y, label, { class: cls });
  return drawing(w, h, label,
    axes({ x, y, box, xLabel: xs.label, yLabel: ys.label, xTicks: xs.ticks, yTicks: ys.ticks, xNames: xs.names, yNames: ys.names }),
    ...bands.map((b) => el('path', { class: `band ${b.part}`, 'data-part': b.part,
      d: area().x((i) => x(b.x[i])).y0((i) => y(b.low[i])).y1((i) => y(b.high[i])).digits(1)(b.x.map((_, i) => i)) ?? '' })),
    ...rules.map((r, i) => group({ class: `rule ${r.part ?? ''}`, 'data-part': r.part },
      r.x !== undefined ? line(x(r.x), box[1], x(r.x), box[3], 'stroke') : line(box[0], y(r.y), box[2], y(r.y), 'stroke'),
      r.label ? text(ruled[i], r.label, 'label small') : '')),
    ...parts,
    hand ? cursor({ x, box, ...hand }) : '',
    ...dots.map((m, i) => group({ class: `mark ${m.part}`, 'data-part': m.part },
      el('circle', { cx: m.px, cy: m.py, r: 5, class: m.hollow ? 'dot hollow' : 'dot' }),
      m.label ? text(placed[i], m.label, 'label small') : '')),
    ...names.map((n, i) => text(named[i], n.text, `label small ${n.part}`)));
}
