import { Buffer } from 'node:buffer'
import { bytes } from '../bytes.ts'
import { flagsLiteral, plain, type RuleFunction, string, stringField } from './function.ts'

/** `decode_base64(source)`: the bytes a Base64 string stands for; missing when it is not one. */
export const decodeBase64: RuleFunction = {
  parameters: [stringField],
  returns: 'Bytes',
  prepare: plain((source: string) => {
    const digits = source.replace(/={1,2}$/, '')
    const isPadded = digits.length < source.length
    if (/[^A-Za-z0-9+/]/.test(digits) || digits.length % 4 === 1) return undefined
    if (isPadded && source.length % 4 !== 0) return undefined
    return Buffer.from(digits, 'base64').toString('latin1')
  })
}

/**
 * `url_decode(source, options?)`: `%XX` and `+` read; with the option `u` also `%uXXXX`, and with
 * `r` again and again until nothing is left to read. What is no escape stays as it is.
 */
export const urlDecode: RuleFunction = {
  parameters: [stringField, flagsLiteral('ru')],
  optional: 1,
  returns: 'Bytes',
  prepare: ([, options]) => {
    const letters = options ? (options.value as string) : ''
    const coded = letters.includes('u') ? `${percent}|${percentU}` : percent
    if (letters.includes('r')) {
      const atEnd = new RegExp(`(?:${coded})$`, 'i')
      return (source: string) => decodeAll(source, atEnd)
    }
    const anywhere = new RegExp(`\\+|${coded}`, 'gi')
    return (source: string) => source.replace(anywhere, decoded)
  }
}

const percent = '%[0-9a-f]{2}'

// Half a surrogate pair is no character, so it is no escape either.
const percentU = '%u(?!d[89a-f])[0-9a-f]{4}'

function decoded(coded: string): string {
  if (coded === '+') return ' '
  const isByte = coded.length === 3
  const character = String.fromCharCode(Number.parseInt(coded.slice(isByte ? 1 : 2), 16))
  return isByte ? character : bytes(character)
}

/**
 * Decodes until nothing is left to decode, in one pass: escapes cannot overlap, so it does not
 * matter in which order they are read, and each is read as soon as its last character has appeared.
 * Passing over `%2525…` again and again would take the square of its length.
 */
function decodeAll(source: string, atEnd: RegExp): string {
  const read: string[] = []
  for (const character of source) {
    let next: string | undefined = character
    while (next !== undefined) {
      read.push(next === '+' ? ' ' : next)
      const coded = escapeAtEnd(read, atEnd)
      read.length -= coded.length
      next = coded === '' ? undefined : decoded(coded)
      // Only a single ASCII character can complete an escape around this one.
      if (next !== undefined && next.length > 1) {
        read.push(...next)
        next = undefined
      }
    }
  }
  return read.join('')
}

function escapeAtEnd(read: readonly string[], atEnd: RegExp): string {
  if (read.at(-3) !== '%' && read.at(-6) !== '%') return ''
  return atEnd.exec(read.slice(-6).join(''))?.[0] ?? ''
}

/** `uuidv4(seed)`: the version 4 UUID made from 16 random bytes; missing when there are fewer. */
export const uuidv4: RuleFunction = {
  parameters: [string],
  returns: 'Bytes',
  prepare: plain((seed: string) => {
    if (seed.length < 16) return undefined
    const raw = Buffer.from(seed.slice(0, 16), 'latin1')
    raw[6] = (raw[6]! & 0x0f) | 0x40
    raw[8] = (raw[8]! & 0x3f) | 0x80
    return raw.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  })
}
