import type { Payload } from '../../kernel/api/envelope.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { type PageProtectionRules, pageProtectionRules } from '../rules.ts'
import { instead } from './operation.ts'

const list = 'page-protection.cookie.list'
const reads = [list, 'page-protection.cookie.get']

/** Reads that show something else of a cookie that was found on a host below the zone's. */
const shownBelow = (change: (fields: { host: string }, zoneHost: string) => object) =>
  instead(reads, ({ zone, ...call }, run): Payload => {
    const { result, ...rest } = run({ ...call, zone })
    const changed = (fields: any) =>
      fields.host.endsWith(`.${zone.host}`) ? change(fields, zone.host) : fields
    return { result: Array.isArray(result) ? result.map(changed) : changed(result), ...rest }
  })

/** What can be wrong with cookies beyond the fields that all kinds of detection have. */
export const cookieMutants: readonly Mutant<PageProtectionRules>[] = [
  {
    name: 'cookies-of-one-name-are-one',
    clause: 'page-protection.detection.detected',
    description: 'Of several cookies with one name the list shows the first.',
    change: instead([list], (call, run) => {
      const { result, info } = run(call)
      const shown = Map.groupBy(result as { name: string }[], ({ name }) => name)
      return { result: [...shown.values()].map(([first]) => first!), info }
    })
  },
  {
    name: 'cookies-of-errors-not-detected',
    clause: 'page-protection.detection.detected',
    description: 'A cookie is not detected that an answer with a status from 400 on sets.',
    change: { cookiesOf: (to) => (to.served.status < 400 ? pageProtectionRules.cookiesOf(to) : []) }
  },
  {
    name: 'cookie-found-below-shown-at-the-zone',
    clause: 'page-protection.cookie.field.host',
    description: 'A cookie that was found on a host below that of the zone has that of the zone.',
    change: shownBelow((fields, zoneHost) => ({ ...fields, host: zoneHost }))
  },
  {
    name: 'cookie-domain-that-of-the-page',
    clause: 'page-protection.cookie.field.domain-attribute',
    description: 'A cookie for all of a zone has the host below it as its domain that has set it.',
    change: shownBelow((fields) => ({ ...fields, domain_attribute: fields.host }))
  }
]
