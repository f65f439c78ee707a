// The HTML around a figure: still, for a page without scripts, and live.
import { esc, rich, commandHtml } from './svg.js';
import { fill, num } from './numbers.js';
import { lineOf } from './command.js';
import { shown, spoken } from './texts.js';

export const kindTag = (kind, t) => `<span class="kind" title="${esc(t.page.kindsSay[kind])}">${esc(t.page.kinds[kind])}</span>`;

export const tableOf = ({ head, rows }, caption) =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${esc(caption)}"><table><caption>${esc(caption)}</caption><thead><tr>${head.map((h) => `<th scope="col">${rich(h)}</th>`).join('')}</tr></thead><tbody>${
    rows.map((row) => `<tr>${row.map((cell, i) => (i ? `<td>${rich(String(cell))}</td>` : `<th scope="row">${rich(String(cell))}</th>`)).join('')}</tr>`).join('')}</tbody></table></div>`;

export const commandOf = (argvs) => argvs.map((argv) => `<code>${commandHtml(lineOf(argv))}</code>`).join('');

export function verdictOf({ word, off, allowed, asked }, t) {
  if (off === null) return '';
  const kind = word === 'PASS' ? 'pass' : word === 'FAIL' ? 'fail' : 'open';
  const beyond = allowed === undefined || allowed === null || off > allowed;
  const size = allowed ? (beyond ? (asked ? t.page.asked : t.page.off) : t.page.inside) : t.page.offOnly;
  return `<p class="verdict ${kind}"><strong>${esc(word)}</strong> <span>${esc(t.page.verdicts[word] ?? '')}</span><span class="size">${
    rich(fill(size, { of: t.sizeOf, off: num(off, 3), allowed: num(allowed, 3) }))}</span></p>`;
}

/** The parts that the figure of this state draws. */
const partsOf = (scene, broken) => (broken && scene.broken?.parts) || scene.parts;

/** Without scripts the legend has what the still picture draws. */
export function legend(scene, t, live, { broken = false, svg = '' } = {}) {
  const items = partsOf(scene, broken).filter((part) => live || svg.includes(`data-part="${part}"`)).map((part) => {
    const said = `<i${scene.dots?.includes(part) ? ' class="dots"' : ''}></i>${rich(t.parts[part])}`;
    return live ? `<li><button type="button" class="${part}" data-part="${part}">${said}</button></li>` : `<li class="${part}">${said}</li>`;
  });
  return `<ul class="parts">${items.join('')}</ul>`;
}

const people = (t) => (t.people ? `<div class="people"><h3>${esc(t.page.people)}</h3><blockquote>${rich(t.people.say)}</blockquote><p>${rich(t.people.decides)}</p><p class="small">${esc(t.page.threads)}${esc(t.page.colon)}${t.people.threads.map(esc).join(' · ')}</p></div>` : '');

const claims = (t) => (t.claims?.length ? `<p class="small">${esc(t.page.claims)}${esc(t.page.colon)}${t.claims.map(esc).join(' · ')}<span class="quiet">${esc(t.page.sources)}</span></p>` : '');

const place = (scene, t) => (scene.step ? t.page.step.replace('{n}', scene.step) : t.page.play);

/** All of a scene on paper. `data` are of its first state. */
export function stillScene(scene, t, data, state, math) {
  const id = `${scene.id}-${t.lang}`;
  const number = scene.number(data, state, t);
  const table = scene.table(data, state, t);
  const svg = scene.figure(data, state, t);
  return `<section class="scene" id="${id}"><header><p class="place">${esc(place(scene, t))}</p><h2>${rich(t.title)}</h2></header>
<div class="ask"><p class="question">${rich(t.question)}</p><ol class="bets">${t.choices.map((c) => `<li>${rich(c.text)}</li>`).join('')}</ol></div>
<figure class="show"><div class="drawing">${svg}</div>${legend(scene, t, false, { svg })}
<p class="number">${rich(number.text)} ${kindTag(number.kind, t)}</p><figcaption><p>${rich(scene.sentence(data, state, t))}</p><p class="command">${commandOf([scene.command(state)])}</p></figcaption></figure>
<div class="tell"><p class="told">${rich(t.told)}</p><div class="formula">${math}</div>
<details><summary>${esc(t.page.why)}</summary><ul class="thinks">${t.choices.map((c) => `<li><em>${rich(c.text)}</em> ${c.right ? esc(t.page.right) : rich(c.thinks)}</li>`).join('')}</ul><p>${rich(t.answer)}</p></details>
<details><summary>${esc(t.page.break)}${esc(t.page.colon)}${rich(t.switch)}</summary><p>${rich(t.broke)}</p><p class="command">${commandOf([scene.breaks[0].command(state)])}</p></details>
<details><summary>${esc(t.page.table)}</summary>${tableOf(table, `${t.title} – ${t.page.table}`)}</details>${people(t)}${claims(t)}</div></section>`;
}

const slider = (c, state, t) => {
  const id = `c-${c.name}`;
  if (c.choices)
    return `<div class="control choice"><label for="${id}">${rich(t.controls[c.name])}</label><select id="${id}" data-control="${c.name}">${c.choices.map((v) =>
      `<option value="${esc(v)}"${String(v) === String(state[c.name]) ? ' selected' : ''}>${esc(shown(c, v, t))}</option>`).join('')}</select></div>`;
  const [min, max, step, value] = c.log ? [0, 400, 1, toSlider(c, state[c.name])] : [c.min, c.max, c.step, state[c.name]];
  return `<div class="control"><label for="${id}">${rich(t.controls[c.name])}</label><input type="range" id="${id}" data-control="${c.name}" min="${min}" max="${max}" step="${step}" value="${value}" aria-valuetext="${esc(spoken(c, state, t))}"><output for="${id}">${esc(shown(c, state[c.name], t))}</output></div>`;
};

/** A logarithmic control has 400 steps between its ends, each a whole number. */
export const toSlider = (c, v) => Math.round(400 * Math.log(v / c.min) / Math.log(c.max / c.min));
export const fromSlider = (c, at) => {
  const v = c.min * (c.max / c.min) ** (at / 400);
  return v < 100 ? Math.round(v) : Number(v.toPrecision(3));
};

/** A scene with its controls; the figure and what follows from data are filled in by update. */
export function liveScene(scene, t, state, math, bet) {
  const done = bet !== undefined;
  const chosen = done && bet !== 'look' ? t.choices[bet] : null;
  const bets = done
    ? `<div class="betted${chosen ? (chosen.right ? ' right' : ' wrong') : ''}">${chosen
      ? `<p><span class="quiet">${esc(t.page.yourbet.split('{choice}')[0])}</span>${rich(chosen.text)}</p><p class="reply"><strong>${esc(chosen.right ? t.page.right : t.page.wrong)}</strong> ${rich(chosen.right ? '' : chosen.thinks)}</p>`
      : `<p><span class="quiet">${esc(t.page.looked)}</span> ${rich(t.page.rightIs.replace('{choice}', t.choices.find((c) => c.right).text))}</p>`}<button type="button" class="plain" data-do="again">${esc(t.page.again)}</button></div>`
    : `<ol class="bets">${t.choices.map((c, i) => `<li><button type="button" data-bet="${i}">${rich(c.text)}</button></li>`).join('')}</ol><button type="button" class="plain" data-do="look">${esc(t.page.look)}</button>`;
  return `<article class="scene live${done ? '' : ' unbet'}" data-scene="${scene.id}">
<header><p class="place">${esc(place(scene, t))}</p><h1 tabindex="-1">${rich(t.title)}</h1></header>
<div class="ask"><p class="question">${rich(t.question)}</p>${bets}</div>
<figure class="show"><div class="drawing" id="drawing"${done ? '' : ' inert'}></div>
<div class="controls"${done ? '' : ' inert'}>${scene.controls.map((c) => slider(c, state, t)).join('')}</div>
<div class="after"${done ? '' : ' hidden'}><p class="number" id="number"></p><p class="caption" id="sentence"></p>
<div class="command"><span id="command"></span><button type="button" class="plain" data-do="copy">${esc(t.page.copy)}</button></div></div></figure>
<div class="tell"${done ? '' : ' hidden'}><p class="told">${rich(t.told)}</p><div class="formula">${math}</div><div id="legend">${legend(scene, t, true, { broken: state.broken })}</div>
<div class="breaking"><label class="switch"><input type="checkbox" role="switch" data-do="break"${state.broken ? ' checked' : ''}><i></i><span>${esc(t.page.break)}${esc(t.page.colon)}${rich(t.switch)}</span></label><div id="verdict" aria-live="polite"></div></div>
<details><summary>${esc(t.page.why)}</summary><p>${rich(t.answer)}</p></details>
<details id="table"><summary>${esc(t.page.table)}</summary><div></div></details>
${people(t) ? `<details><summary>${esc(t.page.people)}${esc(t.page.colon)}${rich(t.people.say)}</summary><p>${rich(t.people.decides)}</p><p class="small">${esc(t.page.threads)}${esc(t.page.colon)}${t.people.threads.map(esc).join(' · ')}</p></details>` : ''}
${t.presenter ? `<details class="notes"><summary>${esc(t.page.notes ?? 'Notes')}</summary><p>${rich(t.presenter)}</p></details>` : ''}${claims(t)}</div>
</article>`;
}
