import type { ResultInfo } from './envelope.ts'
import { invalid } from './failure.ts'

/** A page of a list: which one, counted from 1, and how many items it holds. */
export type Page = { page: number; perPage: number }

/** Items on a page when `per_page` is absent, and the largest that is accepted. */
export type PageLimits = { perPage: number; largestPerPage: number }

/** The page a query asks for. A number out of range is refused, and never quietly changed. */
export function paging(query: Readonly<Record<string, string>>, limits: PageLimits): Page {
  return {
    page: whole('page', query.page ?? '1', Number.MAX_SAFE_INTEGER),
    perPage: whole('per_page', query.per_page ?? String(limits.perPage), limits.largestPerPage)
  }
}

function whole(name: string, text: string, largest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0
  if (value < 1 || value > largest)
    throw invalid(`${name}: must be a whole number from 1 to ${largest}`)
  return value
}

/** Items before the page. */
export function offset({ page, perPage }: Page): number {
  return (page - 1) * perPage
}

/** Where a page with `count` items stands in a list of `total`. */
export function resultInfo(
  { page, perPage }: Page,
  { count, total }: { count: number; total: number }
): ResultInfo {
  return {
    page,
    per_page: perPage,
    count,
    total_count: total,
    total_pages: Math.ceil(total / perPage)
  }
}
