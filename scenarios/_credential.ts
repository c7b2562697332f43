import type { Client } from 'plimsoll'

/** The same client without the credential that every one of its requests would carry. */
export function anonymous(management: Client): Client {
  return management.with({
    authorization: undefined,
    'x-auth-email': undefined,
    'x-auth-key': undefined
  })
}

/** The same client with another token. */
export function bearing(token: string, management: Client): Client {
  return anonymous(management).with({ authorization: `Bearer ${token}` })
}
