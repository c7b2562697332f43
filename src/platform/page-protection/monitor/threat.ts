import * as v from 'valibot'
import type { Store } from '../../kernel/store.ts'

const categories = v.record(v.string(), v.array(v.string()))

/** The list of what is known to be malicious: categories by domain, and by URL. */
export const threatList = v.strictObject({
  domains: v.optional(categories, {}),
  urls: v.optional(categories, {})
})

/** The categories an address is listed under, by its domain and by itself. */
export type Threats = { domain?: string[]; url?: string[] }

/** Replaces the list; names of domains are compared in lower case. */
export function listThreats(store: Store, { domains, urls }: v.InferOutput<typeof threatList>) {
  const lists = { domain: lowered(domains), url: urls }
  store.transaction(() => {
    store.run('DELETE FROM threat')
    for (const [scope, entries] of Object.entries(lists))
      for (const [name, found] of Object.entries(entries))
        store.run('INSERT INTO threat VALUES (?, ?, ?)', scope, name, JSON.stringify(found))
  })
}

function lowered(entries: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(entries).map(([name, one]) => [name.toLowerCase(), one]))
}

/** What the list says of an address; a domain is listed with everything below it. */
export function threatsOf(store: Store, url: string): Threats {
  const of = (scope: string, name: string): string[] | undefined => {
    const sql = 'SELECT categories FROM threat WHERE scope = ? AND name = ?'
    const row = store.first<{ categories: string }>(sql, scope, name)
    return row && JSON.parse(row.categories)
  }
  const labels = new URL(url).hostname.split('.')
  const domains = labels.map((_, index) => labels.slice(index).join('.'))
  return { domain: domains.map((name) => of('domain', name)).find(Boolean), url: of('url', url) }
}
