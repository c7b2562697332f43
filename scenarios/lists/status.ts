import { check, generated, summary } from 'plimsoll'
import { isBesideThePoint } from '../_reply.ts'
import { atEachSize, hosts, listings, perPage, statuses, statusesIn, worded } from './_listing.ts'

const clause = 'page-protection.list.status-filter.scripts'

export default check({
  title: 'The parameter `status` leaves only the scripts of that status in the list',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    const [scripts] = await listings(context, ['scripts'])
    if (scripts === undefined) return
    const found = await generated(context, {
      of: (any) =>
        any.record({ status: any.constantFrom(...statuses), hosts: hosts(any), ...perPage(any) }),
      budget: { quick: 16, full: 200 },
      async ask(query) {
        const { pages, replies } = await scripts.walk(query)
        if (replies.some(isBesideThePoint)) return undefined
        const listed = pages.flat()
        const holds =
          listed.every((seed) => seed?.status === query.status) &&
          scripts.meant(query).every((seed) => listed.includes(seed))
        const saw = `${statusesIn(pages)}, where ${scripts.meant(query).length} are meant`
        return { asked: worded('scripts', query), holds, saw, reply: replies.at(-1)! }
      }
    })
    if (found) context.verify(clause, ...found)
    for (const wanted of statuses) {
      const looks = await atEachSize(scripts, { status: wanted }, ({ status }) => status === wanted)
      const all = summary(looks)
      if (all) context.verify(clause, ...all)
    }
  }
})
