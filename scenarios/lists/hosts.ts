import { check, generated, summary } from 'plimsoll'
import { isBesideThePoint } from '../_reply.ts'
import { atEachSize, hostsIn, listedHosts, listings, perPage, status, worded } from './_listing.ts'

const clause = 'page-protection.list.hosts-filter.scripts'
/** A host on which nothing was found: the list is empty then, and no defect. */
const nobodys = 'nobody.listed.test'

export default check({
  title: 'The parameter `hosts` leaves only the scripts of that host in the list',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    const [scripts] = await listings(context, ['scripts'])
    if (scripts === undefined) return
    const found = await generated(context, {
      of: (any) =>
        any.record({
          hosts: any.constantFrom(...listedHosts, nobodys),
          status: status(any),
          ...perPage(any)
        }),
      budget: { quick: 13, full: 150 },
      async ask(query) {
        const { pages, replies } = await scripts.walk(query)
        const whole = await scripts.walk({ ...query, hosts: undefined })
        if (replies.some(isBesideThePoint)) return undefined
        const listed = pages.flat()
        const all = whole.pages.flat()
        const expected = all.filter((seed) => seed?.host === query.hosts)
        const holds =
          replies.every(({ status }) => status < 500) &&
          listed.every((seed) => seed?.host === query.hosts) &&
          expected.every((seed) => listed.includes(seed))
        const due = `of ${expected.length} such scripts ${hostsIn(pages)}`
        const saw = `${replies.at(-1)!.because}, ${due}`
        const asked = worded('scripts', query)
        return { asked, holds, saw, reply: replies.at(-1)!, of: all.length }
      }
    })
    if (found) context.verify(clause, ...found)
    const [host] = listedHosts
    const looks = await atEachSize(scripts, { hosts: host }, (seed) => seed.host === host)
    const all = summary(looks)
    if (all) context.verify(clause, ...all)
  }
})
