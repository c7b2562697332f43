import type { Look, Reply } from 'plimsoll'
import {
  type Connection,
  isAnswer,
  isMute,
  persistently,
  type Question,
  type Told,
  wordsOf
} from '../_http2.ts'
import { type Beyond, bodyMs, halfBytes } from './_beyond.ts'
import { echo } from './_echo.ts'
import { clauses, isEchoed, type Within } from './_within.ts'

const { url, body } = clauses

/** What any zone answers. */
export const bare: Question = { method: 'GET', path: echo }

/** What was found by a clause. */
export type Found = [clause: string, look: Look]

/**
 * Statuses of other matters: they, redirects and outages are no evidence of what was asked. A
 * server may want a length (411), which over HTTP/2 need not be told.
 */
const beside = [407, 408, 411, 421, 425, 429]
export function isTelling(told: Told): boolean {
  if (!isAnswer(told)) return isMute(told)
  if (beside.includes(told.status)) return false
  return told.status < 300 || (told.status >= 400 && told.status < 502)
}

type Way = { way: string; asked: Within[]; beyond: Beyond[]; plain: unknown; reply: Reply }

/**
 * What is asked of one connection: within limits, behind as much before, side by side and, behind
 * what is within, beyond limits.
 */
export async function taken(
  connection: Connection,
  { way, asked, beyond, plain, reply }: Way
): Promise<Found[]> {
  const found: Found[] = []
  const look = (clause: string, asked: string, { holds, told }: { holds: boolean; told: Told }) => {
    // Whether a connection that breaks was about what was asked is not known.
    if (!isTelling(told) && !holds) return
    found.push([clause, { asked: `${asked} ${way}`, holds, saw: wordsOf(told), reply }])
  }
  const ask = (question: Question) => persistently(connection, question, bare)
  for (const one of [...asked, ...asked]) {
    const told = await ask(one.question)
    const holds = isAnswer(told) && isEchoed(told.json, plain, one)
    look(one.clause, one.asked, { holds, told })
  }
  const paths = Array.from({ length: 8 }, (_, at) => `${echo}?${at}`)
  const together = await Promise.all(paths.map((path) => ask({ method: 'GET', path })))
  for (const [at, told] of together.entries()) {
    const holds = isAnswer(told) && told.json?.url === paths[at]
    look(url, 'one of 8 at once', { holds, told })
  }
  for (const { clause, asked, question, status } of beyond) {
    // Who closes a connection with a refusal is asked over another one next.
    await ask(bare)
    const told = await (status ? ask : connection.ask)(question)
    const isRefused = !isAnswer(told) || told.status >= 400
    look(clause, asked, { holds: isRefused, told })
    // What is taken is the matter of the limit, and of no refusal's status.
    if (!status || !isRefused || told === 'silence') continue
    look(status[0], asked, { holds: isAnswer(told) && told.status === status[1], told })
  }
  return found
}

/**
 * Bodies on one connection, each of which is within its limit by any reading and all of which are
 * not; of one that does not arrive for another reason nothing is known.
 */
export async function bodiesTogether(
  connection: Connection,
  { way, reply }: Pick<Way, 'way' | 'reply'>
): Promise<Found[]> {
  const found: Found[] = []
  for (const nth of ['a first', 'a second']) {
    const question = { method: 'POST', path: echo, body: halfBytes, forMs: bodyMs }
    const told = await connection.ask(question)
    if (!isAnswer(told) || (told.status !== 413 && told.json?.bytes === undefined)) break
    const holds = told.json?.bytes === halfBytes
    const asked = `${nth} body of ${halfBytes} bytes ${way}`
    found.push([body, { asked, holds, saw: wordsOf(told), reply }])
  }
  return found
}
