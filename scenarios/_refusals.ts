import { type Client, type Context, matrix, type Reply } from 'plimsoll'
import { anonymous } from './_credential.ts'
import { freshId } from './_id.ts'
import { type Asker, ofManyManners } from './_manners.ts'
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

/** Operations that there are none of, whatever else there may be; all manners meet all methods. */
function noOperations(id: string): Operation[] {
  const name = `no-such-${id.slice(0, 8)}`
  const paths = [name, `page_shield/${name}`, `page_shield/scripts/${name}/a`, `logpush/${name}`]
  return matrix({ path: paths, method: ['get', 'put', 'post', 'patch', 'delete'] })
}

/**
 * What a target says to requests it cannot serve, by what is wrong with them. For who only asks
 * about the form of answers, half of the operations are called without a credential, and the other
 * half in no zone, and fewer that there are none of.
 */
export async function refusalsByFault(
  { management, zones, random }: Asking,
  isWhole = true
): Promise<{ [fault: string]: Reply[] }> {
  const [zone, noZone] = [largest(zones), freshId(random)]
  const all = operationsOn(random)
  const half = (nth: number) => all.filter((_, at) => isWhole || at % 2 === nth)
  const [known, stranger] = [management, anonymous(management)].map(ofManyManners) as [Asker, Asker]
  const ask = (client: Asker, id: string, operations: Operation[]) =>
    Promise.all(operations.map((operation) => call(client, id, operation)))
  const put = `${entrypoint}?waf_migration=pending&phase_two=1`
  return {
    'no credential': await ask(stranger, zone, half(0)),
    'no such object': await ask(
      known,
      zone,
      all.filter(({ path }) => /\/[0-9a-f]{32}$/.test(path))
    ),
    'no such zone': await ask(known, noZone, half(1)),
    'no such operation': await ask(
      known,
      zone,
      noOperations(freshId(random)).filter((_, at) => isWhole || at % 4 === 0)
    ),
    'another method': await Promise.all(
      otherMethods.map(([method, path]) => known[method](`/zones/${zone}/${path}`, { json: {} }))
    ),
    'no such page': await Promise.all(
      ['scripts', 'connections', 'cookies'].flatMap((list) =>
        pages.map((query) => known.get(`/zones/${zone}/page_shield/${list}`, { query }))
      )
    ),
    'broken JSON': [
      await known.post(`/zones/${zone}/page_shield/policies`, unfinished),
      await known.post(`/zones/${zone}/logpush/jobs`, unfinished),
      await known.put(`/zones/${zone}/${put}`, unfinished)
    ]
  }
}

/** Such replies by themselves, for their form; those are left out that turned nothing down. */
export async function refusals(asking: Asking): Promise<Reply[]> {
  return only(isTurnedDown, Object.values(await refusalsByFault(asking, false)).flat())
}
