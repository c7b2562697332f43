import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type Context, check, isOk, type Judge } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { idle, isStopped, site } from './_stage.ts'

/** How long a configuration that was saved is waited for at the edge, and how often looked for. */
const mostMs = 4_000
const stepMs = 50

/** How much longer than the longest that was seen a change is given. */
const margin = { times: 1.25, ms: 100 }

/** What a check said of a clause, in the order in which it did. */
type Said = Parameters<Judge['verify']>[]

/** The same context, in which what is verified is only written down. */
function listening(context: Context & Judge, said: Said): Context & Judge {
  return Object.create(context, { verify: { value: (...one: Said[number]) => said.push(one) } })
}

/**
 * How late a changed configuration is in force at the edge, in milliseconds; 0 where it is so when
 * it is first looked for, or not at all.
 */
async function lagOf(context: Context): Promise<number> {
  const on = await site(context, { plan: 'pro', enabled: true })
  const proposal = await on.proposal()
  if (proposal === undefined || !isServed(await on.migrate('pending', proposal))) return 0
  let longest = 0
  for (const isOff of [true, false, true]) {
    if (!isServed(await on.deploy(isOff ? idle(proposal) : proposal))) return 0
    const began = performance.now()
    const isThere = async () => (isOff ? isOk : isStopped)(await on.attack('/'))
    while (!(await isThere())) {
      const ms = performance.now() - began
      if (ms > mostMs) return 0
      longest = Math.max(longest, ms + stepMs)
      await sleep(stepMs)
    }
  }
  return longest
}

/** The same context, in which a host is asked again some time after whatever changed. */
function waiting(context: Context & Judge, lagMs: number): Context & Judge {
  const settled = new Set<string>()
  const changing = <Kind extends object>(whole: Kind, isChange: (name: string) => boolean): Kind =>
    new Proxy(whole, {
      get(given, name: string) {
        const member = given[name as keyof Kind]
        if (!isChange(name) || typeof member !== 'function') return member
        return async (...sent: unknown[]) => {
          settled.clear()
          return member(...sent).finally(() => settled.clear())
        }
      }
    })
  const patient = (client: Client, host: string): Client =>
    new Proxy(client, {
      get(given, name: keyof Client) {
        const member = given[name]
        if (name === 'with')
          return (headers: Parameters<Client['with']>[0]) => patient(given.with(headers), host)
        if (!isMethod(name)) return member
        return async (...sent: [string]) => {
          // It may be the first to ask that sets it going.
          if (!settled.has(host)) await given.get('/')
          if (!settled.has(host)) await sleep(lagMs * margin.times + margin.ms)
          settled.add(host)
          return (member as Client['get'])(...sent)
        }
      }
    })
  const { management, edge, adapter } = context
  return Object.create(context, {
    management: { value: changing(management, (name) => isMethod(name) && name !== 'get') },
    adapter: { value: changing(adapter, (name) => name !== 'securityEvents') },
    edge: { value: { ...edge, as: (host: string) => patient(edge.as(host), host) } }
  })
}

const isMethod = (name: string) => ['get', 'post', 'put', 'patch', 'delete', 'head'].includes(name)

/**
 * A check of what WAFs do at the edge. When a configuration is in force there is not said: where
 * something is not as it should be, or shows nothing, it is measured how late that is, and where it
 * is late, all is looked at once more, and each change waited for.
 */
export function edgeCheck({ run, ...given }: Parameters<typeof check>[0]) {
  return check({
    ...given,
    async run(context) {
      let said: Said = []
      const look = async (own: typeof context) => {
        said = []
        await run(listening(own, said))
      }
      try {
        await look(context)
        const isOpen = (clause: string) => !said.some(([about]) => about === clause)
        const isOdd = ([, seen]: Said[number]) => !(typeof seen === 'boolean' ? seen : seen.holds)
        const lagMs = said.some(isOdd) || given.clauses.some(isOpen) ? await lagOf(context) : 0
        if (lagMs > 0) await look(waiting(context, lagMs))
      } finally {
        for (const one of said) context.verify(...one)
      }
    }
  })
}
