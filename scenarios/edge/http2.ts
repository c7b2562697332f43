import { type Client, check, isOk, type Reply, summary } from 'plimsoll'
import { type Connection, http2To, isAnswer, type Question, type Told, wordsOf } from '../_http2.ts'
import { freshId } from '../_id.ts'
import { keptTo } from '../_kept.ts'
import { soonMs, times } from '../_mute.ts'
import { beyond, unannounced } from './_beyond.ts'
import { echo } from './_echo.ts'
import { bare, bodiesTogether, type Found, taken } from './_taken.ts'
import { clauses, isEchoed, refusals, type Within, within } from './_within.ts'

const { url } = clauses

/** What one field has that may come in several. */
const joined = (name: string, value: unknown) =>
  [value].flat().join(name === 'cookie' ? '; ' : ', ')

/** The same request over HTTP/1.1. */
function overHttp1(zone: Client, { method, path, headers, body }: Question): Promise<Reply> {
  return zone.ask(method, path, {
    ...(typeof body === 'string' && { body }),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name, joined(name, value)])
    )
  })
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
  const all = { way, asked, beyond: [...beyond, unannounced], plain: echoed, reply }
  const more = holds ? await taken(http2, all) : []
  if (holds) more.push(...(await bodiesTogether(http2, all)))
  http2.close()
  return [first, ...more]
}

/** What is found over one connection of HTTP/1.1, where one is kept. */
async function overKept(zone: Client, asked: Within[], reply: Reply): Promise<Found[]> {
  const kept = keptTo(zone)
  const plain = await kept?.ask(bare)
  if (!kept || !isAnswer(plain) || !plain.json?.headers) return []
  const way = 'behind others on one connection'
  const found = await taken(kept, { way, asked, beyond, plain: plain.json, reply })
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
