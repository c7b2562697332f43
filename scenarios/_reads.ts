import type { Client, Context, Reply } from 'plimsoll'
import { isServed, items, only } from './_reply.ts'
import { largest } from './_zone.ts'

/** Replies to reads of a zone that were served. */
export type Reads = {
  singles: Reply[]
  /** These, and the lists. */
  all: Reply[]
}

/** Reads a zone's settings, its lists, and a script. */
export async function reads({
  management,
  zones
}: Pick<Context, 'zones'> & { management: Client }): Promise<Reads> {
  const path = `/zones/${largest(zones)}/page_shield`
  const get = (below: string) => management.get(`${path}${below}`)
  const lists = await Promise.all(['/scripts', '/connections', '/cookies'].map(get))
  const [first] = items(lists[0]!)
  const singles = [await get('')]
  if (first) singles.push(await get(`/scripts/${encodeURIComponent(`${first.id}`)}`))
  return {
    singles: only(isServed, singles),
    all: only(isServed, [...lists, ...singles, await get('/policies')])
  }
}
