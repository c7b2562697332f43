import { type ClientHttp2Session, constants, type OutgoingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'

/**
 * A request over one connection, without a body or with one: of a number of bytes it is not said
 * how many they are, and what is held back never comes.
 */
export type Question = {
  method: string
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | number | 'held back' | undefined
  /** How long an answer may take, in ms. */
  forMs?: number
  /** How long nothing of its body is taken once its head is there, in ms. */
  restMs?: number
}

/** An answer, all of which came. */
export type Answer = { status: number; headers: Record<string, string>; text: string; json: any }

/**
 * What came of it: an answer; that the other side broke it off as faulty; that nothing came in
 * time; or that it was turned away, or lost with its connection.
 */
export type Told = Answer | 'broken off' | 'silence' | 'no answer'

/** How long a connection, or an answer, may take, in ms. */
export const patienceMs = 5_000

/** By which a stream is turned away, or another way is asked for, and nothing is faulty. */
const declined: readonly number[] = [
  ...[constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_CANCEL],
  ...[constants.NGHTTP2_ENHANCE_YOUR_CALM, constants.NGHTTP2_HTTP_1_1_REQUIRED]
]

/** Whether the other side greets as HTTP/2 has it, by its settings. */
export function isGreeted(session: ClientHttp2Session): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  session.once('remoteSettings', () => resolve(true))
  session.on('error', () => resolve(false))
  session.once('close', () => resolve(false))
  session.setTimeout(patienceMs, () => resolve(false))
  return promise
}

/** What comes of a question over a session of HTTP/2. */
export function answered(
  session: ClientHttp2Session,
  { authority, method, path, headers = {}, body, forMs, restMs }: Question & { authority: string }
): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>()
  if (session.destroyed || session.closed) return Promise.resolve('no answer')
  const head = { ':method': method, ':path': path, ':authority': authority, ...headers }
  const stream = session.request(head, { endStream: body === undefined })
  const isUnsaid = body === 'held back' || typeof body === 'number'
  const told = { status: 0, headers: {}, text: '', json: undefined as unknown }
  stream.setEncoding('utf8')
  stream.on('response', ({ ':status': status = 0, ...fields }) => {
    const own = Object.entries(fields).map(([name, value]) => [name, [value].flat().join(', ')])
    Object.assign(told, { status, headers: Object.fromEntries(own) })
    // A refusal need not wait for all of a body.
    if (isUnsaid && status >= 400) resolve(told)
    if (restMs === undefined) return
    stream.pause()
    setTimeout(() => stream.resume(), restMs)
  })
  stream.on('data', (chunk) => {
    told.text += chunk
  })
  const isFaulty = () => !declined.includes(stream.rstCode ?? constants.NGHTTP2_NO_ERROR)
  const lost = () => resolve(isFaulty() ? 'broken off' : 'no answer')
  stream.on('error', lost)
  stream.once('end', () => resolve({ ...told, json: jsonOf(told.text) }))
  stream.once('close', lost)
  stream.setTimeout(forMs ?? patienceMs, () => {
    resolve('silence')
    stream.close(constants.NGHTTP2_CANCEL)
  })
  if (typeof body === 'number') Readable.from(pieces(body)).pipe(stream)
  else if (body !== undefined && body !== 'held back') stream.end(body)
  return promise.finally(() => stream.close(constants.NGHTTP2_CANCEL))
}

/** What a text is as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const piece = Buffer.alloc(256 * 1_024, 'x')

/** So many bytes, in pieces. */
export function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left)
}
