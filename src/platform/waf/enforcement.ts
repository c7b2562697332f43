import type { EdgeRequest } from '../edge/request.ts'
import { valuesOf } from '../edge/served.ts'
import type { Stage } from '../edge/stage.ts'
import { addSecurityEvent } from '../kernel/security-event.ts'
import type { Store } from '../kernel/store.ts'
import { type Time, timestamp } from '../kernel/time.ts'
import { inspectedBytes, isInspected } from './body-values.ts'
import { type Finding, type Inspect, type Suspect, stops } from './finding.ts'
import { inspected } from './inspected.ts'
import { type Migration, type MigrationRules, stateOf, type Waf } from './migration.ts'
import { newWaf } from './new-waf.ts'
import type { Configuration } from './previous/configuration.ts'
import { type Exemption, isLookedAt, previousWaf, screen } from './previous/previous-waf.ts'
import { detector } from './signature.ts'
import { readWaf, revisionOf } from './zone-waf.ts'

/** What each request is held against, and what a WAF leaves alone. */
export const enforcementRules = {
  /** Whether a zone's WAFs as they were at one revision are in force when this is the newest. */
  isInForce: (revision: string, newest: string): boolean => revision === newest,
  /** Whether a WAF leaves a request alone for what firewall rules and page rules say of it. */
  isExempt: {
    previous: (configuration: Configuration, exemption: Exemption): boolean =>
      !isLookedAt(configuration, exemption),
    // Page rules and Bypass are of the previous WAF; the new one has rules of its own that skip.
    new: (_configuration: Configuration, _exemption: Exemption): boolean => false
  }
}

/** A zone's WAFs, ready to look at requests, as of one revision. */
type Prepared = {
  revision: string
  configuration: Configuration
  migration: Migration
  screened: ReturnType<typeof screen>
  wafs: Record<Waf, Inspect>
}

type Parts = {
  rules: { migration: MigrationRules; enforcement: typeof enforcementRules }
  store: Store
  time: Time
}

/** How many zones are kept ready; beyond that they are prepared anew. */
const mostKept = 1_000

/** Holds requests against the WAFs of their zones, and writes down what was found. */
export function enforcement({ rules, store, time }: Parts): Stage {
  const kept = new Map<string, Prepared>()
  const preparedFor = (zoneId: string): Prepared | undefined => {
    const revision = revisionOf(store, zoneId)
    if (revision === undefined) return undefined
    const known = kept.get(zoneId)
    if (known && rules.enforcement.isInForce(known.revision, revision)) return known
    if (kept.size >= mostKept) kept.clear()
    const fresh = prepared(store, { zoneId, revision })
    kept.set(zoneId, fresh)
    return fresh
  }

  /** Everything found out about a request; at most the last finding stops it. */
  function* findings({ configuration, migration, screened, wafs }: Prepared, suspect: Suspect) {
    const screening = screened(suspect.facts)
    yield* screening.findings
    for (const waf of rules.migration.inForce(stateOf(rules.migration, migration, time.now())))
      if (!rules.enforcement.isExempt[waf](configuration, screening.exemption))
        yield* wafs[waf](suspect)
  }

  return {
    reads({ request, zone }) {
      const [type = ''] = valuesOf(request.headers, 'content-type')
      const isRead = isInspected(type) && revisionOf(store, zone.id) !== undefined
      return isRead ? inspectedBytes : 0
    },
    // Every finding becomes a security event.
    inspect({ request, zone: { id }, facts }, body) {
      const zone = preparedFor(id)
      if (zone === undefined) return undefined
      const known = inspected(facts(), body)
      for (const finding of findings(zone, { facts: known, detects: detector(known) })) {
        addSecurityEvent(store, id, eventOf(finding, request, time.now()))
        if (stops(finding)) return finding.action
      }
      return undefined
    }
  }
}

function prepared(
  store: Store,
  { zoneId, revision }: { zoneId: string; revision: string }
): Prepared {
  const { configuration, entrypoint, migration } = readWaf(store, zoneId)
  return {
    revision,
    configuration,
    migration,
    screened: screen(configuration),
    wafs: { previous: previousWaf(configuration), new: newWaf(entrypoint ?? { rules: [] }) }
  }
}

function eventOf(finding: Finding, { method, host, path, from, ray }: EdgeRequest, now: number) {
  return { at: timestamp(now), ...finding, method, host, path, address: from.address, ray }
}
