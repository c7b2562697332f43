/** What a field may be, and the same in words. */
type Field = { is: (value: unknown) => boolean; words: string }

const count: Field = {
  is: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  words: 'a whole number from 1 on'
}

const amount: Field = {
  is: (value) => Number.isFinite(value) && (value as number) > 0,
  words: 'a number above 0'
}

const status: Field = {
  is: (value) => value === 0 || (Number.isInteger(value) && /^[1-5]\d\d$/.test(String(value))),
  words: 'a status from 100 to 599, or 0 where the connection is closed'
}

const path: Field = {
  is: (value) => typeof value === 'string' && value.startsWith('/'),
  words: 'a path that begins with /'
}

const method: Field = {
  is: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
  words: 'the name of a method, such as POST'
}

const headers: Field = {
  is: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'),
  words: 'an object of names and values, both text'
}

const clock: Field = {
  is: (value) => isRecord(value) && [value.now, value.until].every(isFunction),
  words:
    'an object with now(), which is a time in ms, and until(time), a promise that resolves once ' +
    'now() has reached that time'
}

const dimensions = ['body', 'url', 'header']

const of: Field = {
  is: (value) => dimensions.includes(value as string),
  words: `one of ${dimensions.join(', ')}`
}

const asked = { path, method, headers, clock, patienceMs: amount }

/** What may be said of each thing that is called, field by field. */
const fields = {
  claim: { burst: count, perSecond: amount, status },
  limiter: { ...asked, upTo: amount },
  boundary: { ...asked, upTo: amount, of, expected: count, ceiling: count },
  acceptsUpTo: { ...asked, upTo: amount, of, status }
} satisfies Record<string, Record<string, Field>>

/**
 * Throws a TypeError that names the field and what it may be where something is said that is
 * unknown or cannot be: a check that passes over it could never fail.
 */
export function refuseMisuse(what: keyof typeof fields, given: unknown): void {
  const known: Record<string, Field> = fields[what]
  const place = what === 'claim' ? 'the claim' : 'the options'
  const names = Object.keys(known).join(', ')
  if (!isRecord(given)) throw new TypeError(`${place} has to be an object with ${names}`)
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of said) {
    if (!Object.hasOwn(known, name)) {
      throw new TypeError(`${name} is no field of ${place}, which has ${names}`)
    }
    const { is, words } = known[name]!
    if (!is(value)) throw new TypeError(`${name} of ${place} is ${shown(value)}, not ${words}`)
  }
  if (what === 'claim' && said.length === 0) {
    throw new TypeError(`the claim says nothing: give one of ${names}`)
  }
}

/** The same of how much is said to be accepted, in bytes. */
export function refuseSize(most: unknown): void {
  if (!count.is(most)) throw new TypeError(`the size is ${shown(most)}, not ${count.words}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const isFunction = (value: unknown) => typeof value === 'function'

/** A value as it is written in code; of an object, that it is one. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? 'another object' : String(value)
}
