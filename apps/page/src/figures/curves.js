// Curves over one axis, with a cursor that is the control.
import { area, line as path } from 'd3-shape';
import { el, group, drawing, words, line } from '../svg.js';
import { axes, cursor, scale } from './axes.js';

const drawable = (v, s) => v !== null && Number.isFinite(v) && (!s.log || v > 0);

/**
 * @param {{w: number, h?: number, label: string,
 *   x: {domain: [number, number], log?: boolean, label?: string, ticks?: number[], names?: (v: number) => string},
 *   y: {domain: [number, number], log?: boolean, label?: string, ticks?: number[], names?: (v: number) => string},
 *   series?: {x: number[], y: (number|null)[], part: string, dots?: boolean, thin?: boolean, name?: string, nameAt?: number}[],
 *   bands?: {x: number[], low: number[], high: number[], part: string}[],
 *   marks?: {x: number, y: number, part: string, label?: string, hollow?: boolean}[],
 *   rules?: {x?: number, y?: number, part?: string, label?: string}[],
 *   cursor?: {name: string, value: number, sign?: number}}} how
 */
export function curves({ w, h = Math.round(w * 0.62), label, x: xs, y: ys, series = [], bands = [], marks = [], rules = [], cursor: hand }) {
  const right = Math.max(16, ...series.map((s) => (s.name && s.nameAt === undefined ? 10 + 8 * s.name.replace(/[_{}^]/g, '').length : 0)));
  const box = [46, ys.label ? 32 : 14, w - Math.min(right, w * 0.24), h - 44];
  const x = scale({ domain: xs.domain, log: xs.log, range: [box[0], box[2]] });
  const y = scale({ domain: ys.domain, log: ys.log, range: [box[3], box[1]] });
  const inside = (v) => Math.min(box[3], Math.max(box[1], y(v)));
  const names = [];  // labels at the right end, kept apart
  const parts = series.map((s) => {
    const points = s.x.map((v, i) => [v, s.y[i]]).filter(([v]) => v >= xs.domain[0] && v <= xs.domain[1]);
    const draw = path().defined((p) => drawable(p[1], y)).x((p) => x(p[0])).y((p) => inside(p[1])).digits(1);
    const last = points.filter((p) => drawable(p[1], y)).at(-1);
    if (s.name && last) names.push({ y: inside(last[1]) + 4, text: s.name, part: s.part });
    return group({ class: `curve ${s.part}${s.thin ? ' thin' : ''}`, 'data-part': s.part },
      s.dots ? '' : el('path', { class: 'stroke', d: draw(points) ?? '' }),
      ...(s.dots ? points.filter((p) => drawable(p[1], y)).map((p) => el('circle', { cx: x(p[0]), cy: inside(p[1]), r: 2.6, class: 'dot' })) : []));
  });
  names.sort((a, b) => a.y - b.y);
  for (let i = 1; i < names.length; ++i) names[i].y = Math.max(names[i].y, names[i - 1].y + 16);
  return drawing(w, h, label,
    axes({ x, y, box, xLabel: xs.label, yLabel: ys.label, xTicks: xs.ticks, yTicks: ys.ticks, xNames: xs.names, yNames: ys.names }),
    ...bands.map((b) => el('path', { class: `band ${b.part}`, 'data-part': b.part,
      d: area().x((i) => x(b.x[i])).y0((i) => inside(b.low[i])).y1((i) => inside(b.high[i])).digits(1)(b.x.map((_, i) => i)) ?? '' })),
    ...rules.map((r) => group({ class: `rule ${r.part ?? ''}`, 'data-part': r.part },
      r.x !== undefined ? line(x(r.x), box[1], x(r.x), box[3], 'stroke') : line(box[0], y(r.y), box[2], y(r.y), 'stroke'),
      r.label ? (r.x !== undefined
        ? words(x(r.x) + (x(r.x) > w * 0.6 ? -6 : 6), box[3] - 9, r.label, { class: 'label small', 'text-anchor': x(r.x) > w * 0.6 ? 'end' : 'start' })
        : words(box[0] + 6, y(r.y) - 6, r.label, { class: 'label small' })) : '')),
    ...parts,
    hand ? cursor({ x, box, ...hand }) : '',
    ...marks.map((m) => {
      const [px, py] = [x(m.x), inside(m.y)];
      const flip = px > box[2] - 90;
      return group({ class: `mark ${m.part}`, 'data-part': m.part },
        el('circle', { cx: px, cy: py, r: 5, class: m.hollow ? 'dot hollow' : 'dot' }),
        m.label ? words(px + (flip ? -9 : 9), py - 8, m.label, { class: 'label small', 'text-anchor': flip ? 'end' : 'start' }) : '');
    }),
    ...names.map((n) => words(box[2] + 8, n.y, n.text, { class: `label small ${n.part}` })));
}
