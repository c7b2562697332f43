import {
  type Client,
  isAnswered,
  isOk,
  type Judge,
  MB,
  MiB,
  pairwise,
  type RawRequest
} from 'plimsoll'
import { sendBody } from './_echo.ts'

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

/** After how long without a refusal there is none to come before the body is there. */
const leaveMs = 300

const pathOf = ({ path, query = '' }: Sent) => path + query
const headersOf = ({ type }: Sent): [string, string][] => (type ? [['content-type', type]] : [])
const nameOf = ({ method, plan, query = '', type = '' }: Sent) =>
  `${method} on ${plan} ${[query, type].filter(Boolean).join(' ')}`.trim()

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
  const { client, plan, method, framing, isServing } = sent
  const body = { bytes: sides[plan].beyond, framing }
  const question = { method, path: pathOf(sent), headers: headersOf(sent), body }
  const reply = await sendBody(client, question)
  if (reply.status > 501 && !(await isServing?.())) return
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
