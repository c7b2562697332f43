import type { Client, Context } from 'plimsoll'

type Asking = Pick<Context, 'credentials'> & { management: Client }

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

/** The same client with the legacy pair of an address and a key, where the target names one. */
export function paired({ management, credentials }: Asking): Client | undefined {
  const { email, apiKey } = { ...credentials }
  if (email === undefined || apiKey === undefined) return undefined
  return anonymous(management).with({ 'x-auth-email': email, 'x-auth-key': apiKey })
}

/** The same client with each credential by which the target lets somebody read. */
export function known(asking: Asking): Client[] {
  const { management, credentials } = asking
  const { token, readOnlyToken } = { ...credentials }
  const tokens = [token, readOnlyToken].filter((one) => one !== undefined)
  const pair = paired(asking)
  return [...(pair ? [pair] : []), ...tokens.map((token) => bearing(token, management))]
}
