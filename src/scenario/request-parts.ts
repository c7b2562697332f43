import { type Reply, said } from '../client/reply.ts'
import { Blocked } from './blocked.ts'
import type { Context } from './context.ts'
import { freshValue, type Takes } from './fresh.ts'
import { keysOf, placesTo, type RequestParts, setAt, valueAt } from './place.ts'
import type { Making, OperationSamples, Samples } from './samples.ts'

/** What is changed of a request, by place; `absent` takes something out. */
export type Changes = Record<string, unknown>

/** What a request is made of. */
export type PartsOptions = {
  valid?: Partial<RequestParts>
  optional?: Record<string, unknown>
  unknown?: string[]
  missing?: Record<string, string>
  fresh?: string[]
  takes?: Takes
  make?: Making
  /** Of its document, and of its operation. */
  samples: Samples
  given: OperationSamples
  /** What another operation answers. */
  answerOf: (name: string, context: Context) => Promise<Reply>
}

/** Whether two values are the same as JSON. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const parametersIn = ['path', 'query', 'header', 'cookie'] as const
const nameAt = (place: string) => String(keysOf(place)[1])

/** Those among some places that samples.yaml gives no value. */
export function unnamed(
  places: readonly string[],
  { parameters }: Samples,
  { set }: OperationSamples
): string[] {
  const isSet = (place: string) => placesTo(place).some((outer) => Object.hasOwn(set, outer))
  return places.filter((place) => {
    const isParameter = keysOf(place).length === 2 && !place.startsWith('body')
    return !isSet(place) && !(isParameter && Object.hasOwn(parameters, nameAt(place)))
  })
}

/** What samples.yaml has at a place; undefined where it says nothing of it. */
export function namedAt(
  place: string,
  { parameters }: Samples,
  { set }: Pick<OperationSamples, 'set'>
): unknown {
  const outer = placesTo(place).findLast((one) => Object.hasOwn(set, one))
  if (outer !== undefined) return valueAt({ at: set[outer] }, `at${place.slice(outer.length)}`)
  const isParameter = keysOf(place).length === 2 && !place.startsWith('body')
  return isParameter ? new Map(Object.entries(parameters)).get(nameAt(place)) : undefined
}

/** Sets values in parts of a request; what they stand in is put there from what is optional. */
export function changed(
  parts: RequestParts,
  changes: Changes,
  optional: Record<string, unknown> = {}
): RequestParts {
  for (const [place, value] of Object.entries(changes)) {
    for (const outer of placesTo(place).slice(0, -1)) {
      const isMissing = valueAt(parts, outer) === undefined && Object.hasOwn(optional, outer)
      if (isMissing) setAt(parts, outer, structuredClone(optional[outer]))
    }
    setAt(parts, place, value)
  }
  return parts
}

/**
 * The parts of the valid request with what is said of `explicit` places where nothing stands, or
 * what the document has there, and with changes; within what is changed, what samples.yaml, a
 * making or chance has there stays.
 */
export function changedAs(
  { valid = {}, optional, fresh = [], given, make }: PartsOptions,
  parts: RequestParts,
  { changes, explicit }: { changes: Changes; explicit: Record<string, unknown> }
): RequestParts {
  const isChanged = (place: string) => Object.hasOwn(changes, place)
  const own = [...Object.keys(given.set), ...Object.keys((given.make ?? make)?.take ?? {})]
  const kept = [...own, ...fresh, ...given.fresh]
    .filter((place) => placesTo(place).slice(0, -1).some(isChanged))
    .map((place) => [place, valueAt(parts, place)] as const)
  const more = Object.entries(explicit).filter(([place]) => valueAt(parts, place) === undefined)
  changed(parts, { ...Object.fromEntries(more), ...changes }, optional)
  const other = Object.entries(explicit).filter(
    ([place]) => !isChanged(place) && isSame(valueAt(parts, place), valueAt(valid, place))
  )
  for (const [place, value] of [...kept, ...other]) {
    if (value === undefined || valueAt(parts, place) === undefined) continue
    // The scenario's own value stays what it is for its other questions.
    const [part, parameter] = placesTo(place)
    const held = part === 'body' ? part : parameter!
    setAt(parts, held, structuredClone(valueAt(parts, held)))
    setAt(parts, place, value)
  }
  return parts
}

/** The parts of the valid request, with what samples.yaml says of it, which nobody else changes. */
export async function partsOf(options: PartsOptions, context: Context): Promise<RequestParts> {
  const { valid, optional, unknown = [], missing = {}, fresh = [], takes = {} } = options
  const { samples, given, answerOf } = options
  const parts = structuredClone({ path: {}, query: {}, header: {}, cookie: {}, ...valid })
  for (const part of parametersIn) {
    const lacking = Object.keys(missing).filter((place) => keysOf(place)[0] === part)
    const names = [...Object.keys(parts[part]), ...lacking.map(nameAt)]
    for (const name of names.filter((one) => Object.hasOwn(samples.parameters, one)))
      setAt(parts, `${part}[${JSON.stringify(name)}]`, samples.parameters[name])
  }
  const make = given.make ?? options.make
  const isMade = given.make !== undefined || unnamed(unknown, samples, given).length > 0
  if (make !== undefined && isMade) {
    const reply = await answerOf(make.by, context)
    for (const [place, field] of Object.entries(make.take)) {
      const value = valueAt({ answer: reply.json }, `answer.${field}`)
      if (value === undefined) throw new Blocked(`${make.by} answers no ${field}: ${said(reply)}`)
      setAt(parts, place, value)
    }
  }
  changed(parts, given.set, optional)
  const own = fresh.filter((place) => unnamed([place], samples, given).length > 0)
  for (const place of new Set([...own, ...given.fresh])) {
    const before = valueAt(parts, place)
    const other = freshValue(before, takes[place])
    if (other === undefined) {
      const what = `${place}: no other value like ${JSON.stringify(before)} is found`
      throw new Blocked(`${what}: say how what was made is removed, "remove" in ${samples.file}`)
    }
    changed(parts, { [place]: other }, optional)
  }
  return parts
}
