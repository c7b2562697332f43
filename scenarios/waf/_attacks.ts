import type { Client, Reply } from 'plimsoll'

/** What every textbook has as an attack, by its kind. */
export const attacks = {
  'a second query': "1' union select name, password from users--",
  'a query that is always true': "x' or 1=1--",
  'a script': '<script>alert(1)</script>',
  'a handler of events': '<img src=x onerror=alert(1)>',
  'a way out of the folder': '../../../../etc/passwd',
  'a shell command': ';cat /etc/passwd'
}

/** A kind of attack. */
export type Attack = keyof typeof attacks

type Sent = Parameters<Client['post']>[1] & { query?: Record<string, string> }

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const encoded = encodeURIComponent
const part = (text: string) =>
  `--part\r\nContent-Disposition: form-data; name="q"\r\n\r\n${text}\r\n--part--\r\n`

/** Where an attack can stand in a request. */
export const places = {
  'the query': (text: string) => ({ tail: `?q=${encoded(text)}` }),
  'the path': (text: string) => ({ tail: encoded(text) }),
  'a form': (text: string) => ({ headers: form, body: `a=b&q=${encoded(text)}` }),
  'a JSON document': (text: string) => ({ json: { a: ['b', { q: text }] } }),
  'a form in parts': (text: string) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=part' },
    body: part(text)
  }),
  'a cookie': (text: string) => ({ headers: { cookie: `a=b; q=${encoded(text)}` } }),
  'the user agent': (text: string) => ({ headers: { 'user-agent': text } }),
  'the referer': (text: string) => ({ headers: { referer: `http://a.test/?q=${encoded(text)}` } })
} satisfies { [place: string]: (text: string) => Sent & { tail?: string } }

/** A place in a request. */
export type Place = keyof typeof places

/** Ways to ask; what is in a body has to have one. */
export const methodsFor = (place: Place) =>
  /form|JSON/.test(place) ? (['post', 'put'] as const) : (['get', 'post', 'put'] as const)

/** Sends a text to a path of a site, in one place of the request. */
export function sendTo(
  client: Client,
  path: string,
  { text, place, method }: { text: string; place: Place; method: 'get' | 'post' | 'put' }
): Promise<Reply> {
  const { tail = '', ...options }: Sent & { tail?: string } = places[place](text)
  return client[method](path + tail, options)
}
