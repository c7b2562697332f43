import { check, isOk, MiB, matrix } from 'plimsoll'
import { echo } from './_echo.ts'

/** One byte more than any reading of each plan's maximum. */
const tooLarge = {
  free: 100 * MiB + 1,
  pro: 100 * MiB + 1,
  business: 200 * MiB + 1,
  enterprise: 500 * MiB + 1
}
type Plan = keyof typeof tooLarge
const plans = Object.keys(tooLarge) as Plan[]
const methods = ['POST', 'PUT', 'PATCH'] as const

/** A body that says how long it is costs nothing, and one that does not all of its bytes. */
const announced = matrix({ plan: plans, method: methods, framing: ['length'] as const })
const unannounced = [
  { plan: 'free', method: 'PATCH', framing: 'chunked' },
  { plan: 'business', method: 'POST', framing: 'chunked' }
] as const

export default check({
  title: 'A body over the plan’s maximum is refused with 413, whichever method carries it',
  clauses: [
    ...methods.map((method) => `error.body-413.${method.toLowerCase()}`),
    ...plans.map((plan) => `limits.request.body.${plan}`)
  ],
  needs: ['edge'],
  async run({ edge, verify }) {
    for (const { plan, method, framing } of [...announced, ...unannounced]) {
      const body = { bytes: tooLarge[plan], framing }
      const reply = await edge.zone(plan).send({ method, path: echo, body })
      const saw = `${method} on ${plan} (${framing}): ${reply.because}`
      const isTaken = isOk(reply)
      verify(`limits.request.body.${plan}`, { holds: !isTaken, saw }, reply)
      // What is taken is the matter of the limit, and of no refusal's status.
      if (isTaken) continue
      verify(`error.body-413.${method.toLowerCase()}`, { holds: reply.status === 413, saw }, reply)
    }
  }
})
