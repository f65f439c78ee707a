/**
 * What every scene has; test/contract.test.mjs looks at each.
 *
 * @typedef {{name: string, min?: number, max?: number, step?: number, log?: boolean,
 *   choices?: (string|number)[], value: number|string, show?: (value: any) => string}} Control
 *   a number in steps, or one of some choices; its words are t.controls[name] and t.say[name]
 * @typedef {Record<string, any>} State   values of the controls, `broken`, and `w`: the width to draw for
 * @typedef {Record<string, any>} Data    one parsed JSON document per command: `main`, and those of `more`
 * @typedef {Record<string, any>} Words   the scene's words in one language
 *
 * @typedef {object} Scene
 * @property {string} id
 * @property {number|null} step                   lesson step, null in free play
 * @property {string} formula                     TeX; \p{part}{…} lights a part of the figure
 * @property {string[]} parts                     of the legend, in its order
 * @property {string[]} [dots]                   parts that are dots without a line
 * @property {Control[]} controls                 the first is the one to drag
 * @property {(state: State) => string[]} command the rope line under the figure, of the state that it shows
 * @property {(state: State) => Record<string, string[]>} [more] further lines that the figure draws
 * @property {{command: (state: State) => string[], verdict: (data: any) => {word: string, off: number, allowed: number}}[]} breaks
 * @property {{parts?: string[], without?: string[]}} [broken]   where the broken figure is another: its legend, and the controls that it has no use for
 * @property {(data: Data, state: State, t: Words) => string} figure   SVG
 * @property {(data: Data, state: State, t: Words) => {text: string, kind: 'exact'|'rounding'|'seeded'|'habit'}} number
 * @property {(data: Data, state: State, t: Words) => string} sentence
 * @property {(data: Data, state: State, t: Words) => {head: string[], rows: string[][]}} table
 */
export {};
