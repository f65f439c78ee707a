// The first page: what there is.
import { esc, rich } from './svg.js';
import { textsOf } from './texts.js';
import { fill } from './numbers.js';
import { toolHtml } from './files.js';

export function cards(words, lesson, lang) {
  const said = (v) => v[lang];
  return lesson.filter((s) => s.misunderstanding).sort((a, b) => a.misunderstanding.number - b.misunderstanding.number).map((s) => {
    const m = s.misunderstanding;
    return `<li class="card"><blockquote>${rich(said(m.people_say))}</blockquote><p><strong class="${m.verdict}">${esc(words.page.verdictOf[m.verdict])}</strong> ${rich(said(m.decides))}</p><p class="small"><a href="#scene=${s.number}&amp;lang=${lang}">${esc(words.page.see)}${esc(words.page.colon)}${rich(said(s.title))}</a><br>${m.threads.map(esc).join(' · ')}</p></li>`;
  }).join('');
}

/** The steps and the scenes of free play, each where `href` says; `told` with what it tells, and with its picture of `pictures`. */
export function lists({ scenes, words, lesson, href, told = false, pictures }) {
  const entry = (s) => {
    const t = textsOf(words, s, lesson);
    return `<li><a href="${href(s)}"><b>${s.step ?? ''}</b>${pictures ? `<i class="thumb" aria-hidden="true">${pictures(s)}</i>` : ''}<span>${rich(t.title)}${told ? `<small>${rich(t.told)}</small>` : ''}</span></a></li>`;
  };
  return `<section class="toc"><h2>${esc(words.page.lessonHead)}</h2><ol>${scenes.filter((s) => s.step).map(entry).join('')}</ol></section>
<section class="toc"><h2>${esc(words.page.playHead)}</h2><ul>${scenes.filter((s) => !s.step).map(entry).join('')}</ul></section>`;
}

/** `stillOf`: the still picture of a scene, as SVG. */
export function contents({ scenes, words, page, lang, stillOf }) {
  const w = words.page;
  return `<div class="title"><h1 tabindex="-1">${esc(w.title)}</h1><p class="lead">${rich(w.lead)}</p><p class="small">${rich(w.computed)}</p>
<p class="check" id="check" aria-live="polite"><span>${esc(w.checking)}</span></p><div class="hero drawing" aria-hidden="true">${stillOf(scenes.find((s) => s.id === 'clocks'))}</div></div>
${lists({ scenes, words, lesson: page.lesson, href: (s) => `#scene=${s.step ?? s.id}&amp;lang=${lang}`, told: true, pictures: stillOf })}
<section class="toc"><h2>${esc(w.cards)}</h2><p class="small">${esc(w.cardsLead)}</p><ul class="cards">${cards(words, page.lesson, lang)}</ul></section>
<section class="toc"><h2>${esc(w.toolsHead)}</h2><div class="toolbox">${toolHtml('config', w.tools)}${toolHtml('npy', w.tools)}
<form class="tool" id="paste"><h3><label for="line">${esc(w.paste)}</label></h3><p>${esc(w.pasteLead)}</p><p class="field"><input id="line" type="text" autocomplete="off" spellcheck="false" placeholder="rope rotate --view clocks"><button type="submit" class="plain">${esc(w.pasteGo)}</button></p><p class="said" aria-live="polite"></p></form></div></section>
<footer class="small"><p>${esc(w.keys)}</p><p>${esc(fill(w.built, page))}</p><p>${esc(w.licences)}</p></footer>`;
}
