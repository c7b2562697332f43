import type { Client, Reply } from 'plimsoll'

/** An operation on a zone, by its method, its path below the zone's, and its body. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  json?: object
}

/** Calls an operation on a zone. */
export function call(
  client: Pick<Client, Operation['method']>,
  zone: string,
  operation: Operation
): Promise<Reply> {
  const { method, path, json } = operation
  return client[method](`/zones/${zone}/${path}`, { json })
}

/** An operation as the document has it: `GET page_shield/scripts/{id}`. */
export function nameOf({ method, path }: Operation): string {
  const [place] = path.split('?')
  return `${method.toUpperCase()} ${place!.replace(/\/[0-9a-f]{32}$/, '/{id}')}`
}

/** Ids of what there is in a zone, one of each kind. */
export type Ids = Record<'script' | 'connection' | 'cookie' | 'policy', string>

/** The operations of page protection that only read. */
export function pageProtectionReads(ids: Ids): Operation[] {
  const lists = ['scripts', 'connections', 'cookies', 'policies']
  const [scripts, connections, cookies, policies] = lists.map((list) => `page_shield/${list}`)
  const paths = ['page_shield', scripts, connections, cookies, policies]
  const single = [
    `${scripts}/${ids.script}`,
    `${connections}/${ids.connection}`,
    `${cookies}/${ids.cookie}`,
    `${policies}/${ids.policy}`
  ]
  return [...paths, ...single].map((path) => ({ method: 'get', path: path! }))
}

/** Its operations that change something; the last one deletes the policy. */
export function pageProtectionWrites(ids: Ids, policy: object): Operation[] {
  const policies = 'page_shield/policies'
  return [
    { method: 'put', path: 'page_shield', json: { enabled: true } },
    { method: 'post', path: policies, json: policy },
    { method: 'put', path: `${policies}/${ids.policy}`, json: policy },
    { method: 'delete', path: `${policies}/${ids.policy}` }
  ]
}
