import { type Context, check, matrix, type Reply } from 'plimsoll'
import { isServed } from '../_reply.ts'
import type { PreviousWaf } from './_capabilities.ts'
import { plans } from './_owasp.ts'
import { fates, isStopped, site, siteNeeds } from './_stage.ts'

/** Where an attack is let through, and where it is stopped, under a setting of the previous WAF. */
type Setting = { given: PreviousWaf; through: string; stopped: string }

const path = 'http.request.uri.path'
const bypass = (at: string) => ({ expression: `${path} eq "${at}"`, action: 'bypass' as const })
const turned = (waf: 'on' | 'off', ...urls: string[]) => urls.map((url) => ({ url, waf }))

/** By clause: one setting, and others of the same list that are about other places. */
const settings: Record<string, { one: Setting; many: Setting }> = {
  'waf-migration.mapping.firewall-bypass': {
    one: {
      given: { enabled: true, firewallRules: [bypass('/health')] },
      ...{ through: '/health', stopped: '/other' }
    },
    many: {
      given: {
        enabled: true,
        firewallRules: [
          { expression: `${path} eq "/other"`, action: 'log' },
          ...['/up', '/down', '/health'].map(bypass)
        ]
      },
      ...{ through: '/health', stopped: '/other' }
    }
  },
  'waf-migration.mapping.page-rule-disable-security': {
    one: {
      given: { enabled: true, pageRules: [{ url: '*/open/*', disableSecurity: true }] },
      ...{ through: '/open/a', stopped: '/a' }
    },
    many: {
      given: {
        enabled: true,
        pageRules: ['*/wide/*', '*/open/*'].map((url) => ({ url, disableSecurity: true as const }))
      },
      ...{ through: '/open/a', stopped: '/a' }
    }
  },
  'waf-migration.mapping.page-rule-waf-off': {
    one: {
      given: { enabled: true, pageRules: [{ url: '*/off/*', waf: 'off' }] },
      ...{ through: '/off/a', stopped: '/a' }
    },
    // The first that matches counts.
    many: {
      given: {
        enabled: true,
        pageRules: [...turned('on', '*/never/*', '*/on/off/*'), ...turned('off', '*/off/*')]
      },
      ...{ through: '/off/a', stopped: '/on/off/a' }
    }
  },
  'waf-migration.mapping.page-rule-waf-on': {
    one: {
      given: { enabled: false, pageRules: [{ url: '*/on/*', waf: 'on' }] },
      ...{ through: '/a', stopped: '/on/a' }
    },
    many: {
      given: {
        enabled: false,
        pageRules: [...turned('off', '*/on/not/*'), ...turned('on', '*/never/*', '*/on/*')]
      },
      ...{ through: '/on/not/a', stopped: '/on/a' }
    }
  }
}

/** What becomes of an attack at each of two places before and after the zone is migrated. */
async function migrated(context: Context, plan: string, { given, through, stopped }: Setting) {
  const on = await site(context, { plan, ...given })
  const attacked = async () => ({
    [through]: await on.attack(through),
    [stopped]: await on.attack(stopped)
  })
  const before = await attacked()
  const proposal = await on.proposal()
  if (proposal === undefined) return undefined
  const update = await on.migrate('pending', proposal)
  return { before, update, after: await attacked() }
}

const isAsSet = (replies: Record<string, Reply>, { through, stopped }: Setting) =>
  !isStopped(replies[through]!) && isStopped(replies[stopped]!)

export default check({
  title: 'Whatever the previous WAF was told to leave alone, the new one leaves alone',
  clauses: Object.keys(settings),
  needs: siteNeeds,
  async run(context) {
    for (const { clause, plan } of matrix({ clause: Object.keys(settings), plan: plans })) {
      const setting = settings[clause]![plan === plans[0] ? 'one' : 'many']
      const found = await migrated(context, plan, setting)
      if (!found || !isServed(found.update) || !isAsSet(found.before, setting)) continue
      const { before, update, after } = found
      const saw = `${plan}, before ${fates(before)}; after ${fates(after)}`
      const holds = isAsSet(after, setting)
      context.verify(clause, { holds, saw }, update, ...Object.values(after))
    }
  }
})
