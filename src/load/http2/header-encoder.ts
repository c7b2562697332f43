import { staticEntries } from './header-table.ts'

const exact = new Map(
  staticEntries.map(({ name, value }, index) => [`${name}\n${value}`, index + 1])
)
/** Where a name stands first. */
const named = new Map<string, number>()
staticEntries.forEach(({ name }, index) => {
  if (!named.has(name)) named.set(name, index + 1)
})

/** Fields whose values nobody on the way may remember. */
const secret = new Set(['authorization', 'proxy-authorization', 'cookie'])

const [indexed, plain, never] = [0x80, 0x00, 0x10]

/** A whole number behind a prefix of so many bits, under the marks that stand before it. */
function integer(value: number, bits: number, marks: number): number[] {
  const most = 2 ** bits - 1
  if (value < most) return [marks | value]
  const bytes = [marks | most]
  let rest = value - most
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return [...bytes, rest]
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  return Buffer.concat([Buffer.from(integer(bytes.length, 7, 0)), bytes])
}

/**
 * The header block of these fields, names in lower case. It refers to no table that changes, so
 * that it means the same on every connection and as often as it is sent.
 */
export function encodeFields(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const parts = fields.map(([name, value]) => {
    const index = exact.get(`${name}\n${value}`)
    if (index !== undefined) return Buffer.from(integer(index, 7, indexed))
    const known = named.get(name)
    const start = Buffer.from(integer(known ?? 0, 4, secret.has(name) ? never : plain))
    return Buffer.concat([start, ...(known === undefined ? [text(name)] : []), text(value)])
  })
  return Buffer.concat(parts)
}
