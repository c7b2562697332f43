import type { Context, Reply } from 'plimsoll'
import { isServed, isTurnedDown } from '../_reply.ts'
import type { PreviousWaf } from './_capabilities.ts'
import { configurationIn, stage } from './_stage.ts'

/**
 * What became of a migration: it went through, it was refused, or neither is certain; or the zone
 * did not come to where it was to begin.
 */
export type Fate = {
  kind: 'migrated' | 'refused' | 'unclear' | 'not begun'
  replies: [Reply, ...Reply[]]
}

type Asked = {
  plan: string
  expressions: string[]
  logging?: number
  pageRules?: number
  before?: string
}

/**
 * Migrates a fresh zone with firewall rules that bypass its WAF where these expressions say, beside
 * so many others, which only log and have nothing to migrate, and so many page rules; they come
 * after the update `before`.
 */
export async function migrateWith(
  context: Context,
  { plan, expressions, logging = 0, pageRules = 0, before }: Asked
): Promise<Fate> {
  const on = await stage(context, plan)
  const offer = await on.config()
  const offered = configurationIn(offer) ?? {}
  if (before !== undefined) {
    const update = await on.migrate(before, offered)
    if (!isServed(update)) return { kind: 'not begun', replies: [offer, update] }
  }
  const was = await on.state()
  const bypassing = expressions.map((expression) => ({ expression, action: 'bypass' as const }))
  const others = Array.from({ length: logging }, () => {
    return { expression: 'http.request.uri.path contains "/logged"', action: 'log' as const }
  })
  await context.adapter.previousWaf(on.zone.id, {
    enabled: true,
    firewallRules: [...others, ...bypassing],
    pageRules: Array.from({ length: pageRules }, (_, nth) => pageRule(nth))
  })
  // Which of the calls reports what is wrong is not said; but the zone is not to get there, either
  // by the configuration that it was offered while there was nothing wrong.
  const config = await on.config()
  const configuration = isTurnedDown(config) ? offered : configurationIn(config)
  if (configuration === undefined) return { kind: 'unclear', replies: [config] }
  const update = await on.migrate('pending', configuration)
  const state = await on.state()
  const isMoved = state !== undefined && state !== was
  if (isServed(update) && isMoved) return { kind: 'migrated', replies: [config, update] }
  const isRefused = isTurnedDown(update) && !isMoved
  return { kind: isRefused ? 'refused' : 'unclear', replies: [config, update] }
}

/** One of each sort in turn. */
function pageRule(nth: number): NonNullable<PreviousWaf['pageRules']>[number] {
  const url = `*/page/${nth}/*`
  return nth % 3 === 0 ? { url, disableSecurity: true } : { url, waf: nth % 3 === 1 ? 'off' : 'on' }
}

/** So many expressions, each about another path. */
export function expressions(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `http.request.uri.path eq "/${number}"`)
}

/** An expression of so many bytes of UTF-8; most of its characters take as many as said. */
export function expressionOf(size: number, bytesPerCharacter: 1 | 2): string {
  const [before, after] = ['http.request.uri.path eq "/', '"']
  const left = Math.max(0, size - before.length - after.length)
  const wide = bytesPerCharacter === 2 ? 'é'.repeat(Math.floor(left / 2)) : ''
  return before + wide + 'x'.repeat(left - 2 * wide.length) + after
}
