// A command line: as a list for the program, as text for people.

/** @param {string[]} argv */
export const lineOf = (argv) => ['rope', ...argv].map((a) => (/^[\w@%+=:,./;−-]+$/.test(a) ? a : `'${a.replace(/'/g, "'\\''")}'`)).join(' ');

/** The list of a pasted line, or null where it is no command line of rope. */
export function argvOf(line) {
  const argv = [...line.trim().replace(/^\$\s*/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]);
  return argv[0] === 'rope' ? argv.slice(1).filter((a) => a !== '--json') : null;
}

/** An option's value in a list, or undefined. */
export const optionOf = (argv, name) => {
  const i = argv.indexOf(name);
  if (i >= 0) return argv[i + 1];
  return argv.find((a) => a.startsWith(`${name}=`))?.slice(name.length + 1);
};
