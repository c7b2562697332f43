import { createHash, type Hash } from 'node:crypto'
import { type Body, createBody } from '../client/body.ts'
import { type BodyReader, framed } from '../client/framing.ts'
import { NotHttp } from '../client/head.ts'

/** A request as it went by. */
export type Passed = {
  method: string
  /** The request target as it was sent. */
  path: string
  /** By lower-case name, repeated ones joined by a comma. */
  headers: Record<string, string>
  headBytes: number
  bodyBytes: number
  /** The body as text, its first 64 KiB. */
  body: string
  /** SHA-256 of the body, in hex. */
  sha256: string
}

/** Reads the requests of a connection as they go by, and changes nothing of them but their host. */
export type RequestWatch = {
  /** Takes the next bytes of the client, and returns those to send on. */
  feed: (bytes: Buffer) => Buffer
  /** The last request whose head has gone by; undefined before the first one, and of HTTP/2. */
  passed: () => Passed | undefined
}

/** How a connection begins that speaks HTTP/2 from its first byte, which nobody here reads. */
const preface = 'PRI * HTTP/2.0\r\n\r\n'

/** A head that goes on for longer is sent on as it comes, and not read. */
const longestHeadBytes = 262_144

type Reading = { head: Omit<Passed, 'bodyBytes' | 'body' | 'sha256'>; body: Body; hash: Hash }

/** A watch that has its own address, as the host of a request, taken for `host`. */
export function createRequestWatch(names: { own: string; host: string }): RequestWatch {
  let pending: Buffer = Buffer.alloc(0)
  let isUnread = false
  let reading: Reading | undefined
  let reader: BodyReader | undefined
  const inBody = (bytes: Buffer) => {
    try {
      if (reader?.(bytes)) reader = undefined
    } catch (cause) {
      if (!(cause instanceof NotHttp)) throw cause
      reader = () => false
    }
    return bytes
  }

  return {
    feed(bytes) {
      if (isUnread) return bytes
      if (reader) return inBody(bytes)
      pending = Buffer.concat([pending, bytes])
      const end = pending.indexOf('\r\n\r\n')
      isUnread = end < 0 && pending.length > longestHeadBytes
      if (end < 0 && !isUnread) return Buffer.alloc(0)
      const all = pending
      pending = Buffer.alloc(0)
      const cut = isUnread ? all.length : end + 4
      const text = all.toString('latin1', 0, cut)
      if (text === preface) {
        isUnread = true
        reading = undefined
        return all
      }
      reading = readingOf(text)
      const sent = Buffer.from(rehosted(text, names), 'latin1')
      reader = readerOf(reading)
      const rest = all.subarray(cut)
      return Buffer.concat([sent, reader ? inBody(rest) : rest])
    },
    passed() {
      if (reading === undefined) return undefined
      const { head, body, hash } = reading
      const read = body.read()
      const sha256 = hash.copy().digest('hex')
      return { ...head, bodyBytes: read.received, body: read.body, sha256 }
    }
  }
}

function rehosted(text: string, { own, host }: { own: string; host: string }): string {
  return text.replace(/(\r\nhost:[ \t]*)([^\r]*)(?=\r\n)/i, (whole, name, value) =>
    value === own ? `${name}${host}` : whole
  )
}

function readingOf(text: string): Reading {
  const [first = '', ...lines] = text.trimEnd().split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  const body = createBody()
  const hash = createHash('sha256')
  const add = (bytes: Buffer) => {
    hash.update(bytes)
    body.add(bytes)
  }
  const head = { method, path, headers, headBytes: text.length }
  return { head, body: { add, read: body.read }, hash }
}

/** What reads the body after a head; undefined where there is none. */
function readerOf({ head: { headers }, body }: Reading): BodyReader | undefined {
  if (/chunked/i.test(headers['transfer-encoding'] ?? '')) return framed('chunked', body)
  const length = Number(headers['content-length'] ?? 0)
  return length > 0 ? framed(length, body) : undefined
}
