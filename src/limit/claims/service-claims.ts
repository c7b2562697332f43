import type { Client } from '../../client/client.ts'
import type { LineMaker } from '../../client/line.ts'
import { isAnswered, type Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import { isSuccess } from '../baseline.ts'
import type { Ordinary } from '../dimension.ts'
import type { ClaimFinding } from './row.ts'

/** Whom to hold to what it says of methods, ranges and connections. */
export type ServiceAsked = {
  client: Client
  maker: LineMaker
  ordinary: Ordinary
  clock: Clock
  stopped: () => boolean
  /** How many ms are left to wait in. */
  leftMs: () => number
}

/**
 * What an endpoint says of itself beside limits, held to its word: `Allow` for methods that change
 * nothing, `Accept-Ranges`, `Accept-Post` and `Accept-Patch`. Of fields that it does not send
 * nothing is said.
 */
export async function holdService(asked: ServiceAsked): Promise<ClaimFinding[]> {
  const findings = [await allowed(asked), await ranged(asked)]
  for (const method of ['POST', 'PATCH'] as const) findings.push(await typed(asked, method))
  return findings.flatMap((finding) => finding ?? [])
}

/** Documents of media types that change nothing, or that say nothing. */
const empty: Record<string, string> = {
  'application/json': '{}',
  'application/merge-patch+json': '{}',
  'application/json-patch+json': '[]'
}

/**
 * Whether a media type that `Accept-Post` or `Accept-Patch` lists is taken. What may make something
 * new is sent only where such requests are what is asked about.
 */
async function typed(
  { client, ordinary }: ServiceAsked,
  method: 'POST' | 'PATCH'
): Promise<ClaimFinding | undefined> {
  const field = method === 'POST' ? 'Accept-Post' : 'Accept-Patch'
  const { path } = ordinary
  const options = await client.options(path)
  // It is also said in answer to what it is about.
  const isOwn = ordinary.method === method && options.headers[field.toLowerCase()] === undefined
  const { headers } = isOwn ? await client.ask(method, path) : options
  const told = headers[field.toLowerCase()]
  if (told === undefined) return
  const listed = told.split(',').map((type) => type.split(';')[0]!.trim().toLowerCase())
  const type = listed.find((one) => empty[one] !== undefined)
  if (type === undefined)
    return { field, verdict: 'unsaid', because: `${told}; no type known here` }
  if (method === 'POST' && ordinary.method !== 'POST') {
    return { field, verdict: 'unsaid', because: `${told}; --method POST has it asked` }
  }
  const { status } = await client.with({ 'content-type': type }).ask(method, path, {
    body: empty[type]!
  })
  const because = `${told}; ${method} of ${type} is answered ${status}`
  if ([405, 415, 501].includes(status)) return { field, verdict: 'false', because }
  // Who says what is wrong with it has read it.
  const isRead = isSuccess(status) || [400, 409, 422].includes(status)
  return { field, verdict: isRead ? 'true' : 'unsaid', because }
}

async function allowed({ client, ordinary }: ServiceAsked): Promise<ClaimFinding | undefined> {
  const { path } = ordinary
  const { headers } = await client.options(path)
  if (headers.allow === undefined) return
  const listed = headers.allow.split(',').map((name) => name.trim().toUpperCase())
  const field = 'Allow'
  const replies = [
    ['GET', await client.get(path)],
    ['HEAD', await client.head(path)]
  ] as const
  for (const [method, { status }] of replies) {
    const isRefused = [405, 501].includes(status)
    const isAsGet = method === 'HEAD' && listed.includes('GET') && !listed.includes('HEAD')
    // All that have GET have to have HEAD (RFC 9110, 9.1), so that some leave it out.
    if (isAsGet && isSuccess(status)) {
      const because = `${headers.allow}; HEAD is not listed, and answered as GET is`
      return { field, verdict: 'unsaid', because }
    }
    if (listed.includes(method) ? isRefused : isSuccess(status)) {
      const because = `${headers.allow}; ${method} is answered ${status}`
      return { field, verdict: 'false', because }
    }
  }
  const isTold = replies.every(([method, { status }]) => {
    return listed.includes(method) ? isSuccess(status) : [405, 501].includes(status)
  })
  const told = replies.map(([method, { because }]) => `${method}: ${because}`).join(', ')
  return { field, verdict: isTold ? 'true' : 'unsaid', because: told }
}

async function ranged({ client, ordinary }: ServiceAsked): Promise<ClaimFinding | undefined> {
  if (ordinary.method !== 'GET') return
  const usual = await client.get(ordinary.path)
  const claim = usual.headers['accept-ranges']
  if (claim === undefined) return
  const field = 'Accept-Ranges'
  const unsaid = (because: string) => ({ field, verdict: 'unsaid' as const, because })
  if (!isAnswered(usual) || usual.received < 2) return unsaid('there is no part of so little')
  const part = await client.with({ range: 'bytes=0-0' }).get(ordinary.path)
  const because = `${claim}; the first byte alone is answered ${part.status} ${inBytes(part)}`
  const isPart = part.status === 206 && part.received === 1
  const isWhole = part.status === 200
  if (!isPart && !isWhole && part.status !== 206) return unsaid(because)
  return { field, verdict: (claim === 'none' ? isWhole : isPart) ? 'true' : 'false', because }
}

function inBytes({ received }: Reply): string {
  return received === 1 ? 'with 1 byte' : `with ${received.toLocaleString('en')} bytes`
}
