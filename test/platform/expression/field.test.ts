import { expect, test } from 'vitest'
import { parseExpression, requestFields } from '../../../src/platform/expression/expression.ts'
import { functions } from '../../../src/platform/expression/functions/functions.ts'
import { elementOf, type Type } from '../../../src/platform/expression/scheme.ts'

const asked: Record<string, string> = { Bool: '', Bytes: ' eq "a"', Int: ' eq 1', Ip: ' eq ::1' }

test.each(Object.entries(requestFields))('%s can be asked for, being of type %s', (name, type) => {
  let source: string = name
  let inner: Type = type
  for (let element = elementOf(inner); element; element = elementOf(inner)) {
    source += inner.startsWith('Map') ? '["key"]' : '[0]'
    inner = element
  }
  expect(parseExpression(source + asked[inner])).toMatchObject({ ok: true })
})

test('no field is called like a function', () => {
  expect(Object.keys(requestFields).filter((name) => functions.has(name))).toEqual([])
})
