import { type Client, check } from 'plimsoll'
import {
  announced,
  judgeLargest,
  judgeTooLarge,
  plans,
  tooLargeClauses
} from '../edge/_too-large.ts'
import { hostsOf } from './_hosts.ts'

/** Reads all of a body, keeps nothing of it, and lets whatever goes wrong with that be. */
const source = `
export default {
  async fetch(request) {
    let bytes = 0
    for await (const chunk of request.body ?? []) bytes += chunk.length
    return new Response(String(bytes))
  }
}`

/** Such a body costs all of its bytes. */
const unannounced = [
  { plan: 'free', method: 'POST', host: 'own', framing: 'chunked' },
  { plan: 'pro', method: 'PUT', host: 'below', framing: 'chunked' },
  { plan: 'business', method: 'PATCH', host: 'domain', framing: 'chunked' },
  { plan: 'enterprise', method: 'PUT', host: 'own', framing: 'chunked' }
] as const

/** Whether a host leads to the function: elsewhere nothing is refused that it would read. */
const isRead = async (client: Client) => (await client.post('/', { body: 'three' })).body === '5'

export default check({
  title:
    'A body is refused with 413 where it is too large, and not before, though a function reads it',
  clauses: tooLargeClauses,
  // Of what is only announced the rest never comes.
  expectedReplies: ['closed', 'timeout'],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain'],
  async run(context) {
    const hosts = await hostsOf(context, source)
    if (hosts === undefined) return
    const dear = context.tier === 'quick' ? unannounced.slice(0, 1) : unannounced
    const sent: Parameters<typeof judgeTooLarge>[1][] = []
    for (const plan of plans) {
      for (const [host, client] of Object.entries(hosts.zone[plan])) {
        if (!(await isRead(client))) continue
        const all = [...announced.map((way) => ({ ...way, framing: 'length' as const })), ...dear]
        for (const way of all)
          if (way.plan === plan && way.host === host) sent.push({ ...way, client, path: '/' })
      }
    }
    // Nothing but time is spent on what is only announced.
    const isAnnounced = ({ framing }: { framing: string }) => framing === 'length'
    await Promise.all(sent.filter(isAnnounced).map((way) => judgeLargest(context, way)))
    for (const way of sent) await judgeTooLarge(context, way)
  }
})
