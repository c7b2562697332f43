import type { RequestParts } from '../scenario/place.ts'
import type { HowAsked } from './how-asked.ts'
import type { WrittenClause } from './written-clause.ts'

/** A clause about a value of a request, and how it is asked about. */
export type RequestClause = {
  clause: WrittenClause
  at: string
  asked: HowAsked
  /** What else of the valid request is another value then, by place, or absent. */
  beside?: Record<string, unknown>
  /** Of a number, or date, the places of others that it may have to be less than, or more. */
  related?: string[]
  /** What is asked, too, where a line is searched for. */
  also?: HowAsked & { form: 'sides' }
  /** The same place in the last item of a list, and that list. */
  last?: { at: string; beside: Record<string, unknown> }
  /** The list that may have but one item, where it is about that item. */
  listOfOne?: string
}

/** What is known of the requests of an operation. */
export type RequestPlan = {
  clauses: RequestClause[]
  valid: Partial<RequestParts>
  optional: Record<string, unknown>
  /** By place: values other than those by default, of what may be left out. */
  explicit: Record<string, unknown>
  /** Places whose values have to be others in each request. */
  fresh: string[]
  /** By place: what a value that is made anew has to be. */
  takes: Record<string, object>
  /** Places whose values were made up. */
  unknown: string[]
  /** Places that take but some values, which the document lists. */
  fixed: string[]
  /** By place: what a valid request needs and is not known, and why. */
  missing: Record<string, string>
}
