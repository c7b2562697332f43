/** Longest text that is kept of what a scenario says, and how deep and large its values may be. */
const most = { characters: 100_000, depth: 32, values: 2_000_000 }

function kindOf(value: unknown): string {
  return typeof value === 'object' ? 'an object that is not plain' : `a ${typeof value}`
}

/**
 * A copy that can cross threads and be written as JSON, with every property read once; texts longer
 * than anybody reads are cut. Throws a TypeError that names the first part which is not plain data.
 */
export function plain<Value>(value: Value): Value {
  let values = 0
  const copy = (part: unknown, path: string, depth: number): unknown => {
    if (++values > most.values) throw new TypeError('what was found is too large to be kept')
    if (depth > most.depth) throw new TypeError(`${path} goes round in a circle, or is too deep`)
    if (part === null || part === undefined) return part
    if (typeof part === 'number' || typeof part === 'boolean') return part
    if (typeof part === 'string') {
      const isShort = part.length <= most.characters
      return isShort ? part : `${part.slice(0, most.characters).toWellFormed()}…`
    }
    if (Array.isArray(part)) {
      return part.map((one, index) => copy(one, `${path}[${index}]`, depth + 1))
    }
    const prototype = typeof part === 'object' ? Object.getPrototypeOf(part) : undefined
    if (prototype !== Object.prototype && prototype !== null) {
      throw new TypeError(`${path} is ${kindOf(part)}, and has to be plain data`)
    }
    const entries = Object.keys(part).map((key) => {
      const inside = path === '' ? key : `${path}.${key}`
      return [key, copy((part as Record<string, unknown>)[key], inside, depth + 1)]
    })
    return Object.fromEntries(entries)
  }
  return copy(value, '', 0) as Value
}
