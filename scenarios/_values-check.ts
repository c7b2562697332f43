import { check, type Look, summary } from 'plimsoll'
import type { Kind } from './_detections.ts'
import { freshId } from './_id.ts'
import { type Item, isItem, isServed, item, items, quoted } from './_reply.ts'

type Options = {
  title: string
  kind: Kind
  /** What the ids of the fields' clauses begin with. */
  clause: string
  /** The n-th detection, of any, with every field that a read shows; no two agree in one. */
  record: (n: number, id: string) => Item
}

/** So many are placed: an odd number, so that what takes turns does not do so in step. */
const count = 5

const moment = /^\d{4}-\d\d-\d\dT/

/** Whether a value is the one that was placed; a moment to the second, texts in any order. */
function isSame(shown: unknown, placed: unknown): boolean {
  if (Array.isArray(placed)) {
    if (!Array.isArray(shown) || shown.length !== placed.length) return false
    return placed.every((one) => shown.some((other) => isSame(other, one)))
  }
  if (isItem(placed))
    return isItem(shown) && Object.entries(placed).every(([name, one]) => isSame(shown[name], one))
  if (typeof placed === 'string' && moment.test(placed))
    return Math.abs(Date.parse(`${shown}`) - Date.parse(placed)) < 1_000
  return shown === placed
}

/** Whether a value says as little as a field that is left out: null, false, 0 or an empty list. */
function isNothing(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}

/** A check that each field of a detection is shown as it was placed, by itself and in the list. */
export function valuesCheck({ title, kind, clause, record }: Options) {
  const clauseOf = (field: string) => `${clause}.${field.replaceAll('_', '-')}`
  // Which ids there are is for the target to say, and no read of a cookie shows its status.
  const hidden = kind === 'cookies' ? ['id', 'status'] : ['id']
  const known = kind === 'cookies' ? 'name' : 'url'
  const fields = Object.keys(record(0, '')).filter((field) => !hidden.includes(field))
  return check({
    title,
    clauses: fields.map(clauseOf),
    needs: ['management', 'zone', 'detections'],
    async run({ management, adapter, random, verify }) {
      const zone = await adapter.zone('enterprise')
      const path = `/zones/${zone.id}/page_shield/${kind}`
      const placed = Array.from({ length: count }, (_, n) => record(n, freshId(random)))
      await adapter.detections(zone.id, { [kind]: placed })
      const list = await management.get(path)
      const inList = placed.map((one) => items(list).find((other) => other[known] === one[known]))
      const reads = await Promise.all(
        placed.map(({ id }, n) => management.get(`${path}/${inList[n]?.id ?? id}`))
      )
      for (const field of fields) {
        const looks = [reads.map(item), inList].flatMap((records, at): Look[] => {
          // A read may leave a field out, but not of one record when it shows that of others.
          const isThere = records.some((shown) => shown && field in shown)
          return placed.flatMap((one, n): Look[] => {
            const [reply, shown] = [at === 0 ? reads[n]! : list, records[n]]
            if (!isThere || !isServed(reply) || !shown) return []
            if (!(field in shown) && isNothing(one[field])) return []
            const saw = `${at === 0 ? 'read' : 'listed'} as ${quoted(shown[field])}`
            const holds = isSame(shown[field], one[field])
            return [{ asked: `placed as ${quoted(one[field])}`, holds, saw, reply }]
          })
        })
        const found = summary(looks)
        if (found) verify(clauseOf(field), ...found)
      }
    }
  })
}

/** The n-th of some moments, another one for each field. */
export function momentOf(n: number, field: number): string {
  return new Date(Date.UTC(2021 + n, field, 3 + n, 4 + field, 5 * n, 6, 100 * n + 7)).toISOString()
}

/** 64 hexadecimal digits that are no others for other numbers. */
export function hashOf(n: number): string {
  return `${n + 1}a7`.repeat(32).slice(0, 64)
}

/** What scripts and connections have alike; reported by the domain, by the URL, by both or not. */
export function resource(n: number, id: string): Item {
  const [byDomain, byUrl] = [n % 4 === 1 || n % 4 === 3, n % 4 >= 2]
  return {
    id,
    url: `https://cdn-${n}.values.test${n % 2 ? '/cdn-cgi' : ''}/a-${id}.js`,
    added_at: momentOf(n, 0),
    first_seen_at: momentOf(n, 1),
    last_seen_at: momentOf(n, 2),
    host: `shop-${n}.values.test`,
    domain_reported_malicious: byDomain,
    malicious_domain_categories: byDomain ? ['malware', `spam-${n}`] : [],
    url_reported_malicious: byUrl,
    malicious_url_categories: byUrl ? [`phishing-${n}`, 'cryptomining'] : [],
    first_page_url: `https://shop-${n}.values.test/pay/${n}`,
    status: n % 3 === 2 ? 'infrequent' : 'active',
    url_contains_cdn_cgi_path: n % 2 === 1
  }
}
