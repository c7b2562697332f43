import type { Client, Context } from 'plimsoll'
import { anonymous, bearing } from './_credential.ts'
import { freshId } from './_id.ts'

/** Somebody who is to be refused, by the clause that says so; some may read nevertheless. */
export type Caller = { name: string; clause: string; client: Client; mayRead?: boolean }

type Asking = Pick<Context, 'credentials' | 'random'> & { management: Client }

/** A text of the same length that begins alike and ends otherwise. */
function likened(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
}

/** A text with its letters in the other case: the same where it has none. */
function recased(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

/** Credentials that are almost right, by what is wrong with each. */
function almost(secret: string, random: Context['random']): { [fault: string]: string } {
  const other = recased(secret)
  return {
    ...(other !== secret && { 'with its letters in another case': other }),
    unknown: freshId(random),
    'cut short by one character': secret.slice(0, -1),
    'one character too long': `${secret}0`,
    'with another last character': likened(secret)
  }
}

type Beside = [what: string, headers: Record<string, string>]

/** What lets nobody in by itself, and is sent beside a token: halves of a pair, and wrong pairs. */
function besides({ credentials, random }: Asking): Beside[] {
  const { email, apiKey } = { ...credentials }
  if (email === undefined || apiKey === undefined) return []
  const [address, key] = [{ 'x-auth-email': email }, { 'x-auth-key': apiKey }]
  return [
    ['the right address', address],
    ['the right key', key],
    ['the right address with a wrong key', { ...address, 'x-auth-key': freshId(random) }],
    ['the right key with a wrong address', { ...key, 'x-auth-email': `x${email}` }]
  ]
}

/** Those whose token is none. */
function strangers({ management, credentials, random }: Asking): Caller[] {
  const { token } = { ...credentials }
  if (token === undefined) return []
  const unknown = freshId(random)
  const headers = {
    ...Object.fromEntries(
      Object.entries(almost(token, random)).map(([fault, wrong]) => [fault, `Bearer ${wrong}`])
    ),
    'that is empty': 'Bearer',
    'of two words': `Bearer ${unknown} ${unknown}`,
    'unknown, in another scheme': `Basic ${unknown}`
  }
  return Object.entries(headers).map(([fault, authorization]) => ({
    name: `a token ${fault}`,
    clause: 'auth.bearer',
    client: anonymous(management).with({ authorization })
  }))
}

/** Addresses that are not this one in any letter's case, by where they differ from it. */
function otherAddresses(email: string): { [fault: string]: string } {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  return {
    'that begins otherwise': `x${email}`,
    'of another name in its domain': `${local}.x@${domain}`,
    'in a domain below its own': `${local}@x.${domain}`,
    'in a domain with another end': `${email}x`,
    'in a domain of others': `${local}@plimsoll.test`
  }
}

/** Those of whose pair of address and key one or the other is wrong. */
function pairs({ management, credentials, random }: Asking): Caller[] {
  const { email, apiKey } = { ...credentials }
  if (email === undefined || apiKey === undefined) return []
  const wrong: { [fault: string]: [email: string | undefined, key: string | undefined] } = {
    'the right key and no address': [undefined, apiKey],
    'the right address and no key': [email, undefined]
  }
  for (const [fault, address] of Object.entries(otherAddresses(email)))
    wrong[`the right key and an address ${fault}`] = [address, apiKey]
  for (const [fault, key] of Object.entries(almost(apiKey, random)))
    wrong[`the right address and a key ${fault}`] = [email, key]
  return Object.entries(wrong).map(([name, [address, key]]) => ({
    name,
    clause: 'auth.legacy-pair',
    client: anonymous(management).with({ 'x-auth-email': address, 'x-auth-key': key })
  }))
}

/** Those who are known, and not allowed to do it. */
function powerless({ management, credentials }: Asking): Caller[] {
  const { readOnlyToken, noPermissionToken } = { ...credentials }
  const clause = 'auth.permissions-must-match'
  const callers: Caller[] = []
  const name = 'a token that may'
  if (readOnlyToken !== undefined)
    callers.push({
      ...{ name: `${name} only read`, clause, mayRead: true },
      client: bearing(readOnlyToken, management)
    })
  if (noPermissionToken !== undefined)
    callers.push({
      name: `${name} do nothing`,
      clause,
      client: bearing(noPermissionToken, management)
    })
  return callers
}

/** The same caller with each of these beside its token. */
function accompanied(caller: Caller, all: Beside[]): Caller[] {
  return all.map(([what, headers]) => {
    return {
      ...caller,
      name: `${caller.name}, beside ${what}`,
      client: caller.client.with(headers)
    }
  })
}

/**
 * Everybody who is to be refused an operation, as far as the target names credentials. An unknown
 * token comes beside each part of a pair, too, and each that may do less beside one, by its turn.
 */
export function callers(asking: Asking, turn: number): Caller[] {
  const nobody = {
    name: 'no credential',
    clause: 'auth.missing-credential-refused',
    client: anonymous(asking.management)
  }
  const unknown = {
    name: 'an unknown token',
    clause: 'auth.bearer',
    client: bearing(freshId(asking.random), asking.management)
  }
  const [known, all] = [powerless(asking), besides(asking)]
  return [
    ...[nobody, ...strangers(asking), ...pairs(asking), ...known, ...accompanied(unknown, all)],
    ...known.flatMap((one, nth) => accompanied(one, all.slice((turn + nth) % 4).slice(0, 1)))
  ]
}

/** The clauses by which they are refused. */
export const admissionClauses = [
  'auth.missing-credential-refused',
  'auth.bearer',
  'auth.legacy-pair',
  'auth.permissions-must-match'
]
