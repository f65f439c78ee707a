// Which scene a command line belongs to, and at which settings.
import { argvOf, lineOf } from './command.js';
import { firstState } from './core.js';
import { onStep } from './state.js';

const shape = (argv) => argv.map((a) => a.replace(/\d+(\.\d+)?/g, '#').replace(/-#/g, '#')).join(' ');
const equal = (a, b) => a.length === b.length && a.every((v, i) => v === b[i]);
const same = (a, b) => a.filter((v, i) => v === b[i]).length + (a.length === b.length ? 1 : 0);

/** Every value worth a try: all of a short range, else the numbers that the line holds. */
function candidates(c, argv) {
  if (c.choices) return c.choices;
  const said = argv.join(' ').match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
  const count = c.log ? Infinity : (c.max - c.min) / c.step;
  const all = count <= 2100 ? Array.from({ length: count + 1 }, (_, i) => onStep(c, c.min + i * c.step)) : said.map((v) => onStep(c, v));
  return [...new Set([c.value, ...all])];
}

/** @returns {{scene: any, values: Record<string, any>, broken: boolean, exact: boolean} | null} */
export function sceneOf(line, scenes, lesson) {
  const argv = argvOf(line);
  if (!argv?.length) return null;
  let found = null;
  for (const scene of scenes) {
    for (const broken of [false, true]) {
      const command = broken ? scene.breaks[0].command : scene.command;
      const state = firstState(scene);
      if (command(state)[0] !== argv[0]) continue;
      for (const c of scene.controls) {
        let most = same(command(state), argv);
        for (const v of candidates(c, argv)) {
          const fits = same(command({ ...state, [c.name]: v }), argv);
          if (fits > most) [most, state[c.name]] = [fits, v];
        }
      }
      const { broken: unused, ...values } = state;
      if (equal(command(state), argv)) return { scene, values, broken, exact: true };
      if (!found && shape(command(state)) === shape(argv)) found = { scene, values, broken, exact: false };
    }
  }
  if (found) return found;
  const step = lesson.find((s) => [s.command, s.break.command].includes(lineOf(argv)));
  const scene = step && scenes.find((s) => s.step === step.number);
  return scene ? { scene, values: {}, broken: step.break.command === lineOf(argv), exact: true } : null;
}
