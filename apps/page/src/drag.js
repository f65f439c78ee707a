// Handles in a figure: each moves a control, by turning an arrow, along an axis, or over cells.

/**
 * @param {HTMLElement} drawing stays while the figure inside is drawn anew
 * @param {{get(name: string): number, set(name: string, value: number): void, done(): void}} control
 */
export function draggable(drawing, control) {
  let held = null;
  const spot = (event) => {
    const svg = drawing.querySelector('svg');
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x, y];
  };
  const angle = ([x, y]) => Math.atan2(held.cy - y, x - held.cx);

  const move = (event) => {
    const p = spot(event);
    if (held.kind === 'turn') {
      const now = angle(p);
      let by = now - held.angle;
      by -= 2 * Math.PI * Math.round(by / (2 * Math.PI));
      held.angle = now;
      held.value += by / held.per;
      control.set(held.name, held.value);
    } else if (held.kind === 'x') {
      const t = (p[0] - held.p0) / (held.p1 - held.p0);
      control.set(held.name, held.log ? held.v0 * (held.v1 / held.v0) ** t : held.v0 + t * (held.v1 - held.v0));
    } else {
      control.set(held.name, held.v0 + Math.floor((p[1] - held.q0) / held.cell));
      if (held.name2) control.set(held.name2, held.v1 + Math.floor((p[0] - held.p0) / held.cell));
    }
  };

  drawing.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest?.('[data-grip]');
    if (!grip || event.button !== 0) return;
    const d = grip.dataset;
    held = { name: d.grip, name2: d.grip2, kind: d.kind, log: d.log === '1', per: Number(d.per), cell: Number(d.cell) };
    for (const k of ['cx', 'cy', 'p0', 'p1', 'q0', 'v0', 'v1']) held[k] = Number(d[k]);
    held.value = control.get(held.name);
    if (held.kind === 'turn') held.angle = angle(spot(event));
    else move(event);
    drawing.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  drawing.addEventListener('touchstart', (event) => {
    if (event.target.closest?.('[data-grip]')) event.preventDefault();
  }, { passive: false });
  drawing.addEventListener('pointermove', (event) => held && move(event));
  const end = () => {
    if (!held) return;
    held = null;
    control.done();
  };
  drawing.addEventListener('pointerup', end);
  drawing.addEventListener('pointercancel', end);
}
