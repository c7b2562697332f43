import { digest, type Scenario } from 'plimsoll'
import { echo, sendBody, sized } from './_echo.ts'
import size from './request-body-size.ts'

/** Ways in which `request-body-size` does not ask, by the plan that has the turn. */
const ways = {
  free: { method: 'PUT', framing: 'chunked' },
  pro: { method: 'PATCH', framing: 'expect' },
  business: { method: 'PUT', framing: 'chunked' },
  enterprise: { method: 'POST', framing: 'length' }
} as const

export default {
  ...size,
  title: 'A request body may be as large as the plan allows in whatever other way it is sent',
  tier: 'full',
  async probe(bytes, { edge, key }) {
    const { method, framing } = ways[key as keyof typeof ways]
    const reply = await sendBody(edge.zone(key), { method, path: echo, body: { bytes, framing } })
    return sized(reply, `${reply.json?.bytes} ${reply.json?.sha256}`, `${bytes} ${digest(bytes)}`)
  }
} satisfies Scenario
