// What the first page does: it checks the browser, reads files, and opens a pasted line.
import { ask } from './core.js';
import { check } from './golden.js';
import { beforeFirst, examine, limitOf, tooLarge, tools } from './files.js';
import { sceneOf } from './fit.js';
import { write } from './state.js';
import { lineOf } from './command.js';
import { fill } from './numbers.js';
import { esc } from './svg.js';

let checked = null;

export async function checkBrowser(core, page, words) {
  const show = (r, done) => {
    const place = document.getElementById('check');
    if (!place) return;
    place.className = `check ${done ? (r.equal === r.of ? 'pass' : 'fail') : ''}`;
    place.innerHTML = `<strong>${esc(fill(words().page.checked, { build: page.build, equal: r.equal, of: done ? r.of : page.golden.reduce((n, g) => n + g.numbers.length, 0) }))}</strong>`
      + (done && r.differ.length ? `<details><summary>${esc(words().page.differ)}</summary><ul>${r.differ.map((d) => `<li><code>${esc(lineOf(d.argv))}</code> ${esc(d.path.join('.'))}</li>`).join('')}</ul></details>` : '');
  };
  if (checked) return show(checked, true);
  const program = await core;
  const idle = () => new Promise((go) => (globalThis.requestIdleCallback ?? setTimeout)(go));
  checked = await check(page.golden, (argv) => ask(program, argv), (r) => show(r, false), idle);
  globalThis.ropePage.checked = checked;
  show(checked, true);
}

export function listen(stage, core, { scenes, page, words, state }) {
  let reading = 0;  // counts the files that were chosen: an answer to earlier ones comes too late
  let busy = false;
  const read = async (tool, files) => {
    const turn = ++reading;
    if (busy) await (await core).cancel?.();
    const said = stage.querySelector(`[data-tool="${tool}"] .said`);
    const w = words().page;
    const chosen = [...files].slice(0, tools[tool].most);
    const large = chosen.find((file) => tooLarge(tool, file));
    if (large) said.innerHTML = `<p class="error">${esc(fill(w.tools.large, { name: large.name, size: `${(large.size / 1048576).toFixed(1)} MB`, limit: limitOf(tool) }))}</p>`;
    else if (chosen.length < (tools[tool].fewest ?? 1)) said.innerHTML = `<p class="error">${esc(w.tools.two)}</p>`;
    else {
      said.innerHTML = `<p>${esc(w.tools.computing)} <button type="button" data-do="cancel">${esc(w.tools.cancel)}</button></p>`;
      busy = true;
      try {
        const r = await examine(await core, tool, tool === 'npy' ? beforeFirst(chosen) : chosen);
        if (turn === reading) said.innerHTML = `<pre tabindex="0">${esc(r.text)}</pre><p class="command"><code>${esc(lineOf(r.argv))}</code></p>${r.json ? `<a class="plain" download="rope-${tool}.json" href="data:application/json,${encodeURIComponent(r.json)}">${esc(w.tools.save)}</a>` : ''}`;
      } catch (error) {
        said.innerHTML = error.message === 'cancelled' ? `<p>${esc(w.tools.cancelled)}</p>` : `<p class="error">${esc(error.message)}</p>`;
      }
      if (turn === reading) busy = false;
    }
  };
  stage.addEventListener('change', (event) => {
    const tool = event.target.closest('[data-tool]')?.dataset.tool;
    if (!tool) return;
    read(tool, [...event.target.files]);
    event.target.value = '';  // the same file may be chosen again, after it was edited
  });
  stage.addEventListener('click', async (event) => {
    if (event.target.closest('[data-do="cancel"]')) (await core).cancel?.();
  });
  for (const type of ['dragover', 'drop'])
    stage.addEventListener(type, (event) => {
      const tool = event.target.closest?.('[data-tool]')?.dataset.tool;
      if (!tool) return;
      event.preventDefault();
      if (type === 'drop') read(tool, event.dataTransfer.files);
    });
  stage.addEventListener('submit', (event) => {
    event.preventDefault();
    const found = sceneOf(stage.querySelector('#line').value, scenes, page.lesson);
    if (!found) stage.querySelector('#paste .said').textContent = words().page.pasteNone;
    else location.hash = write({ ...state(), values: { ...Object.fromEntries(found.scene.controls.map((c) => [c.name, c.value])), ...found.values }, broken: found.broken, bet: 'look' }, found.scene);
  });
}
