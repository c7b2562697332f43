import { type ClientHttp2Session, connect } from 'node:http2'
import { connect as overTcp } from 'node:net'
import { connect as overTls } from 'node:tls'
import type { Client } from 'plimsoll'
import { type Answer, answered, isGreeted, type Question, type Told } from './_http2-stream.ts'
import { times } from './_mute.ts'

export { patienceMs, type Question, type Told } from './_http2-stream.ts'

/** Whether there is an answer. */
export const isAnswer = (told: Told | undefined): told is Answer => typeof told === 'object'

/** Whether there is none, for which neither load nor the connection need be to blame. */
export const isMute = (told: Told | undefined) => told === 'broken off' || told === 'silence'

/** What was told, in words. */
export const wordsOf = (told: Told) => (isAnswer(told) ? `HTTP ${told.status}` : told)

/** Who is asked, and how. */
export type Asked = Pick<Client, 'url' | 'headers' | 'reach'>

/** Asks one listener over one connection. */
export type Connection = { ask(question: Question): Promise<Told>; close(): void }

/**
 * Asks whom a client asks, over HTTP/2; undefined where that is not spoken there. As clients do, it
 * opens another connection where the other side has gone away from one.
 */
export async function http2To({ url, headers, reach }: Asked): Promise<Connection | undefined> {
  const { addresses, tls, proxy } = reach.route
  // What tunnels connections is not gone through here.
  if (proxy !== undefined) return undefined
  const { origin, protocol, hostname, host, port } = new URL(url)
  const isSecure = protocol === 'https:'
  const at = { host: addresses[0]!, port: Number(port) || (isSecure ? 443 : 80) }
  const proof = { servername: hostname, ...tls, rejectUnauthorized: reach.verifyTls }
  const open = () => (isSecure ? overTls({ ...at, ...proof, ALPNProtocols: ['h2'] }) : overTcp(at))
  const opened = async () => {
    const session = connect(origin, { createConnection: open })
    return (await isGreeted(session)) ? session : void session.destroy()
  }
  let last = opened()
  if (!(await last)) return undefined
  let isOver = false
  const usable = async (): Promise<ClientHttp2Session | undefined> => {
    const known = last
    if (isOver || isOpen(await known)) return known
    // Of those who ask at once one opens it.
    if (last === known) last = opened()
    return last
  }
  const authority = headers.host ?? host
  return {
    async ask(question) {
      for (let isAgain = false; ; isAgain = true) {
        if ((await reach.turn()) === false) return 'no answer'
        const session = await usable()
        if (!session) return 'no answer'
        const told = await answered(session, { authority, ...question })
        // What was turned away by who was about to go is asked once more.
        if (told !== 'no answer' || isAgain || isOver || isOpen(session)) return told
      }
    },
    close() {
      isOver = true
      last.then((session) => session?.destroy())
    }
  }
}

const isOpen = (session: ClientHttp2Session | undefined) =>
  session !== undefined && !session.closed && !session.destroyed

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
