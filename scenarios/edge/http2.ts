import { type Client, check, isOk, type Look, type Reply, summary } from 'plimsoll'
import {
  type Connection,
  http2To,
  isAnswer,
  isMute,
  persistently,
  type Question,
  type Told,
  wordsOf
} from '../_http2.ts'
import { freshId } from '../_id.ts'
import { keptTo } from '../_kept.ts'
import { soonMs, times } from '../_mute.ts'
import { echo } from './_echo.ts'
import { beyond, clauses, isEchoed, refusals, type Within, within } from './_within.ts'

const { url } = clauses

/** The same request over HTTP/1.1. */
function overHttp1(zone: Client, { method, path, headers, body }: Question): Promise<Reply> {
  return zone.ask(method, path, {
    ...(body !== undefined && { body }),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name, [value].flat().join('; ')])
    )
  })
}

const bare: Question = { method: 'GET', path: echo }

/** Statuses of other matters: they, redirects and outages are no evidence of what was asked. */
const beside = [407, 408, 421, 425, 429]
function isTelling(told: Told): boolean {
  if (!isAnswer(told)) return isMute(told)
  if (beside.includes(told.status)) return false
  return told.status < 300 || (told.status >= 400 && told.status < 502)
}

type Found = [clause: string, look: Look]

/**
 * What is asked of one connection: within limits, behind as much before, side by side and, behind
 * what is within, beyond limits.
 */
async function taken(
  connection: Connection,
  { way, asked, plain, reply }: { way: string; asked: Within[]; plain: unknown; reply: Reply }
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

/** A connection of HTTP/2 and what comes first over it; where that is nothing, over another one. */
async function greeted(zone: Client): Promise<[Connection, Told] | undefined> {
  for (let time = 1; ; time++) {
    const http2 = await http2To(zone)
    const plain = await http2?.ask(bare)
    if (!http2 || !plain || plain === 'no answer') return undefined
    if (isAnswer(plain) || time === times) return [http2, plain]
    http2.close()
    // That is the way of HTTP/2 only where the other one is open.
    const other = await overHttp1(zone, bare)
    if (!isOk(other) || other.ms > soonMs) return undefined
  }
}

/** What is found over HTTP/2; nothing where that is not spoken. */
async function overHttp2(zone: Client, asked: Within[], reply: Reply): Promise<Found[]> {
  const [http2, plain] = (await greeted(zone)) ?? []
  if (!http2 || !plain) return []
  // Who greets as HTTP/2 has it takes requests that way.
  const echoed = isAnswer(plain) ? plain.json : undefined
  const holds = echoed?.headers !== undefined
  const way = 'over HTTP/2'
  const first: Found = [url, { asked: `${echo} ${way}`, holds, saw: wordsOf(plain), reply }]
  const more = holds ? await taken(http2, { way, asked, plain: echoed, reply }) : []
  http2.close()
  return [first, ...more]
}

/** What is found over one connection of HTTP/1.1, where one is kept. */
async function overKept(zone: Client, asked: Within[], reply: Reply): Promise<Found[]> {
  const kept = keptTo(zone)
  const plain = await kept?.ask(bare)
  if (!kept || !isAnswer(plain) || !plain.json?.headers) return []
  const way = 'behind others on one connection'
  const found = await taken(kept, { way, asked, plain: plain.json, reply })
  kept.close()
  return found
}

export default check({
  title: 'What a request may have is the same behind others, and over HTTP/2 where that is spoken',
  clauses: [...Object.values(clauses), ...refusals],
  needs: ['edge'],
  async run({ edge, random, verify }) {
    const zone = edge.zone('pro')
    const asked = within(freshId(random))
    const first = await overHttp1(zone, bare)
    if (!isOk(first) || !first.json?.headers) return
    const found: Found[] = []
    for (const one of asked) {
      const reply = await overHttp1(zone, one.question)
      const holds = isEchoed(reply.json, first.json, one)
      const saw = reply.because
      found.push([one.clause, { asked: `${one.asked} over HTTP/1.1`, holds, saw, reply }])
    }
    found.push(...(await overKept(zone, asked, first)), ...(await overHttp2(zone, asked, first)))
    const byClause = Map.groupBy(found, ([clause]) => clause)
    for (const [clause, all] of byClause) verify(clause, ...summary(all.map(([, look]) => look))!)
  }
})
