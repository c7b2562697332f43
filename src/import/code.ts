import { absent } from '../scenario/place.ts'

const widest = 96

/** A text as TypeScript has it, with single quotes; a long run of one letter is `repeat`ed. */
export function quoted(text: string): string {
  const run = /^(.*?)(.)\2{40,}/su.exec(text)
  if (run !== null) {
    const [whole, head = '', letter = ''] = run
    const count = [...whole.slice(head.length)].length
    const parts = [head === '' ? [] : quoted(head), `${quoted(letter)}.repeat(${count})`].flat()
    const tail = text.slice(whole.length)
    return [...parts, tail === '' ? [] : quoted(tail)].flat().join(' + ')
  }
  return literal(text)
}

function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

/** A key of an object, as TypeScript: one that is `repeat`ed has to be computed. */
export const keyOf = (key: string): string => {
  const text = quoted(key)
  if (key === '__proto__' || text !== literal(key)) return `[${text}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : text
}

/** A value as TypeScript, on as many lines as it takes, the first of which begins at `column`. */
export function code(value: unknown, indent = 0, column = indent): string {
  if (value === absent) return 'absent'
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const flat = onOneLine(value)
  if (!flat.includes('\n') && column + flat.length <= widest) return flat
  const pad = ' '.repeat(indent + 2)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const lines = Object.entries(value).map(([key, inner]) => {
    const head = Array.isArray(value) ? pad : `${pad}${keyOf(key)}: `
    return `${head}${code(inner, indent + 2, head.length)}`
  })
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(indent)}${close}`
}

function onOneLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return code(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const fields = Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${onOneLine(inner)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** A text that may stand in a comment, on one line. */
export function inComment(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}
