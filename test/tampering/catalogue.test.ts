import { expect, test } from 'vitest'
import { tamperings } from '../../src/tampering/catalogue.ts'
import { kindOf, momentOf, questionOf, type Witnessed } from '../../src/tampering/witnessed.ts'

function seen(request: string, status: number, json?: unknown, body = ''): Witnessed {
  const [method = '', path = ''] = request.split(' ')
  const answer = { status, headers: {}, text: JSON.stringify(json) ?? '', json }
  const sizes = { headBytes: 100, bodyBytes: body.length, sha256: 'f'.repeat(64) }
  return { endpoint: 'service', asked: { method, path, headers: {}, body, ...sizes }, answer }
}

const name = (letters: number) => JSON.stringify({ name: 'x'.repeat(letters) })
const taken = seen('POST /orders', 201, { id: 'o1', name: 'x'.repeat(40), length: 40 }, name(40))
const refused = seen('POST /orders', 422, { error: 'too long' }, name(41))

/** What the tamperings whose words match make of an answer. */
function outcomes(words: RegExp, of: Witnessed, all: Witnessed[]) {
  return tamperings({ clause: 'orders.any', shown: all, all })
    .filter((one) => words.test(one.words))
    .flatMap((one) => one.change(of) ?? [])
}

test('what was refused is taken, and says of the request what it would have said', () => {
  const [made] = outcomes(/: taken as/, refused, [taken, refused])
  expect(made).toMatchObject({ status: 201 })
  expect(JSON.parse(made!.text!)).toEqual({ id: 'o1', name: 'x'.repeat(41), length: 41 })
})

test('the first few of a field have another value, none and another type', () => {
  const ways = ['GET /a', 'GET /b', 'PUT /c', 'POST /d', 'DELETE /e']
  const all = ways.map((way) => seen(way, 200, { messages: [], other: 1 }))
  const list = tamperings({ clause: 'envelope.messages', shown: all, all })
  const first = list.filter(({ words }) => words.endsWith(' messages')).slice(0, 6)
  for (const what of ['another value of', 'without', 'another type of'])
    expect(first.some(({ words }) => words.includes(`${what} messages`))).toBe(true)
})

test('a body that is no text is told by its length', () => {
  const upload = seen('PUT /file', 200, {}, '\u0000\ufffd\u001b[2J')
  const list = tamperings({ clause: 'file.any', shown: [upload], all: [upload] })
  const words = list.map((one) => one.words).join('\n')
  expect(words).toContain('PUT /file (6 bytes), HTTP 200: ')
  expect(words).not.toContain('\u001b')
})

test('what was taken is refused as another was', () => {
  expect(outcomes(/: refused as/, taken, [taken, refused])).toEqual([refused.answer])
  expect(outcomes(/: refused as/, refused, [taken, refused])).toEqual([])
})

test('statuses, fields, types, texts and other answers: each kind is there', () => {
  const other = seen('GET /orders/o2', 200, { id: 'o2', name: 'Zoë', tags: ['a', 'b'] })
  const list = tamperings({ clause: 'orders.tags', shown: [other], all: [other, taken] })
  const words = list.map((one) => one.words).join('\n')
  for (const part of [': HTTP 404', 'the answer of POST /orders', 'another value of name'])
    expect(words).toContain(part)
  for (const part of ['without id', 'another type of id', 'the other order of tags', 'empty body'])
    expect(words).toContain(part)
  // What the clause is named after comes first.
  expect(list[0]!.words).toMatch(/another value of tags/)
  expect(new Set(list.map(({ key }) => key)).size).toBe(list.length)
})

test('a body that is not known is not sent again with another status', () => {
  const picture = seen('GET /picture', 200)
  const unread = { ...picture, answer: { ...picture.answer, text: undefined } }
  const statuses = (one: Witnessed) => outcomes(/HTTP 404/, one, [one]).map(({ status }) => status)
  expect(statuses(picture)).toContain(404)
  expect(statuses(unread)).toEqual([])
})

test('the same question is known again, whatever it is about, and at which moment', () => {
  const [one, two] = ['0123456789abcdef', 'fedcba9876543210'].map((id) =>
    seen(`GET /v4/zones/${id}/x?page=2`, 200)
  ) as [Witnessed, Witnessed]
  expect(questionOf(one)).toBe(questionOf(two))
  expect(kindOf(one)).toBe('service GET /v4/zones/*/x')
  expect(questionOf(one)).not.toBe(questionOf(seen('GET /v4/zones/0123456789abcdef/x?page=3', 200)))
  const put = seen('PUT /v4/zones/0123456789abcdef/x', 200, {}, '{"on":true}')
  const after = { ...one, after: put }
  expect(momentOf(after)).not.toBe(momentOf(one))
  expect(momentOf(after)).not.toBe(momentOf({ ...two, after: put }))
})

test('a question that is asked at two moments has a stale answer', () => {
  const put = seen('PUT /switch', 200, {}, '{"on":true}')
  const off = seen('GET /switch', 200, { on: false })
  const on = { ...seen('GET /switch', 200, { on: true }), after: put }
  expect(outcomes(/as at another time/, on, [off, put, on])).toEqual([off.answer])
  expect(outcomes(/as at another time/, off, [off, put, on])).toEqual([])
})

test('a field that there is to be none of is there, by the name that the clause has for it', () => {
  const list = seen('GET /scripts', 200, { result: [{ id: 'a' }] })
  const single = seen('GET /scripts/a1', 200, { result: { id: 'a', page_urls: ['/'] } })
  const all = [single, list]
  const words = (clause: string) =>
    tamperings({ clause, shown: [list], all }).map((one) => one.words)
  expect(words('script.page-urls-not-in-list')).toContain(
    'service GET /scripts, taken: one field more in result.*, page_urls'
  )
  expect(words('script.classification-not-a-field')).toContain(
    'service GET /scripts, taken: one field more in result.*, classification'
  )
})

test('of the fields that a clause names the first come first, of either fate', () => {
  const envelope = { success: true, errors: [], messages: [] }
  const all = [seen('GET /a', 200, envelope), seen('GET /b', 404, { ...envelope, errors: [1] })]
  const list = tamperings({ clause: 'envelope.errors-empty-on-success', shown: all, all })
  const first = list.filter(({ words }) => / value of (success|errors)$/.test(words)).slice(0, 2)
  expect(first.map(({ words }) => words)).toEqual([
    'service GET /b, refused: another value of errors',
    'service GET /a, taken: another value of errors'
  ])
})

test('what is refused whoever asks for it is taken as it was of somebody', () => {
  const asking = (authorization: string, status: number) => {
    const one = seen('GET /a', status, { success: status === 200 })
    return { ...one, asked: { ...one.asked, headers: { authorization } } }
  }
  const all = [asking('', 401), asking('wrong', 401), asking('right', 200)]
  const list = tamperings({ clause: 'auth.any', shown: all.slice(0, 2), all })
  const [made] = list.filter(({ words }) => /all refused: taken as GET \/a/.test(words))
  const statuses = all.map((one) => made!.change(one)?.status)
  expect(statuses).toEqual([200, 200, undefined])
})

test('a header that any answer of a kind has is gone, is another, and is as elsewhere', () => {
  const page = (path: string, headers: Record<string, string>) => {
    const one = seen(`GET ${path}`, 200, {})
    return { ...one, answer: { ...one.answer, headers } }
  }
  const policy = (source: string) => ({ 'content-security-policy': `script-src ${source}` })
  const all = [page('/', policy('a.test')), page('/b', policy("'self'")), page('/', {})]
  const changed = outcomes(/^service GET \/: header/, all[0]!, all).map(({ headers }) => headers)
  expect(changed).toContainEqual({})
  expect(changed).toContainEqual(policy("'self'"))
  expect(outcomes(/^service GET \/: header/, all[2]!, all)).toEqual([])
})
