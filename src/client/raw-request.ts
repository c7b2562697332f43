import { type Address, targetOf } from '../target/address.ts'
import type { Headers } from './headers.ts'

/** How the length of a request body is told: before it, chunk by chunk, or asking leave first. */
export type BodyFraming = 'length' | 'chunked' | 'expect'

/** A question asked on a connection of its own. */
export type RawRequest = {
  method: string
  /** Below the endpoint's URL, encoded. */
  path: string
  /** Sent in this order and case; a name given here replaces what would be sent under it. */
  headers?: [name: string, value: string][]
  /** Of the payload, see `digest`, or of one character again and again. */
  body?: { bytes: number; framing: BodyFraming; fill?: string | undefined }
  /** After how long without a byte moving, either way, the question is given up. */
  timeoutMs?: number
  /** How long the whole may take; by default ten timeouts and a second for each megabyte sent. */
  deadlineMs?: number
  /** Called once all but the last byte is sent, which follows when the promise resolves. */
  beforeLastByte?: () => Promise<unknown>
  /** From which byte on the body is sent slowly; by default only once a first try is cut off. */
  paceFrom?: number
  /** Bytes of each of the pieces in which the head comes at first, with a pause behind each. */
  headPieces?: readonly number[]
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/
const fieldValue = /^[\t -~\x80-\xff]*$/

/** The bytes in front of the body; throws a TypeError for what is not one HTTP request. */
export function renderHead(request: RawRequest, address: Address, headers: Headers): Buffer {
  const { method, path, headers: own = [], body } = request
  const given = new Set(own.map(([name]) => name.toLowerCase()))
  const ours = Object.entries({
    host: address.host,
    connection: 'close',
    ...headers,
    ...framingHeaders(body)
  })
  const fields = [...ours.filter(([name]) => !given.has(name)), ...own]
  if (!token.test(method)) throw new TypeError(`method ${JSON.stringify(method)} is not a token`)
  for (const [name, value] of fields) {
    if (!token.test(name)) throw new TypeError(`header ${JSON.stringify(name)} is not a token`)
    if (!fieldValue.test(value)) throw new TypeError(`header ${name} holds a character it may not`)
  }
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${targetOf(address, path)} HTTP/1.1\r\n${lines}\r\n`, 'latin1')
}

/** Bytes of names and values of the headers in a head. */
export function headerBytes(head: Buffer): number {
  const [, ...lines] = head.toString('latin1').split('\r\n').filter(Boolean)
  return lines.reduce((sum, line) => sum + line.length - ': '.length, 0)
}

/** Whether a body is sent only after a 100 Continue; there is no leave to ask for an empty one. */
export function asksLeave(body: RawRequest['body']): boolean {
  return body?.framing === 'expect' && body.bytes > 0
}

function framingHeaders(body: RawRequest['body']): Headers {
  if (body === undefined) return {}
  if (body.framing === 'chunked') return { 'transfer-encoding': 'chunked' }
  const length = { 'content-length': String(body.bytes) }
  return asksLeave(body) ? { ...length, expect: '100-continue' } : length
}
