import { newId } from '../kernel/id.ts'
import type { Kernel } from '../kernel/part.ts'
import type { Store } from '../kernel/store.ts'
import type { FunctionPlan } from './plan.ts'

/** Who functions belong to; each of its functions has a host below the shared subdomain. */
export type Account = { id: string; plan: FunctionPlan; subdomain: string }

/**
 * Adds an account. Its shared subdomain is a zone of its own, which can have no routes, so that
 * requests there are treated as those to any other zone. Throws when there is one with this id.
 */
export function addAccount(
  { store, rules, addZone }: Pick<Kernel, 'store' | 'rules' | 'addZone'>,
  { plan, id = newId() }: { plan: FunctionPlan; id?: string }
): Account {
  const name = newId()
  const account = { id, plan, subdomain: `${name.slice(0, 12)}.functions.test` }
  const zone = {
    id: rules.zoneId(name),
    account: id,
    plan: 'free',
    host: account.subdomain
  } as const
  store.transaction(() => {
    const add = 'INSERT INTO account (id, plan, subdomain) VALUES (?, ?, ?)'
    store.run(add, id, plan, account.subdomain)
    addZone(zone)
  })
  return account
}

/** All accounts, in the order they were added. */
export function listAccounts(store: Store): Account[] {
  return store.all<Account>('SELECT id, plan, subdomain FROM account ORDER BY rowid')
}

/** The account with this id, if there is one. */
export function accountById(store: Store, id: string): Account | undefined {
  return store.first<Account>('SELECT id, plan, subdomain FROM account WHERE id = ?', id)
}

/** The account whose shared subdomain this is. */
export function accountBySubdomain(store: Store, host: string): Account | undefined {
  return store.first<Account>('SELECT id, plan, subdomain FROM account WHERE subdomain = ?', host)
}

/** Moves an account to another plan; its functions are on it with their next event. */
export function changePlan(store: Store, { id }: Account, plan: FunctionPlan) {
  store.run('UPDATE account SET plan = ? WHERE id = ?', plan, id)
}
