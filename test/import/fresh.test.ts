import { expect, test } from 'vitest'
import { odd, type Service } from './asked.ts'

const isObject = (x: any) => x !== null && typeof x === 'object' && !Array.isArray(x)

test('what is unique is as the document says, and asked again where it is there', async () => {
  const ref = { type: 'string', pattern: '^R-[0-9]{4,6}$' }
  const email = { type: 'string', format: 'email', maxLength: 60 }
  const note = { type: 'string', maxLength: 5 }
  const schema = { type: 'object', required: ['ref', 'email'], properties: { ref, email, note } }
  const operation = {
    operationId: 'a',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 201: { description: 'made' } }
  }
  const known = new Set<string>()
  const service: Service = ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json' || !isObject(body)) return [400]
    const { ref, email, note = '' } = body
    if (![ref, email, note].every((one) => typeof one === 'string')) return [400]
    if (!/^R-[0-9]{4,6}$/.test(ref) || !/^[^@]+@example\.com$/.test(email)) return [400]
    if (email.length > 60 || note.length > 5) return [400]
    // One of five is there before, by chance.
    if (known.has(ref) || known.has(email) || Number(ref.at(-1)) % 5 === 1) return [409]
    known.add(ref).add(email)
    return [201]
  }
  const samples = 'operations: { a: { fresh: [body.ref, body.email] } }'
  const own = { openapi: '3.1.0', paths: { '/a': { post: operation } } }
  expect(await odd(own, service, { samples })).toEqual({})
})
