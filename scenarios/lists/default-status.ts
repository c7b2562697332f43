import { check, generated, summary } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { isBesideThePoint, isList } from '../_reply.ts'
import {
  atEachSize,
  hosts,
  listedHosts,
  listings,
  perPage,
  statusesIn,
  worded
} from './_listing.ts'

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
        // Of the filters of other lists nothing is shown.
        of: (any) =>
          any.record({ ...perPage(any), ...(kind === 'scripts' && { hosts: hosts(any) }) }),
        budget: { quick: 8, full: 80 },
        async ask(query) {
          const { pages, replies } = await walk(query)
          if (replies.some(isBesideThePoint)) return undefined
          const listed = pages.flat()
          const holds = listed.length > 0 && listed.every((seed) => seed?.status === 'active')
          const saw = statusesIn(pages)
          return { asked: worded(kind, query), holds, saw, reply: replies.at(-1)! }
        }
      })
      if (found) context.verify(clause(kind), ...found)
      const looks = await atEachSize(listing, {}, ({ status }) => status === 'active')
      // What comes of a host in other lists is not shown; that no status was asked for is.
      for (const host of listedHosts) {
        const { pages, replies } = await walk({ hosts: host })
        const holds = pages.flat().every((seed) => seed?.status === 'active')
        const asked = worded(kind, { hosts: host })
        if (replies.every(isList))
          looks.push({ asked, holds, saw: statusesIn(pages), reply: replies[0] })
      }
      const all = summary(looks)
      if (all) context.verify(clause(kind), ...all)
    }
  }
})
