import { newId } from '../kernel/id.ts'
import type { Store } from '../kernel/store.ts'
import type { Account } from './account.ts'
import type { Binding, Deployment } from './deployment.ts'

/** A function as it stands: where it is, whose it is, and which version of it is deployed. */
export type EdgeFunction = {
  id: string
  account: string
  name: string
  /** Its host below the shared subdomain of its account. */
  host: string
  version: string
}

const columns = 'id, account, name, host, version'

/** A version of a function that is not deployed yet, as it will be known by then. */
export function draftOf(store: Store, account: Account, name: string): EdgeFunction {
  const id = functionByName(store, account.id, name)?.id ?? newId()
  const host = `${name}.${account.subdomain}`
  return { id, account: account.id, name, host, version: newId().slice(0, 12) }
}

/**
 * Writes a deployment down as the version of its function that runs from now on. Its id is another
 * than its draft's where somebody else has deployed the first of that name meanwhile.
 */
export function putFunction(
  store: Store,
  draft: EdgeFunction,
  deployment: Deployment
): EdgeFunction {
  const { account, name, host, version } = draft
  const id = functionByName(store, account, name)?.id ?? draft.id
  const { consumes } = deployment
  store.transaction(() => {
    store.run(
      `INSERT INTO function (id, account, name, host, version, record) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, record = excluded.record`,
      ...[id, account, name, host, version, JSON.stringify(deployment)]
    )
    store.run('DELETE FROM consumer WHERE function = ?', id)
    for (const queue of consumes)
      store.run('INSERT INTO consumer (queue, function) VALUES (?, ?)', `${account}/${queue}`, id)
  })
  return { ...draft, id }
}

/** The functions of an account, or of all, in the order they were first deployed. */
export function listFunctions(store: Store, accountId?: string): EdgeFunction[] {
  const list = (where: string, ...values: string[]) =>
    store.all<EdgeFunction>(`SELECT ${columns} FROM function ${where} ORDER BY rowid`, ...values)
  return accountId === undefined ? list('') : list('WHERE account = ?', accountId)
}

/** What functions are given beside text: by function, and under which variable of its `env`. */
export function listBindings(
  store: Store
): { function: string; variable: string; binding: Binding }[] {
  const rows = store.all<{ id: string; key: string; value: string }>(
    `SELECT function.id AS id, key, value
       FROM function, json_each(record, '$.bindings') ORDER BY function.rowid`
  )
  return rows.map(({ id, key, value }) => ({
    function: id,
    variable: key,
    binding: JSON.parse(value)
  }))
}

/** The function with this id, if there is one. */
export function functionById(store: Store, id: string): EdgeFunction | undefined {
  return store.first<EdgeFunction>(`SELECT ${columns} FROM function WHERE id = ?`, id)
}

/** The function of this name in an account. */
export function functionByName(
  store: Store,
  accountId: string,
  name: string
): EdgeFunction | undefined {
  const sql = `SELECT ${columns} FROM function WHERE account = ? AND name = ?`
  return store.first<EdgeFunction>(sql, accountId, name)
}

/** The function at a host of its account's shared subdomain. */
export function functionByHost(store: Store, host: string): EdgeFunction | undefined {
  return store.first<EdgeFunction>(`SELECT ${columns} FROM function WHERE host = ?`, host)
}

/** What was deployed as the version of a function that runs now. */
export function deploymentOf(store: Store, { id }: EdgeFunction): Deployment {
  const { record } = store.first<{ record: string }>(
    'SELECT record FROM function WHERE id = ?',
    id
  )!
  return JSON.parse(record)
}

/** What is deployed in an account under all names but one. */
export function deploymentsOf(store: Store, accountId: string, but: string): Deployment[] {
  const sql = 'SELECT record FROM function WHERE account = ? AND name <> ?'
  const rows = store.all<{ record: string }>(sql, accountId, but)
  return rows.map(({ record }) => JSON.parse(record))
}

/** How many functions an account has. */
export function countFunctions(store: Store, accountId: string): number {
  const sql = 'SELECT count(*) AS count FROM function WHERE account = ?'
  return store.first<{ count: number }>(sql, accountId)!.count
}

/** Takes a function away, with all that leads to it. */
export function deleteFunction(store: Store, { id }: EdgeFunction) {
  store.run('DELETE FROM function WHERE id = ?', id)
}
