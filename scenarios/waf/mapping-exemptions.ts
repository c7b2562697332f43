import { type Context, matrix, type Reply } from 'plimsoll'
import { isServed } from '../_reply.ts'
import type { PreviousWaf } from './_capabilities.ts'
import { edgeCheck } from './_late.ts'
import { plans } from './_owasp.ts'
import { fates, isStopped, site, siteNeeds } from './_stage.ts'

/**
 * Where an attack is let through, and where it is stopped, under a setting of the previous WAF. A
 * place is left out where another clause speaks of it.
 */
type Setting = { given: PreviousWaf; through?: string; stopped?: string }

const path = 'http.request.uri.path'
const bypass = (at: string) => ({ expression: `${path} eq "${at}"`, action: 'bypass' as const })
const turned = (waf: 'on' | 'off', ...urls: string[]) => urls.map((url) => ({ url, waf }))

/** By clause: one setting, and others of the same list that are about other places, by plan. */
const settings: Record<string, Setting[]> = {
  'waf-migration.mapping.firewall-bypass': [
    {
      given: { enabled: true, firewallRules: [bypass('/health')] },
      ...{ through: '/health', stopped: '/other' }
    },
    {
      given: {
        enabled: true,
        firewallRules: [
          { expression: `${path} eq "/other"`, action: 'log' },
          ...['/up', '/down', '/health'].map(bypass)
        ]
      },
      ...{ through: '/health', stopped: '/other' }
    }
  ],
  'waf-migration.mapping.page-rule-disable-security': [
    {
      given: { enabled: true, pageRules: [{ url: '*/open/*', disableSecurity: true }] },
      ...{ through: '/open/a', stopped: '/a' }
    },
    {
      given: {
        enabled: true,
        pageRules: ['*/wide/*', '*/open/*'].map((url) => ({ url, disableSecurity: true as const }))
      },
      ...{ through: '/open/a', stopped: '/a' }
    }
  ],
  'waf-migration.mapping.page-rule-waf-off': [
    {
      given: { enabled: true, pageRules: [{ url: '*/off/*', waf: 'off' }] },
      ...{ through: '/off/a', stopped: '/a' }
    },
    {
      given: {
        enabled: true,
        pageRules: [...turned('on', '*/never/*', '*/on/off/*'), ...turned('off', '*/off/*')]
      },
      ...{ through: '/off/a', stopped: '/a' }
    },
    // The first that matches counts.
    {
      given: {
        enabled: false,
        pageRules: [...turned('off', '*/on/not/*'), ...turned('on', '*/on/*')]
      },
      through: '/on/not/a'
    }
  ],
  'waf-migration.mapping.page-rule-waf-on': [
    {
      given: { enabled: false, pageRules: [{ url: '*/on/*', waf: 'on' }] },
      ...{ through: '/a', stopped: '/on/a' }
    },
    {
      given: {
        enabled: false,
        pageRules: [...turned('off', '*/on/not/*'), ...turned('on', '*/never/*', '*/on/*')]
      },
      ...{ through: '/a', stopped: '/on/a' }
    },
    {
      given: {
        enabled: true,
        pageRules: [...turned('on', '*/on/off/*'), ...turned('off', '*/off/*')]
      },
      stopped: '/on/off/a'
    }
  ]
}

/** What becomes of an attack at each of two places before and after the zone is migrated. */
async function migrated(context: Context, plan: string, { given, through, stopped }: Setting) {
  const on = await site(context, { plan, ...given })
  const attacked = async () => ({
    ...(through && { [through]: await on.attack(through) }),
    ...(stopped && { [stopped]: await on.attack(stopped) })
  })
  const before = await attacked()
  const proposal = await on.proposal()
  if (proposal === undefined) return undefined
  const update = await on.migrate('pending', proposal)
  return { before, update, after: await attacked() }
}

const isAsSet = (replies: Record<string, Reply>, { through, stopped }: Setting) =>
  (!through || !isStopped(replies[through]!)) && (!stopped || isStopped(replies[stopped]!))

export default edgeCheck({
  title: 'Whatever the previous WAF was told to leave alone, the new one leaves alone',
  clauses: Object.keys(settings),
  needs: siteNeeds,
  async run(context) {
    for (const { clause, plan } of matrix({ clause: Object.keys(settings), plan: plans })) {
      const some = settings[clause]!
      const setting = some[plans.indexOf(plan)] ?? some.at(-1)!
      const found = await migrated(context, plan, setting)
      if (!found || !isServed(found.update) || !isAsSet(found.before, setting)) continue
      const { before, update, after } = found
      const saw = `${plan}, before ${fates(before)}; after ${fates(after)}`
      const holds = isAsSet(after, setting)
      context.verify(clause, { holds, saw }, update, ...Object.values(after))
    }
  }
})
