import * as v from 'valibot'
import { grouped } from '../report/quantity.ts'
import { createIds, slug } from '../scenario/clause-id.ts'
import { schemaName, withUnitBeside } from './limits-file.ts'

/** A limit as somebody published it, written as `clauses.json` has it. */
export type WrittenLimit = {
  id: string
  kind: 'limit'
  documented: string
  plan?: string
  notes?: string
}

/** What a published file gives of clauses. */
export type Published = {
  /** Whose limits they are, as far as the file says. */
  subject: string
  clauses: readonly object[]
  /** What stands there and is no clause, in words. */
  lost: readonly string[]
}

/** What one format gives, where a text is of that format. */
export type PublishedReader = (json: unknown) => Published | undefined

/** A text as an id, whose dots stay. */
export const dotted = (text: string) =>
  text.split('.').map(slug).filter(Boolean).join('.') || 'limit'

/** A number in words that read as the same number: 1,000. */
export const inWords = (value: number) => (Number.isInteger(value) ? grouped(value) : `${value}`)

/** What may be a limit: no less than nothing, and finite. */
export const bound = v.pipe(v.number(), v.finite(), v.minValue(0))

/** Limits under ids that no other has: the second of a name is `name-2`. */
export function told<Limit extends { id: string }>(limits: readonly Limit[]): Limit[] {
  const idFor = createIds()
  return limits.map((limit) => ({ ...limit, id: idFor(limit.id) }))
}

/** `3 × what` where there are any. */
export const countedLoss = (count: number, what: string) =>
  count > 0 ? [`${count} × ${what}`] : []

const overlayShape = v.looseObject({
  overlay: v.string(),
  info: v.optional(v.looseObject({ title: v.optional(v.string()) })),
  actions: v.array(v.looseObject({ update: v.optional(v.unknown()) }))
})
const limitShape = v.looseObject({ id: v.string(), documented: v.string() })

/** Reads the limits of an OpenAPI Overlay, or of a description that has them: `x-limits`. */
export const readOverlay: PublishedReader = (json) => {
  const { output, success } = v.safeParse(overlayShape, json)
  const updates = success ? output.actions.map(({ update }) => update) : [json]
  const lists = updates.flatMap((update) => limitsWithin(update))
  if (lists.length === 0) return
  const those = lists.filter((one) => v.is(limitShape, one))
  const clauses = those.map((one) => {
    const { number: _, verified: __, ...clause } = one
    return { kind: 'limit', ...withUnitBeside(clause) }
  })
  const subject = success ? (output.info?.title ?? '') : ''
  const lost = countedLoss(lists.length - those.length, 'entry without id and documented')
  return { subject: subject.replace(/^Limits of /, ''), clauses, lost }
}

function limitsWithin(update: unknown): unknown[] {
  if (update === null || typeof update !== 'object') return []
  const list = (update as { 'x-limits'?: unknown })['x-limits']
  return Array.isArray(list) ? list : []
}

/** Whether this is a file of verified limits, in our own format. */
export const isLimitsFile = (json: unknown) =>
  json !== null && typeof json === 'object' && (json as { schema?: unknown }).schema === schemaName
