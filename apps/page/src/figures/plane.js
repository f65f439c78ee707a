// Arrows in the plane of one pair.
import { el, group, line, meet, wideOf, words } from '../svg.js';

/**
 * Where things stand: a plane of `radius` pixels around (cx, cy) that shows lengths up to `reach`; its labels stay
 * between `from` and `to`, and off the labels in `taken`.
 */
export const planeAt = (cx, cy, radius, reach, [from, to] = [0, 2 * cx]) => ({
  cx, cy, radius, from, to, taken: [], unit: radius / reach,
  x(x) { return cx + x * this.unit; },
  y(y) { return cy - y * this.unit; },
});

export const paper = (plane, circles = []) => group({ class: 'paper' },
  line(plane.cx - plane.radius, plane.cy, plane.cx + plane.radius, plane.cy, 'axis'),
  line(plane.cx, plane.cy - plane.radius, plane.cx, plane.cy + plane.radius, 'axis'),
  ...circles.map(({ length, part }) =>
    el('circle', { cx: plane.cx, cy: plane.cy, r: length * plane.unit, class: 'orbit', 'data-part': part })));

/** The first place beside an arrow's tip that is inside and free: outwards, else to a side, else farther out. */
function labelAt(plane, { tx, ty, ux, uy, away, label }) {
  const wide = wideOf(label, 15);
  const places = [[ux, uy, away], [-uy, ux, away], [uy, -ux, away], [ux, uy, away + 20], [-uy, ux, away + 20], [uy, -ux, away + 20]].map(([vx, vy, d]) => {
    const x = tx + vx * d - (vx > 0.35 ? 0 : vx < -0.35 ? wide : wide / 2);
    const y = ty + vy * (d + 1) + 5;
    return { x, y, inside: x >= plane.from && x + wide <= plane.to, box: [x, y - 12, x + wide, y + 4] };
  });
  const free = (p) => plane.taken.every((box) => !meet(p.box, box));
  const place = places.find((p) => p.inside && free(p)) ?? places.find((p) => p.inside) ?? places[0];
  const x = Math.max(plane.from, Math.min(plane.to - wide, place.x));
  plane.taken.push(place.box);
  return { x, y: place.y };
}

/**
 * An arrow from the middle to (x, y). `grip` = {name, per} makes its tip a handle: one unit of the
 * control `name` turns it by `per` radians.
 */
export function arrow(plane, { x, y, part, label, ghost, grip }) {
  const tx = plane.x(x);
  const ty = plane.y(y);
  const length = Math.hypot(tx - plane.cx, ty - plane.cy);
  if (length < 1) return '';
  const ux = (tx - plane.cx) / length;
  const uy = (ty - plane.cy) / length;
  const head = 12;
  const side = 4.6;
  const bx = tx - ux * head;
  const by = ty - uy * head;
  const away = grip ? 26 : 15;
  const put = label && labelAt(plane, { tx, ty, ux, uy, away, label });
  return group({ class: `arrow ${part}${ghost ? ' ghost' : ''}`, 'data-part': part },
    line(plane.cx, plane.cy, bx + ux * 2, by + uy * 2, 'shaft'),
    el('path', { class: 'head', d: `M${[tx, ty, bx - uy * side, by + ux * side, bx + uy * side, by - ux * side]
      .map((v) => Math.round(v * 10) / 10).join(' ')}Z` }),
    grip ? el('circle', { class: 'grip', cx: tx, cy: ty, r: 18, 'data-grip': grip.name, 'data-kind': 'turn',
      'data-cx': plane.cx, 'data-cy': plane.cy, 'data-per': String(grip.per) }) : '',
    label ? words(put.x, put.y, label, { class: 'label' }) : '');
}

/** The arc from angle `from` counter-clockwise by `by` radians, both as the data say; spirals show whole turns. */
export function arc(plane, { from, by, radius, part, label, tip = true }) {
  const steps = Math.max(2, Math.ceil(Math.abs(by) / 0.12));
  const grow = Math.abs(by) > 2 * Math.PI ? 5 / (2 * Math.PI) : 0;
  const places = [];
  for (let i = 0; i <= steps; ++i) {
    const turned = by * i / steps;
    const r = radius + grow * Math.abs(turned);
    places.push([plane.cx + r * Math.cos(from + turned), plane.cy - r * Math.sin(from + turned)]);
  }
  const end = places.at(-1);
  const way = from + by + (by < 0 ? -Math.PI / 2 : Math.PI / 2);
  const [dx, dy] = [Math.cos(way), -Math.sin(way)];
  const middle = from + by / 2;
  const round = (v) => Math.round(v * 10) / 10;
  const [lx, ly] = [plane.cx + (radius + 15) * Math.cos(middle), plane.cy - (radius + 15) * Math.sin(middle) + 4];
  if (label) plane.taken.push([lx - wideOf(label, 13) / 2, ly - 11, lx + wideOf(label, 13) / 2, ly + 3]);
  return group({ class: `arc ${part}`, 'data-part': part },
    el('path', { class: 'stroke', d: 'M' + places.map((p) => p.map(round).join(' ')).join('L') }),
    tip && Math.abs(by) * radius > 9 ? el('path', { class: 'head', d: `M${[
      end[0] + dx * 4, end[1] + dy * 4, end[0] - dx * 4 - dy * 3.5, end[1] - dy * 4 + dx * 3.5,
      end[0] - dx * 4 + dy * 3.5, end[1] - dy * 4 - dx * 3.5].map(round).join(' ')}Z` }) : '',
    label ? words(lx, ly, label,
      { class: 'label small', 'text-anchor': 'middle' }) : '');
}
