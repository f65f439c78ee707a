// Scales and axes of every figure that has them.
import { ticks } from 'd3-array';
import { el, group, line, words } from '../svg.js';
import { minus, num } from '../numbers.js';

/** What a scale has a place for. */
export const drawable = (v, log) => v !== null && Number.isFinite(v) && (!log || v > 0);

/** The domain that was asked for, widened to all that is drawn: nothing stands at an edge that belongs beyond it. */
export const holding = ([low, high], values, log) => values.filter((v) => drawable(v, log)).reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [low, high]);

/** From data to pixels. @param {{domain: [number, number], range: [number, number], log?: boolean}} how */
export function scale({ domain: [a, b], range: [p, q], log = false }) {
  const t = log ? Math.log10 : (v) => v;
  const place = (v) => p + (q - p) * (t(v) - t(a)) / (t(b) - t(a));
  place.ticks = (count) => {
    if (!log) return ticks(a, b, count);
    const marks = [];
    const from = Math.ceil(Math.log10(a) - 1e-9);
    const to = Math.floor(Math.log10(b) + 1e-9);
    const step = Math.max(1, Math.ceil((to - from + 1) / count));
    for (let e = from; e <= to; e += step) marks.push(10 ** e);
    return marks;
  };
  return Object.assign(place, { domain: [a, b], range: [p, q], log });
}

const powerOfTen = (v) => (v >= 1e4 || v < 1e-3 ? `10^{${String(Math.round(Math.log10(v))).replace('-', '−')}}` : num(v));

/** Ticks of an axis over many powers of ten are all written as powers. */
export const powers = (v) => (v === 1 ? '1' : `10^{${minus(String(Math.round(Math.log10(v))))}}`);

/** Hairlines and numbers; the label of y stands over its axis, where it is read first. */
export function axes({ x, y, box, xLabel, yLabel, xTicks, yTicks, xNames, yNames }) {
  const [left, top, right, bottom] = box;
  const nameX = xNames ?? ((v) => (x.log ? powerOfTen(v) : num(v, 6)));
  const nameY = yNames ?? ((v) => (y.log ? powerOfTen(v) : num(v, 6)));
  return group({ class: 'axes' },
    ...(yTicks ?? y.ticks(Math.max(3, (bottom - top) / 55))).map((v) => group({},
      line(left, y(v), right, y(v), v === 0 ? 'zero' : 'grid'),
      words(left - 8, y(v) + 4, nameY(v), { class: 'tick', 'text-anchor': 'end' }))),
    line(left, bottom, right, bottom, 'base'),
    ...(xTicks ?? x.ticks(Math.max(3, (right - left) / 85))).map((v) => group({},
      line(x(v), bottom, x(v), bottom + 5, 'base'),
      words(x(v), bottom + 19, nameX(v), { class: 'tick', 'text-anchor': 'middle' }))),
    xLabel ? words(right, bottom + 38, xLabel, { class: 'name', 'text-anchor': 'end' }) : '',
    yLabel ? words(Math.max(0, left - 40), top - 14, yLabel, { class: 'name' }) : '');
}

/** A vertical line that can be dragged over the plot; it stands at `sign` times the control's value. */
export function cursor({ x, box, name, value, part, sign = 1 }) {
  const [, top, , bottom] = box;
  const px = x(sign * value);
  return group({ class: 'cursor' },
    line(px, top, px, bottom, 'stroke', { 'data-part': part }),
    el('rect', { class: 'catch', x: x.range[0], y: top, width: x.range[1] - x.range[0], height: bottom - top,
      'data-grip': name, 'data-kind': 'x', 'data-p0': x.range[0], 'data-p1': x.range[1],
      'data-v0': String(sign * x.domain[0]), 'data-v1': String(sign * x.domain[1]), 'data-log': x.log ? '1' : undefined }));
}
