import { expect, test } from 'vitest'
import { odd, type Service } from './asked.ts'

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic' },
  tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant' },
  app: { type: 'apiKey', in: 'header', name: 'X-App-Key' }
}
const security = [{ basic: [] }, { tenant: [], app: [] }]
const get = { operationId: 'a', security, responses: { 200: { description: 'it' } } }
const document = { openapi: '3.1.0', paths: { '/a': { get } }, components: { securitySchemes } }
const headers = { 'x-tenant': 'tenant-7', 'x-app-key': 'key-1234' }

const service =
  (enough: (keyof typeof headers)[]): Service =>
  ({ headers: shown }) => {
    return [enough.every((name) => shown[name] === headers[name]) ? 200 : 401]
  }

test('who asks for both of what is shown together passes', async () => {
  expect(await odd(document, service(['x-tenant', 'x-app-key']), { headers })).toEqual({})
})

test.each(['x-tenant', 'x-app-key'] as const)('who lets in by %s alone falls', async (name) => {
  const found = await odd(document, service([name]), { headers })
  expect(found).toMatchObject({ 'a.auth.part': 'fail' })
})

test('of what is shown together and not known nothing is judged', async () => {
  const found = await odd(document, () => [200], { headers: { authorization: 'Basic cDpxcXE=' } })
  expect(found['a.auth.part']).toBe('observed')
})
