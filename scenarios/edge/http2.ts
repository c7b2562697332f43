import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http2'
import { type Client, check, isOk, KB, type Look, MB, type Reply, summary } from 'plimsoll'
import { type Connection, http2To, type Question, type Told } from '../_http2.ts'
import { freshId } from '../_id.ts'
import { keptTo } from '../_kept.ts'
import { echo } from './_echo.ts'

const url = 'limits.request.url-length'
const single = 'limits.request.header-single'
const total = 'limits.request.headers-total'
const body = 'limits.request.body.pro'

/** What is within a limit by whatever is counted, and what an echo says that got all of it. */
type Within = { clause: string; asked: string; question: Question; echoed: Echoed }
type Echoed = { count?: number; bytes?: number; sha256?: string }

const filling = (count: number, bytes: number): OutgoingHttpHeaders =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-fill-${at}`, 'a'.repeat(bytes)]))
/** More than a piece of anything, and with characters of several bytes. */
const text = 'é€😀'.repeat(40_000)
const sha256 = createHash('sha256').update(text).digest('hex')

function within(own: string): Within[] {
  const path = `${echo}?${own}`
  const get = { method: 'GET', path }
  const crumbs = { cookie: ['a=1', 'b=2'] }
  return [
    {
      ...{ clause: url, asked: 'a URL of 15 KB', echoed: {} },
      question: { ...get, path: `${path}&`.padEnd(15 * KB, 'b=1&') }
    },
    {
      ...{ clause: single, asked: 'a header of 15 KB' },
      ...{ question: { ...get, headers: filling(1, 15 * KB) } },
      echoed: { count: 1, bytes: 15 * KB + 8 }
    },
    {
      ...{ clause: total, asked: 'headers of 28 KB' },
      ...{ question: { ...get, headers: filling(7, 4 * KB) } },
      echoed: { count: 7, bytes: 7 * (4 * KB + 8) }
    },
    // A field of cookies may come in several, and goes on as one.
    {
      ...{ clause: total, asked: 'a cookie in two fields, beside another field' },
      ...{ question: { ...get, headers: { ...crumbs, ...filling(1, 7) } } },
      echoed: { count: 2, bytes: 6 + 8 + 15 }
    },
    {
      ...{ clause: body, asked: 'a body of 360 KB' },
      ...{ question: { method: 'POST', path, body: text }, echoed: { sha256 } }
    }
  ]
}

/** What is far beyond a limit by whatever is counted; of a body only its length is told. */
const beyond: [clause: string, asked: string, question: Question][] = [
  [url, 'a URL of 33 KB', { method: 'GET', path: `${echo}?`.padEnd(33 * KB, 'b=1&') }],
  [single, 'a header of 20 KB', { method: 'GET', path: echo, headers: filling(1, 20 * KB) }],
  [total, 'headers of 60 KB', { method: 'GET', path: echo, headers: filling(15, 4 * KB) }],
  ...['POST', 'PUT', 'PATCH'].map((method): [string, string, Question] => {
    const headers = { 'content-length': 300 * MB }
    const question = { method, path: echo, headers, body: 'held back' } as const
    return [body, `${method} of 300 MB`, question]
  })
]

/** The same request over HTTP/1.1. */
function overHttp1(zone: Client, { method, path, headers, body }: Question): Promise<Reply> {
  return zone.ask(method, path, {
    ...(body !== undefined && { body }),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name, [value].flat().join('; ')])
    )
  })
}

/** Whether an echo says that it got all of a request, beside what it gets of any. */
function isEchoed(json: any, bare: any, { question, echoed }: Within): boolean {
  if (json?.method !== question.method || json.url !== question.path) return false
  if (echoed.sha256 !== undefined) return json.sha256 === echoed.sha256
  const { count, bytes } = json.headers ?? {}
  return (
    count === bare.headers.count + (echoed.count ?? 0) &&
    bytes === bare.headers.bytes + (echoed.bytes ?? 0)
  )
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
  clauses: [url, single, total, body],
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
