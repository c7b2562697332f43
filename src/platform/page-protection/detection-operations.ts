import { unknownObject } from '../kernel/api/failure.ts'
import type { Call, Operation } from '../kernel/api/operation.ts'
import { paging, resultInfo } from '../kernel/api/paging.ts'
import { type Kind, kinds } from './detection.ts'
import { listDetections, readDetection } from './detection-table.ts'
import type { PageProtectionLimits } from './limits.ts'

type Own = { limits: PageProtectionLimits }

/** The two operations of each kind of detection, by the clauses that promise them. */
export const detectionOperations: Record<string, Operation<Own>> = Object.fromEntries(
  kinds.flatMap((kind): [string, Operation<Own>][] => [
    [
      `page-protection.${kind.name}.list`,
      {
        method: 'GET',
        path: `/zones/:zone/page_shield/${kind.path}`,
        permission: 'page-protection:read',
        run: (call) => list(kind, call)
      }
    ],
    [
      `page-protection.${kind.name}.get`,
      {
        method: 'GET',
        path: `/zones/:zone/page_shield/${kind.path}/:id`,
        permission: 'page-protection:read',
        run: (call) => get(kind, call)
      }
    ]
  ])
)

function list(kind: Kind, { store, zone, query, rules }: Call<Own>) {
  const page = paging(query, rules.limits)
  const status = commaList(query.status)
  const filter = {
    zone: zone.id,
    kind: kind.name,
    status: status.length > 0 ? status : ['active'],
    hosts: commaList(query.hosts?.toLowerCase())
  }
  const { records, total } = listDetections(store, filter, page)
  return {
    result: records.map((record) => without(record, [...kind.single, ...kind.hidden])),
    info: resultInfo(page, { count: records.length, total })
  }
}

function get(kind: Kind, { store, zone, id, path }: Call) {
  const record = readDetection(store, { zone: zone.id, kind: kind.name, id: id.toLowerCase() })
  if (record === undefined) throw unknownObject(path)
  return { result: without(record, kind.hidden) }
}

function commaList(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function without(record: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)))
}
