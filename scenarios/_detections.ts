import type { Client } from 'plimsoll'
import type { Sighting } from './_fields.ts'
import { type Item, isServed, items } from './_reply.ts'

/** What page protection detects, each by the last segment of its list's path. */
export type Kind = 'scripts' | 'connections' | 'cookies'

/** How many items of each sort are read by themselves. */
const eachSort = 2

/** Items that differ in what they are reported for, since that decides which fields they have. */
function variety(all: Item[]): Item[] {
  const sorts = Map.groupBy(
    all,
    (item) => `${item.domain_reported_malicious} ${item.url_reported_malicious}`
  )
  return [...sorts.values()].flatMap((sort) => sort.slice(0, eachSort))
}

/** What the first page of a list shows, and what some of its items show when read by themselves. */
export async function sightings(management: Client, zone: string, kind: Kind): Promise<Sighting[]> {
  const path = `/zones/${zone}/page_shield/${kind}`
  const list = await management.get(path)
  const listed = items(list).map((value): Sighting => ({ value, read: 'list', reply: list }))
  const single = await Promise.all(
    variety(items(list)).map(async ({ id }): Promise<Sighting> => {
      const reply = await management.get(`${path}/${encodeURIComponent(`${id}`)}`)
      return { value: isServed(reply) ? reply.json?.result : undefined, read: 'single', reply }
    })
  )
  return [{ value: undefined, read: 'list', reply: list }, ...listed, ...single]
}
