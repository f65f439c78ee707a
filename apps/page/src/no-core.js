// Stands where the WebAssembly of core/ belongs, in a page that was built without it.
export default function create() {
  throw new Error('this page was built without its program');
}
