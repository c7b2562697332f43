import type { Context, Reply } from 'plimsoll'
import { item, quoted } from '../_reply.ts'
import { configurationIn, type Stage, stage } from './_stage.ts'

/** What became of a zone that was to be migrated, and what its compatibility check told before. */
export type Outcome = { replies: [Reply, ...Reply[]]; compatible: unknown; state: unknown }

/** Migrates a zone with everything that earlier phases did not take, and with these overrides. */
export async function outcomeOn(
  context: Context,
  { on, uriOverrides }: { on: Stage; uriOverrides: string[] }
): Promise<Outcome> {
  await context.adapter.previousWaf(on.zone.id, {
    enabled: true,
    owasp: { sensitivity: 'low', action: 'simulate' },
    firewallRules: [{ expression: 'http.request.uri.path eq "/status"', action: 'bypass' }],
    pageRules: [{ url: '*/assets/*', waf: 'off' }],
    uriOverrides
  })
  const [check, config] = [await on.check(), await on.config()]
  const { compatible } = item(check)
  // A zone that is offered nothing is sent what another one would be.
  const offered = configurationIn(config) ?? configurationIn(await fresh(context))
  const update = offered && (await on.migrate('pending', offered))
  const replies: Outcome['replies'] = update ? [check, update] : [check]
  return { replies, compatible, state: await on.state() }
}

const fresh = async (context: Context) => (await stage(context, 'enterprise')).config()

/** Whether the zone has left the start. */
export function hasLeft({ state }: Outcome): boolean {
  return state !== undefined && state !== 'start'
}

/** The outcome in words. */
export function told({ state, replies }: Outcome): string {
  return `${replies.at(-1)!.because}, state ${quoted(state)}`
}
