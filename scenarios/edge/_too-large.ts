import { type Client, isOk, type Judge, MiB, matrix, type RawRequest } from 'plimsoll'

/** Bytes of a body that are one more than any reading of each plan's maximum allows. */
export const tooLarge = {
  free: 100 * MiB + 1,
  pro: 100 * MiB + 1,
  business: 200 * MiB + 1,
  enterprise: 500 * MiB + 1
}

/** A plan with such a maximum. */
export type Plan = keyof typeof tooLarge

/** All of them. */
export const plans = Object.keys(tooLarge) as Plan[]

/** Every method whose body has a maximum. */
const methods = ['POST', 'PUT', 'PATCH'] as const

/** A body that says how long it is costs nothing: by all methods, on all plans. */
export const announced = matrix({ plan: plans, method: methods, framing: ['length'] as const })

/** What is judged by bodies that are too large. */
export const tooLargeClauses = [
  ...methods.map((method) => `error.body-413.${method.toLowerCase()}`),
  ...plans.map((plan) => `limits.request.body.${plan}`)
]

type Sent = { plan: Plan; method: (typeof methods)[number] } & {
  framing: NonNullable<RawRequest['body']>['framing']
}

/** Sends a body that is too large for its plan to a path, and judges what becomes of it. */
export async function judgeTooLarge(
  { verify }: Judge,
  { client, path, plan, method, framing }: Sent & { client: Client; path: string }
) {
  const reply = await client.send({ method, path, body: { bytes: tooLarge[plan], framing } })
  const saw = `${method} on ${plan} (${framing}): ${reply.because}`
  const isTaken = isOk(reply)
  verify(`limits.request.body.${plan}`, { holds: !isTaken, saw }, reply)
  // What is taken is the matter of the limit, and of no refusal's status.
  if (isTaken) return
  verify(`error.body-413.${method.toLowerCase()}`, { holds: reply.status === 413, saw }, reply)
}
