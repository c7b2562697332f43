// Detections of other makes: which statuses they have, and which fields a plan has of them.
import type { Payload } from '../../../src/platform/kernel/api/envelope.ts'
import type { Call, Operation } from '../../../src/platform/kernel/api/operation.ts'
import { detectionOperations } from '../../../src/platform/page-protection/detection-operations.ts'
import { type Item, items, paged, type Run, whole, without } from './lists.ts'
import { otherRulesIn, type Variant } from './variant.ts'

const about = otherRulesIn(['detections', 'lists', 'scripts', 'connections', 'cookies'])

const ofLargerPlans = [
  ...['obfuscation_score', 'dataflow_score', 'fetched_at', 'url_contains_cdn_cgi_path']
]

/** What reports have led to once is new, and infrequent when it is met again. */
const isNew = (item: Item, { zone }: Call) =>
  item.host === zone.host &&
  item.status === 'infrequent' &&
  item.first_seen_at === item.last_seen_at

const newAtFirst = (item: Item, call: Call): Item =>
  isNew(item, call) ? { ...item, status: 'new' } : item

/** A list by status in which what is new is no longer infrequent. */
const listedAsNew = (call: Call, honest: Run): Payload => {
  const { status } = call.query
  if (status !== 'infrequent' && status !== 'new') return honest(call)
  const those = { ...call, query: { ...call.query, status: 'infrequent' } }
  const all = whole(those, honest).filter((item) => isNew(item, call) === (status === 'new'))
  return paged(
    those,
    honest,
    all.map((item) => newAtFirst(item, call))
  )
}

/** Lists, and what is read by itself, with a status that the document does not show. */
function withNew() {
  const reads = Object.entries(detectionOperations).map(
    ([name, { run }]): [string, Partial<Operation>] => [
      name,
      {
        run(call: Call) {
          if (name.endsWith('.list')) return listedAsNew(call, run)
          const { result, ...payload } = run(call)
          return { ...payload, result: newAtFirst(result as Item, call) }
        }
      }
    ]
  )
  return { pageProtection: { operations: Object.fromEntries(reads) } }
}

/** Platforms whose detections are others. */
export const detectionVariants: readonly Variant[] = [
  about(
    'fewer-fields-on-free-and-pro',
    'some fields of scripts may be absent depending on the plan (Script, 1)',
    items((item, { zone }) =>
      ['free', 'pro'].includes(zone.plan) && 'js_integrity_score' in item
        ? without(item, ofLargerPlans)
        : item
    ),
    ['scripts', 'detections', 'lists', 'envelope']
  ),
  about('new-at-first', 'status values beyond those shown are not shown (Script, 4)', withNew())
]
