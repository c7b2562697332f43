import { check, generated, summary } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { isBesideThePoint, isList } from '../_reply.ts'
import { atEachSize, hosts, listings, perPage, statusesIn, worded } from './_listing.ts'

const clause = (kind: string) => `page-protection.list.default-status-active.${kind}`
const kinds: Kind[] = ['scripts', 'connections', 'cookies']

export default check({
  title: 'Without a status filter a list shows only what is active',
  clauses: kinds.map(clause),
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    for (const listing of await listings(context, kinds)) {
      const { kind, walk } = listing
      const found = await generated(context, {
        of: (any) =>
          any.record({ ...perPage(any), hosts: any.oneof(any.constant(undefined), hosts(any)) }),
        budget: { quick: 8, full: 80 },
        async ask(query) {
          const { pages, replies } = await walk(query)
          if (replies.some(isBesideThePoint)) return undefined
          // What comes of hosts in other lists is not shown, but that no status was asked for is.
          const isOpen = kind !== 'scripts' && query.hosts !== undefined
          if (isOpen && !replies.every(isList)) return undefined
          const listed = pages.flat()
          const isActive = listed.every((seed) => seed?.status === 'active')
          const holds = isActive && (isOpen || listed.length > 0)
          const saw = statusesIn(pages)
          return { asked: worded(kind, query), holds, saw, reply: replies.at(-1)! }
        }
      })
      if (found) context.verify(clause(kind), ...found)
      const looks = await atEachSize(listing, {}, ({ status }) => status === 'active')
      const all = summary(looks)
      if (all) context.verify(clause(kind), ...all)
    }
  }
})
