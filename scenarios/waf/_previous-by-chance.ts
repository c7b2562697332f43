import type { Arbitraries } from 'plimsoll'
import type { PreviousWaf } from './_capabilities.ts'
import { plans } from './_owasp.ts'

/** What the previous WAF of a zone is like: what it leaves alone, and how its rules are set. */
export type Previous = {
  plan: string
  given: (host: string) => PreviousWaf
  /** Modes of groups and rules of the package whose rules act by themselves, by their place. */
  groups: { at: number; mode: string }[]
  rules: { at: number; mode: string }[]
  isOwaspOff: boolean
  told: string
}

/** A previous WAF made by chance; `{host}` in a pattern stands for the zone's. */
export function anyPrevious(any: Arbitraries) {
  const url = any.constantFrom(
    ...['*/a/*', '{host}/b*', 'http://{host}/c', 'https://{host}/*', '*', '*.php', '{host}/A/1*']
  )
  const pageRule = any.tuple(url, any.constantFrom('on', 'off', 'disableSecurity'))
  const bypass = any.constantFrom(
    'http.request.uri.path eq "/b/1"',
    'starts_with(http.request.uri.path, "/a") and http.request.method eq "GET"',
    'http.request.uri.path contains "c" or http.host eq "nobody.test"'
  )
  const member = any.record({
    at: any.nat(40),
    mode: any.constantFrom('disable', 'simulate', 'challenge', 'block')
  })
  return any
    .record({
      plan: any.constantFrom(...plans, 'free'),
      enabled: any.boolean(),
      pageRules: any.array(pageRule, { maxLength: 3 }),
      firewallRules: any.array(bypass, { maxLength: 2 }),
      groups: any.array(any.record({ at: any.nat(3), mode: any.constantFrom('on', 'off') }), {
        maxLength: 2
      }),
      rules: any.array(member, { maxLength: 4 }),
      isOwaspOff: any.boolean()
    })
    .map(
      ({ plan, enabled, pageRules, firewallRules, ...modes }): Previous => ({
        ...{ plan, ...modes },
        given: (host) => ({
          enabled,
          firewallRules: firewallRules.map((expression) => ({ expression, action: 'bypass' })),
          pageRules: pageRules.map(([pattern, does]) => {
            const at = pattern.replace('{host}', host)
            return does === 'disableSecurity'
              ? { url: at, disableSecurity: true }
              : { url: at, waf: does as 'on' | 'off' }
          })
        }),
        told: JSON.stringify({ plan, enabled, pageRules, firewallRules, ...modes })
      })
    )
}
