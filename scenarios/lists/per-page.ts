import { check, generated } from 'plimsoll'
import { isBesideThePoint } from '../_reply.ts'
import { shown, smallPage } from '../_seed.ts'
import { atOnce, kinds, listings, queryOf, worded } from './_listing.ts'

const clause = 'page-protection.list.per-page'

export default check({
  title: 'No page holds more items than asked for, and the pages together hold each item once',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    for (const { kind, placed, meant, walk, page } of await listings(context, kinds)) {
      const found = await generated(context, {
        of: (any) => queryOf(any, kind),
        budget: { quick: 7, full: 80 },
        async ask(query) {
          const { pages, replies } = await walk(query)
          // All of them together: what is left out there as well is the matter of the filters.
          const whole = await page({ ...query, per_page: atOnce })
          if ([...replies, whole].some(isBesideThePoint)) return undefined
          const together = shown(whole, placed)
          // The most that a page may have is not shown, and may be fewer.
          const isCut = together.length < meant(query).length
          const expected = isCut
            ? (await walk({ ...query, per_page: smallPage })).pages.flat()
            : together
          const all = pages.flat()
          const holds =
            pages.every((page) => page.length <= query.per_page) &&
            all.length === expected.length &&
            expected.every((seed) => all.includes(seed))
          const lengths = pages.map((page) => page.length).join(' + ')
          const of = expected.length
          const saw = `${lengths} items, ${new Set(all).size} different, of ${of}`
          return { asked: worded(kind, query), holds, saw, reply: replies.at(-1)!, of }
        }
      })
      if (found) context.verify(clause, ...found)
    }
  }
})
