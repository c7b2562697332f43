import { type Client, check, isOk, type Look, type Reply, summary } from 'plimsoll'
import { type Connection, http2To, type Question, type Told } from '../_http2.ts'
import { freshId } from '../_id.ts'
import { keptTo } from '../_kept.ts'
import { echo } from './_echo.ts'
import { beyond, clauses, isEchoed, type Within, within } from './_within.ts'

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

const words = (told: Told) => (told === 'no answer' ? told : `HTTP ${told.status}`)

/** Statuses of other matters: they, redirects and outages are no evidence of what was asked. */
const beside = [407, 408, 421, 425, 429]
function isTelling(told: Told): boolean {
  if (told === 'no answer' || beside.includes(told.status)) return false
  return told.status < 300 || (told.status >= 400 && told.status < 502)
}

type Found = [clause: string, look: Look]

/**
 * What is asked of one connection: within limits, behind as much before, side by side and, behind
 * what is within, beyond limits.
 */
async function taken(
  { ask }: Connection,
  { way, asked, plain, reply }: { way: string; asked: Within[]; plain: unknown; reply: Reply }
): Promise<Found[]> {
  const found: Found[] = []
  const look = (clause: string, asked: string, { holds, told }: { holds: boolean; told: Told }) => {
    // Whether a connection that breaks was about what was asked is not known.
    if (!isTelling(told) && !holds) return
    found.push([clause, { asked: `${asked} ${way}`, holds, saw: words(told), reply }])
  }
  for (const one of [...asked, ...asked]) {
    const told = await ask(one.question)
    const holds = told !== 'no answer' && isEchoed(told.json, plain, one)
    look(one.clause, one.asked, { holds, told })
  }
  const paths = Array.from({ length: 8 }, (_, at) => `${echo}?${at}`)
  const together = await Promise.all(paths.map((path) => ask({ method: 'GET', path })))
  for (const [at, told] of together.entries()) {
    const holds = told !== 'no answer' && told.json?.url === paths[at]
    look(url, 'one of 8 at once', { holds, told })
  }
  for (const [clause, asked, question] of beyond) {
    // Who closes a connection with a refusal is asked over another one next.
    await ask({ method: 'GET', path: echo })
    const told = await ask(question)
    look(clause, asked, { holds: told === 'no answer' || told.status >= 400, told })
  }
  return found
}

/** What is found over HTTP/2; nothing where that is not spoken. */
async function overHttp2(zone: Client, asked: Within[], reply: Reply): Promise<Found[]> {
  const http2 = await http2To(zone)
  const plain = await http2?.ask({ method: 'GET', path: echo })
  if (!http2 || !plain || plain === 'no answer') return []
  // Who greets as HTTP/2 has it takes requests that way.
  const holds = plain.json?.headers !== undefined
  const way = 'over HTTP/2'
  const first: Found = [url, { asked: `${echo} ${way}`, holds, saw: words(plain), reply }]
  const more = holds ? await taken(http2, { way, asked, plain: plain.json, reply }) : []
  http2.close()
  return [first, ...more]
}

/** What is found over one connection of HTTP/1.1, where one is kept. */
async function overKept(zone: Client, asked: Within[], reply: Reply): Promise<Found[]> {
  const kept = keptTo(zone)
  const plain = await kept?.ask({ method: 'GET', path: echo })
  if (!kept || !plain || plain === 'no answer' || !plain.json?.headers) return []
  const way = 'behind others on one connection'
  const found = await taken(kept, { way, asked, plain: plain.json, reply })
  kept.close()
  return found
}

export default check({
  title: 'What a request may have is the same behind others, and over HTTP/2 where that is spoken',
  clauses: Object.values(clauses),
  needs: ['edge'],
  async run({ edge, random, verify }) {
    const zone = edge.zone('pro')
    const asked = within(freshId(random))
    const bare = await overHttp1(zone, { method: 'GET', path: echo })
    if (!isOk(bare) || !bare.json?.headers) return
    const found: Found[] = []
    for (const one of asked) {
      const reply = await overHttp1(zone, one.question)
      const holds = isEchoed(reply.json, bare.json, one)
      const saw = reply.because
      found.push([one.clause, { asked: `${one.asked} over HTTP/1.1`, holds, saw, reply }])
    }
    found.push(...(await overKept(zone, asked, bare)), ...(await overHttp2(zone, asked, bare)))
    const byClause = Map.groupBy(found, ([clause]) => clause)
    for (const [clause, all] of byClause) verify(clause, ...summary(all.map(([, look]) => look))!)
  }
})
