import { digest, limit, MB, type RawRequest } from 'plimsoll'
import { echo, sized } from './_echo.ts'

const largest = { free: 100 * MB, pro: 100 * MB, business: 200 * MB, enterprise: 500 * MB }

/** A way to say, or not to say, how long a body is. */
type Framing = NonNullable<RawRequest['body']>['framing']

/** Every method that has a body, each in one of the ways to send one. */
const methods: Record<Framing, string> = { length: 'POST', chunked: 'PUT', expect: 'PATCH' }

/** How large a body may be on each plan that is sent in one way, which costs all of it twice. */
export function bodySize({
  framings,
  ...about
}: {
  title: string
  tier: 'quick' | 'full'
  framings: Record<keyof typeof largest, Framing>
}) {
  return limit({
    ...about,
    each: largest,
    clause: (plan) => `limits.request.body.${plan}`,
    unit: 'bytes',
    expectedReplies: ['closed'],
    needs: ['edge'],
    repeats: 1,
    ceiling: 2,
    async probe(bytes, { edge, key }) {
      const framing = framings[key as keyof typeof largest]
      const method = methods[framing]
      const reply = await edge.zone(key).send({ method, path: echo, body: { bytes, framing } })
      return sized(reply, `${reply.json?.bytes} ${reply.json?.sha256}`, `${bytes} ${digest(bytes)}`)
    }
  })
}
