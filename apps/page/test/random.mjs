// Random settings of a scene, from a seed that is printed.
export function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const anySeed = () => Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

import { onStep } from '../src/state.js';
import { fromSlider } from '../src/shell.js';

export const anyState = (scene, random) => ({
  ...Object.fromEntries(scene.controls.map((c) => [c.name,
    c.choices ? c.choices[Math.floor(random() * c.choices.length)]
      : c.log ? fromSlider(c, Math.floor(random() * 401)) : onStep(c, c.min + random() * (c.max - c.min))])),
  broken: random() < 0.5,
});
