import type { Client, Reply } from 'plimsoll'
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

/** So many items are looked at, where there are as many, and so many pages for that at most. */
const looked = { items: 20, pages: 10 }

/** The first pages of a list: how many items one has is not said. */
async function firstPages(management: Client, path: string): Promise<Reply[]> {
  const pages: Reply[] = []
  let [count, last] = [0, 1]
  for (let page = 1; page <= Math.min(last, looked.pages) && count < looked.items; page++) {
    const list = await management.get(path, page > 1 ? { query: { page } } : {})
    pages.push(list)
    count += items(list).length
    last = Number(list.json?.result_info?.total_pages) || 1
  }
  return pages
}

/** What the first pages of a list show, and what some of its items show when read by themselves. */
export async function sightings(management: Client, zone: string, kind: Kind): Promise<Sighting[]> {
  const path = `/zones/${zone}/page_shield/${kind}`
  const pages = await firstPages(management, path)
  const listed = pages.flatMap((reply) =>
    items(reply).map((value): Sighting => ({ value, read: 'list', reply }))
  )
  const single = await Promise.all(
    variety(pages.flatMap(items)).map(async ({ id }): Promise<Sighting> => {
      const reply = await management.get(`${path}/${encodeURIComponent(`${id}`)}`)
      return { value: isServed(reply) ? reply.json?.result : undefined, read: 'single', reply }
    })
  )
  const bare = pages.map((reply): Sighting => ({ value: undefined, read: 'list', reply }))
  return [...bare, ...listed, ...single]
}
