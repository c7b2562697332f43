import { serialize } from 'node:v8'
import type { Pairs } from '../contract.ts'
import type { ActMessage, CallMessage } from '../message.ts'

// What Node's HTTP takes (RFC 9110, 5.6.2 and 5.5): to ask it would be to load all of it, in every
// process that starts.
const token = /^[\w!#$%&'*+.^`|~-]+$/
const notInValues = /[^\t\x20-\x7e\x80-\xff]/

/**
 * What one message, key or head may have, in bytes; the document is silent on all of them, and the
 * numbers are the field's.
 */
export const bounds = {
  key: { kv: 512, objects: 1_024, storage: 2_048 } as Record<string, number>,
  /** How many keys one call may name. */
  keys: { objects: 1_000, storage: 128 } as Record<string, number>,
  /** What is kept beside a value. */
  metadata: 1_024,
  message: 128_000,
  batch: 256_000,
  /** Method, URL, names and values of a request or a response. */
  head: 131_072,
  /** A value in the storage of a stateful object. */
  value: 131_072
}

function within(bytes: number, { most, what }: { most: number; what: string }) {
  if (bytes > most) throw new TypeError(`${what} has at most ${most} bytes; this has ${bytes}.`)
}

function sizeOfPairs(pairs: Pairs): number {
  return pairs.reduce((sum, [name, value]) => sum + sizeOf(name) + sizeOf(value), 0)
}

const sizeOf = (text: unknown) => (typeof text === 'string' ? Buffer.byteLength(text) : 0)

/**
 * Throws where the head of an answer is none that could be sent: a function's code may make
 * anything of the classes it is told by.
 */
export function checkAnswer(head: ActMessage & { t: 'head' }) {
  const { status, headers } = head
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError('The status of a response is a number from 200 to 599.')
  for (const [name, value] of headers) {
    if (typeof name !== 'string' || !token.test(name))
      throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`)
    if (value === undefined) throw new TypeError(`Invalid value "undefined" for header "${name}"`)
    if (notInValues.test(value))
      throw new TypeError(`Invalid character in header content ["${name}"]`)
  }
  checkHead(head)
}

/** Throws where a head is larger than one may be. */
export function checkHead(head: Partial<ActMessage & { t: 'head' }> & { url?: string }) {
  const bytes = sizeOf(head.url) + sizeOfPairs(head.headers ?? [])
  within(bytes, { most: bounds.head, what: 'The head of a message' })
}

/** How many bytes wait with a call, which are nowhere in the function any more. */
export function bytesOf({ bytes, service, args }: CallMessage): number {
  const sent = service === 'queue' ? serialize(args).length : 0
  return (bytes?.length ?? 0) + sent
}

/** Throws a TypeError that says what of a call is larger than it may be. */
export function checkCall({ service, method, args }: CallMessage) {
  if (service === 'queue') return checkMessages(method, args)
  for (const arg of args) if (Array.isArray(arg?.headers)) checkHead(arg)
  const most = bounds.key[service]
  if (most === undefined) return
  const keys = keysOf(service, args)
  const mostKeys = bounds.keys[service] ?? Infinity
  if (keys.length > mostKeys)
    throw new TypeError(`A call names at most ${mostKeys} keys; this names ${keys.length}.`)
  for (const key of keys) within(sizeOf(key), { most, what: 'A key' })
  if (service === 'storage') {
    if (method !== 'put') return
    for (const [, value] of args[1] ?? [])
      within(serialize(value).length, { most: bounds.value, what: 'A value' })
  } else {
    const { metadata, customMetadata, httpMetadata } = args[1] ?? {}
    const kept = JSON.stringify([metadata, customMetadata, httpMetadata])
    within(sizeOf(kept), { most: bounds.metadata * (service === 'kv' ? 1 : 2), what: 'Metadata' })
  }
}

function checkMessages(method: string, args: any[]) {
  const sendings = method === 'send' ? args : [args[0]].flat()
  const sizes = sendings.map((sending) => serialize(sending?.body).length)
  for (const size of sizes) within(size, { most: bounds.message, what: 'A message' })
  const all = sizes.reduce((sum, size) => sum + size, 0)
  within(all, { most: bounds.batch, what: 'A batch of messages' })
}

/** The keys a call names; of a listing, what they begin with. */
function keysOf(service: string, args: any[]): unknown[] {
  const given = service === 'storage' ? args[1] : args[0]
  const keys = Array.isArray(given)
    ? given.map((one) => (Array.isArray(one) ? one[0] : one))
    : [given]
  return keys.flatMap((key) => (typeof key === 'object' && key ? Object.values(key) : [key]))
}
