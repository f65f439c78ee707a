// What the address says: #scene=4&m=5&broken=1&lang=zh&theme=dark&present
export function parse(hash, scenes) {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const state = { view: 'contents', values: {}, broken: said.get('broken') === '1', bet: undefined,
    lang: said.get('lang'), theme: said.get('theme'), present: said.has('present') };
  const wanted = said.get('scene');
  const scene = scenes.find((s) => s.id === wanted || (s.step && String(s.step) === wanted));
  if (!scene) return { ...state, view: said.get('view') ?? 'contents' };
  for (const c of scene.controls) {
    const text = said.get(c.name);
    if (text === null) continue;
    if (c.choices) {
      const choice = c.choices.find((v) => String(v) === text);
      if (choice !== undefined) state.values[c.name] = choice;
    } else if (Number.isFinite(Number(text)) && text !== '') {
      state.values[c.name] = onStep(c, Number(text));
    }
  }
  const bet = said.get('bet');
  if (bet !== null) state.bet = bet === 'look' ? 'look' : Number(bet);
  return { ...state, view: scene.id };
}

/** The nearest value that the control can have. */
export function onStep(c, v) {
  const inside = Math.min(c.max, Math.max(c.min, v));
  if (c.log) return inside;
  const steps = Math.round((inside - c.min) / c.step);
  return Number((c.min + steps * c.step).toFixed(10));
}

export function write(state, scene) {
  const said = new URLSearchParams();
  if (scene) {
    said.set('scene', scene.step ?? scene.id);
    for (const c of scene.controls) if (state.values[c.name] !== c.value) said.set(c.name, state.values[c.name]);
    if (state.bet !== undefined) said.set('bet', state.bet);
    if (state.broken) said.set('broken', '1');
  } else if (state.view !== 'contents') said.set('view', state.view);
  said.set('lang', state.lang);
  if (state.theme) said.set('theme', state.theme);
  return `#${said}${state.present ? '&present' : ''}`;
}
