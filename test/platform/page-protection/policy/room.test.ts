import { expect, test } from 'vitest'
import type { Policy } from '../../../../src/platform/page-protection/policy/policy.ts'
import { roomFault } from '../../../../src/platform/page-protection/policy/room.ts'

const limits = { policies: 3, policyHeadBytes: 300 }
const usual = { description: '', action: 'allow', expression: 'true' } as const

function policies(...values: (string | undefined)[]): Policy[] {
  return values.map((value = 'a') => ({ id: 'p', ...usual, enabled: 'true', value }))
}

test.each<[string, Policy[], Policy[], string | undefined]>([
  ['as many as may be', policies('a', 'a'), policies('a', 'a', 'a'), undefined],
  ['one more', policies('a', 'a', 'a'), policies('a', 'a', 'a', 'a'), '3 policies at most'],
  ['fewer of too many', policies('', '', '', '', ''), policies('', '', '', ''), undefined],
  ['too long', policies('a'), policies('x'.repeat(300)), 'may make 300 bytes'],
  ['less of too long', policies('x'.repeat(400)), policies('x'.repeat(300)), undefined],
  ['as long as before', policies('x'.repeat(300)), policies('x'.repeat(300)), undefined],
  [
    'one that is off',
    [],
    policies('x'.repeat(300)).map((one) => ({ ...one, enabled: false })),
    undefined
  ]
])('%s', (_, before, after, fault) => {
  const said = roomFault({ before, after }, limits)
  if (fault === undefined) expect(said).toBeUndefined()
  else expect(said).toContain(fault)
})
