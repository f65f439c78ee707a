// Pictures of every scene for a person to look at: each size, light and dark, with and without scripts, and sheets of them.
//
//   node pictures.mjs FOLDER [BEFORE]    those that differ from the folder BEFORE are named
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scenes } from './src/scenes/index.js';
import { open, settled, stop, until } from './test/browser.mjs';

const [folder, before] = process.argv.slice(2);
if (!folder) throw new Error('node pictures.mjs FOLDER [BEFORE]');
mkdirSync(folder, { recursive: true });
const only = process.env.SCENES?.split(',');
const SIZES = [[390, 844], [1280, 800], [1920, 1080]];
const taken = { all: 0, changed: [] };

async function shoot(page, name, target = page) {
  const png = await target.screenshot({ ...(target === page ? { fullPage: true } : {}), animations: 'disabled', caret: 'hide' });
  writeFileSync(join(folder, name), png);
  ++taken.all;
  if (before && !(existsSync(join(before, name)) && readFileSync(join(before, name)).equals(png))) taken.changed.push(name);
}

/** One picture of many, each as wide as its share. */
async function sheet(name, names, columns) {
  const { page, close } = await open('', { javaScriptEnabled: false, viewport: { width: 1800, height: 900 } });
  const images = names.map((one) => `<figure><img src="data:image/png;base64,${readFileSync(join(folder, one)).toString('base64')}"><figcaption>${one}</figcaption></figure>`);
  await page.goto('about:blank');
  await page.setContent(`<!DOCTYPE html><style>body{margin:0;display:grid;align-items:start;grid-template-columns:repeat(${columns},1fr);gap:12px;background:#888;font:13px sans-serif}figure{margin:0;overflow:hidden;max-height:1100px}img{width:100%;display:block}</style>${images.join('')}`);
  await page.screenshot({ path: join(folder, name), fullPage: true });
  await close();
}

for (const [width, height] of SIZES)
  for (const theme of ['light', 'dark']) {
    const size = `${width}x${height}-${theme}`;
    const shape = { viewport: { width, height }, colorScheme: theme, deviceScaleFactor: 1 };
    const live = [];
    for (const [i, scene] of scenes.entries()) {
      if (only && !only.includes(scene.id)) continue;
      const { page, close } = await open(`scene=${scene.step ?? scene.id}&bet=look&broken=1&lang=${i % 2 ? 'zh' : 'en'}`, shape);
      await settled(page);
      await until(page, () => document.querySelector('#verdict').textContent.includes('rope '), 20000);
      live.push(`${scene.id}-${size}.png`);
      await shoot(page, live.at(-1));
      await close();
    }
    const still = [];
    const { page, close } = await open('', { ...shape, javaScriptEnabled: false });
    for (const scene of scenes) {
      if (only && !only.includes(scene.id)) continue;
      still.push(`${scene.id}-${size}-still.png`);
      await shoot(page, still.at(-1), page.locator(`#${scene.id}-en`));
    }
    await close();
    if (!only) {
      const first = await open('', shape);
      await until(first.page, () => document.querySelector('#check')?.classList.contains('pass') || document.querySelector('#check')?.classList.contains('fail'), 60000);
      live.push(`contents-${size}.png`);
      await shoot(first.page, live.at(-1));
      await first.close();
    }
    const columns = width < 500 ? 8 : 4;
    await sheet(`sheet-${size}.png`, live, columns);
    await sheet(`sheet-${size}-still.png`, still, columns);
  }
await stop();
console.log(`${taken.all} pictures in ${resolve(folder)}${before ? `; ${taken.changed.length} differ from ${before}: ${taken.changed.join(' ')}` : ''}`);
