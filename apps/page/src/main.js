// The living page: one scene at a time.
import { scenes } from './scenes/index.js';
import { documents, ask, firstState } from './core.js';
import { loadCore } from './load-core.js';
import { unpacked } from './unpacked.js';
import { parse, write, onStep } from './state.js';
import { textsOf, shown, spoken, brokeBeside } from './texts.js';
import { liveScene, legend, commandOf, kindTag, tableOf, verdictOf, fromSlider, toSlider } from './shell.js';
import { contents } from './contents.js';
import { rich, esc } from './svg.js';
import { lineOf } from './command.js';
import { draggable } from './drag.js';
import { checkBrowser, listen } from './front.js';

let page;  // the words, the formulas and the lesson
const stage = document.getElementById('stage');
const live = document.getElementById('live');
const core = loadCore();
const $ = (selector) => stage.querySelector(selector);

const frames = [];  // of every drawing, for the tests: milliseconds that the program took, and that the drawing took
let state;
let scene = null;
let texts;
const bets = new Map();  // of every scene that was bet on

const valuesOf = () => ({ ...state.values, broken: state.broken, w: widthOf() });
/** Figures are drawn for the width they have, in units of the page's type. */
function widthOf() {
  const box = $('#drawing')?.clientWidth || 560;
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return Math.round(box / unit);
}

function open() {
  const said = parse(location.hash, scenes);
  scene = scenes.find((s) => s.id === said.view) ?? null;
  state = { ...said, lang: said.lang === 'zh' || said.lang === 'en' ? said.lang : document.getElementById('lang-zh').checked ? 'zh' : 'en' };
  if (scene) {
    state.values = { ...firstState(scene), ...said.values };
    delete state.values.broken;
    if (state.bet === undefined) state.bet = bets.get(scene.id);
    else bets.set(scene.id, state.bet);
  }
  show();
}

function dress() {
  document.documentElement.lang = state.lang === 'zh' ? 'zh-Hans' : 'en';
  document.getElementById(`lang-${state.lang}`).checked = true;
  if (state.theme) document.documentElement.dataset.theme = state.theme;
  else delete document.documentElement.dataset.theme;
  document.documentElement.classList.toggle('present', state.present);
  stage.lang = document.documentElement.lang;
  const button = document.getElementById('present');
  button.textContent = page.words[state.lang].page.present;
  button.setAttribute('aria-pressed', String(state.present));
}

/** Builds the view anew: another scene, another language, a bet. */
function show() {
  dress();
  const words = page.words[state.lang];
  if (!scene) {
    stage.innerHTML = contents({ scenes, words, page, lang: state.lang, stillOf: (s) => still(s).querySelector('.drawing').innerHTML });
    core.then(() => checkBrowser(core, page, () => page.words[state.lang]), (error) => {
      $('#check').textContent = words.page.failed.replace('{why}', error.message);
    });
    document.title = words.page.title;
  } else {
    texts = textsOf(words, scene, page.lesson);
    const i = scenes.indexOf(scene);
    const link = (s, word, cls) => (s ? `<a class="${cls}" href="#scene=${s.step ?? s.id}&amp;lang=${state.lang}"><span>${esc(word)}</span>${rich(textsOf(words, s, page.lesson).title)}</a>` : '');
    stage.innerHTML = liveScene(scene, texts, valuesOf(), page.math[scene.id], state.bet)
      + `<nav class="steps" aria-label="${esc(words.page.contents)}">${link(scenes[i - 1], words.page.previous, 'back')}${link(scenes[i + 1], words.page.next, 'next')}</nav>`;
    document.title = `${texts.title.replace(/[{}_^]/g, '')} – rope`;
    latest = undefined;
    paperShows();
    draggable($('#drawing'), { get: (name) => state.values[name], set, done: keep });
    update();
  }
}

/** What the page shows of a scene without scripts. */
const still = (s) => document.getElementById(`${s.id}-${state.lang}`);

/** Until the program answers, and where it cannot run, the still picture stands with its number. */
function paperShows() {
  for (const [to, from] of [['#drawing', '.drawing'], ['#number', '.number'], ['#sentence', 'figcaption p'], ['#command', '.command']])
    $(to).innerHTML = still(scene).querySelector(from).innerHTML;
}

const keep = () => history.replaceState(null, '', write(state, scene));

function set(name, wanted) {
  const c = scene.controls.find((one) => one.name === name);
  const value = c.choices ? wanted : onStep(c, c.log ? fromSlider(c, toSlider(c, Math.max(c.min, wanted))) : wanted);
  if (state.values[name] === value) return;
  state.values[name] = value;
  update();
}

let asking = false;
let stale = false;
const nextFrame = () => new Promise((go) => requestAnimationFrame(go));

/** Draws what the controls say. One question is on its way at a time; what was asked meanwhile is asked once, at last. */
async function update() {
  showControls();
  stale = true;
  if (asking) return;
  asking = true;
  while (stale && scene) {
    await nextFrame();
    stale = false;
    await answer(scene, valuesOf(), texts);
  }
  asking = false;
}

async function answer(here, now, t) {
  try {
    const program = await core;
    const asked = performance.now();
    $('.show').setAttribute('aria-busy', 'true');
    const data = await documents(program, here, now);
    const broken = now.broken ? here.breaks[0].verdict(await ask(program, here.breaks[0].command(now)), data) : null;
    if (here !== scene || t !== texts) return;
    const started = performance.now();
    draw(here, data, now, t, broken);
    frames.push({ answer: started - asked, script: performance.now() - started });
  } catch (error) {
    if (here !== scene) return;
    const failed = await core.then(() => false, () => true);
    if (failed) paperShows();
    else $('#drawing').innerHTML = '';
    $('#verdict').innerHTML = `<p class="error">${esc(failed ? t.page.failed.replace('{why}', error.message) : error.message)}</p>`;
  }
  $('.show')?.removeAttribute('aria-busy');
}

/** A control follows the hand at once, whatever the figure waits for. */
function showControls() {
  for (const c of scene.controls) {
    const input = $(`[data-control="${c.name}"]`);
    const value = state.values[c.name];
    if (c.choices) input.value = String(value);
    else {
      input.value = String(c.log ? toSlider(c, value) : value);
      input.setAttribute('aria-valuetext', spoken(c, state.values, texts));
      input.parentElement.querySelector('output').textContent = shown(c, value, texts);
    }
  }
}
globalThis.ropePage = { frames, idle: () => !asking };

function draw(here, data, now, t, broken) {
  $('#drawing').innerHTML = here.figure(data, now, t);
  if (here.broken && latest?.now.broken !== now.broken) {
    $('#legend').innerHTML = legend(here, t, true, { broken: now.broken });
    for (const name of here.broken.without ?? []) $(`[data-control="${name}"]`).closest('.control').hidden = now.broken;
  }
  const number = here.number(data, now, t);
  const sentence = here.sentence(data, now, t);
  $('#number').innerHTML = `<span class="hide">${esc(t.page.number)}${esc(t.page.colon)}</span>${rich(number.text)} ${kindTag(number.kind, t)}`;
  $('#sentence').innerHTML = rich(sentence);
  $('#sentence').className = 'caption';
  $('#command').innerHTML = commandOf([here.command(now)]);
  if ($('#table').open) $('#table div').innerHTML = tableOf(here.table(data, now, t), `${t.title} – ${t.page.table}`);
  latest = { data, now };
  const same = broken && (!t.brokeCommand || lineOf(here.breaks[0].command(now)) === t.brokeCommand || !here.breaks[0].follows);
  $('#verdict').innerHTML = broken
    ? `${verdictOf(broken, t)}${same ? `<p>${rich(brokeBeside(t))}</p>` : ''}<p class="command">${commandOf([here.breaks[0].command(now)])}</p>` : '';
  speak(sentence);
}
let latest;

/** The sentence is spoken when the hand rests, and only while it is on the figure's controls. */
let later;
function speak(sentence) {
  clearTimeout(later);
  if (!document.activeElement?.matches('[data-control]')) return;
  later = setTimeout(() => { live.textContent = sentence; }, 700);
}

function bet(value) {
  state.bet = value;
  bets.set(scene.id, value);
  if (value === undefined) { bets.delete(scene.id); state.broken = false; }
  keep();
  show();
  $('h1')?.focus({ preventScroll: true });
}

const doing = {
  look: () => bet('look'),
  again: () => bet(undefined),
  async copy(button) {
    await navigator.clipboard?.writeText(lineOf(scene.command(valuesOf()))).catch(() => {});
    const selection = getSelection();
    selection.selectAllChildren($('#command'));
    button.textContent = texts.page.copied;
    setTimeout(() => { button.textContent = texts.page.copy; }, 1500);
  },
};

stage.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.bet !== undefined) bet(Number(button.dataset.bet));
  else doing[button.dataset.do]?.(button);
});
stage.addEventListener('input', (event) => {
  const { control } = event.target.dataset;
  if (event.target.dataset.do === 'break') {
    state.broken = event.target.checked;
    keep();
    update();
  } else if (control) {
    const c = scene.controls.find((one) => one.name === control);
    if (c.choices) set(control, c.choices.find((v) => String(v) === event.target.value));
    else set(control, c.log ? fromSlider(c, Number(event.target.value)) : Number(event.target.value));
  }
});
stage.addEventListener('change', (event) => event.target.dataset.control && keep());
stage.addEventListener('toggle', (event) => {
  if (event.target.id === 'table' && event.target.open && latest)
    $('#table div').innerHTML = tableOf(scene.table(latest.data, latest.now, texts), `${texts.title} – ${texts.page.table}`);
}, true);

/** A symbol lights its part of the figure, which dims the rest; a part of the figure lights its symbol. */
function light(part, from) {
  stage.classList.toggle('lighting', Boolean(part) && from !== 'figure');
  for (const one of stage.querySelectorAll('[data-part].lit')) one.classList.remove('lit');
  if (part) for (const one of stage.querySelectorAll(`[data-part="${part}"]`)) one.classList.add('lit');
}
for (const type of ['pointerover', 'pointerout', 'focusin', 'focusout'])
  stage.addEventListener(type, ({ target }) => target.closest?.('.formula, .parts')
    && light(/out$/.test(type) ? undefined : target.closest('[data-part]')?.dataset.part));

/** What lies under the pointer or, as strokes are thin, within a few pixels of it; what catches the hand lies over all. */
function partNear({ clientX, clientY }) {
  for (const [x, y] of [[0, 0], [0, -5], [0, 5], [-5, 0], [5, 0]])
    for (const one of document.elementsFromPoint(clientX + x, clientY + y)) {
      const found = one.closest('#drawing [data-part]');
      if (found) return found.dataset.part;
    }
  return undefined;
}
let pointed;
for (const type of ['pointermove', 'pointerout'])
  stage.addEventListener(type, (event) => {
    if (event.buttons || !event.target.closest?.('#drawing')) return;
    const part = type === 'pointerout' ? undefined : partNear(event);
    if (part !== pointed) light(pointed = part, 'figure');
  });

for (const lang of ['en', 'zh'])
  document.getElementById(`lang-${lang}`).addEventListener('change', () => {
    state.lang = lang;
    keep();
    show();
  });
document.getElementById('theme').addEventListener('click', () => {
  const dark = state.theme ? state.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  state.theme = dark ? 'light' : 'dark';
  keep();
  dress();
});

let width = 0;
new ResizeObserver(() => {
  if (scene && $('#drawing') && Math.abs($('#drawing').clientWidth - width) > 4) {
    width = $('#drawing').clientWidth;
    update();
  }
}).observe(stage);

/** What needs the words and the lesson, which are packed. */
function begin() {
  addEventListener('hashchange', () => {
    open();
    scrollTo(0, 0);
  });

  listen(stage, core, { scenes, page, words: () => page.words[state.lang], state: () => state });

  // In front of a class: keys for next, back, reveal, break, notes.
  document.getElementById('present').addEventListener('click', () => {
    state.present = !state.present;
    keep();
    dress();
    if (scene) update();
  });
  addEventListener('keydown', (event) => {
    if (!state.present || event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.('input:not([type="checkbox"]), select, textarea')) return;
    const go = (step) => {
      const next = scene ? scenes[scenes.indexOf(scene) + step] : scenes[0];
      if (next) location.hash = write({ ...state, values: firstState(next), bet: bets.get(next.id), broken: false }, next);
    };
    const keys = {
      ArrowRight: () => go(1), PageDown: () => go(1), ArrowLeft: () => go(-1), PageUp: () => go(-1),
      b: () => scene && state.bet === undefined && bet('look'),
      x: () => scene && state.bet !== undefined && $('[data-do="break"]').click(),
      n: () => document.documentElement.classList.toggle('noted'),
      Escape: () => document.getElementById('present').click(),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  document.documentElement.classList.add('live');
  document.getElementById('paper').hidden = true;
  stage.hidden = false;
  open();
}

page = JSON.parse(new TextDecoder().decode(unpacked(document.getElementById('data').textContent)));
begin();
