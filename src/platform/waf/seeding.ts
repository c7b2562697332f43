import * as v from 'valibot'
import { idOf } from '../kernel/id.ts'
import type { Store } from '../kernel/store.ts'
import { type Configuration, configurationFields, unconfigured } from './previous/configuration.ts'
import { owaspPackage, servicePackage } from './previous/package.ts'
import { changeWaf, readWaf } from './zone-waf.ts'

const { enabled, owasp, firewallRules, pageRules, uriOverrides } = configurationFields.entries
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0)

/** What a seed says of a zone's previous WAF; what is left out stays as it is. */
export const seedFields = v.strictObject({
  enabled: v.optional(enabled),
  /** Counts say how many groups and rules of the package are off; which ones does not matter. */
  owasp: v.optional(
    v.strictObject({
      sensitivity: v.optional(owasp.entries.sensitivity, 'default'),
      action: v.optional(owasp.entries.action, 'block'),
      groupsOff: count,
      rulesOff: count
    })
  ),
  firewallRules: v.optional(firewallRules),
  pageRules: v.optional(pageRules),
  /** URL patterns; each becomes an override that turns the service's rules off there. */
  uriOverrides: v.optional(v.array(uriOverrides.item.entries.urls.pipe[0].item))
})

type Seed = v.InferOutput<typeof seedFields>

/** Puts a configuration into a zone's previous WAF, whatever state the zone is in. */
export function seedPrevious(store: Store, zoneId: string, seed: Seed) {
  const { owasp, uriOverrides, ...rest } = seed
  const before = readWaf(store, zoneId).configuration
  const configuration: Configuration = {
    ...before,
    ...rest,
    ...(owasp && { owasp: owaspOf(owasp) }),
    ...(uriOverrides && { uriOverrides: uriOverrides.map(overrideAt) })
  }
  changeWaf(store, zoneId, { configuration })
}

/** A configuration that keeps a zone from being migrated: one URI-based override. */
export const ineligible: Configuration = {
  ...unconfigured,
  enabled: true,
  uriOverrides: [overrideAt('*/legacy/*')]
}

function owaspOf({ groupsOff, rulesOff, ...rest }: NonNullable<Seed['owasp']>) {
  const groups = off(owaspPackage.groups.slice(0, groupsOff), 'off')
  return { ...rest, groups, rules: off(owaspPackage.rules.slice(0, rulesOff), 'off') }
}

function off<Mode extends string>(all: readonly { id: string }[], mode: Mode) {
  return Object.fromEntries(all.map(({ id }) => [id, mode] as const))
}

function overrideAt(url: string): Configuration['uriOverrides'][number] {
  const groups = off(servicePackage.groups, 'disable')
  return {
    id: idOf(`override at ${url}`),
    urls: [url],
    groups,
    rules: {},
    description: '',
    paused: false
  }
}
