import { hash as digest } from 'node:crypto'
import { newId } from '../kernel/id.ts'
import { timestamp } from '../kernel/time.ts'
import type { Connection, Cookie, Detection, Given, Kind, Script } from './detection.ts'

/** What is known of a detection before anything is said of it: where it was seen, and when. */
export type Sighting = { host: string; now: number }

/** By kind: a whole record; what is not given is that of a harmless detection. */
export const withDefaults: Record<Kind['name'], (given: Given, sighting: Sighting) => Detection> = {
  script,
  connection,
  cookie
}

function script(given: Given, sighting: Sighting): Script {
  const resource = connection({ url: given.url ?? address('js', given.id), ...given }, sighting)
  const fetched_at = given.fetched_at ?? resource.last_seen_at
  const hash = given.hash ?? digest('sha256', resource.url)
  const js_integrity_score = given.js_integrity_score ?? 92
  return {
    ...withoutEmpty(resource),
    hash,
    js_integrity_score,
    obfuscation_score: 95,
    dataflow_score: 94,
    fetched_at,
    page_urls: [resource.first_page_url],
    versions: [{ hash, js_integrity_score, fetched_at }],
    ...given
  }
}

/** A script shows the categories of URLs only when there are some; a connection always does. */
export function withoutEmpty(resource: Connection): Connection {
  const { malicious_url_categories: categories, ...rest } = resource
  return categories?.length ? resource : rest
}

function connection(given: Given, { host, now }: Sighting): Connection {
  const id = given.id ?? newId()
  const url = given.url ?? address('beacon', id)
  const onHost = given.host ?? host
  return {
    id,
    url,
    added_at: timestamp(now),
    first_seen_at: timestamp(now),
    last_seen_at: timestamp(now),
    host: onHost,
    domain_reported_malicious: false,
    url_reported_malicious: false,
    ...(given.domain_reported_malicious && { malicious_domain_categories: ['malware'] }),
    malicious_url_categories: given.url_reported_malicious ? ['phishing'] : [],
    first_page_url: `http://${onHost}/`,
    status: 'active',
    url_contains_cdn_cgi_path: url.includes('/cdn-cgi/'),
    ...given
  }
}

function address(name: string, id = newId()): string {
  return `https://third-party.test/${name}/${id}`
}

function cookie(given: Given, { host, now }: Sighting): Cookie {
  const id = given.id ?? newId()
  const onHost = given.host ?? host
  const first_page_url = given.first_page_url ?? `${onHost}/`
  return {
    id,
    type: 'first_party',
    name: `session_${id.slice(0, 8)}`,
    first_seen_at: timestamp(now),
    last_seen_at: timestamp(now),
    host: onHost,
    domain_attribute: onHost,
    expires_attribute: timestamp(now + 86_400_000),
    http_only_attribute: true,
    max_age_attribute: null,
    path_attribute: '/',
    same_site_attribute: 'strict',
    secure_attribute: true,
    first_page_url,
    page_urls: [first_page_url],
    status: 'active',
    ...given
  }
}
