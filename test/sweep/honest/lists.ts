// Page protection of other makes: pages, the order of lists, and when something is detected.
import { hash } from 'node:crypto'
import type { Payload, ResultInfo } from '../../../src/platform/kernel/api/envelope.ts'
import { invalid, unknownObject } from '../../../src/platform/kernel/api/failure.ts'
import type { Call, Operation } from '../../../src/platform/kernel/api/operation.ts'
import { detectionOperations } from '../../../src/platform/page-protection/detection-operations.ts'
import { policyOperations } from '../../../src/platform/page-protection/policy/policy-operations.ts'
import { api, otherRulesIn, type Variant } from './variant.ts'

export type Run = (call: Call) => Payload
export type Item = Record<string, any>

const names = Object.keys(detectionOperations).filter((name) => name.endsWith('.list'))

/** Lists that answer otherwise; `honest` is how they usually do. */
function lists(otherwise: (call: Call, honest: Run) => Payload) {
  const changed = names.map((name): [string, Partial<Operation>] => {
    const { run } = detectionOperations[name]!
    return [name, { run: (call: Call) => otherwise(call, run) }]
  })
  return { pageProtection: { operations: Object.fromEntries(changed) } }
}

/** All items that a list has for a query, in its order. */
export function whole(call: Call, honest: Run): Item[] {
  const all: Item[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = { ...call.query, page: `${page}`, per_page: '100' }
    const { result, info } = honest({ ...call, query })
    all.push(...(result as Item[]))
    pages = info!.total_pages
  }
  return all
}

/** A page of these items, where the honest list shows one. */
export function paged(call: Call, honest: Run, items: Item[]): Payload {
  const { info } = honest(call) as { info: ResultInfo }
  const { page, per_page } = info
  const result = items.slice((page - 1) * per_page, page * per_page)
  const total = items.length
  const counts = { total_count: total, total_pages: Math.ceil(total / per_page) }
  return { result, info: { ...info, ...counts, count: result.length } }
}

const ordered = (order: (items: Item[]) => Item[]) =>
  lists((call, honest) => paged(call, honest, order(whole(call, honest))))

const byHash = (items: Item[]) => items.toSorted((one, other) => digest(one) - digest(other))
const digest = ({ id }: Item) => Number.parseInt(hash('sha256', id).slice(0, 8), 16)

/** Operations of detections that show other items, in lists and by themselves. */
export function items(change: (item: Item, call: Call, isList: boolean) => Item) {
  const changed = Object.entries(detectionOperations).map(
    ([name, { run }]): [string, Partial<Operation>] => {
      const isList = name.endsWith('.list')
      return [
        name,
        {
          run(call: Call) {
            const { result, ...payload } = run(call)
            const shown = isList
              ? (result as Item[]).map((item) => change(item, call, true))
              : change(result as Item, call, false)
            return { ...payload, result: shown }
          }
        }
      ]
    }
  )
  return { pageProtection: { operations: Object.fromEntries(changed) } }
}

/** Operations of things whose ids are longer than those the store has. */
function longerIds(operations: Record<string, Operation<any>>) {
  const own = 'c0ffee'
  const longer = (item: Item) => ('id' in item ? { ...item, id: own + item.id } : item)
  const changed = Object.entries(operations).map(
    ([name, { run }]): [string, Partial<Operation>] => [
      name,
      {
        run(call: Call) {
          const isLong = call.id.toLowerCase().startsWith(own)
          const id = isLong ? call.id.slice(own.length) : call.id
          const { result, ...payload } = run({ ...call, id })
          const shown = Array.isArray(result) ? result.map(longer) : longer(result as Item)
          return { ...payload, result: shown }
        }
      }
    ]
  )
  return { pageProtection: { operations: Object.fromEntries(changed) } }
}

/** What reports have led to is not told more exactly than to the minute. */
const byTheMinute = (item: Item, { zone }: Call): Item => {
  if (item.host !== zone.host) return item
  const [first, last] = [Date.parse(item.first_seen_at), Date.parse(item.last_seen_at)]
  const told = Math.max(first, last - (last % 60_000))
  return { ...item, last_seen_at: new Date(told).toISOString() }
}

/** Content that a page's visitor has just loaded has not been looked at yet. */
const lookedAtLater = (item: Item, { zone, time }: Call): Item => {
  const isFresh = (at: string) => time.now() - Date.parse(at) < detectedAfterMs
  if (item.host !== zone.host || !item.fetched_at || !isFresh(item.fetched_at)) return item
  const versions = item.versions?.filter((one: Item) => !isFresh(one.fetched_at))
  const known = without(item, contentFields)
  return { ...known, ...(versions && { versions, ...versions.at(-1) }) }
}

const contentFields = [
  ...['js_integrity_score', 'obfuscation_score', 'dataflow_score', 'hash', 'fetched_at']
]
const optional = [
  ...contentFields,
  ...['malicious_domain_categories', 'malicious_url_categories', 'url_reported_malicious']
]

/** An item that lacks some fields. */
export const without = (item: Item, fields: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)))

/** Categories of what is not reported are there when they were not, and the other way round. */
const categoriesOtherwise = (item: Item): Item => {
  const free = ['domain', 'url'].filter((of) => item[`${of}_reported_malicious`] === false)
  const names = free.map((of) => `malicious_${of}_categories`)
  const added = names.filter((name) => !(name in item)).map((name) => [name, []])
  return { ...without(item, names), ...Object.fromEntries(added) }
}

/** Lists within an item have another order. */
const innerOrder = (item: Item): Item =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.toReversed() : value
    ])
  )

/** A detection that reports have led to is listed so long after it was first seen. */
const detectedAfterMs = 3_000

/** Pages of no more items than this, whoever asks for more. */
const atMost = (most: number) =>
  lists((call, honest) => {
    const { per_page = '10' } = call.query
    const some = /^\d+$/.test(per_page) ? `${Math.min(most, Number(per_page))}` : per_page
    return honest({ ...call, query: { ...call.query, per_page: some } })
  })

/** What has one address is one, and has the host that it was met on last. */
const oneEach = (isListed: (one: Item, host: string, all: Item[]) => boolean) =>
  lists((call, honest) => {
    const { hosts, ...query } = call.query
    const all = whole({ ...call, query }, honest)
    const last = new Map(all.map((one) => [one.url ?? one.id, one]))
    const shown = [...last.values()].filter((one) => !hosts || isListed(one, hosts, all))
    return paged(call, honest, shown)
  })

const about = otherRulesIn(api)

const hostsAllowed = 'whether what was met on several hosts is one or several is not said'
const detected = ['detections', 'lists', 'scripts']
const sizeAllowed = 'how many items a page has where nothing is asked for is not said'
const mostAllowed = 'the maximum value of per_page is not shown (Limits, other limits)'
const orderAllowed = 'no order of a list is promised'

/** Platforms whose page protection is another. */
export const listVariants: readonly Variant[] = [
  about('pages-of-two', sizeAllowed, { pageProtection: { limits: { perPage: 2 } } }),
  about('pages-of-hundred', sizeAllowed, { pageProtection: { limits: { perPage: 100 } } }),
  about('no-more-than-ten-a-page', mostAllowed, {
    pageProtection: { limits: { perPage: 10, largestPerPage: 10 } }
  }),
  about('sixty-a-page-at-most', mostAllowed, {
    pageProtection: { limits: { perPage: 40, largestPerPage: 60 } }
  }),
  about('ten-a-page-whoever-asks-for-more', mostAllowed, atMost(10)),
  about('fifty-a-page-whoever-asks-for-more', mostAllowed, atMost(50), detected),
  about(
    'scripts-by-their-last-host',
    hostsAllowed,
    oneEach((one, host) => one.host === host),
    detected
  ),
  about(
    'scripts-by-each-of-their-hosts',
    hostsAllowed,
    oneEach(({ url }, host, all) => all.some((one) => one.url === url && one.host === host)),
    detected
  ),
  about(
    'lists-the-other-way-round',
    orderAllowed,
    ordered((items) => items.toReversed())
  ),
  about('lists-in-no-visible-order', orderAllowed, ordered(byHash)),
  about(
    'lists-by-host',
    orderAllowed,
    ordered((items) => items.toSorted((one, other) => one.host.localeCompare(other.host)))
  ),
  about(
    'no-page-beyond-the-last',
    'what a page has that is not there is not said',
    lists((call, honest) => {
      const payload = honest(call)
      const { page, total_pages } = payload.info!
      if (page > Math.max(1, total_pages)) throw unknownObject(call.path)
      return payload
    })
  ),
  about(
    'a-page-of-nothing',
    'how many pages nothing takes is not said',
    lists((call, honest) => {
      const { result, info } = honest(call)
      return { result, info: { ...info!, total_pages: Math.max(1, info!.total_pages) } }
    })
  ),
  about(
    'other-parameters-are-refused',
    'parameters beyond those in the table are not shown (Page protection, 2)',
    lists((call, honest) => {
      const known = ['page', 'per_page', 'hosts', 'status']
      const other = Object.keys(call.query).find((name) => !known.includes(name))
      if (other !== undefined) throw invalid(`${other}: there is no such parameter`)
      return honest(call)
    }),
    [...api, 'not-shown/list-parameters', 'not-shown/paging']
  ),
  about(
    'detected-later',
    'when what a page has loaded is detected is not said',
    lists((call, honest) => {
      const isListed = ({ host, first_seen_at }: Item) =>
        host !== call.zone.host || call.time.now() - Date.parse(first_seen_at) >= detectedAfterMs
      return paged(call, honest, whole(call, honest).filter(isListed))
    }),
    ['detections', 'lists/met']
  ),
  about(
    'last-seen-to-the-minute',
    'how soon a field follows what was seen is not said',
    items(byTheMinute),
    ['detections']
  ),
  about(
    'contents-looked-at-later',
    'when the content of a script is looked at is not said',
    items(lookedAtLater),
    ['detections']
  ),
  about(
    'fewer-fields-on-smaller-plans',
    'some fields of scripts may be absent depending on the plan (Script, 1)',
    items((item, { zone }) =>
      zone.plan !== 'enterprise' && 'hash' in item ? without(item, optional) : item
    ),
    ['scripts', 'detections', 'lists', 'envelope']
  ),
  about(
    'categories-otherwise-where-none-are',
    'categories are present when reported; else nothing is said of them',
    items(categoriesOtherwise),
    ['scripts', 'connections', 'detections']
  ),
  about(
    'other-order-within-items',
    'no order of page_urls, versions or categories is promised',
    items(innerOrder),
    ['scripts', 'connections', 'cookies', 'detections', 'lists']
  ),
  about(
    'longer-ids-of-detections',
    'ids are hexadecimal strings, of no said length',
    longerIds(detectionOperations),
    ['scripts', 'connections', 'cookies', 'detections', 'lists', 'authentication', 'errors']
  ),
  about(
    'longer-ids-of-policies',
    'ids are hexadecimal strings, of no said length',
    longerIds(policyOperations),
    ['policies', 'authentication', 'errors', 'envelope']
  ),
  about(
    'active-at-once',
    'what makes something active is not shown (States, transitions)',
    { pageProtection: { limits: { reportsUntilActive: 1 } } },
    ['detections', 'lists/met']
  ),
  about(
    'active-at-last',
    'what makes something active is not shown (States, transitions)',
    { pageProtection: { limits: { reportsUntilActive: 1_000 } } },
    ['detections', 'lists/met']
  )
]
