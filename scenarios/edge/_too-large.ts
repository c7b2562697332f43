import {
  type Client,
  isAnswered,
  isOk,
  type Judge,
  type Look,
  MB,
  MiB,
  pairwise,
  type RawRequest
} from 'plimsoll'
import { isAnswer, type Told, wordsOf } from '../_http2.ts'
import { keptTo } from '../_kept.ts'
import { echo, sendBody } from './_echo.ts'

/** By plan, bytes of a body that any reading of its maximum allows, and one more than any does. */
const sides = {
  free: { within: 100 * MB, beyond: 100 * MiB + 1 },
  pro: { within: 100 * MB, beyond: 100 * MiB + 1 },
  business: { within: 200 * MB, beyond: 200 * MiB + 1 },
  enterprise: { within: 500 * MB, beyond: 500 * MiB + 1 }
}

/** A plan with such a maximum. */
export type Plan = keyof typeof sides

/** How many bytes are more than a plan allows, by any reading. */
export const beyondOf = (plan: Plan) => sides[plan].beyond

/** All of them. */
export const plans = Object.keys(sides) as Plan[]

/** Every method whose body has a maximum. */
const methods = ['POST', 'PUT', 'PATCH'] as const

/** Hosts of a zone: its own, one below it, and one that a function was given. */
export const hosts = ['own', 'below', 'domain'] as const

/**
 * A body that says how long it is costs nothing: every two of a plan, a method, a host, a query and
 * a type of content meet. Where there is one host only, all of them are of that.
 */
export const announced = pairwise(
  {
    plan: plans,
    method: methods,
    host: hosts,
    query: ['', '?a=1&b'],
    type: ['', 'application/json', 'multipart/form-data; boundary=b', 'text/plain']
  },
  { seed: 16 }
)

/** What is judged by bodies that are too large. */
export const tooLargeClauses = [
  ...methods.map((method) => `error.body-413.${method.toLowerCase()}`),
  ...plans.map((plan) => `limits.request.body.${plan}`)
]

/** A body, and where it is sent to. */
export type Sent = {
  client: Client
  path: string
  plan: Plan
  method: (typeof methods)[number]
  query?: string
  type?: string
}

/** A document of whatever type that consists of one character: a number, or a name in a form. */
const fill = '1'
/** After how long without a refusal there is none to come before the body is there. */
const leaveMs = 300
/** How long who gives leave may take for that, or for a refusal; and for an answer to a body. */
const [longLeaveMs, sendMs] = [2_000, 60_000]

const pathOf = ({ path, query = '' }: Sent) => path + query
const headersOf = ({ type }: Sent): [string, string][] => (type ? [['content-type', type]] : [])
const nameOf = ({ client, method, plan, query, type }: Sent) =>
  [`${method} on ${plan}`, client.headers.host, query, type].filter(Boolean).join(' ')

/**
 * Sends a body that is too large for its plan, and judges what becomes of it. Where `isServing`
 * shows that smaller ones are served, whatever is no 413 is a refusal of another kind.
 */
export async function judgeTooLarge(
  { verify }: Judge,
  sent: Sent & {
    framing: NonNullable<RawRequest['body']>['framing']
    isServing?: () => Promise<boolean>
  }
) {
  const { client, plan, method, framing, type, isServing } = sent
  const body = { bytes: sides[plan].beyond, framing, fill: type && fill }
  const question = { method, path: pathOf(sent), headers: headersOf(sent), body }
  const reply = await sendBody(client, question)
  if (reply.kind === 'timeout' || (reply.status > 501 && !(await isServing?.()))) return
  const saw = `${nameOf(sent)} (${framing}): ${reply.because}`
  const isTaken = isOk(reply)
  verify(`limits.request.body.${plan}`, { holds: !isTaken, saw }, reply)
  // What is taken is the matter of the limit, and of no refusal's status.
  if (isTaken || !isAnswered(reply)) return
  verify(`error.body-413.${method.toLowerCase()}`, { holds: reply.status === 413, saw }, reply)
}

/**
 * Announces the largest body, and waits for leave to send it: that costs as good as nothing, so
 * that it can be asked in many ways. Only a refusal tells anything.
 */
export async function judgeLargest({ verify }: Judge, sent: Sent) {
  const { client, plan, method } = sent
  const bytes = sides[plan].within
  const reply = await client.send({
    ...{ method, path: pathOf(sent), timeoutMs: leaveMs },
    headers: [...headersOf(sent), ['content-length', `${bytes}`]],
    ...{ body: { bytes: 1, framing: 'expect' }, beforeLastByte: () => new Promise(() => {}) }
  })
  const saw = `${nameOf(sent)} that announces ${bytes} bytes: ${reply.because}`
  if (reply.status === 413) verify(`limits.request.body.${plan}`, { holds: false, saw }, reply)
}

/**
 * Announces the largest body behind another on one connection, with which it would be too large by
 * any reading; or sends all of it, and one that is too large by itself. Nothing where no connection
 * is kept, or no answer comes.
 */
export async function largestBehind(
  client: Client,
  { plan, isSent }: { plan: Plan; isSent: boolean }
): Promise<Omit<Look, 'reply'> | undefined> {
  const { within, beyond } = sides[plan]
  const connection = keptTo(client)
  if (connection === undefined) return undefined
  const put = (bytes: number, isWhole: boolean) => {
    const asked = { method: 'PUT', path: echo, forMs: isWhole ? sendMs : longLeaveMs }
    const headers = { 'content-length': bytes, ...(!isWhole && { expect: '100-continue' }) }
    return connection.ask({ ...asked, headers, body: isWhole ? 'x'.repeat(bytes) : 'held back' })
  }
  const before = await put(beyond - within, true)
  const largest = await put(within, isSent)
  const more: Told = isSent ? await put(beyond, true) : 'no answer'
  connection.close()
  if (!isAnswer(before) || before.json?.bytes !== beyond - within) return undefined
  const words = [largest, more].map(wordsOf)
  const isTaken = isAnswer(more) && more.status < 300
  const asked = `${within}, then ${isSent ? beyond : 'no'} bytes behind others on a connection`
  return { asked, holds: words[0] !== 'HTTP 413' && !isTaken, saw: words.join(', ') }
}
