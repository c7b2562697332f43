import { afterAll, expect, test } from 'vitest'
import { serve } from './elsewhere.ts'
import { openTestIsolates, specOf } from './isolates.ts'

const elsewhere = await serve(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  response.end(`${request.method} ${request.url} ${body}`)
})
const isolates = openTestIsolates()
afterAll(async () => {
  await isolates.close()
  await elsewhere.close()
})

const spec = specOf(`
const smuggled = 'true' + 'GET /smuggled HTTP/1.1\\r\\nHost: elsewhere.test\\r\\n\\r\\n'
const long = (length, body) => ({ method: 'POST', headers: { 'content-length': length }, body })
const asked = {
  'too short': () => long('4', smuggled),
  'too short, of a stream': () => long('4', new Response(smuggled).body),
  'too long': () => long('400', 'true'),
  'said twice': () => long('4, 4', 'true'),
  'in another form': () => long('0x4', 'true'),
  'within another header'() {
    const headers = [['a', 'b', 'content-length', '4']]
    Object.defineProperty(Request.prototype, 'headers', { get: () => headers })
    return { method: 'POST', body: smuggled }
  },
  'without a body': () => ({ headers: { 'content-length': '30' } }),
  right: () => long('4', 'true')
}
export default {
  async fetch(request) {
    const init = asked[decodeURIComponent(new URL(request.url).pathname.slice(1))]()
    const answer = fetch('http://127.0.0.1:${elsewhere.port}/said', { duplex: 'half', ...init })
    return new Response(await answer.then((given) => given.text(), ({ name }) => name))
  }
}`)

test.each([
  ['too short', 'TypeError'],
  ['too short, of a stream', 'TypeError'],
  ['too long', 'TypeError'],
  ['said twice', 'TypeError'],
  ['in another form', 'TypeError'],
  ['without a body', 'GET /said '],
  ['right', 'POST /said true'],
  ['within another header', expect.stringContaining('POST /said true')]
])('a length that is %s begins no other request', async (name, expected) => {
  expect((await isolates.ask(spec, { path: `/${encodeURIComponent(name)}` })).text).toEqual(
    expected
  )
  expect(elsewhere.requests).not.toContain('/smuggled')
})
