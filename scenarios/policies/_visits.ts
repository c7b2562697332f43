import { createHmac } from 'node:crypto'

/** A request that expressions are held against; in its texts one character is one byte. */
export type Visit = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  query: string
  agent: string
  headers: Record<string, string>
}

const plain = { method: 'GET', path: '/', query: '', agent: 'abc', headers: {} } as const

/** A message that is signed with the key `secret` at 1700000000, as rules check it. */
function signed(message: string, encoding: 'base64' | 'base64url', between = ''): string {
  const time = '1700000000'
  const mac = createHmac('sha256', 'secret')
    .update(message + time)
    .digest(encoding)
  return `${message}${between}${time}-${encodeURIComponent(mac)}`
}

/** Signed messages: with escapes, and for URLs with `?verify=` between message and time. */
export const [token, urlToken] = [signed('/a', 'base64'), signed('/a', 'base64url', '?verify=')]

/** Who asks; every other request is by one of these. */
export const agents = [
  ...[token, urlToken],
  ...['a', 'A', 'ab', 'b', 'ABC', 'aBc', 'abd', 'abcabc', 'xabcx', 'a c', 'a*b', 'a\\b', 'a"b'],
  ...['[', '5', '12345678', 'caf\xc3\xa9', 'CAF\xc3\x89', 'a.b-c_d', 'aaab', 'b42', 'xx', 'abab'],
  ...['aGVsbG8=', 'aGVsbG8', 'aGVsbG8==', '%6%31b%2563+d', '%u00e9', '127.0.0.1', '%%3661'],
  ...['{"n":5,"s":"five"}', '{"n":-5,"a":[1,"two",{"k":31}],"big":9007199254740993}', '{"n":5.0}'],
  ...['a=1&b=2&c=3&b=4', 'one,two,three,four']
]

/** A request whose every text has letters of both cases, where it may have any. */
export const shop = {
  ...{ method: 'POST', path: '/Shop/Cart.PHP', query: 'q=Hello&x=3', agent: 'aBcDe' },
  headers: { cookie: 'Sid=Abd; theme=Dark', referer: 'http://r.example.test/Page' }
} as const satisfies Visit

/** Requests that differ in whatever the expressions of this folder ask for. */
export const visits: readonly Visit[] = [
  ...agents.map((agent) => ({ ...plain, agent })),
  {
    ...plain,
    path: '/a/index.html',
    query: 'x=1&y=two&x=3',
    headers: { cookie: 'sid=abc; theme=dark', 'x-v': 'quick', referer: 'http://r.example.test/p' }
  },
  { ...plain, ...shop },
  { ...plain, method: 'PUT', path: '/a', headers: { 'x-v': 'Quick', cookie: 'sid=abd' } },
  { ...plain, method: 'POST', path: '/a', query: 'x=1', agent: 'a' },
  { ...plain, path: '/long', query: `${'ab'.repeat(5_990)}c${'ab'.repeat(100)}` }
]

/** The parameters of a query, in order. */
export function parametersOf({ query }: Visit): [name: string, value: string][] {
  return query.split('&').flatMap((part): [string, string][] => {
    const [name = '', value = ''] = part.split('=')
    return part === '' ? [] : [[name, value]]
  })
}

/** The values of a query's parameters of one name. */
export function valuesIn(visit: Visit, name: string): string[] {
  return parametersOf(visit).flatMap(([one, value]) => (one === name ? [value] : []))
}

/** The request in words. */
export function visitNamed({ method, path, query, agent }: Visit): string {
  const target = query === '' ? path : `${path}?${query}`
  return `${method} ${target.length > 40 ? `${target.slice(0, 40)}…` : target} by ${agent}`
}
