import type { PreviousWaf } from './_capabilities.ts'

/**
 * Where attacks are let through, and where one is stopped, under a setting of the previous WAF. A
 * place is left out where another clause speaks of it.
 */
export type Setting = { given: PreviousWaf; through?: string[]; stopped?: string }

const path = 'http.request.uri.path'
const bypass = (at: string) => ({ expression: `${path} eq "${at}"`, action: 'bypass' as const })
const turned = (waf: 'on' | 'off', ...urls: string[]) => urls.map((url) => ({ url, waf }))

/** Expressions of as many firewall rules as may be, one of them almost as long as may be. */
const long = Array.from({ length: 300 }, (_, nth) => `"/long/${nth}"`)
const full = Array.from({ length: 200 }, (_, nth) =>
  nth === 50 ? `${path} in {${long.join(' ')}}` : `${path} eq "/up/${nth}"`
)
/** Places that some of these are about: the first, the last and others. */
const places = [
  ...[0, 31, 64, 99, 100, 128, 150, 199].map((nth) => `/up/${nth}`),
  ...['/long/0', '/long/299']
]

/** Patterns of page rules that come before the one that is asked about. */
const nowhere = Array.from({ length: 12 }, (_, nth) => `*/nowhere/${nth}/*`)

/** By clause: one setting, and others of the same list that are about other places, by plan. */
export const settings: Record<string, Setting[]> = {
  'waf-migration.mapping.firewall-bypass': [
    {
      given: { enabled: true, firewallRules: [bypass('/health')] },
      ...{ through: ['/health'], stopped: '/other' }
    },
    {
      given: {
        enabled: true,
        firewallRules: [
          { expression: `${path} eq "/other"`, action: 'log' },
          ...['/up', '/down', '/health'].map(bypass)
        ]
      },
      ...{ through: ['/health'], stopped: '/other' }
    },
    // However many they are: each of them.
    {
      given: {
        enabled: true,
        firewallRules: full.map((expression) => ({ expression, action: 'bypass' }))
      },
      ...{ through: places, stopped: '/other' }
    }
  ],
  'waf-migration.mapping.page-rule-disable-security': [
    {
      given: { enabled: true, pageRules: [{ url: '*/open/*', disableSecurity: true }] },
      ...{ through: ['/open/a'], stopped: '/a' }
    },
    {
      given: {
        enabled: true,
        pageRules: [...nowhere, '*/open/*'].map((url) => ({ url, disableSecurity: true as const }))
      },
      ...{ through: ['/open/a'], stopped: '/a' }
    }
  ],
  'waf-migration.mapping.page-rule-waf-off': [
    {
      given: { enabled: true, pageRules: [{ url: '*/off/*', waf: 'off' }] },
      ...{ through: ['/off/a'], stopped: '/a' }
    },
    {
      given: {
        enabled: true,
        pageRules: [
          ...turned('on', '*/never/*', '*/on/off/*'),
          ...turned('off', ...nowhere, '*/off/*')
        ]
      },
      ...{ through: ['/off/a'], stopped: '/a' }
    },
    // The first that matches counts.
    {
      given: {
        enabled: false,
        pageRules: [...turned('off', '*/on/not/*'), ...turned('on', '*/on/*')]
      },
      through: ['/on/not/a']
    }
  ],
  'waf-migration.mapping.page-rule-waf-on': [
    {
      given: { enabled: false, pageRules: [{ url: '*/on/*', waf: 'on' }] },
      ...{ through: ['/a'], stopped: '/on/a' }
    },
    {
      given: {
        enabled: false,
        pageRules: [...turned('off', '*/on/not/*'), ...turned('on', ...nowhere, '*/on/*')]
      },
      ...{ through: ['/a'], stopped: '/on/a' }
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
