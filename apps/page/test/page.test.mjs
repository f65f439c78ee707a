// What a reader does: bets, drags, types, breaks, pastes; with mouse, touch and keyboard, and without scripts.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import test, { after } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { scenes } from '../src/scenes/index.js';
import { file, open, settled, stop, until } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
after(stop);
const at = (scene, more = '') => `scene=${scene.step ?? scene.id}&bet=look${more}`;
const figure = (page) => page.evaluate(() => document.querySelector('#drawing').innerHTML);

test('the file is small enough', () => assert.ok(statSync(file).size <= 3e6, `${statSync(file).size} bytes`));

test('the HTML is valid', async () => {
  const report = await new HtmlValidate({ extends: ['html-validate:recommended'],
    rules: { 'long-title': 'off', 'no-inline-style': 'error', 'prefer-native-element': 'off', 'svg-focusable': 'off', 'require-sri': 'off', 'void-style': 'off', 'no-redundant-role': 'off', 'attribute-boolean-style': 'off', 'no-trailing-whitespace': 'off', 'text-content': 'off' } })
    .validateString(readFileSync(file, 'utf8'));
  assert.ok(report.valid, JSON.stringify(report.results[0]?.messages.slice(0, 8).map((m) => `${m.line}:${m.column} ${m.ruleId} ${m.message}`), null, 1));
});

test('without scripts the page is complete in both languages', async () => {
  const { page, close } = await open('', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const look = () => page.evaluate(() => {
    const shown = [...document.querySelectorAll('#paper .scene')].filter((s) => s.getClientRects().length);
    const links = [...document.querySelectorAll('#paper .toc li:not(.card) a')].filter((a) => a.getClientRects().length);
    return { scenes: shown.length, links: links.filter((a) => shown.includes(document.querySelector(a.getAttribute('href')))).length, svg: shown.filter((s) => s.querySelector('svg')).length, math: shown.filter((s) => s.querySelector('math')).length,
      numbers: shown.filter((s) => /\d/.test(s.querySelector('.number').textContent)).length, tables: shown.filter((s) => s.querySelector('table')).length,
      lang: shown[0].closest('[lang]').lang, wide: document.documentElement.scrollWidth > innerWidth };
  }).catch(() => null);
  const count = { scenes: scenes.length, links: scenes.length, svg: scenes.length, math: scenes.length, numbers: scenes.length, tables: scenes.length, wide: false };
  assert.deepEqual(await look(), { ...count, lang: 'en' });
  await page.click('label[for="lang-zh"]');
  assert.deepEqual(await look(), { ...count, lang: 'zh-Hans' });
  await close();
});

test('nothing can be fetched', async () => {
  const { page, close } = await open('');
  const said = await page.evaluate(() => fetch('https://example.org/').then(() => 'fetched', (e) => String(e)));
  assert.match(said, /TypeError/);
  const image = await page.evaluate(() => new Promise((go) => {
    document.addEventListener('securitypolicyviolation', (e) => go(e.violatedDirective));
    new Image().src = 'https://example.org/x.png';
  }));
  assert.match(image, /img-src/);
  await close();
});

for (const scene of scenes) {
  test(`${scene.id}: bet, keyboard, mouse, break, no error`, async () => {
    const { page, errors, close } = await open(`scene=${scene.step ?? scene.id}`);
    assert.equal(await page.locator('.after').isVisible(), false);
    await page.locator('[data-bet]').first().click();
    await settled(page);
    for (const c of scene.controls) {
      const input = page.locator(`[data-control="${c.name}"]`);
      if (c.choices) {
        for (const v of [c.choices.at(-1), c.choices[0]]) {
          await input.selectOption(String(v));
          await page.waitForTimeout(60);
        }
      } else {
        await input.focus();
        const before = await input.inputValue();
        const seen = new Set([before]);
        for (const key of ['Home', 'ArrowRight', 'PageUp', 'End']) {
          await page.keyboard.press(key);
          await page.waitForTimeout(50);
          seen.add(await input.inputValue());
        }
        assert.ok(seen.size >= 4, `${c.name}: ${[...seen]}`);
        assert.ok(await input.getAttribute('aria-valuetext'));
        const box = await input.boundingBox();
        await page.mouse.click(box.x + box.width * 0.4, box.y + box.height / 2);
      }
    }
    await settled(page);
    const grip = page.locator('#drawing [data-grip]').first();
    if (await grip.count()) {
      const name = await grip.getAttribute('data-grip');
      const kind = await grip.getAttribute('data-kind');
      const read = () => page.locator(`[data-control="${name}"]`).inputValue();
      const seen = new Set([await read()]);
      const box = await grip.boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(kind === 'turn' ? x + 60 : box.x + box.width * 0.8, kind === 'turn' ? y - 90 : box.y + box.height * 0.2, { steps: 6 });
      await page.waitForTimeout(60);
      seen.add(await read());
      await page.mouse.move(kind === 'turn' ? x - 50 : box.x + box.width * 0.9, kind === 'turn' ? y - 40 : box.y + box.height * 0.1, { steps: 6 });
      await page.mouse.up();
      await settled(page);
      seen.add(await read());
      assert.ok(seen.size > 1, `${name} by dragging`);
      assert.match(await page.evaluate(() => location.hash), /scene=/);
    }
    await page.locator('[data-do="break"]').check({ force: true });
    await settled(page);
    assert.match(await page.locator('#verdict').textContent(), /rope /);
    await page.locator('#table > summary').click();
    await until(page, () => document.querySelectorAll('#table td').length > 0);
    for (const lang of ['zh', 'en']) {
      await page.click(`label[for="lang-${lang}"]`);
      await settled(page);
    }
    assert.deepEqual(errors, []);
    await close();
  });
}

test('a finger drags the arrow', async () => {
  const { page, errors, close } = await open(at(scenes[3]), { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  await settled(page);
  await page.locator('#drawing .grip').scrollIntoViewIfNeeded();
  const before = await page.locator('[data-control="m"]').inputValue();
  const box = await page.locator('#drawing .grip').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const client = await page.context().newCDPSession(page);
  const touch = (type, points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([px, py]) => ({ x: px, y: py })) });
  await touch('touchStart', [[x, y]]);
  for (let i = 1; i <= 8; ++i) await touch('touchMove', [[x + 6 * i, y + 4 * i]]);
  await touch('touchEnd', []);
  await settled(page);
  assert.notEqual(await page.locator('[data-control="m"]').inputValue(), before);
  assert.deepEqual(errors, []);
  await close();
});

test('the address opens the same scene', async () => {
  const { page, close } = await open('scene=4&m=9&bet=1&broken=1&lang=zh&theme=dark');
  await settled(page);
  assert.equal(await page.locator('[data-control="m"]').inputValue(), '9');
  assert.equal(await page.evaluate(() => `${document.documentElement.lang} ${document.documentElement.dataset.theme}`), 'zh-Hans dark');
  const other = await open('scene=4&m=9&bet=1&broken=1&lang=zh&theme=dark');
  await settled(other.page);
  assert.equal(await figure(page), await figure(other.page));
  await other.close();
  await close();
});

test('a pasted line opens its scene', async () => {
  const { page, close } = await open('');
  await page.fill('#line', 'rope rotate --view clocks --positions 250');
  await page.locator('#paste button').click();
  await settled(page);
  assert.match(await page.evaluate(() => location.hash), /scene=5.*m=250/);
  await close();
});

test('a symbol lights its part of the figure, and a part its symbol', async () => {
  const { page, errors, close } = await open(at(scenes[3]));
  await settled(page);
  const lit = () => page.evaluate(() => ['#drawing', '.formula', '.parts'].map((where) =>
    [...new Set([...document.querySelectorAll(`${where} .lit`)].map((e) => e.dataset.part))].join()).join(' ') + (document.querySelector('.lighting') ? ' dimmed' : ''));
  await page.locator('#drawing .arrow.k .head').first().hover();
  assert.equal(await lit(), 'k k k');
  await page.locator('.formula [data-part="q"]').first().hover();
  assert.equal(await lit(), 'q q q dimmed');
  await page.locator('.parts [data-part="turn"]').focus();
  await page.mouse.move(2, 2);
  assert.equal(await lit(), '  ');
  assert.deepEqual(errors, []);
  await close();
});

test('a dark page is printed dark on light, without what only a hand can use', async () => {
  const { page, close } = await open(at(scenes[3], '&theme=dark'));
  await settled(page);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await page.locator('.controls input').first().isVisible(), false);
  assert.equal(await page.locator('#drawing svg').isVisible(), true);
  await close();
});

test('before a class figure, slider and number are on one screen', async () => {
  const { page, errors, close } = await open('', { viewport: { width: 1920, height: 1080 } });
  const below = [];
  for (const scene of scenes) {
    await page.evaluate((hash) => { location.hash = hash; }, `${at(scene)}&present`);
    await until(page, () => document.querySelector('#drawing') && globalThis.ropePage.idle());
    await settled(page);
    below.push(...await page.evaluate(() => ['#drawing svg', '#stage .controls', '#number']
      .map((what) => [document.querySelector('.scene.live').dataset.scene, what, Math.round(document.querySelector(what).getBoundingClientRect().bottom)])
      .filter(([, , bottom]) => bottom > innerHeight)));
  }
  assert.deepEqual(below, []);
  assert.deepEqual(errors, []);
  await close();
});

test('no answer is read before the bet', async () => {
  const { page, close } = await open('scene=9');
  await settled(page);
  assert.equal(await page.locator('#drawing .label').first().isVisible(), false);
  await page.locator('[data-bet]').first().click();
  await settled(page);
  assert.equal(await page.locator('#drawing .label').first().isVisible(), true);
  await close();
});

test('keys lead through a class', async () => {
  const { page, errors, close } = await open('scene=4&present');
  await page.keyboard.press('b');
  await settled(page);
  await page.keyboard.press('x');
  await until(page, () => document.querySelector('#verdict').textContent.includes('FAIL'));
  await page.keyboard.press('ArrowRight');
  await until(page, () => document.querySelector('.scene').dataset.scene === 'clocks');
  assert.deepEqual(errors, []);
  await close();
});

for (const [name, hash, options] of [['first page', ''], ['scene', at(scenes[3], '&broken=1')], ['bet', 'scene=5'], ['dark', at(scenes[21], '&theme=dark')], ['phone in Chinese', at(scenes[14], '&lang=zh'), { viewport: { width: 390, height: 844 } }]])
  test(`axe finds nothing: ${name}`, async () => {
    const { page, close } = await open(hash, options);
    if (hash) await until(page, () => document.querySelector('#drawing svg') && globalThis.ropePage.idle());
    else await until(page, () => Boolean(globalThis.ropePage.checked));
    const found = await page.evaluate(async (source) => {
      (0, eval)(source);  // the policy forbids added scripts, not those of the driver
      const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
      return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`);
    }, axe).catch(async () => {
      await page.context().close();
      return ['axe could not run'];
    });
    assert.deepEqual(found, []);
    await close();
  });

test('nothing is wider than the screen', async () => {
  for (const width of [320, 390, 768, 1280, 1920]) {
    const { page, close } = await open('', { viewport: { width, height: 800 } });
    for (const scene of scenes) {
      await page.evaluate((hash) => { location.hash = hash; }, at(scene, '&broken=1'));
      await until(page, () => globalThis.ropePage.idle());
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${scene.id} at ${width}`);
      // A formula scrolls within itself where it has to: on no phone that is sold.
      if (width >= 390) assert.ok(await page.evaluate(() => [...document.querySelectorAll('.formula')].every((f) => f.scrollWidth <= f.clientWidth)), `the formula of ${scene.id} at ${width}`);
    }
    await close();
  }
});

test('time to the first picture and memory are told', async () => {
  const { page, close } = await open(at(scenes[0]));
  await settled(page);
  const alive = await page.evaluate(() => performance.now());
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  assert.ok(paint > 0 && paint <= alive, `${paint} ms, ${alive} ms`);
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const resident = (id) => Number(readFileSync(`/proc/${id}/status`, 'utf8').match(/VmRSS:\s*(\d+)/)[1]) / 1024;
  const most = Math.max(...processInfo.filter((one) => one.type === 'renderer').map((one) => resident(one.id)));
  console.log(`first picture ${paint.toFixed(0)} ms, computing ${alive.toFixed(0)} ms after the page was opened; its process holds ${most.toFixed(0)} MiB`);
  await close();
});

test('frame times while dragging are told', async () => {
  const all = [];
  for (const scene of scenes) {
    const c = scene.controls[0];
    if (c.choices) continue;
    const { page, close } = await open(at(scene));
    await settled(page);
    await page.evaluate(() => { globalThis.ropePage.frames.length = 0; });
    const box = await page.locator(`[data-control="${c.name}"]`).boundingBox();
    const work = await framesOf(page, async () => {
      await page.mouse.move(box.x + 10, box.y + box.height / 2);
      await page.mouse.down();
      for (let i = 0; i < 60; ++i) await page.mouse.move(box.x + 10 + (box.width - 20) * i / 59, box.y + box.height / 2);
      await page.mouse.up();
      await settled(page);
    });
    const drawings = await page.evaluate(() => globalThis.ropePage.frames);
    assert.ok(drawings.length > 0, scene.id);
    console.log(`${scene.id}: a frame's script and layout ${told(work)} (${work.length} frames), the program ${told(drawings.map((d) => d.answer))} (${drawings.length} answers)`);
    all.push(...work);
    await close();
  }
  console.log(`all scenes: ${told(all)} (${all.length} frames)`);
});

function told(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const part = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1);
  return `median ${part(0.5)} ms, slowest 1 % ${part(0.99)} ms`;
}

/**
 * What the page's own thread did between one frame and the next, in milliseconds: script, style, layout and paint, nothing
 * of the wait: its processor time, for a machine that runs tests shares its cores.
 */
async function framesOf(page, run) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame', '__metadata'] } });
  await run();
  const complete = new Promise((go) => client.once('Tracing.tracingComplete', go));
  await client.send('Tracing.end');
  await complete;
  const main = events.find((e) => e.name === 'FireAnimationFrame');
  const mine = events.filter((e) => main && e.pid === main.pid && e.tid === main.tid).sort((a, b) => a.ts - b.ts);
  const begins = mine.filter((e) => e.name === 'BeginMainThreadFrame' || e.name === 'BeginFrame').map((e) => e.ts);
  const tasks = mine.filter((e) => e.name === 'RunTask' && e.ph === 'X');
  return begins.slice(1).map((end, i) => tasks.filter((t) => t.ts >= begins[i] && t.ts < end).reduce((sum, t) => sum + (t.tdur ?? t.dur) / 1000, 0));
}
