import type { Question } from './question-stream.ts'

/** The head of an answer; names of headers as they were written. */
export type Head = { status: number; reason: string; headers: [name: string, value: string][] }

/** How the end of a body is told (RFC 9112, section 6.3); 0 where there is none. */
export type Length = number | 'chunked' | 'close'

/** What the bytes of a connection say, one after another. */
export type Piece =
  | { kind: 'interim'; bytes: Buffer }
  | { kind: 'head'; head: Head; length: Length; asked: Question }
  | { kind: 'body'; bytes: Buffer }
  | { kind: 'end' }

/** The value of a header of this name, in lower case, of the first where there are several. */
export function headerOf({ headers }: Pick<Head, 'headers'>, name: string): string | undefined {
  return headers.find(([own]) => own.toLowerCase() === name)?.[1]
}

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status = '0', reason = ''] = /^HTTP\/1\.\d (\d+) ?(.*)$/.exec(first) ?? []
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: Number(status), reason, headers }
}

function lengthOf(head: Head, method: string): Length {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return 0
  if (/chunked/i.test(headerOf(head, 'transfer-encoding') ?? '')) return 'chunked'
  const length = headerOf(head, 'content-length')
  return length === undefined ? 'close' : Number(length)
}

/** Reads the answers of one connection off its bytes, each to the question that `next` tells. */
export function createReader(next: () => Question): (bytes: Buffer) => Piece[] {
  let pending: Buffer = Buffer.alloc(0)
  let left: Length | undefined
  let chunk: number | undefined
  const take = (length: number) => {
    const bytes = pending.subarray(0, length)
    pending = pending.subarray(length)
    return bytes
  }
  const end = (): Piece => {
    left = undefined
    return { kind: 'end' }
  }
  const head = (): Piece[] | undefined => {
    const length = pending.indexOf('\r\n\r\n')
    if (length < 0) return
    const bytes = take(length + 4)
    const read = parseHead(bytes.toString('latin1', 0, length))
    if (read.status < 200) return [{ kind: 'interim', bytes }]
    const asked = next()
    left = lengthOf(read, asked.method)
    const piece: Piece = { kind: 'head', head: read, length: left, asked }
    return left === 0 ? [piece, end()] : [piece]
  }
  /** The next part of a chunked body; trailers are forgotten. */
  const ofChunks = (): Piece[] | undefined => {
    if (chunk === undefined) {
      const line = pending.indexOf('\r\n')
      if (line < 0) return
      chunk = Number.parseInt(take(line + 2).toString('latin1'), 16)
    }
    if (chunk === 0) {
      if (pending.length < 2) return
      const last = pending.indexOf('\r\n')
      if (last < 0) return
      take(last + 2)
      if (last > 0) return []
      chunk = undefined
      return [end()]
    }
    if (chunk < 0) {
      if (pending.length < 2) return
      take(2)
      chunk = undefined
      return []
    }
    const bytes = take(Math.min(chunk, pending.length))
    chunk -= bytes.length
    if (chunk === 0) chunk = -1
    return bytes.length > 0 ? [{ kind: 'body', bytes }] : undefined
  }
  const some = (): Piece[] | undefined => {
    if (left === undefined) return pending.length > 0 ? head() : undefined
    if (left === 'chunked') return ofChunks()
    if (pending.length === 0) return
    if (left === 'close') return [{ kind: 'body', bytes: take(pending.length) }]
    const bytes = take(Math.min(left, pending.length))
    left -= bytes.length
    const piece: Piece = { kind: 'body', bytes }
    return left === 0 ? [piece, end()] : [piece]
  }
  return (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
    const pieces: Piece[] = []
    for (let more = some(); more !== undefined; more = some()) pieces.push(...more)
    return pieces
  }
}
