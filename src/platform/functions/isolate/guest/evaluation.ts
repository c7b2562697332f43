/** One of each kind of function: what makes more of its kind out of text is found by way of it. */
const kinds = [() => {}, async () => {}, function* () {}, async function* () {}]

/** In the words of V8, which has a flag for the same. */
function refuse(): never {
  throw new EvalError('Code generation from strings disallowed for this context')
}

/** Puts what only refuses in the place of the maker of functions that a prototype leads to. */
function replaceMaker(prototype: object): object {
  const { value: theirs, ...found } = Object.getOwnPropertyDescriptor(prototype, 'constructor')!
  function own() {
    refuse()
  }
  for (const key of ['name', 'length', 'prototype'])
    Object.defineProperty(own, key, Object.getOwnPropertyDescriptor(theirs, key)!)
  Object.defineProperty(prototype, 'constructor', { ...found, value: own })
  return own
}

/**
 * A function has no `eval`, as in the field: what is not deployed does not run. V8 has a flag for
 * that, which a realm keeps as it is when it begins; but while any flag is not as it was, V8 takes
 * none of the code that Node brings ready-made, and a guest made 83 of Node's modules anew, which
 * was a quarter of the processor time it took to start. Nothing else leads from text to code: no
 * function has the makers of its kinds but by these names.
 */
export function confineEvaluation() {
  const [own, ...others] = kinds.map((kind) => replaceMaker(Object.getPrototypeOf(kind)))
  // Those of the other kinds are made of the first, and would lead to it.
  for (const other of others) Object.setPrototypeOf(other, own!)
  const evaluate = { eval: (text: unknown) => (typeof text === 'string' ? refuse() : text) }
  for (const [name, value] of Object.entries({ ...evaluate, Function: own }))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
}
