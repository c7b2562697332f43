import { type Item, quoted } from '../_reply.ts'
import type { Tally } from '../_tally.ts'
import { type browsers, patiently } from './_browser.ts'

const expires = 'Wed, 01 Jan 2031 02:03:04 GMT'

/** Cookies as a server sets them, and what is true of each; what is not said is left open. */
export const set: ((host: string) => [header: string, is: { [field: string]: unknown }])[] = [
  () => [
    'first=1; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Strict',
    {
      ...{ name: 'first', path_attribute: '/', max_age_attribute: 3_600, secure_attribute: true },
      ...{ http_only_attribute: true, same_site_attribute: 'strict' }
    }
  ],
  (host) => [
    `second=a=b; expires=${expires}; path=/shop; domain=${host}; samesite=lax`,
    {
      ...{ name: 'second', path_attribute: '/shop', domain_attribute: host },
      ...{ expires_attribute: new Date(expires).toISOString(), max_age_attribute: null },
      ...{ http_only_attribute: false, secure_attribute: false, same_site_attribute: 'lax' }
    }
  ],
  (host) => [
    `third=; Domain=.${host.toUpperCase()}; Path=/shop/cart; SameSite=None; Secure; httponly`,
    {
      ...{ name: 'third', path_attribute: '/shop/cart', domain_attribute: host },
      ...{ http_only_attribute: true, secure_attribute: true, same_site_attribute: 'none' }
    }
  ],
  () => [
    'fourth=x; Path=/; Max-Age=0; Max-Age=31536000; Expires=never; Secure',
    {
      ...{ name: 'fourth', max_age_attribute: 31_536_000, secure_attribute: true },
      http_only_attribute: false
    }
  ],
  // One name for two paths is two cookies (RFC 6265, 5.3).
  () => [
    'first=2; Path=/shop; Max-Age=60; HttpOnly; SameSite=Lax',
    {
      ...{ name: 'first', path_attribute: '/shop', max_age_attribute: 60 },
      ...{ http_only_attribute: true, secure_attribute: false, same_site_attribute: 'lax' }
    }
  ]
]

/** The cookie that was set like this, by its name and, where two have that, its path. */
export function like(all: readonly Item[], { name, path_attribute: path }: Item): Item | undefined {
  return all.find(
    (one) => one.name === name && (name !== 'first' || isAlike(one.path_attribute, path))
  )
}

/** Whether two values are one; a domain may have the dot it was set with. */
export function isAlike(shown: unknown, is: unknown): boolean {
  if (typeof is !== 'string') return shown === is
  const text = `${shown}`.toLowerCase().replace(/^\./, '')
  return text === is.toLowerCase() || Date.parse(text) === Date.parse(is)
}

/** How a cookie is set, otherwise each time, and what is then true of its fields, in order. */
export const settings: [attributes: string, is: unknown[]][] = [
  ['Max-Age=60; Secure; SameSite=Strict', [60, true, false, 'strict']],
  ['Max-Age=7200; HttpOnly; SameSite=Lax', [7_200, false, true, 'lax']],
  ['HttpOnly; Secure; SameSite=None', [null, true, true, 'none']]
]
const fields = ['max_age', 'secure', 'http_only', 'same_site'].map((name) => `${name}_attribute`)

/** The clause about a field of cookies. */
export const clause = (field: string) =>
  `page-protection.cookie.field.${field.replaceAll('_', '-')}`

/** The clauses about what is set otherwise. */
export const settingClauses = fields.map(clause)

/** Holds what is listed of the cookie against how it was set last; it may be listed as several. */
export async function judgeSetting(
  on: ReturnType<typeof browsers>,
  tally: Tally,
  [asked, is]: (typeof settings)[number]
) {
  const isShown = (one: Item, n: number) => isAlike(one[fields[n]!] ?? null, is[n])
  const listed = async () => {
    const { all, replies } = await on.listed('cookies')
    return { all: all.filter(({ name }) => name === 'set'), reply: replies[0]! }
  }
  const isSo = (one: Item) => is.every((_, n) => isShown(one, n))
  const { all, reply } = await patiently(listed, ({ all }) => all.some(isSo))
  for (const [n, field] of all.length > 0 ? fields.entries() : []) {
    const saw = quoted(all.map((one) => one[field]))
    const holds = all.some((one) => isShown(one, n))
    tally.add(clause(field), { asked, holds, saw, reply })
  }
}
