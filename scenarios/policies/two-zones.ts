import { check, type Look, type Reply, summary } from 'plimsoll'
import { draft } from '../_policy.ts'
import { isRefused, isTurnedDown } from '../_reply.ts'
import { type Kept, oddFields, twoZones } from './_zones.ts'

const inList = 'policy.list-contains-created'

export default check({
  title: 'The policies of a zone are its own: another zone neither shows nor touches them',
  clauses: [inList, 'policy.get', 'policy.update', 'policy.delete'],
  needs: ['management', 'zone'],
  async run(context) {
    const { management, random, verify } = context
    const on = await twoZones(context)
    const listed = await on.lists('after they were created')
    /** By clause: a way to get at a policy, and whether that did nothing, by what is there then. */
    const ways: {
      [clause: string]: [
        (path: string) => Promise<Reply>,
        (reply: Reply, own: Reply, of: Kept) => boolean
      ]
    } = {
      'policy.get': [(path) => management.get(path), isTurnedDown],
      'policy.update': [
        (path) => management.put(path, { json: draft(random) }),
        (reply, own, of) => isTurnedDown(reply) && oddFields(own, of)?.length === 0
      ],
      // What is answered to a deletion of what is not there is left open.
      'policy.delete': [(path) => management.delete(path), (_, own) => !isRefused(own)]
    }
    // Those that cannot even be read in their own zone show nothing by not being read in another.
    const sound: Kept[] = []
    for (const one of on.kept) if (oddFields(await on.read(one), one)?.length === 0) sound.push(one)
    let isKept = true
    for (const [clause, [ask, isNothing]] of Object.entries(ways)) {
      const looks: Look[] = []
      for (const one of sound) {
        const reply = await ask(on.astray(one))
        const own = await on.read(one)
        const saw = `${reply.because}, in its own zone ${own.because}`
        const holds = isNothing(reply, own, one)
        looks.push({ asked: 'by way of the other zone', holds, saw, reply })
      }
      isKept &&= looks.every(({ holds }) => holds)
      const found = summary(looks)
      if (found) verify(clause, ...found)
    }
    // What is not deleted, or is by way of another zone, is the matter of that.
    const gone = await Promise.all(on.kept.slice(1, 3).map(on.remove))
    if (isKept && gone.every(isTurnedDown))
      listed.push(...(await on.lists('after two were deleted')))
    const found = summary(listed)
    if (found) verify(inList, ...found)
    await Promise.all([...on.kept].map(on.remove))
  }
})
