import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'
import { connect as overTcp } from 'node:net'
import { connect as overTls } from 'node:tls'
import type { Client } from 'plimsoll'
import { times } from './_mute.ts'

/** A request over one connection, without a body or with one; what is held back never comes. */
export type Question = {
  method: string
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | 'held back' | undefined
  /** How long an answer may take, in ms. */
  forMs?: number
  /** How long nothing of its body is taken once its head is there, in ms. */
  restMs?: number
}

type Answer = { status: number; headers: Record<string, string>; text: string; json: any }

/**
 * What came of it: an answer; that the other side broke it off as faulty; that nothing came in
 * time; or that it was turned away, or lost with its connection.
 */
export type Told = Answer | 'broken off' | 'silence' | 'no answer'

/** Whether there is an answer. */
export const isAnswer = (told: Told | undefined): told is Answer => typeof told === 'object'

/** Whether there is none, for which neither load nor the connection need be to blame. */
export const isMute = (told: Told | undefined) => told === 'broken off' || told === 'silence'

/** What was told, in words. */
export const wordsOf = (told: Told) => (isAnswer(told) ? `HTTP ${told.status}` : told)

/** Who is asked, and how. */
type Asked = Pick<Client, 'url' | 'headers' | 'reach'>

/** Asks one listener over one connection. */
export type Connection = { ask(question: Question): Promise<Told>; close(): void }

/** How long a connection, or an answer, may take, in ms. */
export const patienceMs = 5_000

/** By which a stream is turned away, or another way is asked for, and nothing is faulty. */
const declined: readonly number[] = [
  ...[constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_CANCEL],
  ...[constants.NGHTTP2_ENHANCE_YOUR_CALM, constants.NGHTTP2_HTTP_1_1_REQUIRED]
]

/** Asks whom a client asks, over HTTP/2; undefined where that is not spoken there. */
export async function http2To({ url, headers, reach }: Asked): Promise<Connection | undefined> {
  const { addresses, tls, proxy } = reach.route
  // What tunnels connections is not gone through here.
  if (proxy !== undefined) return undefined
  const { origin, protocol, hostname, host, port } = new URL(url)
  const isSecure = protocol === 'https:'
  const at = { host: addresses[0]!, port: Number(port) || (isSecure ? 443 : 80) }
  const proof = { servername: hostname, ...tls, rejectUnauthorized: reach.verifyTls }
  const open = () => (isSecure ? overTls({ ...at, ...proof, ALPNProtocols: ['h2'] }) : overTcp(at))
  const session = connect(origin, { createConnection: open })
  if (!(await isGreeted(session))) return void session.destroy()
  const authority = headers.host ?? host
  return {
    async ask(question) {
      if ((await reach.turn()) === false) return 'no answer'
      return answered(session, { authority, ...question })
    },
    close: () => session.destroy()
  }
}

/**
 * What comes of a question that is asked again where it is broken off, or nothing comes, as long as
 * the connection answers behind it what it is to answer anyway: it is so each time, or unknown.
 */
export async function persistently({ ask }: Connection, question: Question, beside: Question) {
  let told = await ask(question)
  for (let time = 1; isMute(told) && question.body !== 'held back'; time++) {
    const other = await ask(beside)
    if (!isAnswer(other) || other.status >= 300) return 'no answer'
    if (time === times) break
    told = await ask(question)
  }
  return told
}

/** Whether the other side greets as HTTP/2 has it, by its settings. */
function isGreeted(session: ClientHttp2Session): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  session.once('remoteSettings', () => resolve(true))
  session.on('error', () => resolve(false))
  session.once('close', () => resolve(false))
  session.setTimeout(patienceMs, () => resolve(false))
  return promise
}

function answered(
  session: ClientHttp2Session,
  { authority, method, path, headers = {}, body, forMs, restMs }: Question & { authority: string }
): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>()
  if (session.destroyed || session.closed) return Promise.resolve('no answer')
  const head = { ':method': method, ':path': path, ':authority': authority, ...headers }
  const stream = session.request(head, { endStream: body === undefined })
  const told = { status: 0, headers: {}, text: '', json: undefined as unknown }
  stream.setEncoding('utf8')
  stream.on('response', ({ ':status': status = 0, ...fields }) => {
    const own = Object.entries(fields).map(([name, value]) => [name, [value].flat().join(', ')])
    Object.assign(told, { status, headers: Object.fromEntries(own) })
    // A refusal need not wait for what is held back.
    if (body === 'held back' && status >= 400) resolve(told)
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
  if (body !== undefined && body !== 'held back') stream.end(body)
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
