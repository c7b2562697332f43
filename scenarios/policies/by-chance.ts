import { check, generated, type Look, type Reply } from 'plimsoll'
import { differences, type Policy, withPolicy } from '../_policy.ts'
import { type Item, isServed, item, items, quoted } from '../_reply.ts'
import { anyPolicy } from './_chance.ts'

/** What became of a policy: created, read, listed, replaced by a second one and read again. */
type Life = { created: Reply; read: Reply; list: Reply; listed: Item | undefined; after: Reply }

/** What each clause says of such a life: the fields in which it is not so, and where that shows. */
const judged: { [clause: string]: (life: Life, sent: [Policy, Policy]) => [string[], Reply] } = {
  'policy.create-echoes-fields': ({ created }, [first]) => [
    differences(item(created), first),
    created
  ],
  // Of what the creation did not return there is nothing to be equal to.
  'policy.create-get-equal': ({ created, read }) => [
    differences(item(read), { ...item(read), ...item(created) }),
    read
  ],
  'policy.list': ({ read, list, listed }) => [listed ? differences(listed, item(read)) : [], list],
  'policy.update-visible': ({ after }, [, second]) => [differences(item(after), second), after]
}

export default check({
  title: 'Whatever a policy is about, it is kept, listed and replaced as it was sent',
  clauses: Object.keys(judged),
  needs: ['management', 'zone'],
  async run(context) {
    const { management, adapter } = context
    const zone = (await adapter.zone('enterprise')).id
    const live = async ([policy, second]: [Policy, Policy]): Promise<Life | undefined> => {
      const found: Life[] = []
      await withPolicy({ management, zone, policy }, async ({ reply: created, path, id }) => {
        const read = await management.get(path)
        const list = await management.get(`/zones/${zone}/page_shield/policies`)
        const listed = items(list).find((one) => one.id === id)
        const update = await management.put(path, { json: second })
        const after = await management.get(path)
        if ([created, read, update, after].every(isServed))
          found.push({ created, read, list, listed, after })
      })
      return found[0]
    }
    // Every clause is asked about the same values: what became of them is looked at once.
    const lives = new Map<string, Promise<Life | undefined>>()
    for (const [clause, judge] of Object.entries(judged)) {
      const found = await generated(context, {
        of: (any) => any.tuple(anyPolicy(any), anyPolicy(any)),
        budget: { quick: 5, full: 60 },
        async ask(sent): Promise<Look | undefined> {
          const asked = sent.map(quoted).join(', then ')
          if (!lives.has(asked)) lives.set(asked, live(sent))
          const life = await lives.get(asked)
          if (life === undefined) return undefined
          const [odd, reply] = judge(life, sent)
          const saw = odd.length > 0 ? `other ${odd.join(', ')}` : 'all fields alike'
          return { asked, holds: odd.length === 0, saw, reply }
        }
      })
      if (found) context.verify(clause, ...found)
    }
  }
})
