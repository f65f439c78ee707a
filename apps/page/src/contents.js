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

export function contents({ scenes, words, page, lang }) {
  const w = words.page;
  const entry = (s) => {
    const t = textsOf(words, s, page.lesson);
    return `<li><a href="#scene=${s.step ?? s.id}&amp;lang=${lang}"><b>${s.step ?? ''}</b><span>${rich(t.title)}<small>${rich(t.told)}</small></span></a></li>`;
  };
  return `<div class="title"><h1 tabindex="-1">${esc(w.title)}</h1><p class="lead">${rich(w.lead)}</p><p class="small">${rich(w.computed)}</p>
<p class="check" id="check" aria-live="polite"><span>${esc(w.checking)}</span></p></div>
<section class="toc"><h2>${esc(w.lessonHead)}</h2><ol>${scenes.filter((s) => s.step).map(entry).join('')}</ol></section>
<section class="toc"><h2>${esc(w.playHead)}</h2><ul>${scenes.filter((s) => !s.step).map(entry).join('')}</ul></section>
<section class="toc"><h2>${esc(w.cards)}</h2><p class="small">${esc(w.cardsLead)}</p><ul class="cards">${cards(words, page.lesson, lang)}</ul></section>
<section class="toc"><h2>${esc(w.toolsHead)}</h2><div class="toolbox">${toolHtml('config', w.tools)}${toolHtml('npy', w.tools)}
<form class="tool" id="paste"><h3><label for="line">${esc(w.paste)}</label></h3><p>${esc(w.pasteLead)}</p><p class="field"><input id="line" type="text" autocomplete="off" spellcheck="false" placeholder="rope wavelengths --dim 128 --context 100"><button type="submit" class="plain">${esc(w.pasteGo)}</button></p><p class="said" aria-live="polite"></p></form></div></section>
<footer class="small"><p>${esc(w.keys)}</p><p>${esc(fill(w.built, page))}</p><p>${esc(w.licences)}</p></footer>`;
}
