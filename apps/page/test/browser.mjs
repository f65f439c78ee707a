// The page in a real browser. Without a core, a native program stands in for the WebAssembly.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { hasCore, openCore } from '../core-node.mjs';

export const file = process.env.PAGE ?? fileURLToPath(new URL('../../../build/page/rope.html', import.meta.url));
if (!existsSync(file)) throw new Error(`${file} is not there: npm run build`);

let browser;
export const start = async () => (browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--headless=new'] }));
export const stop = () => browser?.close();

/** A page at `hash`, and the errors that its console shows. */
export async function open(hash = '', options = {}) {
  const context = await (await start()).newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  page.on('pageerror', (e) => errors.push(e.message));
  if (!hasCore && options.javaScriptEnabled !== false) {
    const native = await openCore();
    await page.exposeFunction('nativeRope', (argv) => native.run(argv));
    await page.addInitScript(() => { globalThis.ropeCore = { run: (argv) => globalThis.nativeRope(argv) }; });
  }
  await page.goto(`file://${file}${hash && `#${hash}`}`);
  return { page, errors, close: () => context.close() };
}

/** Waits until something is so; the page's policy forbids the driver's own way, which evaluates text. */
export async function until(page, so, limit = 60000) {
  for (const end = Date.now() + limit; Date.now() < end; await page.waitForTimeout(25)) if (await page.evaluate(so)) return;
  throw new Error(`not within ${limit} ms: ${so}`);
}

/** Waits until the figure shows what the controls say. */
export const settled = (page) => until(page, () => Boolean(document.querySelector('#drawing svg') && document.querySelector('#number').textContent && globalThis.ropePage.idle()));
