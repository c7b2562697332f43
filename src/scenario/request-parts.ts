import { randomBytes, randomUUID } from 'node:crypto'
import { type Reply, said } from '../client/reply.ts'
import { Blocked } from './blocked.ts'
import type { Context } from './context.ts'
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
  make?: Making
  /** Of its document, and of its operation. */
  samples: Samples
  given: OperationSamples
  /** What another operation answers. */
  answerOf: (name: string, context: Context) => Promise<Reply>
}

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
 * The parts of the valid request with what is said of `explicit` places where nothing stands, and
 * with changes; within what is changed, what samples.yaml, a making or chance has there stays.
 */
export function changedAs(
  { optional, fresh = [], given, make }: PartsOptions,
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
  for (const [place, value] of kept) {
    if (value === undefined || valueAt(parts, place) === undefined) continue
    // The scenario's own value stays what it is for its other questions.
    const [part, parameter] = placesTo(place)
    const held = part === 'body' ? part : parameter!
    setAt(parts, held, structuredClone(valueAt(parts, held)))
    setAt(parts, place, value)
  }
  return parts
}

const isUuid = (value: unknown) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(value))

/**
 * The same with six letters behind that hardly come twice, or another UUID. No seed: a name that a
 * run before this one gave is taken.
 */
function anew(value: unknown): string {
  if (isUuid(value)) return randomUUID()
  const letters = [...randomBytes(6)].map((byte) => String.fromCharCode(97 + (byte % 26)))
  return `${value ?? ''}${letters.join('')}`
}

const kinds = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']

/**
 * The same changes with other texts, as long and of the same kinds of letters, at places that have
 * to have another value in each request; undefined where there is none.
 */
export function othersOf(changes: Changes, fresh: readonly string[]): Changes | undefined {
  const all = Object.entries(changes).flatMap(([place, value]): [string, string][] => {
    if (!fresh.includes(place) || typeof value !== 'string' || value === '') return []
    const letters = [...value]
    const chance = randomBytes(6)
    const last = letters.slice(-chance.length).map((letter, index) => {
      const kind = kinds.find((one) => one.includes(letter)) ?? letter
      return kind[chance[index]! % kind.length]!
    })
    return [[place, [...letters.slice(0, -last.length), ...last].join('')]]
  })
  return all.length === 0 ? undefined : { ...changes, ...Object.fromEntries(all) }
}

/** The parts of the valid request, with what samples.yaml says of it, which nobody else changes. */
export async function partsOf(options: PartsOptions, context: Context): Promise<RequestParts> {
  const { valid, optional, unknown = [], missing = {}, fresh = [] } = options
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
    changed(parts, { [place]: anew(valueAt(parts, place)) }, optional)
  }
  return parts
}
