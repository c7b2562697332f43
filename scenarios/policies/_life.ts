import type { Client, Reply } from 'plimsoll'
import { differences, type Policy, withPolicy } from '../_policy.ts'
import { type Item, isServed, item, items } from '../_reply.ts'

/** What became of a policy: created, read, listed, replaced by a second one and read again. */
export type Life = {
  created: Reply
  read: Reply
  list: Reply
  listed: Item | undefined
  after: Reply
}

/** Lets a policy live; undefined where something of it is refused, or not served. */
export async function live(
  { management, zone }: { management: Client; zone: string },
  [policy, second]: readonly [Policy, Policy]
): Promise<Life | undefined> {
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

/** The fields in which something is not as a clause says, and the reply where that shows. */
type Found = [odd: string[], reply: Reply]

/** What clauses say of policies that need not be kept to the letter: they stay what they are. */
export const staying: { [clause: string]: (life: Life) => Found } = {
  // Of what the creation did not return there is nothing to be equal to.
  'policy.create-get-equal': ({ created, read }) => [
    differences(item(read), { ...item(read), ...item(created) }),
    read
  ],
  'policy.list': ({ read, list, listed }) => [listed ? differences(listed, item(read)) : [], list]
}

/** What each clause says of such a life. */
export const judged: {
  [clause: string]: (life: Life, sent: readonly [Policy, Policy]) => Found
} = {
  'policy.create-echoes-fields': ({ created }, [first]) => [
    differences(item(created), first),
    created
  ],
  ...staying,
  'policy.update-visible': ({ after }, [, second]) => [differences(item(after), second), after]
}
