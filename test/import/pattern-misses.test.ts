import { describe, expect, test } from 'vitest'
import { missesOf } from '../../src/import/pattern-misses.ts'
import { type Answered, odd, type Service } from './asked.ts'

const textsOf = (pattern: string) =>
  missesOf(pattern, (text) => !new RegExp(pattern, 'u').test(text))

const wider: [pattern: string, wider: RegExp[]][] = [
  ['^R-[0-9]{4,6}$', [/^R-[0-9]{4,6}$/i, /^R-[0-9]{4,6}$/m]],
  ['^[a-z][a-z0-9_]*$', [/^[a-z0-9_]*$/, /^[a-zA-Z][a-z0-9_]*$/]],
  ['^(0[1-9]|1[0-2])/[0-9]{2}$', [/^(0[1-9]|1[0-9])\/\d\d$/, /^(0\d|1[0-2])\/\d\d$/]],
  ['^[a-z]+$', [/^[a-z]+$/m, /^[a-z]+$/i, /^[a-z][a-z0-9]*$|^\d[a-z]+$/]],
  ['^\\+?[1-9]\\d{1,14}$', [/^\+?\d{2,15}$/]],
  ['^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$', [/^[A-Z]{2}[A-Z\d]{13,32}$/, /^[A-Z\d]{4}[A-Z\d]{11,30}$/]],
  ['^v[1-9]\\d*\\.[0-4]$', [/^v\d+\.[0-4]$/, /^v[1-9]\d*\.[0-5]$/]]
]

test.each(wider)('of %s texts are known that some wider expression takes', (pattern, others) => {
  const texts = textsOf(pattern)
  expect(texts.length).toBeLessThanOrEqual(12)
  for (const other of others) expect(texts.filter((text) => other.test(text))).not.toEqual([])
})

test('where a point stands for any letter, a line break is not held against anybody', () => {
  expect(textsOf('^.+$')).toEqual([])
  expect(textsOf('^[^,]*$').filter((text) => text.includes('\n'))).toEqual([])
})

const document = (pattern: string) => {
  const schema = {
    type: 'object',
    required: ['x'],
    properties: { x: { type: 'string', pattern } }
  }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.1.0', paths: { '/a': { post } } }
}

const takes =
  (form: RegExp): Service =>
  ({ body, headers }): Answered => {
    if (headers['content-type'] !== 'application/json') return [415]
    return [typeof body?.x === 'string' && form.test(body.x) ? 200 : 400]
  }

describe('a service that takes what a pattern does not', () => {
  test.each(wider.slice(0, 4).map(([pattern, [other]]) => [pattern, other!] as const))(
    'falls, %s taken as %s',
    async (pattern, other) => {
      expect(await odd(document(pattern), takes(other))).toEqual({ 'a.body.x.pattern': 'fail' })
      expect(await odd(document(pattern), takes(new RegExp(pattern, 'u')))).toEqual({})
    }
  )
})
