import type { Client, Context, Reply } from 'plimsoll'
import { freshId } from './_id.ts'
import { ofManyManners } from './_manners.ts'
import { draft, withPolicy } from './_policy.ts'
import { isServed, items, only } from './_reply.ts'
import { largest } from './_zone.ts'

/** Replies to operations that were served. */
export type Reads = {
  singles: Reply[]
  /** These, and the lists. */
  all: Reply[]
  /** Of operations whose answers the document does not show. */
  others: Reply[]
}

type Asking = Pick<Context, 'zones' | 'random'> & { management: Client }

/** Reads whatever can be read of a zone, and creates, updates and deletes a policy there. */
export async function reads({ management, zones, random }: Asking): Promise<Reads> {
  const zone = largest(zones)
  const client = ofManyManners(management)
  const get = (below: string) => client.get(`/zones/${zone}/${below}`)
  const paths = ['scripts', 'connections', 'cookies'].map((list) => `page_shield/${list}`)
  const lists = await Promise.all(paths.map(get))
  const firsts = lists.flatMap((list, index) =>
    items(list)
      .slice(0, 1)
      .map(({ id }) => `${paths[index]}/${encodeURIComponent(`${id}`)}`)
  )
  const migration = ['check?phase_two=1', 'config?phase_two=1', 'status']
  const calls = ['page_shield', ...firsts, ...migration.map((name) => `waf_migration/${name}`)]
  const singles = await Promise.all(calls.map(get))
  // Lists with nothing in them, where a page behind the last one is no error.
  const hosts = `page_shield/scripts?hosts=${freshId(random)}.test`
  const empty = [...paths.map((path) => `${path}?page=1000000`), hosts]
  lists.push(...(await Promise.all(empty.map(get))))
  const others: Reply[] = []
  const policy = draft(random)
  const created = await withPolicy({ management, zone, policy }, async ({ path }) => {
    singles.push(await management.get(path))
    others.push(await management.put(path, { json: policy }), await management.delete(path))
  })
  singles.push(created)
  return {
    singles: only(isServed, singles),
    all: only(isServed, [...lists, ...singles, await get('page_shield/policies')]),
    others: only(isServed, others)
  }
}
