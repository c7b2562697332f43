import { randomInt, randomUUID } from 'node:crypto'
import type { ShapeSchema } from './formats.ts'
import { shapeFinding } from './shape.ts'

/** What values have to be, by place, as far as one of them can be made by it. */
export type Takes = Readonly<Record<string, ShapeSchema>>

const kinds = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']

/** As many letters behind a text hardly come twice. */
const most = 6
/** As many letters of a text are made others. */
const mostChanged = 24

const isUuid = (value: unknown) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(value))
const oneOf = (letters: string) => letters[randomInt(letters.length)]!
const isTakenBy = (schema: ShapeSchema) => (value: unknown) =>
  shapeFinding(value, schema, {}, 'exactly')?.holds === true

/**
 * Another value that a schema takes, drawn from all that are near: of a text with a few letters
 * more where it takes those, but not as many as it takes at most. No seed: a name that a run before
 * this one gave is taken. Undefined where no other value is found.
 */
export function freshValue(value: unknown, schema: ShapeSchema = true): unknown {
  if (typeof value === 'number') return freshNumber(value, schema)
  const text = String(value ?? '')
  const isOne = isTakenBy(schema)
  // What samples.yaml says may be at odds with the document, which then says nothing of it.
  const isTaken = isOne(text) ? isOne : () => true
  const uuid = isUuid(text) ? randomUUID() : undefined
  if (uuid !== undefined && isTaken(uuid)) return uuid
  const more = Array.from({ length: most }, () => oneOf(kinds[0]!)).join('')
  const end = movable(text)
  const longer = (letters: string) => `${text.slice(0, end)}${letters}${text.slice(end)}`
  if (isTaken(longer(more)) && isTaken(longer(`${more}x`))) return longer(more)
  const other = shuffled(grown(text, isTaken), isTaken)
  return other === text ? undefined : other
}

/** Where what may be another ends: an address stays at its host. */
function movable(text: string): number {
  return /^[^\s@]+@[^\s@]+$/.test(text) ? text.indexOf('@') : text.length
}

/** Places of letters that are of a kind, the last one first. */
function places(text: string): number[] {
  const all = Array.from({ length: movable(text) }, (_, at) => at)
  return all.filter((at) => kinds.some((kind) => kind.includes(text[at]!))).reverse()
}

const kindOf = (letter: string) => kinds.find((kind) => kind.includes(letter))!

/** The text with more letters of its own, one less than make it as long as can be. */
function grown(text: string, isTaken: (text: string) => boolean): string {
  const all = [text]
  while (all.length <= most) {
    const last = all.at(-1)!
    const longer = places(last)
      .slice(0, mostChanged)
      .map((at) => last.slice(0, at + 1) + oneOf(kindOf(last[at]!)) + last.slice(at + 1))
      .find(isTaken)
    if (longer === undefined) return all.at(-2) ?? text
    all.push(longer)
  }
  return all.at(-1)!
}

/** The text with other letters of the same kinds; of a short one, of any that are as good. */
function shuffled(text: string, isTaken: (text: string) => boolean): string {
  let found = text
  for (const at of places(text).slice(0, mostChanged)) {
    const kind = kindOf(text[at]!)
    const pool = text.length <= 2 ? kinds.join('') : kind
    for (let tries = 0; tries < 5; tries++) {
      const other = found.slice(0, at) + oneOf(pool) + found.slice(at + 1)
      if (other === found || !isTaken(other)) continue
      found = other
      break
    }
  }
  return found
}

/** Beyond this, numbers are none of every service. */
const largest = 2 ** 31 - 1

function freshNumber(value: number, schema: ShapeSchema): number | undefined {
  const said: Record<string, unknown> = typeof schema === 'object' ? schema : {}
  const numberOf = (name: string) => (typeof said[name] === 'number' ? said[name] : undefined)
  const step = numberOf('multipleOf') ?? 1
  const low = Math.ceil((numberOf('minimum') ?? numberOf('exclusiveMinimum') ?? 1) / step)
  const high = Math.floor((numberOf('maximum') ?? numberOf('exclusiveMaximum') ?? largest) / step)
  const room = Math.min(high - low, largest)
  for (let tries = 0; tries < 20 && room > 0; tries++) {
    const other = (low + randomInt(room + 1)) * step
    if (other !== value && isTakenBy(schema)(other)) return other
  }
  return undefined
}

/**
 * The same changes with other texts, as long and of the same kinds of letters, at places that have
 * to have another value in each request: what was taken is so still, and what was not is not.
 * Undefined where there is none.
 */
export function othersOf(
  changes: Readonly<Record<string, unknown>>,
  fresh: readonly string[],
  takes: Takes = {}
): Record<string, unknown> | undefined {
  const all = Object.entries(changes).flatMap(([place, value]): [string, string][] => {
    if (!fresh.includes(place) || typeof value !== 'string' || value === '') return []
    const isTaken = isTakenBy(takes[place] ?? true)
    const was = isTaken(value)
    const other = shuffled(value, (text) => isTaken(text) === was)
    return other === value ? [] : [[place, other]]
  })
  return all.length === 0 ? undefined : { ...changes, ...Object.fromEntries(all) }
}
