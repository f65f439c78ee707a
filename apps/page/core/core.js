/**
 * The program, loaded from the bytes of rope.wasm: `run(argv)` is one command line, from its words to
 * {exit, stdout, stderr}. Files are in memory, and stay: `write` and `remove` are for those that a command reads.
 *
 * Every run begins with the memory as it was before the first, so no run can depend on an earlier one.
 */
export default async function create(bytes) {
  const streams = { stdout: [], stderr: [] };
  const program = await instantiate({
    wasmBinary: bytes,
    noInitialRun: true,
    stdin: () => null,
    stdout: (byte) => streams.stdout.push(byte),
    stderr: (byte) => streams.stderr.push(byte),
  });
  const { FS } = program;
  const used = () => program._sbrk(0);
  const start = used();
  const loaded = program.HEAPU8.slice(0, start);
  const text = new TextDecoder();
  const taken = (name) => text.decode(new Uint8Array(streams[name].splice(0)));

  const restore = () => {
    program.HEAPU8.fill(0, start, used());
    program.HEAPU8.set(loaded);
  };
  return {
    run(argv) {
      restore();
      const exit = program.callMain(argv.map(String));
      return { exit, stdout: taken('stdout'), stderr: taken('stderr') };
    },
    write: (name, contents) => FS.writeFile(name, contents),
    read: (name) => FS.readFile(name),
    remove: (name) => FS.unlink(name),
  };
}
