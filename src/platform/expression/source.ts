import { checkOf, checksOf } from './compile.ts'
import type { Work } from './functions/function.ts'
import { functions } from './functions/functions.ts'
import { narrowed } from './integer.ts'
import type { Lists } from './predicate.ts'
import type { Facts, Value } from './scheme.ts'
import {
  type Call,
  type Index,
  type Input,
  isMapped,
  isPlural,
  type Literal,
  type Term
} from './syntax.ts'

/** Looks a value up or computes it from the facts of a request; undefined when it is missing. */
export type Source = (facts: Facts) => Value | undefined

/** Prepares the value of a term; of a mapped one, the array of the values of its elements. */
export function sourceOf(term: Term, lists: Lists): Source {
  const root = term.root.kind === 'field' ? fieldOf(term.root.name) : callOf(term.root, lists)
  if (term.indexes.length === 0) return root
  const each = term.indexes.findIndex(({ kind }) => kind === 'each')
  if (each < 0) return (facts) => follow(root(facts), term.indexes)
  const before = term.indexes.slice(0, each)
  const after = term.indexes.slice(each + 1)
  return (facts) => {
    const value = follow(root(facts), before)
    return value === undefined ? undefined : elements(value, after)
  }
}

function fieldOf(name: string): Source {
  return (facts) => facts[name]
}

function follow(value: Value | undefined, indexes: readonly Index[]): Value | undefined {
  let inner = value
  for (const index of indexes) {
    if (inner === undefined) return undefined
    if (index.kind === 'position') inner = (inner as readonly Value[])[index.position]
    else if (index.kind === 'key') inner = (inner as ReadonlyMap<string, Value>).get(index.key)
  }
  return inner
}

/** What further indexes lead to from each element; where they lead nowhere, there is nothing. */
function elements(value: Value, indexes: readonly Index[]): readonly Value[] {
  let found = elementsIn(value)
  for (const index of indexes) {
    if (index.kind === 'each') found = found.flatMap(elementsIn)
    else found = found.map((outer) => follow(outer, [index])).filter(isPresent)
  }
  return found
}

function elementsIn(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [...(value as ReadonlyMap<string, Value>).values()]
}

function isPresent(value: Value | undefined): value is Value {
  return value !== undefined
}

function callOf({ name, inputs }: Call, lists: Lists): Source {
  const { prepare, missing } = functions.get(name)!
  const work = prepare(inputs.map((input) => (input.kind === 'literal' ? input : undefined)))
  const sources = inputs.map((input) => inputOf(input, lists))
  const run = missing === 'accepted' ? work : onPresent(work)
  const [first, ...rest] = sources
  if (inputs[0]?.kind !== 'term' || !isMapped(inputs[0])) {
    return (facts) => run(...sources.map((source) => source(facts)))
  }
  return (facts) => {
    const values = first!(facts) as readonly Value[] | undefined
    const others = rest.map((source) => source(facts))
    return values?.map((value) => run(value, ...others)).filter(isPresent)
  }
}

/** A function that is missing whenever one of its inputs is. */
function onPresent(work: Work): Work {
  return (...values) => (values.includes(undefined) ? undefined : work(...values))
}

function inputOf(input: Input, lists: Lists): Source {
  if (input.kind === 'term') return sourceOf(input, lists)
  if (input.kind === 'literal') {
    const value = constantOf(input)
    return () => value
  }
  return isPlural(input) ? checksOf(input, lists) : checkOf(input, lists)
}

function constantOf({ type, value }: Literal): Value {
  return type === 'Int' ? narrowed(value) : value
}
