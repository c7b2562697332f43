import { digest, limit, MB } from 'plimsoll'
import { echo, sized } from './_echo.ts'

/** Every method that has a body, each in one of the ways to send one. */
const methods = { length: 'POST', chunked: 'PUT', expect: 'PATCH' }
/** Plans take turns where a length is declared, since each way costs a whole body more. */
const declared: Record<string, 'length' | 'expect'> = {
  free: 'length',
  pro: 'expect',
  business: 'length',
  enterprise: 'expect'
}

export default limit({
  title: 'A request body may be as large as the plan allows, and not larger',
  each: { free: 100 * MB, pro: 100 * MB, business: 200 * MB, enterprise: 500 * MB },
  clause: (plan) => `limits.request.body.${plan}`,
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  variants: ['declared', 'chunked'],
  repeats: 1,
  ceiling: 2,
  async probe(bytes, { edge, key }, variant) {
    const framing = variant === 'chunked' ? variant : declared[key]!
    const method = methods[framing]
    const reply = await edge.zone(key).send({ method, path: echo, body: { bytes, framing } })
    return sized(reply, `${reply.json?.bytes} ${reply.json?.sha256}`, `${bytes} ${digest(bytes)}`)
  }
})
