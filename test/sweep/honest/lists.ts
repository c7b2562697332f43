// Page protection of other makes: pages, the order of lists, and when something is detected.
import { hash } from 'node:crypto'
import type { Payload, ResultInfo } from '../../../src/platform/kernel/api/envelope.ts'
import { unknownObject } from '../../../src/platform/kernel/api/failure.ts'
import type { Call, Operation } from '../../../src/platform/kernel/api/operation.ts'
import { detectionOperations } from '../../../src/platform/page-protection/detection-operations.ts'
import { policyOperations } from '../../../src/platform/page-protection/policy/policy-operations.ts'
import { api, type Variant } from './variant.ts'

type Run = (call: Call) => Payload
type Item = Record<string, any>

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
function whole(call: Call, honest: Run): Item[] {
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
function paged(call: Call, honest: Run, items: Item[]): Payload {
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

/** A detection that reports have led to is listed so long after it was first seen. */
const detectedAfterMs = 3_000

/** Policies in another order. */
const policies = (order: <One>(items: One[]) => One[]) => ({
  pageProtection: {
    operations: {
      'policy.list': {
        run: (call: Call) => ({
          result: order(policyOperations['policy.list'].run(call as never).result)
        })
      }
    }
  }
})

const about = (
  name: string,
  allowed: string,
  rules: Variant['rules'],
  areas: readonly string[] = api
): Variant => ({ name, allowed, rules, areas })

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
  about(
    'ten-a-page-whoever-asks-for-more',
    mostAllowed,
    lists((call, honest) => {
      const { per_page = '10' } = call.query
      const some = /^\d+$/.test(per_page) ? `${Math.min(10, Number(per_page))}` : per_page
      return honest({ ...call, query: { ...call.query, per_page: some } })
    })
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
    'policies-newest-first',
    orderAllowed,
    policies((items) => items.toReversed()),
    ['policies', 'authentication']
  ),
  about(
    'detected-later',
    'when what a page has loaded is detected is not said',
    lists((call, honest) => {
      const isListed = ({ host, first_seen_at }: Item) =>
        host !== call.zone.host || call.time.now() - Date.parse(first_seen_at) >= detectedAfterMs
      return paged(call, honest, whole(call, honest).filter(isListed))
    }),
    ['detections']
  ),
  about(
    'active-at-once',
    'what makes something active is not shown (States, transitions)',
    { pageProtection: { limits: { reportsUntilActive: 1 } } },
    ['detections']
  ),
  about(
    'active-at-last',
    'what makes something active is not shown (States, transitions)',
    { pageProtection: { limits: { reportsUntilActive: 1_000 } } },
    ['detections']
  )
]
