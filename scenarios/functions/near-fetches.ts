import { type Channel, check, type Look, summary } from 'plimsoll'
import { settle } from './_account.ts'
import { fetching, outcomeOf } from './_command.ts'
import { openServer } from './_stage.ts'

const clause = 'functions.service.fetch'
/** What is answered by nobody but who is told to, and how many bytes are sent there. */
const [status, send] = [203, 9]

/** An address behind the edge, its host and path apart, and who is met there, if not a function. */
type Goal = { host: string; path: string; behind?: Channel }

export default check({
  title: 'A fetch to where no other function of its zone is gets what anybody gets there',
  clauses: [clause],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'origin', 'reach'],
  async run(context) {
    const { adapter, edge, verify } = context
    await using server = await openServer(context)
    const { shared, zone } = await settle(context, 'standard')
    const [own, other] = [await zone('pro'), await zone('free')]
    const goals: Goal[] = []
    for (const { id, host } of [own, other]) {
      const behind = server.channel(host)
      const { origin, pathname, search } = new URL(behind.url({ status }))
      await adapter.origin(id, origin)
      goals.push({ host: `plain.${host}`, path: pathname + search, behind })
    }
    const command = { do: 'stream', bytes: 2, status }
    const query = new URLSearchParams({ command: JSON.stringify(command) })
    goals.push({ host: other.host, path: `/?${query}` })
    const looks: Look[] = []
    for (const { host, path, behind } of goals) {
      // Only where anybody is served does it mean something that a function is not.
      const direct = await edge.as(host).post(path, { body: 'x'.repeat(send) })
      if (direct.status !== status) continue
      for (const [place, client] of [
        ['its zone', own.client] as const,
        ['none', shared] as const
      ]) {
        const before = behind?.seen().received ?? 0
        const json = fetching(`http://${host}${path}`, { method: 'POST', send })
        const reply = await client.post('/', { json })
        const outcome = outcomeOf(reply)
        if (outcome === undefined) continue
        const came = (behind?.seen().received ?? before + send) - before
        const saw = outcome.error ?? `HTTP ${outcome.ok?.status}, and ${came} of ${send} bytes came`
        const holds = outcome.ok?.status === status && came === send
        const whom = behind ? 'a server' : 'a function'
        const where = host.endsWith(own.host) ? 'the zone' : 'another zone'
        looks.push({ asked: `${whom} in ${where}, by one in ${place}`, holds, saw, reply })
      }
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
