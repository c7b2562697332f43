import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import { Readable, Writable } from 'node:stream'
import type { Received, Response } from './message.ts'

const { NGHTTP2_NO_ERROR } = constants

/** Fields about one connection, which HTTP/2 has other means for (RFC 9113, section 8.2.2). */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']
])

const goneAway = () => Object.assign(new Error('the client is gone'), { code: 'ECONNRESET' })

/** The head of a request as HTTP/1 would have sent it; undefined where it names no one host. */
export function headOf(
  raw: readonly string[]
): { pseudo: Map<string, string>; rest: Pairs } | undefined {
  const pairs = raw.flatMap((name, at): Pairs => (at % 2 === 0 ? [[name, raw[at + 1]!]] : []))
  const pseudo = new Map(pairs.filter(([name]) => name.startsWith(':')))
  const authority = pseudo.get(':authority')
  const named = pairs.filter(([name]) => name === 'host').map(([, value]) => value)
  const hosts = new Set([...named, ...(authority === undefined ? [] : [authority])])
  if (hosts.size !== 1 || named.length > 1) return
  const [host] = hosts
  const own = pairs.filter(([name]) => !name.startsWith(':') && name !== 'host')
  return { pseudo, rest: [['host', host!], ...withOneCookie(own)] }
}

type Pairs = [name: string, value: string][]

/** HTTP/2 may send the cookies of a field in fields of their own (RFC 9113, section 8.2.3). */
function withOneCookie(pairs: Pairs): Pairs {
  const crumbs = pairs.filter(([name]) => name === 'cookie').map(([, value]) => value)
  if (crumbs.length < 2) return pairs
  const first = pairs.findIndex(([name]) => name === 'cookie')
  return pairs.flatMap(([name, value], at): Pairs => {
    if (name !== 'cookie') return [[name, value]]
    return at === first ? [[name, crumbs.join('; ')]] : []
  })
}

/** A request of HTTP/2: the head of a stream, and what is sent on it. */
export class Http2Message extends Readable implements Omit<Received, keyof Readable> {
  readonly httpVersion = '2'
  readonly method: string
  readonly url: string
  readonly rawHeaders: string[]
  readonly headers: IncomingHttpHeaders
  readonly socket: Received['socket']
  readonly isHeadOnly: boolean
  complete: boolean
  /** Bytes of body that came. */
  bytes = 0
  readonly #stream: ServerHttp2Stream

  constructor(
    stream: ServerHttp2Stream,
    head: { pseudo: Map<string, string>; rest: Pairs },
    { headers, socket }: Pick<Received, 'headers' | 'socket'>
  ) {
    super()
    const { pseudo, rest } = head
    this.#stream = stream
    this.method = pseudo.get(':method') ?? ''
    this.url = pseudo.get(':path') ?? ''
    this.rawHeaders = rest.flat()
    this.headers = { ...headers, host: rest[0]![1] }
    this.socket = socket
    this.isHeadOnly = stream.endAfterHeaders
    this.complete = this.isHeadOnly
    // Whoever reads the body hears of its end; nobody else needs to.
    this.on('error', () => {})
    stream.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length
      if (!this.push(chunk)) stream.pause()
    })
    stream.once('end', () => {
      // Node tells an end of what was reset as well.
      if (stream.closed) return
      this.complete = true
      this.push(null)
    })
    stream.once('close', () => {
      if (this.complete) return
      this.destroy(goneAway())
    })
  }

  override _read() {
    this.#stream.resume()
  }
}

/** As much of an answer as is written at once: less in all that patience is nothing taken. */
const pieceBytes = 16 * 1_024

/** What the answers of a connection share: how long a piece of one may wait to be taken, in ms. */
export type Patience = {
  idleMs: number
  /** Pieces that were taken, of all answers. */
  taken: number
  /** Told of an answer of which a piece was not, and whether none of any was meanwhile. */
  onUntaken: (stream: ServerHttp2Stream, isNoneTaken: boolean) => void
}

/** The answer to a request of HTTP/2; the stream ends with it. */
export class Http2Response extends Writable implements Omit<Response, keyof Writable> {
  statusCode = 200
  headersSent = false
  readonly #stream: ServerHttp2Stream
  readonly #message: Pick<Http2Message, 'complete'>
  #head: Pairs = []
  readonly #patience: Patience
  #isBegun = false
  #wait: NodeJS.Timeout | undefined

  constructor(
    stream: ServerHttp2Stream,
    message: Pick<Http2Message, 'complete'>,
    patience: Patience
  ) {
    super()
    this.#stream = stream
    this.#message = message
    this.#patience = patience
    this.on('error', () => {})
    stream.once('close', () => {
      this.#rest()
      this.destroy()
    })
  }

  writeHead(status: number, headers: OutgoingHttpHeaders | string[] = {}): this {
    this.statusCode = status
    this.headersSent = true
    this.#head = sendable(headers)
    return this
  }

  /** Fields are given with `writeHead` alone. */
  getHeader(): undefined {
    return undefined
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    if (!this.#begin(false)) return done(goneAway())
    // An answer that has no body, such as to HEAD, ended with its head.
    if (this.#stream.writableEnded) return done()
    this.#send(chunk, done)
  }

  /**
   * Sends a chunk piece by piece. Node tells of each when it is on its way, but has one measure of
   * progress for all of a connection, where a PING that is answered is progress of every stream.
   */
  #send(chunk: Buffer, done: (error?: Error | null) => void) {
    this.#await()
    this.#stream.write(chunk.subarray(0, pieceBytes), (error) => {
      if (!error) this.#patience.taken++
      this.#rest()
      if (error || chunk.length <= pieceBytes) done(error)
      else this.#send(chunk.subarray(pieceBytes), done)
    })
  }

  /** Whether the client has something of it to take. */
  get isWaiting(): boolean {
    return this.#wait !== undefined
  }

  #await() {
    const { idleMs, taken, onUntaken } = this.#patience
    const tell = () => onUntaken(this.#stream, this.#patience.taken === taken)
    this.#wait = setTimeout(tell, idleMs).unref()
  }

  #rest() {
    clearTimeout(this.#wait)
    this.#wait = undefined
  }

  override _final(done: (error?: Error | null) => void) {
    if (!this.#begin(true)) return done(goneAway())
    // Until the stream is closed its end waits to be taken as well.
    this.#await()
    const leave = () => {
      // The rest of a request that is answered is not waited for (RFC 9113, section 8.1).
      if (!this.#message.complete) this.#stream.close(NGHTTP2_NO_ERROR)
      done()
    }
    if (this.#stream.writableFinished) leave()
    else this.#stream.end(leave)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    // An answer that is cut off must not look whole, as one does whose stream is only closed.
    if (!this.writableFinished) cutOff(this.#stream)
    done(error)
  }

  /** Sends the head, once; to false where there is nobody to send it to. */
  #begin(isAll: boolean): boolean {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return false
    if (this.#isBegun) return true
    this.#isBegun = true
    this.headersSent = true
    stream.respond(fieldsOf(this.statusCode, this.#head), { endStream: isAll })
    return true
  }
}

/** Resets a stream (INTERNAL_ERROR), whatever was still to be sent on it. */
export function cutOff(stream: ServerHttp2Stream) {
  if (!stream.destroyed) stream.destroy(new Error('cut off'))
}

/** What may be sent of the fields of an answer, by their names in lower case. */
function sendable(headers: OutgoingHttpHeaders | string[]): Pairs {
  const pairs = Array.isArray(headers)
    ? headers.flatMap((name, at): Pairs => (at % 2 === 0 ? [[name, headers[at + 1]!]] : []))
    : Object.entries(headers).flatMap(
        ([name, value]): Pairs => [value ?? []].flat().map((one) => [name, String(one)])
      )
  const named = pairs.map(([name, value]): Pairs[0] => [name.toLowerCase(), value])
  const own = named.filter(([name]) => name === 'connection').map(([, value]) => value)
  const left = new Set(
    own.flatMap((value) => value.toLowerCase().split(',')).map((it) => it.trim())
  )
  return named.filter(([name]) => !ofConnection.has(name) && !left.has(name))
}

/** Fields of which a message has one, and of which Node sends no second one over HTTP/2. */
const single = new Set([
  ...['access-control-allow-credentials', 'access-control-max-age', 'age', 'content-length'],
  ...['content-location', 'content-md5', 'content-range', 'content-type', 'date', 'dnt', 'etag'],
  ...['expires', 'last-modified', 'location', 'max-forwards', 'retry-after', 'tk']
])

function fieldsOf(status: number, pairs: Pairs): OutgoingHttpHeaders {
  const groups = Map.groupBy(pairs, ([name]) => name)
  const fields = [...groups].map(([name, those]) => {
    const values = those.map(([, value]) => value)
    return [name, values.length === 1 || single.has(name) ? values[0]! : values]
  })
  return { ':status': status, ...Object.fromEntries(fields) }
}
