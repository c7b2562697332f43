import type { Adapter } from 'plimsoll'
import type { Deployed, Done, Refused } from './_capabilities.ts'

/** Asks the control listener of the reference platform: its status, and its answer. */
export type Ask = (
  path: string,
  body?: unknown,
  method?: string
) => Promise<{ status: number; answer: any }>

/** What the reference platform can do with functions, through its control listener. */
export function functionCapabilities(ask: Ask): Adapter {
  const done = async (...asked: Parameters<Ask>) => {
    const { status, answer } = await ask(...asked)
    if (status >= 400) throw new Error(answer.error)
    return answer
  }
  return {
    account: (plan) => done('/accounts', { plan }),
    async ownAccount() {
      // Who comes first adds it; others may at the same moment.
      const id = 'owner'
      await ask('/accounts', { plan: 'standard', id })
      return done(`/accounts/${id}`, undefined, 'GET')
    },
    accountPlan: async (account, plan) => done(`/accounts/${account}`, { plan }, 'PATCH'),
    zoneOf: (account, plan) => done('/zones', { plan, account }),
    origin: async (zone, address) => done(`/zones/${zone}`, { origin: address }, 'PATCH'),
    async deploy({ account, source, ...rest }) {
      const given = Object.entries(typeof source === 'string' ? { 'main.js': source } : source)
      const modules = Object.fromEntries(
        given.map(([path, one]) => [
          path,
          typeof one === 'string' ? one : { base64: Buffer.from(one).toString('base64') }
        ])
      )
      const deployment = { ...rest, modules, main: 'main.js' }
      return judged<Deployed>(await ask(`/accounts/${account}/functions`, deployment))
    },
    remove: (id) => done(`/functions/${id}`, undefined, 'DELETE'),
    route: async (zone, pattern, to) =>
      judged<Done>(await ask(`/zones/${zone}/routes`, { pattern, ...to })),
    customDomain: async (id, host) => judged<Done>(await ask(`/functions/${id}/domains`, { host })),
    trigger: async (id, cron) => judged<Done>(await ask(`/functions/${id}/triggers`, { cron })),
    fire: (id) => done(`/functions/${id}/fire`, {}),
    invocations: (id) => done(`/functions/${id}/invocations`, undefined, 'GET'),
    evict: (id) => done(`/functions/${id}/evict`, {}),
    preloadRequests: (account, count) => done(`/accounts/${account}/requests`, { count }),
    purge: (zone) => done(`/zones/${zone}/purge`, {})
  }
}

/** A refusal has a code; whatever else fails is a fault of the setup. */
function judged<Good extends { accepted: true } | Refused>({
  status,
  answer
}: Awaited<ReturnType<Ask>>): Good | Refused {
  if (status < 400) return { accepted: true, ...answer }
  if (status === 422) return { accepted: false, because: answer.error, code: answer.code }
  throw new Error(answer.error)
}
