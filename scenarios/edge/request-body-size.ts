import { digest, limit, MB } from 'plimsoll'
import { echo, sendBody, sized } from './_echo.ts'

/** Every method that has a body, each in one of the ways to send one. */
const methods = { length: 'POST', chunked: 'PUT', expect: 'PATCH' }
/** Plans take turns, since each way costs a whole body more; `request-body-framings` has others. */
const framings: Record<string, keyof typeof methods> = {
  free: 'length',
  pro: 'chunked',
  business: 'expect',
  enterprise: 'chunked'
}

export default limit({
  title: 'A request body may be as large as the plan allows, and not larger',
  each: { free: 100 * MB, pro: 100 * MB, business: 200 * MB, enterprise: 500 * MB },
  clause: (plan) => `limits.request.body.${plan}`,
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  repeats: 1,
  ceiling: 2,
  async probe(bytes, { edge, key }) {
    const framing = framings[key]!
    const method = methods[framing]
    const reply = await sendBody(edge.zone(key), { method, path: echo, body: { bytes, framing } })
    return sized(reply, `${reply.json?.bytes} ${reply.json?.sha256}`, `${bytes} ${digest(bytes)}`)
  }
})
