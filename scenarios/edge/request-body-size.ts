import { digest, limit, MB } from 'plimsoll'
import { echo, sized } from './_echo.ts'

/**
 * How each plan is asked: with a length that is declared, at once or where the target lets it go
 * on, and without. Plans take turns with methods and framings, since each costs a whole body more.
 */
const ways = {
  declared: {
    free: ['POST', 'length'],
    pro: ['PATCH', 'expect'],
    business: ['PUT', 'length'],
    enterprise: ['POST', 'expect']
  },
  chunked: {
    free: ['PUT', 'chunked'],
    pro: ['POST', 'chunked'],
    business: ['PATCH', 'chunked'],
    enterprise: ['PUT', 'chunked']
  }
} as const

export default limit({
  title: 'A request body may be as large as the plan allows, and not larger',
  each: { free: 100 * MB, pro: 100 * MB, business: 200 * MB, enterprise: 500 * MB },
  clause: (plan) => `limits.request.body.${plan}`,
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  variants: Object.keys(ways),
  repeats: 1,
  ceiling: 2,
  async probe(bytes, { edge, key }, variant) {
    const [method, framing] = ways[variant as keyof typeof ways][key as keyof typeof ways.chunked]
    const reply = await edge.zone(key).send({ method, path: echo, body: { bytes, framing } })
    return sized(reply, `${reply.json?.bytes} ${reply.json?.sha256}`, `${bytes} ${digest(bytes)}`)
  }
})
