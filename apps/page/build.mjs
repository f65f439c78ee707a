// Writes the page: one file with the program, the words, the still pictures and the script inside.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress, init } from '@bokuweb/zstd-wasm';
import { build } from 'esbuild';
import temml from 'temml';
import { coreFolder, hasCore, openCore } from './core-node.mjs';
import { identity } from './sources.mjs';
import { scenes } from './src/scenes/index.js';
import { documents, firstState } from './src/core.js';
import { textsOf } from './src/texts.js';
import { stillScene } from './src/shell.js';
import { cards, lists } from './src/contents.js';
import { choose } from './src/golden.js';
import { toText } from './src/base85.js';
import { esc, rich } from './src/svg.js';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, '../../build/page/rope.html'));
const read = (name) => readFileSync(join(here, name), 'utf8');
const STILL = 440;  // pixels that a still picture is drawn for: legible on a phone

const core = await openCore();
const words = { en: JSON.parse(read('words/en.json')), zh: JSON.parse(read('words/zh.json')) };
const lesson = JSON.parse(core.run(['lesson', '--json']).stdout).steps;

const PRIME = '<mo lspace="0em" rspace="0em">′</mo>';
const macros = { '\\p': '\\data{part=#1}{#2}', '\\q': '\\data{part=q}{q}', '\\k': '\\data{part=k}{k}' };
const math = Object.fromEntries(scenes.map((s) => [s.id, temml
  .renderToString(s.formula, { trust: true, macros: { ...macros }, displayMode: true, throwOnError: true })
  .replace(/ style="[^"]*"/g, '')
  // A prime of the symbol's own size is high enough; as an index it floats above all but the font that temml brings.
  .replace(/<msubsup>(<mi>[^<]*<\/mi>)(<mi>[^<]*<\/mi>)<mo[^>]*>′<\/mo><\/msubsup>/g, `<msub><mrow>$1${PRIME}</mrow>$2</msub>`)
  .replace(/<msup>(<mi>[^<]*<\/mi>)<mo[^>]*>′<\/mo><\/msup>/g, `<mrow>$1${PRIME}</mrow>`)
  // A sign that stands alone at the start of a second line keeps its distance.
  .replace(/(<mtd class="tml-right"><mrow>(?:<mrow><\/mrow>)?<mo>[+=]<\/mo>)<mrow><\/mrow>/g, '$1<mspace width="0.25em"></mspace>')]));

const tenths = (n) => String(n / 10).replace(/^(-?)0\./, '$1.');
/** The same picture in fewer bytes: lines go from point to point. */
const compact = (still) => still.replace(/ d="([ML\d.,\s-]+)"/g, (all, path) => {
  if (/\.\d\d/.test(path)) return all;
  let at = [0, 0];
  let before = '';
  return ` d="${path.split(/(?=[ML])/).map((part) => {
    const move = part[0] === 'M';
    const to = part.slice(1).trim().split(/[\s,]+/).map((v) => Math.round(v * 10));
    const word = move ? 'M' : before === 'M' ? 'l' : ' ';
    const by = move ? to : [to[0] - at[0], to[1] - at[1]];
    [at, before] = [to, part[0]];
    return word + by.map(tenths).join(' ');
  }).join('').replace(/ (?=-)|(?<=\.\d+) (?=\.)/g, '')}"`;
});

const GOLDEN = 10;  // numbers of each document that are checked in the browser
const golden = [];
const stills = { en: '', zh: '' };
for (const scene of scenes) {
  const state = { ...firstState(scene), w: STILL };
  const data = await documents(core, scene, state);
  // A policy's rounding goes through the machine's own libm, so its numbers are not the same everywhere.
  if (scene.command(state)[0] !== 'precision') golden.push({ argv: scene.command(state), numbers: choose(data.main, GOLDEN) });
  for (const lang of ['en', 'zh']) stills[lang] += compact(stillScene(scene, textsOf(words[lang], scene, lesson), data, state, math[scene.id]));
}

/** What the living page needs of the lesson. */
const wasm = hasCore ? readFileSync(join(coreFolder, 'rope.wasm')) : Buffer.alloc(0);
const made = identity(hasCore);
const data = { words, math, golden, build: made.split(' ')[1].slice(0, 12), compiler: made.split('; ').at(-1), lesson: lesson.map(({ exercise, picture, look, refused, demonstration, minutes, ...kept }) => kept) };

const bundled = async (name) => (await build({ entryPoints: [join(here, name)], bundle: true, minify: true, write: false, format: 'iife',
  target: 'es2020', legalComments: 'none', logOverride: { 'commonjs-variable-in-esm': 'silent' },  // emscripten's file exports both ways
  alias: { 'rope-core': hasCore ? join(coreFolder, 'rope.js') : join(here, 'src/no-core.js') } })).outputFiles[0].text;
const [script, worker] = [await bundled('src/main.js'), await bundled('src/worker.js')];
const style = (await build({ entryPoints: [join(here, 'src/style.css')], minify: true, write: false })).outputFiles[0].text;
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; worker-src blob:; style-src ${hash(style)}; img-src data:; font-src data:`;
// Zstandard takes four fifths of gzip's bytes, but a browser unpacks only gzip by itself: see unpacked.js. The bytes are
// the same in every version of Node.
await init();
const packed = (bytes) => toText(compress(bytes, 22));
const [carried, beside, told] = [wasm, Buffer.from(worker), Buffer.from(JSON.stringify(data))].map(packed);

const paper = (lang) => `<div lang="${lang === 'zh' ? 'zh-Hans' : 'en'}"><div class="title"><h1>${esc(words[lang].page.title)}</h1><p class="lead">${rich(words[lang].page.lead)}</p><p class="small">${rich(words[lang].page.noscript)}</p></div>
${lists({ scenes, words: words[lang], lesson, href: (s) => `#${s.id}-${lang}` })}${stills[lang]}<section class="toc"><h2>${esc(words[lang].page.cards)}</h2><ul class="cards">${cards(words[lang], lesson, lang).replace(/#scene=(\d+)&amp;lang=\w+/g, (_, n) => `#${scenes.find((s) => s.step === Number(n)).id}-${lang}`)}</ul></section></div>`;

const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="built-from" content="${esc(made)}">
<meta name="description" content="${esc(words.en.page.lead)}">
<title>${esc(words.en.page.title)}</title>
<style>${style}</style>
</head>
<body>
<a class="hide skip" href="#main">${esc(words.en.page.skip)} · ${esc(words.zh.page.skip)}</a>
<header class="bar"><a class="name" href="#">rope</a><span class="tools"><input class="hide" type="radio" name="lang" id="lang-en" checked><label for="lang-en">English</label><input class="hide" type="radio" name="lang" id="lang-zh"><label for="lang-zh" lang="zh-Hans">中文</label><button type="button" id="present" class="needs-script" aria-pressed="false">Present</button><button type="button" id="theme" class="theme needs-script" aria-label="${esc(words.en.page.theme)} · ${esc(words.zh.page.theme)}"><i></i></button></span></header>
<main id="main"><div id="stage" class="live-sheet" hidden></div>
<div id="paper" class="sheet">${paper('en')}${paper('zh')}</div></main>
<div id="live" class="hide" aria-live="polite"></div>
<script type="text/plain" id="data">${told}</script>
<script type="text/plain" id="worker">${beside}</script>
<script type="text/plain" id="core">${carried}</script>
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
const kilo = (text) => `${(Buffer.byteLength(text) / 1000).toFixed(0)} kB`;
console.log(`${out}: ${kilo(html)} (core ${kilo(carried)}, script ${kilo(script + beside)}, style ${kilo(style)}, stills ${kilo(stills.en + stills.zh)}, data ${kilo(told)})`);
