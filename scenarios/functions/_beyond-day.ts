import { type Channel, type Context, isOk, type Judge, type Reply } from 'plimsoll'
import type { settle } from './_account.ts'
import { methods } from './_crowd.ts'
import { zonePlans } from './_plan.ts'

/** Clauses about what is seen on a route of either mode once a day is used up. */
export const modes = { closed: 'error.1027-fail-closed', open: 'error.fail-open-bypass' }

/** Whether a probe answered, and neither the origin nor an error page. */
export const ran = (reply: Reply) => isOk(reply) && reply.json?.ok !== undefined

/** A zone of the account on each plan, half of them to be passed by and half to be shut. */
export async function zonesOf(context: Context, account: Awaited<ReturnType<typeof settle>>) {
  // What becomes of a route beyond the day is no matter of its zone's plan.
  const first = context.seed % 2
  return Promise.all(
    zonePlans.map(async (plan, at) => {
      const mode = at % 2 === first ? ('open' as const) : ('closed' as const)
      return { plan, mode, ...(await account.zone(plan, mode)) }
    })
  )
}

export type Zones = Awaited<ReturnType<typeof zonesOf>>

/** Judges what is seen on routes of either mode once the day is used up. */
export async function judgeModes(
  { verify }: Judge,
  { shut, opened, behind }: { shut: Zones; opened: Zones; behind: Channel }
) {
  // What answers HEAD has no page.
  for (const { plan, client } of shut)
    for (const method of methods.filter((one) => one !== 'HEAD')) {
      const reply = await client.ask(method, '/')
      const names = !ran(reply) && reply.body.includes('1027') ? 'names' : 'does not name'
      const words = `${method} on ${plan}: ${reply.because}, the page ${names} 1027`
      verify(modes.closed, { holds: names === 'names', saw: words }, reply)
    }
  const { pathname, search } = new URL(behind.url({ status: 203 }))
  for (const { plan, client } of opened) {
    const before = behind.seen()
    const got = await client.get(pathname + search)
    const posted = await client.post(pathname + search, { body: 'behind' })
    const { requests, received } = behind.seen()
    const came = [requests - before.requests, received - before.received]
    const isOrigin = [got, posted].every((one) => one.status === 203 && one.received === 2)
    const saw = `${plan}: ${came[0]} of 2 requests and ${came[1]} bytes came there, ${got.because}`
    verify(modes.open, { holds: isOrigin && `${came}` === '2,6', saw }, got, posted)
  }
}
