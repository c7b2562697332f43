import type { RawRequest } from '../client/client.ts'
import { GB, KiB, MB, MiB } from './limit.ts'

/** An ordinary request: where to, how, and with which headers. */
export type Ordinary = Pick<RawRequest, 'method' | 'path'> & { headers: [string, string][] }

/** One thing about requests that a target may limit, and how to ask for any size of it. */
export type Dimension = {
  unit: string
  /** The least that can be asked for; what any target takes. */
  smallest: number
  /** Where many targets draw the line, to begin with. */
  typical: number
  /** The most that is asked for unless somebody says otherwise. */
  ceiling: number
  /** Ways to ask for the same size that differ in what else a target may count. */
  variants: readonly string[]
  question: (size: number, variant: string) => RawRequest
  /** The same of a size in a way that tells apart what else a target may count, if there is one. */
  apart?: ((question: RawRequest) => RawRequest) | undefined
  /** How many requests a question is: itself, or as many as its size says. */
  asks: 'one' | 'crowd'
}

/** The variant in which a head is sent but for its last byte, and that a little later. */
export const inTwoWrites = 'in two writes'

const payloadName = 'x-plimsoll'

/** Bytes that any name with a number fits into. */
const shortestField = 32

/** Fields with so many bytes of names and values in all, of about `each` in every field. */
function fieldsOf(bytes: number, each: number): [string, string][] {
  // A rest that is shorter than a name goes with the field before it.
  const count = Math.max(1, Math.ceil((bytes - shortestField) / each))
  return Array.from({ length: count }, (_, index) => {
    const name = `${payloadName}-${index}`
    const isLast = index === count - 1
    const length = isLast ? bytes - index * each : each
    return [name, 'a'.repeat(length - name.length)]
  })
}

/**
 * Headers of a request with a body, which say of what type that is: a parser that takes any passes
 * over a body of none, and with it over its own limit.
 */
export function withType(headers: readonly [string, string][]): [string, string][] {
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return isTyped ? [...headers] : [...headers, ['content-type', 'application/octet-stream']]
}

/** By another method, of another length; of those that are answered alike there are two. */
function byOtherMethod(question: RawRequest): RawRequest {
  return { ...question, method: question.method === 'HEAD' ? 'GET' : 'HEAD' }
}

/** With a longer name of the last field, and another field beside it. */
function byLongerName(question: RawRequest): RawRequest {
  const headers = question.headers ?? []
  const [name, value] = headers.at(-1)!
  const beside: [string, string] = [`${payloadName}-beside`, 'a'.repeat(23)]
  const longer: [string, string] = [`${name}-of-a-longer-name`, value]
  return { ...question, headers: [...headers.slice(0, -1), beside, longer] }
}

function padded(path: string, bytes: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}`.padEnd(bytes, 'a')
}

/** The dimensions of an ordinary request, by the names they are chosen with. */
export function dimensionsOf(plain: Ordinary) {
  const { path, headers } = plain
  const filled = plain.method === 'GET' || plain.method === 'HEAD' ? 'POST' : plain.method
  const more = (added: [string, string][]): RawRequest => {
    return { ...plain, headers: [...headers, ...added] }
  }
  const withBody = (bytes: number, framing: 'length' | 'chunked'): RawRequest => {
    return { ...plain, method: filled, headers: withType(headers), body: { bytes, framing } }
  }
  return {
    url: {
      ...{ unit: 'bytes', smallest: path.length + 2, typical: 8 * KiB, ceiling: MiB, asks: 'one' },
      variants: ['alone', 'beside a longer header', inTwoWrites],
      question(size, variant) {
        const added = variant === 'beside a longer header' ? fieldsOf(1_000, 1_000) : []
        return { ...more(added), path: padded(path, size) }
      },
      apart: byOtherMethod
    },
    header: {
      ...{ unit: 'bytes', smallest: 1, typical: 8 * KiB, ceiling: MiB, asks: 'one' },
      variants: ['alone', 'below a longer URL', inTwoWrites],
      question(size, variant) {
        const question = more([[payloadName, 'a'.repeat(size)]])
        return variant === 'below a longer URL'
          ? { ...question, path: padded(path, 1_000) }
          : question
      },
      apart: byLongerName
    },
    headers: {
      ...{ unit: 'bytes', smallest: 64, typical: 16 * KiB, ceiling: MiB, asks: 'one' },
      variants: ['in few fields', 'in many fields', inTwoWrites],
      question: (size, variant) => more(fieldsOf(size, variant === 'in many fields' ? 400 : 4_000))
    },
    'header-count': {
      ...{ unit: 'fields', smallest: 1, typical: 100, ceiling: 10_000, asks: 'one' },
      variants: ['short ones', 'longer ones'],
      question(size, variant) {
        const value = 'a'.repeat(variant === 'short ones' ? 1 : 40)
        return more(Array.from({ length: size }, (_, index) => [`x-${index}`, value]))
      }
    },
    body: {
      ...{ unit: 'bytes', smallest: 1, typical: MB, ceiling: GB / 4, asks: 'one' },
      variants: ['with its length', 'chunked'],
      question: (size, variant) => withBody(size, variant === 'chunked' ? 'chunked' : 'length')
    },
    connections: {
      ...{ unit: 'connections', smallest: 1, typical: 100, ceiling: 1_000, asks: 'crowd' },
      variants: ['with a request begun'],
      question: () => plain
    },
    concurrency: {
      ...{ unit: 'requests', smallest: 1, typical: 100, ceiling: 1_000, asks: 'crowd' },
      variants: ['under way'],
      question: () => withBody(2, 'length')
    }
  } as const satisfies Record<string, Dimension>
}

/** The names of all dimensions, in the order in which they are best asked about. */
export type DimensionName = keyof ReturnType<typeof dimensionsOf>
