import { setTimeout as sleep } from 'node:timers/promises'
import { Blocked, type Client, type Context, isAnswered, isOk, type Reply } from 'plimsoll'
import { type Item, isItem, item } from '../_reply.ts'
import type { PreviousWaf } from './_capabilities.ts'

/** The rule configuration that a migration proposes and an update sends. */
export type Configuration = { name: string; rules: Item[] }

/** How the documented calls are parameterised; undefined leaves a parameter out. */
export type Parameters = { waf_migration?: string; phase_two?: string }

/** The path below a zone's that the entry point is at. */
export const entrypoint = 'rulesets/phases/http_request_firewall_managed/entrypoint'

/** The documented migration calls on one zone. */
export function calls(management: Client, zone: string) {
  const path = `/zones/${zone}`
  const query = ({ ...parameters }: Parameters) =>
    new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined))
  return {
    path,
    check: () => management.get(`${path}/waf_migration/check?phase_two=1`),
    config: () => management.get(`${path}/waf_migration/config?phase_two=1`),
    status: () => management.get(`${path}/waf_migration/status`),
    /** Updates the entry point with `waf_migration` set to this. */
    update: (waf_migration: string, configuration: object) =>
      management.put(`${path}/${entrypoint}?${query({ waf_migration, phase_two: '1' })}`, {
        json: configuration
      }),
    /** Updates the entry point and says nothing of a migration. */
    deploy: (configuration: object) =>
      management.put(`${path}/${entrypoint}`, { json: configuration })
  }
}

/** A zone to be used up, and everything that can be done with it. */
export type Stage = ReturnType<typeof calls> & {
  zone: { id: string; host: string }
  /** The state that the compatibility check tells. */
  state: () => Promise<unknown>
  /** The same, asked again for a while until it is another one than start. */
  stateAfterStart: () => Promise<unknown>
  /** Sends an update, and waits until nothing of the migration is under way. */
  migrate: (waf_migration: string, configuration: object) => Promise<Reply>
}

/** How often a zone is looked at that should leave the start, and how long after one another. */
const looks = 10
const lookAgainMs = 100

/** A fresh zone in the state the document calls start; blocked when it has left that. */
export async function stage(context: Context, plan: string): Promise<Stage> {
  return stageOn(context, { plan, zone: await context.adapter.disposableZone(plan) })
}

/** The same on a zone that is already there. */
export async function stageOn(
  { management, adapter }: Context,
  { plan, zone }: { plan: string; zone: Stage['zone'] }
): Promise<Stage> {
  const its = calls(management, zone.id)
  const state = async () => item(await its.check()).migration_state
  const before = await state()
  if (before !== undefined && before !== 'start') {
    throw new Blocked(`the ${plan} zone has been used up: its migration is at ${before}`)
  }
  return {
    ...its,
    zone,
    state,
    async stateAfterStart() {
      let now = await state()
      for (let look = 1; now === 'start' && look < looks; look++) {
        await sleep(lookAgainMs)
        now = await state()
      }
      return now
    },
    async migrate(waf_migration, configuration) {
      const reply = await its.update(waf_migration, configuration)
      await adapter.migrated(zone.id)
      return reply
    }
  }
}

/** A request that nobody sends by accident: scripts, SQL and tags, in a query. */
const attack = new URLSearchParams({
  q:
    '<script>alert(document.cookie)</script><img onerror=javascript:eval(1)>' +
    "' union select a from information_schema.tables where 1=1 or 1=1--"
})

/** A stage whose edge answers every path with a page, unless a WAF stops the request. */
export type Site = Stage & {
  previous: (configuration: PreviousWaf) => Promise<void>
  /** Sends an attack to a path. */
  attack: (path: string) => Promise<Reply>
  /** The configuration that the zone is offered. */
  proposal: () => Promise<Configuration | undefined>
}

/** A fresh zone with a page, and with a previous WAF that is configured like this. */
export async function site(
  context: Context,
  { plan, ...configuration }: PreviousWaf & { plan: string }
): Promise<Site> {
  const { edge, adapter } = context
  const on = await stage(context, plan)
  await adapter.page(on.zone.id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  await adapter.previousWaf(on.zone.id, configuration)
  const client = edge.as(on.zone.host)
  return {
    ...on,
    previous: (more) => adapter.previousWaf(on.zone.id, more),
    attack: (path) => client.get(`${path}?${attack}`),
    proposal: async () => configurationIn(await on.config())
  }
}

/** Capabilities that a `site` needs. */
export const siteNeeds = [
  ...['management', 'edge', 'disposableZone', 'page', 'previousWaf', 'migrated']
]

/** The configuration in an answer, if it is one. */
export function configurationIn(reply: Reply): Configuration | undefined {
  const { name, rules } = item(reply)
  return Array.isArray(rules) ? { name, rules: rules.filter(isItem) } : undefined
}

/** The same rules, but none of them does anything. */
export function idle({ name, rules }: Configuration): Configuration {
  return { name, rules: rules.map((rule) => ({ ...rule, enabled: false })) }
}

/** Only the rules that execute a managed ruleset. */
export function executing({ name, rules }: Configuration): Configuration {
  return { name, rules: rules.filter(({ action }) => action === 'execute') }
}

/** Whether a WAF stopped a request. */
export function isStopped(reply: Reply): boolean {
  return isAnswered(reply) && reply.status >= 400 && reply.status < 500 && reply.status !== 429
}

/** What became of attacks, in words: `/a stopped, /b let through`. */
export function fates(replies: { [path: string]: Reply }): string {
  return Object.entries(replies)
    .map(([path, reply]) => {
      const fate = isStopped(reply) ? 'stopped' : isOk(reply) ? 'let through' : reply.because
      return `${path} ${fate}`
    })
    .join(', ')
}
