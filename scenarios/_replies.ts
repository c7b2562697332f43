import { type Client, type Context, isAnswered, type Reply } from 'plimsoll'
import { anonymous } from './_credential.ts'
import { freshId } from './_id.ts'
import { isServed, isTurnedDown, items } from './_reply.ts'
import { largest } from './_zone.ts'

type Asking = Pick<Context, 'zones' | 'random'> & { management: Client }

/** Those replies that are of a sort, and those that never came, since they leave it open. */
export function only(isOfSort: (reply: Reply) => boolean, replies: Reply[]): Reply[] {
  return replies.filter((reply) => !isAnswered(reply) || isOfSort(reply))
}

/**
 * What reading a zone gives where it was served. Policies are in neither group, since it is not
 * shown whether their list has a `result_info`.
 */
export async function reads({ management, zones }: Asking): Promise<{
  lists: Reply[]
  singles: Reply[]
  all: Reply[]
}> {
  const path = `/zones/${largest(zones)}/page_shield`
  const lists = await Promise.all(
    ['scripts', 'connections', 'cookies'].map((kind) => management.get(`${path}/${kind}`))
  )
  const ids = items(lists[0]!).flatMap(({ id }) => (id === undefined ? [] : [`${id}`]))
  const singles = await Promise.all(
    [path, ...ids.slice(0, 1).map((id) => `${path}/scripts/${encodeURIComponent(id)}`)].map(
      (single) => management.get(single)
    )
  )
  const policies = await management.get(`${path}/policies`)
  return {
    lists: only(isServed, lists),
    singles: only(isServed, singles),
    all: only(isServed, [...lists, ...singles, policies])
  }
}

/** What a target says to requests it cannot serve, by what is wrong with each. */
export async function refusalsByFault({ management, zones, random }: Asking): Promise<{
  [fault: string]: Reply
}> {
  const path = `/zones/${largest(zones)}/page_shield`
  const headers = { 'content-type': 'application/json' }
  const broken = { body: '{"description"', headers }
  return {
    'no credential': await anonymous(management).get(path),
    'no such script': await management.get(`${path}/scripts/${freshId(random)}`),
    'no such policy': await management.get(`${path}/policies/${freshId(random)}`),
    'broken JSON': await management.post(`${path}/policies`, broken)
  }
}

/** The same replies by themselves, those left out that turned nothing down. */
export async function refusals(asking: Asking): Promise<Reply[]> {
  return only(isTurnedDown, Object.values(await refusalsByFault(asking)))
}
