import { placeBelow } from '../scenario/place.ts'
import { countOf, type Distinct, differing } from './distinct.ts'
import type { SampleValue } from './sample.ts'
import type { FlatSchema } from './schema.ts'

/** A list that is taken, of which the last item is asked about as the first one is. */
export type LongList = { at: string; value: readonly unknown[] }

/** So many items it has, where it may: some services look at the first, or at two of them. */
const usualLength = 3

/** A list of valid items, the last of which is not the first; undefined where none is known. */
export function longList(
  { at, schema, sample }: { at: string; schema: FlatSchema; sample: SampleValue },
  { inner, distinct }: { inner: SampleValue; distinct?: Distinct | undefined }
): LongList | undefined {
  const known: readonly unknown[] = Array.isArray(sample?.value) ? sample.value : []
  const most = schema.keywords.maxItems?.value ?? usualLength
  const length = Math.max(known.length, Math.min(usualLength, most))
  if (length < 2 || inner === undefined) return
  if (length === known.length) return { at, value: known }
  const isUnique = schema.keywords.uniqueItems?.value === true
  if (isUnique && (distinct === undefined || countOf(distinct) < length)) return
  const value = Array.from({ length }, (_, index) =>
    isUnique ? differing(distinct!, index) : (known[index] ?? inner.value)
  )
  return { at, value }
}

/** The same place as one in the first item of a list, in the last one. */
export const placeInLast = (at: string, list: LongList): string =>
  placeBelow(list.at, list.value.length - 1) + at.slice(placeBelow(list.at, 0).length)
