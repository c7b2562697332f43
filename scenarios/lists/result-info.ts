import { check, generated, type Look, pairwise, type Reply, summary } from 'plimsoll'
import { isBesideThePoint, isItem, isList, items, quoted } from '../_reply.ts'
import {
  atOnce,
  kinds,
  type Listing,
  listedHosts,
  listings,
  type Query,
  queryOf,
  statuses,
  worded
} from './_listing.ts'

const clause = 'envelope.result-info.consistent'
const fields = ['page', 'per_page', 'count', 'total_count', 'total_pages']

/** The first thing in which a page is not where it says it is; undefined where all adds up. */
function fault(reply: Reply, page: number, total: number): string | undefined {
  const info = reply.json.result_info
  const pages = Math.ceil(total / info.per_page)
  const due: [what: string, is: number, due: number][] = [
    ['page', info.page, page],
    ['count', info.count, items(reply).length],
    ['total_count', info.total_count, total],
    ['total_pages', info.total_pages, pages]
  ]
  // A page that is not the last is full.
  if (page < pages) due.push(['count of a full page', info.count, info.per_page])
  const odd = due.find(([, is, due]) => is !== due)
  return odd && `${odd[0]} ${odd[1]} where it is ${odd[2]}`
}

/** All that a list has for a query: on one page, unless pages of that size are not to be had. */
async function wholeOf(page: Listing['page'], query: Query): Promise<Reply[]> {
  const pages: Reply[] = []
  let [isFull, count] = [true, 0]
  while (isFull && count < atOnce) {
    const reply = await page({ ...query, per_page: atOnce, page: pages.length + 1 })
    pages.push(reply)
    const { length } = items(reply)
    const size = Number(reply.json?.result_info?.per_page) || atOnce
    isFull = length > 0 && length >= Math.min(size, atOnce)
    count += length
  }
  return pages
}

/** A page of a list, by where it stands among those that there are. */
const places = {
  first: () => 1,
  middle: (pages: number) => Math.ceil(pages / 2),
  last: (pages: number) => Math.max(1, pages),
  'behind the last': (pages: number) => pages + 1
}
type Place = keyof typeof places
const everyPlace = Object.keys(places) as Place[]

/** What pages differ in; of which each list but that of scripts has no filters. */
const dimensions = {
  place: everyPlace,
  per_page: [3, 6],
  hosts: [undefined, ...listedHosts.slice(0, 2)],
  status: [undefined, ...statuses]
}

export default check({
  title: 'Of each page of a list `result_info` says which it is, and of how many',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    for (const { kind, page } of await listings(context, kinds)) {
      type Asked = { query: Query & { per_page: number }; place: Place }
      const ask = async ({ query: filters, place }: Asked): Promise<Look | undefined> => {
        const whole = await wholeOf(page, filters)
        const total = whole.flatMap(items).length
        const query = { ...filters, page: places[place](Math.ceil(total / filters.per_page)) }
        const reply = await page(query)
        const info: unknown = reply.json?.result_info
        if ([...whole, reply].some(isBesideThePoint) || !whole.every(isList)) return undefined
        // What is behind the last page is not shown; a defect is nothing that could be.
        const asked = worded(kind, query)
        if (reply.status >= 500) return { asked, holds: false, saw: reply.because, reply }
        // What does not fit on one page was not left out by the filters, whose matter that is.
        if (total >= atOnce || !isItem(info)) return undefined
        if (!isList(reply) || !fields.every((field) => Number.isInteger(info[field])))
          return undefined
        const odd = fault(reply, query.page, total)
        const saw = `${odd ?? 'all adds up'}; ${items(reply).length} items, ${quoted(info)}`
        return { asked, holds: odd === undefined, saw, reply }
      }
      const found = await generated(context, {
        of: (any) =>
          any.record({
            query: any
              .tuple(queryOf(any, kind), any.integer({ min: 1, max: 9 }))
              .map(([query, per_page]) => ({ ...query, per_page })),
            place: any.constantFrom(...everyPlace)
          }),
        budget: { quick: 8, full: 120 },
        ask
      })
      if (found) context.verify(clause, ...found)
      const looks: (Look | undefined)[] = []
      for (const { place, ...query } of pairwise(dimensions, context))
        looks.push(
          await ask({ place, query: kind === 'scripts' ? query : { per_page: query.per_page } })
        )
      const all = summary(looks.filter((look) => look !== undefined))
      if (all) context.verify(clause, ...all)
    }
  }
})
