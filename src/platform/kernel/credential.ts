import { randomBytes } from 'node:crypto'
import type { Store } from './store.ts'

/** The account that all of the platform's credentials belong to. */
export const ownAccount = 'owner'

/** The secrets the platform hands out once and recognises from then on. */
export type Credentials = {
  /** May do everything. */
  token: string
  /** May read, and change nothing. */
  readOnlyToken: string
  /** Is a token, and may do nothing. */
  noPermissionToken: string
  /** The legacy pair, which may do everything. */
  email: string
  apiKey: string
}

/** The credentials of a store: drawn at random the first time, the same ones ever after. */
export function credentials(store: Store): Credentials {
  const secret = (name: string) => {
    const drawn = randomBytes(20).toString('hex')
    store.run('INSERT OR IGNORE INTO credential (name, secret) VALUES (?, ?)', name, drawn)
    return store.first<{ secret: string }>('SELECT secret FROM credential WHERE name = ?', name)!
      .secret
  }
  return {
    token: secret('token'),
    readOnlyToken: secret('readOnlyToken'),
    noPermissionToken: secret('noPermissionToken'),
    email: 'owner@zones.test',
    apiKey: secret('apiKey')
  }
}
