import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, isOk, type Reply } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { type Item, isList, items } from '../_reply.ts'
import { smallPage } from '../_seed.ts'
import type { Zone } from '../_zone.ts'

/** What a browser says it met on a page, of the zone's where it has no host, by the directive. */
export type Met = {
  page: string
  blocked: string
  directive: string
  /** Whether what was met was loaded all the same, as it was where nothing is said. */
  disposition?: 'report' | 'enforce'
}

/** The address that a page has browsers report to by a header, if a policy there names one. */
export function reporterOf(
  { headers }: Reply,
  header = 'content-security-policy-report-only',
  source = ''
): string | undefined {
  const policies = (headers[header] ?? '').split(',').filter((one) => one.includes(source))
  const named = policies.map((policy) => /(?:^|;)\s*report-uri\s+([^\s;]+)/i.exec(policy)?.[1])
  return named.find((address) => address !== undefined)
}

/** How often is looked again, and how long after the first time; each other a quarter later. */
const usualLooks = 11
const lookAgainMs = 100

/**
 * Looks until it is due, for 4 s where it never is, or as many times as is said: when something is
 * listed is not said.
 */
export async function patiently<Seen>(
  look: () => Promise<Seen>,
  isDue: (seen: Seen) => boolean,
  looks = usualLooks
): Promise<Seen> {
  let seen = await look()
  for (let again = 0; again < looks && !isDue(seen); again++) {
    await sleep(lookAgainMs * 1.25 ** again)
    seen = await look()
  }
  return seen
}

/** The same, which looks only once from when it has waited in vain: what is amiss stays amiss. */
export function patience() {
  let looks = usualLooks
  return async <Seen>(look: () => Promise<Seen>, isDue: (seen: Seen) => boolean): Promise<Seen> => {
    const seen = await patiently(look, isDue, looks)
    if (!isDue(seen)) looks = 0
    return seen
  }
}

/** A way to look, by what is due. */
export type Patience = ReturnType<typeof patience>

/** Browsers that load the pages of a zone, and what the API shows of what they met. */
export function browsers({ management, edge }: Context, zone: Zone) {
  const client = edge.as(zone.host)
  const path = `/zones/${zone.id}/page_shield`
  const origin = `http://${zone.host}`
  return {
    origin,
    turn: (enabled: boolean) => management.put(path, { json: { enabled } }),
    visit: (page = '/pay') => client.get(page),
    /** Where a page has reports sent to; undefined where it has not. */
    async reporter(): Promise<string | undefined> {
      const page = await client.get('/pay')
      return isOk(page) ? reporterOf(page) : undefined
    },
    /** Posts a report as browsers do by CSP Level 3, of a policy that only reports, unless said. */
    async report(reporter: string, { page, blocked, directive, disposition = 'report' }: Met) {
      const { pathname, search } = new URL(reporter, origin)
      const said = {
        ...{ 'document-uri': new URL(page, origin).href, referrer: '', 'blocked-uri': blocked },
        ...{ 'violated-directive': directive, 'effective-directive': directive },
        ...{ 'original-policy': `${directive} 'none'`, disposition, 'status-code': 200 }
      }
      const body = JSON.stringify({ 'csp-report': said })
      const headers = { 'content-type': 'application/csp-report' }
      return client.post(pathname + search, { body, headers })
    },
    /** What the first page of a list shows, of any status, with the replies that showed it. */
    async listed(kind: Kind): Promise<{ all: Item[]; replies: Reply[] }> {
      const replies: Reply[] = []
      for (const status of ['active', 'infrequent'])
        replies.push(
          await management.get(`${path}/${kind}`, { query: { status, per_page: smallPage } })
        )
      return { all: replies.filter(isList).flatMap(items), replies }
    },
    read: (kind: Kind, { id }: Item) =>
      management.get(`${path}/${kind}/${encodeURIComponent(`${id}`)}`)
  }
}
