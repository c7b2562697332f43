import type { Client, Context, Reply } from 'plimsoll'
import { anonymous } from './_credential.ts'
import { freshId } from './_id.ts'
import {
  call,
  type Ids,
  type Operation,
  pageProtectionReads,
  pageProtectionWrites
} from './_operations.ts'
import { draft } from './_policy.ts'
import { isTurnedDown, only } from './_reply.ts'
import { largest } from './_zone.ts'
import { entrypoint } from './waf/_stage.ts'

type Asking = Pick<Context, 'zones' | 'random'> & { management: Client }

/** Documented paths, each with a method that the document has no operation for. */
const otherMethods: [method: 'post' | 'patch', path: string][] = [
  ['post', 'page_shield'],
  ['post', 'page_shield/scripts'],
  ['patch', 'page_shield/connections'],
  ['patch', 'page_shield/cookies'],
  ['post', 'waf_migration/status']
]

/** Pages that a list has not, or that are none. */
const pages = [{ page: 1_000_000 }, { page: 0 }, { page: 1, per_page: 'ten' }]

const unfinished = { body: '{"description"', headers: { 'content-type': 'application/json' } }

/** Operations about objects that nobody has, of which the last ones would change something. */
function operationsOn(random: Context['random']): Operation[] {
  const ids: Ids = {
    script: freshId(random),
    connection: freshId(random),
    cookie: freshId(random),
    policy: freshId(random)
  }
  const migration = ['check', 'config', 'status'].map(
    (name): Operation => ({ method: 'get', path: `waf_migration/${name}?phase_two=1` })
  )
  // What the settings say is left alone: somebody else may be looking at them.
  const writes = pageProtectionWrites(ids, draft(random)).slice(1)
  return [...pageProtectionReads(ids), ...migration, ...writes]
}

/** What a target says to requests it cannot serve, by what is wrong with them. */
export async function refusalsByFault({ management, zones, random }: Asking): Promise<{
  [fault: string]: Reply[]
}> {
  const [zone, noZone] = [largest(zones), freshId(random)]
  const all = operationsOn(random)
  const ask = (client: Client, id: string, operations: Operation[]) =>
    Promise.all(operations.map((operation) => call(client, id, operation)))
  const put = `${entrypoint}?waf_migration=pending&phase_two=1`
  return {
    'no credential': await ask(anonymous(management), zone, all),
    'no such object': await ask(
      management,
      zone,
      all.filter(({ path }) => /\/[0-9a-f]{32}$/.test(path))
    ),
    'no such zone': await ask(management, noZone, all),
    'another method': await Promise.all(
      otherMethods.map(([method, path]) =>
        management[method](`/zones/${zone}/${path}`, { json: {} })
      )
    ),
    'no such page': await Promise.all(
      ['scripts', 'connections', 'cookies'].flatMap((list) =>
        pages.map((query) => management.get(`/zones/${zone}/page_shield/${list}`, { query }))
      )
    ),
    'broken JSON': [
      await management.post(`/zones/${zone}/page_shield/policies`, unfinished),
      await management.post(`/zones/${zone}/logpush/jobs`, unfinished),
      await management.put(`/zones/${zone}/${put}`, unfinished)
    ]
  }
}

/** The same replies by themselves, those left out that turned nothing down. */
export async function refusals(asking: Asking): Promise<Reply[]> {
  return only(isTurnedDown, Object.values(await refusalsByFault(asking)).flat())
}
