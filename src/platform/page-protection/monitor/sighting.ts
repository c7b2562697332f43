import { idOf } from '../../kernel/id.ts'
import type { Store } from '../../kernel/store.ts'
import { timestamp } from '../../kernel/time.ts'
import type { Connection, Cookie, Detection, Kind } from '../detection.ts'
import { withoutEmpty } from '../detection-defaults.ts'
import { putDetection, reportsOf, roomFor } from '../detection-table.ts'
import type { PageProtectionLimits } from '../limits.ts'
import { type Content, type SeenScript, withContent } from './content.ts'
import type { SetCookie } from './set-cookie.ts'
import { type Threats, threatsOf } from './threat.ts'

/** Where and when something was met. */
export type Sighting = {
  zone: string
  /** The page's host name. */
  host: string
  /** The page's address; that of a cookie has no scheme. */
  page: string
  now: number
}

/** Of the pages something is on, this many are named. */
const mostPages = 100

/** Keeps what is met on the pages of zones: the first time as a new detection, then as known. */
export function sightings(store: Store, limits: PageProtectionLimits) {
  function sight<Record extends Detection | SeenScript>(
    { kind, name, sighting }: { kind: Kind['name']; name: string; sighting: Sighting },
    seen: (before: Record | undefined, id: string) => Record
  ) {
    const { zone, host } = sighting
    const place = { zone, kind, id: idOf([zone, kind, host, name].join(' ')) }
    const before = reportsOf<Record>(store, place)
    if (before === undefined && !roomFor(store, place, limits.reportedDetections)) return
    const reports = (before?.reports ?? 0) + 1
    const status = reports < limits.reportsUntilActive ? 'infrequent' : 'active'
    putDetection(store, place, { ...seen(before?.record, place.id), status }, reports)
  }
  return {
    script(url: string, sighting: Sighting, content: Content | undefined) {
      const threats = threatsOf(store, url)
      sight<SeenScript>({ kind: 'script', name: url, sighting }, (before, id) => {
        const resource = withoutEmpty(resourceSeen({ id, url, threats }, sighting))
        const script = {
          ...contentFields(before),
          ...resource,
          ...firstOf(before),
          page_urls: pagesWith(before?.page_urls, sighting.page),
          versions: before?.versions ?? []
        }
        return content ? withContent(script, content, sighting.now) : script
      })
    },
    connection(url: string, sighting: Sighting) {
      const threats = threatsOf(store, url)
      sight<Connection>({ kind: 'connection', name: url, sighting }, (before, id) => ({
        ...resourceSeen({ id, url, threats }, sighting),
        ...firstOf(before)
      }))
    },
    cookie(cookie: SetCookie, sighting: Sighting) {
      const name = [cookie.name, cookie.domain, cookie.path].join(' ')
      sight<Cookie>({ kind: 'cookie', name, sighting }, (before, id) =>
        cookieSeen(before, { id, cookie, sighting })
      )
    }
  }
}

/** What stays as it was when something was met for the first time. */
function firstOf(before: Connection | SeenScript | undefined) {
  if (before === undefined) return {}
  const { added_at, first_seen_at, first_page_url } = before
  return { added_at, first_seen_at, first_page_url }
}

function resourceSeen(
  { id, url, threats }: { id: string; url: string; threats: Threats },
  { host, page, now }: Sighting
): Connection {
  return {
    id,
    url,
    added_at: timestamp(now),
    first_seen_at: timestamp(now),
    last_seen_at: timestamp(now),
    host,
    domain_reported_malicious: threats.domain !== undefined,
    url_reported_malicious: threats.url !== undefined,
    ...(threats.domain && { malicious_domain_categories: threats.domain }),
    malicious_url_categories: threats.url ?? [],
    first_page_url: page,
    status: '',
    url_contains_cdn_cgi_path: url.includes('/cdn-cgi/')
  }
}

/** What is known of a script's content; nothing while that was not seen. */
function contentFields(before: SeenScript | undefined) {
  if (before?.hash === undefined) return {}
  const { hash, js_integrity_score, obfuscation_score, dataflow_score, fetched_at } = before
  return { hash, js_integrity_score, obfuscation_score, dataflow_score, fetched_at }
}

function cookieSeen(
  before: Cookie | undefined,
  { id, cookie, sighting }: { id: string; cookie: SetCookie; sighting: Sighting }
): Cookie {
  const { host, page, now } = sighting
  const { expiresMs } = cookie
  return {
    id,
    type: 'first_party',
    name: cookie.name,
    host,
    domain_attribute: cookie.domain,
    ...(expiresMs !== undefined && { expires_attribute: timestamp(expiresMs) }),
    http_only_attribute: cookie.isHttpOnly,
    max_age_attribute: cookie.maxAgeSeconds,
    path_attribute: cookie.path,
    same_site_attribute: cookie.sameSite,
    secure_attribute: cookie.isSecure,
    first_seen_at: before?.first_seen_at ?? timestamp(now),
    last_seen_at: timestamp(now),
    first_page_url: before?.first_page_url ?? page,
    page_urls: pagesWith(before?.page_urls, page),
    status: ''
  } as Cookie
}

/** The pages with one more, without the oldest where there are too many. */
function pagesWith(pages: readonly string[] = [], page: string): string[] {
  return pages.includes(page) ? [...pages] : [...pages, page].slice(-mostPages)
}
