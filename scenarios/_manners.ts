import type { Client } from 'plimsoll'
import type { Operation } from './_operations.ts'

/** What clients say of themselves and would like best; all of them can do with JSON. */
const manners: Record<string, string>[] = [
  { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  { accept: 'application/json' },
  { accept: 'application/xml, application/json;q=0.5', 'accept-language': 'de' },
  { 'user-agent': 'Mozilla/5.0 (compatible; plimsoll)', 'x-requested-with': 'XMLHttpRequest' }
]

/** A client as far as operations need one. */
export type Asker = Pick<Client, Operation['method']>

/** The same client, whose calls have one of these manners after another. */
export function ofManyManners(client: Client): Asker {
  let turn = 0
  const by =
    (method: Operation['method']): Client['get'] =>
    (path, options) =>
      client.with(manners[turn++ % manners.length]!)[method](path, options)
  return {
    ...{ get: by('get'), post: by('post'), put: by('put') },
    ...{ patch: by('patch'), delete: by('delete') }
  }
}
