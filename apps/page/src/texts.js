// A scene's words in one language: those of the page, and those of its lesson step.
import { fill, num } from './numbers.js';

/** @param {any} words words/en.json or zh.json @param {any} scene @param {any[]} lesson steps of rope lesson --json */
export function textsOf(words, scene, lesson) {
  const own = words.scenes[scene.id];
  const lang = words.language;
  const step = lesson.find((s) => s.number === scene.step);
  const said = (v) => (v && typeof v === 'object' && lang in v ? v[lang] : v);
  const fromLesson = step && {
    title: said(step.title), question: said(step.question), told: said(step.say), answer: said(step.answer),
    choices: step.choices.map((c) => ({ text: said(c.text), right: c.right, thinks: said(c.thinks) })),
    broke: said(step.break.text), brokeCommand: step.break.command, convinces: said(step.number_that_convinces),
    presenter: said(step.presenter), claims: step.claims, lessonCommand: step.command,
    people: step.misunderstanding && { say: said(step.misunderstanding.people_say), decides: said(step.misunderstanding.decides),
      verdict: step.misunderstanding.verdict, threads: step.misunderstanding.threads, number: step.misunderstanding.number },
  };
  const t = { lang, page: words.page, ...fromLesson, ...own };
  // The lesson's notes and its broken figure are those of a terminal: what differs here is said in the page's own words.
  for (const [there, here] of own.notesHere ?? []) t.presenter = put(t.presenter, there, here);
  if (fromLesson && own.brokeShown) t.broke = put(t.broke, own.brokeShown, '').trim();
  return t;
}

const put = (text, there, here) => {
  if (!text.includes(there)) throw new Error(`the lesson does not say “${there}”`);
  return text.replace(there, () => here);
};

/** What a broken scene says beside its figure; on paper, where no figure is broken, t.broke alone. */
export const brokeBeside = (t) => [t.broke, t.brokeShown].filter(Boolean).join(t.page.afterSentence);

/** A control's value as it is written. */
export const shown = (control, value, t) => (control.show ? control.show(value)
  : control.choices ? t.choicesOf?.[control.name]?.[String(value)] ?? String(value) : num(value, 7));

/** What a control says to whoever cannot see it. */
export function spoken(control, state, t) {
  return fill(t.say[control.name], { v: shown(control, state[control.name], t) });
}
