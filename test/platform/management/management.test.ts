import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { managementRules } from '../../../src/platform/management/rules.ts'
import { type Announcement, type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'
import { bytes, chunks, head, talk } from '../wire.ts'

let running: Platform
let said: Announcement
let call: ReturnType<typeof api>
let zone: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
  call = api(said)
  zone = `/zones/${said.zones.free}`
})
afterAll(() => running.close())

/** Fails unless a body is the envelope of a failure. */
function expectFailure(body: any) {
  expect(Object.keys(body).sort()).toEqual(['errors', 'messages', 'result', 'success'])
  expect(body).toMatchObject({ result: null, success: false, messages: [] })
  expect(body.errors.length).toBeGreaterThan(0)
  for (const { code, message } of body.errors) {
    expect(code).toBeGreaterThanOrEqual(1_000)
    expect(message).toBeTypeOf('string')
  }
}

test('a success is an envelope, with result_info only on lists', async () => {
  const single = (await call('GET', `${zone}/page_shield`)).json
  expect(single).toEqual({ result: expect.anything(), success: true, errors: [], messages: [] })
  const list = (await call('GET', `${zone}/page_shield/scripts`)).json
  expect(Object.keys(list.result_info)).toEqual([
    ...['page', 'per_page', 'count', 'total_count', 'total_pages']
  ])
})

describe('who is let in', () => {
  const policy = {
    action: 'log',
    expression: 'ssl',
    enabled: true,
    value: 'script-src',
    description: ''
  }
  const operations: [string, string, object | undefined][] = [
    ['GET', '', undefined],
    ['GET', '/page_shield', undefined],
    ['PUT', '/page_shield', { enabled: true }],
    ['GET', '/page_shield/scripts', undefined],
    ['GET', '/page_shield/connections', undefined],
    ['GET', '/page_shield/cookies', undefined],
    ['GET', '/page_shield/policies', undefined],
    ['POST', '/page_shield/policies', policy]
  ]
  const callers: [string, () => Record<string, string>, number, number][] = [
    ['the full token', () => ({ authorization: `Bearer ${said.token}` }), 200, 200],
    ['a lower-case scheme', () => ({ authorization: `bearer  ${said.token}` }), 200, 200],
    [
      'the legacy pair',
      () => ({ 'x-auth-email': said.email, 'x-auth-key': said.apiKey }),
      200,
      200
    ],
    ['the read-only token', () => ({ authorization: `Bearer ${said.readOnlyToken}` }), 200, 403],
    [
      'a token without permissions',
      () => ({ authorization: `Bearer ${said.noPermissionToken}` }),
      403,
      403
    ],
    ['nothing', () => ({}), 401, 401],
    ['another token', () => ({ authorization: `Bearer ${said.token.slice(1)}0` }), 401, 401],
    ['the API key as a token', () => ({ authorization: `Bearer ${said.apiKey}` }), 401, 401],
    ['half of the pair', () => ({ 'x-auth-email': said.email }), 401, 401],
    ['the other half', () => ({ 'x-auth-key': said.apiKey }), 401, 401],
    [
      'a pair with a wrong key',
      () => ({ 'x-auth-email': said.email, 'x-auth-key': said.token }),
      401,
      401
    ],
    ['no token after Bearer', () => ({ authorization: 'Bearer' }), 400, 400],
    ['two tokens', () => ({ authorization: `Bearer ${said.token} ${said.token}` }), 400, 400],
    ['another scheme', () => ({ authorization: `Basic ${said.token}` }), 400, 400]
  ]

  test.each(callers)('%s', async (_, headers, reading, writing) => {
    for (const [method, path, body] of operations) {
      const answer = await call(method, zone + path, {
        body,
        headers: { ...headers(), 'content-type': 'application/json' }
      })
      expect([method, path, answer.status]).toEqual([
        method,
        path,
        method === 'GET' ? reading : writing
      ])
      if (answer.status !== 200) expectFailure(answer.json)
    }
  })

  test('a failure never repeats the credential', async () => {
    const secret = 'a'.repeat(40)
    const { text } = await call('GET', zone, { headers: { authorization: `Bearer ${secret}` } })
    expect(text).not.toContain(secret)
  })

  test("another account's zone is as good as none", async () => {
    const { id } = (await door(said)('POST', '/zones', { plan: 'free', account: 'other' })).json
    const [foreign, unknown] = [await call('GET', `/zones/${id}`), await call('GET', '/zones/abc')]
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(foreign.text.replace(id, '')).toBe(unknown.text.replace('abc', ''))
  })
})

describe('what is no operation', () => {
  test.each([
    ['GET', '', 404],
    ['GET', '/', 404],
    ['GET', '/zones', 404],
    ['GET', '/zones/', 404],
    ['GET', '/zones/ZONE/page_shield/', 404],
    ['GET', '/zones/ZONE/page_shield/scripts/abc/more', 404],
    ['GET', '/zones/xyz/page_shield', 404],
    ['GET', '/zones/%7a/page_shield', 404],
    ['GET', '/zones/%/page_shield', 404],
    ['GET', "/zones/1'%20OR%20'1'='1/page_shield", 404],
    ['GET', '/zones/ZONE/page_shield/scripts/g', 404],
    ['GET', '/../../api/v4/zones/ZONE', 404],
    ['POST', '/zones/ZONE', 405],
    ['DELETE', '/zones/ZONE/page_shield', 405],
    ['PATCH', '/zones/ZONE/page_shield', 405],
    ['PUT', '/zones/ZONE/page_shield/policies', 405],
    ['POST', '/zones/ZONE/page_shield/scripts', 405],
    ['TRACE', '/zones/ZONE/page_shield', 405]
  ])('%s %s is %i', async (method, path, status) => {
    const at = `/client/v4${path.replaceAll('ZONE', said.zones.free!)}`
    const lines = ['Host: x', 'Connection: close', `Authorization: Bearer ${said.token}`]
    const heard = await talk(said.management, [head(`${method} ${at}`, ...lines)])
    expect(heard.statuses).toEqual([status])
    expectFailure(JSON.parse(heard.body))
    if (status === 405) expect(heard.text).toMatch(/\r\nAllow: \w+/)
  })

  test('OPTIONS says what can be done, and HEAD is a GET without a body', async () => {
    const options = await call('OPTIONS', `${zone}/page_shield/policies`)
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, OPTIONS'])
    const [get, only] = [
      await call('GET', `${zone}/page_shield`),
      await call('HEAD', `${zone}/page_shield`)
    ]
    expect([only.status, only.text]).toEqual([200, ''])
    expect(only.headers.get('content-type')).toBe(get.headers.get('content-type'))
  })
})

describe('bodies that are no use', () => {
  const json = { 'content-type': 'application/json' }
  const bearer = () => ({ authorization: `Bearer ${said.token}` })

  test.each([
    ['malformed', '{"enabled":', json, 400, 6_007],
    ['empty', '', json, 400, 6_007],
    ['not an object', '[true]', json, 400, 6_007],
    ['ambiguous', '{"enabled":true,"enabled":false}', json, 400, 6_007],
    ['after the prototype', '{"__proto__":{"enabled":true}}', json, 400, 6_007],
    ['plain text', '{"enabled":true}', { 'content-type': 'text/plain' }, 415, 10_415],
    ['a form', 'enabled=true', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 10_415]
  ])('%s', async (_, body, headers, status, code) => {
    const answer = await call('PUT', `${zone}/page_shield`, {
      body,
      headers: { ...bearer(), ...headers }
    })
    expect(answer.status).toBe(status)
    expectFailure(answer.json)
    expect(answer.json.errors[0].code).toBe(code)
  })

  const limit = managementRules.limits.bodyBytes
  const put = (...lines: string[]) =>
    head(
      `PUT /client/v4${zone}/page_shield`,
      ...['Host: x', `Authorization: Bearer ${said.token}`, ...lines]
    )
  const next = () => head(`GET /client/v4${zone}`, 'Host: x', 'Connection: close')

  test.each([
    ['announced', limit, 400],
    ['announced', limit + 1, 413],
    ['chunked', limit, 400],
    ['chunked', limit + 1, 413]
  ])('%s, %i bytes are %i, and the connection goes on', async (how, size, status) => {
    const parts =
      how === 'announced'
        ? [put(`Content-Length: ${size}`), ...bytes(size)]
        : [put('Transfer-Encoding: chunked'), ...chunks(size)]
    const heard = await talk(said.management, [...parts, next()])
    expect(heard.statuses).toEqual([status, 401])
  })

  test('nobody who is not let in is read at all', async () => {
    const heard = await talk(
      said.management,
      [head(`PUT /client/v4${zone}/page_shield`, 'Host: x', 'Content-Length: 9999999')],
      /}$/
    )
    expect(heard.statuses).toEqual([401])
  })
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['no host', head('GET /'), 400],
  ['two hosts', head('GET /', 'Host: x', 'Host: y'), 400],
  ['a host that is none', head('GET /client/v4/zones', 'Host: a b', 'Connection: close'), 400],
  ['a URL that is too long', head(`GET /${'a'.repeat(20_000)}`, 'Host: x'), 431],
  ['two lengths', head('PUT /', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'), 400],
  [
    'two framings',
    head('PUT /', 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    400
  ],
  ['a tunnel', head('CONNECT x:1', 'Host: x'), 405]
])('%s is answered with an envelope', async (_, request, status) => {
  const heard = await talk(said.management, [request])
  expect(heard.statuses).toEqual([status])
  expectFailure(JSON.parse(heard.body))
})

test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'a client that leaves in the middle by %s harms nobody',
  async (leave) => {
    const warned = vi.spyOn(process, 'emitWarning')
    const { hostname, port } = new URL(said.management)
    const socket = connect(Number(port), hostname)
    socket
      .resume()
      .write(
        `${head(
          `PUT /client/v4${zone}/page_shield`,
          ...['Host: x', `Authorization: Bearer ${said.token}`, 'Content-Length: 1000']
        )}abc`
      )
    await once(socket, 'connect')
    socket[leave]()
    await once(socket, 'close')
    expect((await call('GET', zone)).status).toBe(200)
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  }
)
