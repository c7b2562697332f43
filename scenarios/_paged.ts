import type { Context, Reply } from 'plimsoll'
import type { Kind } from './_detections.ts'
import { isList } from './_reply.ts'
import { type Seed, seeds } from './_seed.ts'

/** How many items a page is asked to hold, and how many pages that makes of what was placed. */
export const perPage = 3
export const pages = 3

/** A list of known items, all active, that is asked for page by page. */
export type Paged = { kind: Kind; placed: Seed[]; ask: (page?: number) => Promise<Reply> }

/** The lists of a fresh zone in which the last page has a single item; only those that work. */
export async function pagedLists(
  context: Pick<Context, 'management' | 'adapter' | 'random'>
): Promise<Paged[]> {
  const { management, adapter, random } = context
  const zone = await adapter.zone('enterprise')
  const lists: Paged[] = []
  for (const kind of ['scripts', 'connections', 'cookies'] as const) {
    const placed = seeds(kind, 'active', { count: perPage * (pages - 1) + 1, random })
    await adapter.detections(zone.id, { [kind]: placed })
    const path = `/zones/${zone.id}/page_shield/${kind}`
    if (!isList(await management.get(path))) continue
    const ask = (page?: number) => management.get(path, { query: { page, per_page: perPage } })
    lists.push({ kind, placed, ask })
  }
  return lists
}
