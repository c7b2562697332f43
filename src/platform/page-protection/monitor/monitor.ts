import type { Store } from '../../kernel/store.ts'
import type { Time } from '../../kernel/time.ts'
import { type Zone, zoneByHost } from '../../kernel/zone.ts'
import type { Logs } from '../../logpush/record.ts'
import { rewriteDetection, scriptsAt } from '../detection-table.ts'
import type { PageProtectionLimits } from '../limits.ts'
import { readPolicy } from '../policy/policy.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type Content, contentOf, type Hashed, type SeenScript, withContent } from './content.ts'
import type { Violation } from './report.ts'
import { setCookie } from './set-cookie.ts'
import { type Sighting, sightings } from './sighting.ts'
import { countViolation, violationFields } from './violation.ts'

/** The kinds of detection a violation of the monitoring policy tells of, by its directive. */
const kindOf = new Map<string, 'script' | 'connection'>([
  ['script-src', 'script'],
  ['script-src-elem', 'script'],
  ['worker-src', 'script'],
  ['connect-src', 'connection']
])

/** Of so many scripts that no page has reported yet, the content is remembered. */
const mostRemembered = 1_000

type Parts = {
  store: Store
  time: Time
  limits: PageProtectionLimits
  logs: Logs
  isWatched: (settings: Settings) => boolean
  hashed: Hashed
}

/** What page protection learns of the pages of zones whose protection is on. */
export function monitor({ store, time, limits, logs, isWatched, hashed }: Parts) {
  const seen = sightings(store, limits)
  const remembered = new Map<string, Content>()
  const isOn = ({ id }: Zone) => isWatched(readSettings(store, id))

  /** A policy's own report counts for that policy; any other is about what a page loads. */
  function report(zone: Zone, violation: Violation, policy: string | null) {
    const { host, page, blocked, directive } = violation
    if (!isOn(zone) || zoneByHost(store, host)?.id !== zone.id) return
    if (policy !== null) {
      if (readPolicy(store, zone.id, policy) === undefined) return
      countViolation(store, { zone: zone.id, policy, violation }, limits.violations)
      const fields = violationFields(violation, policy, time.now())
      logs.record('page_shield_events', zone.id, fields)
      return
    }
    if (!/^https?:/.test(blocked)) return
    const sighting: Sighting = { zone: zone.id, host, page, now: time.now() }
    const kind = kindOf.get(directive)
    if (kind === 'script') seen.script(blocked, sighting, remembered.get(blocked))
    if (kind === 'connection') {
      const { use_connection_url_path: isWhole } = readSettings(store, zone.id)
      seen.connection(isWhole ? blocked : `${new URL(blocked).origin}/`, sighting)
    }
  }

  /** A cookie was set by an answer; `page` is the answer's host and path. */
  function cookie(zone: Zone, header: string, { host, path }: { host: string; path: string }) {
    const now = time.now()
    const cookie = setCookie(header, { host, path, now })
    if (cookie) seen.cookie(cookie, { zone: zone.id, host, page: `${host}${path}`, now })
  }

  /** A script went through the edge: whoever has reported it, or will, has its content now. */
  function script(url: string, bytes: Buffer) {
    const content = contentOf(bytes, hashed)
    remembered.delete(url)
    remembered.set(url, content)
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
    for (const { record, ...place } of scriptsAt<SeenScript>(store, url))
      rewriteDetection(store, place, withContent(record, content, time.now()))
  }

  return { isOn, report, cookie, script }
}

/** The shape of what `monitor` returns. */
export type Monitor = ReturnType<typeof monitor>
