import { expect, test } from 'vitest'
import { type LoadFlags, loadOf } from '../../../src/cli/flags/load-flags.ts'

const flags = {
  ...{ connections: 5, duration: 2, pipelining: 1, timeout: 3, transport: 'wire' },
  ...{ insecure: false, url: 'http://127.0.0.1/', method: 'GET', header: [] }
} as unknown as LoadFlags

test('arrivals are precise where a rate is named and somebody asks for it', () => {
  expect(loadOf({ ...flags, rate: 10, precise: true })).toMatchObject({ precise: true })
  expect(loadOf({ ...flags, rate: 10 })).not.toHaveProperty('precise')
  expect(() => loadOf({ ...flags, precise: true })).toThrow('name one by -r')
})
