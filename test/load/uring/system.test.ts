import { describe, expect, test } from 'vitest'
import { systemBy, Unavailable } from '../../../src/load/uring/system.ts'

// A name in a variable: who has not installed it can still check types.
const peer: string = 'koffi'
const { default: koffi } = await import(peer)

const whyNot = (given: unknown): string => {
  try {
    systemBy(given)
  } catch (error) {
    expect(error).toBeInstanceOf(Unavailable)
    return (error as Error).message
  }
  return 'there is one'
}

const refuse = (what: string) => () => {
  throw new TypeError(what)
}

describe.runIf(process.platform === 'linux')('a system by koffi', () => {
  test('maps memory, tells addresses and errors', () => {
    const { map, unmap } = systemBy(koffi)
    const mapped = map(4_096)
    expect([mapped.memory.byteLength, mapped.address % 4_096]).toEqual([4_096, 0])
    unmap(mapped)
    expect(mapped.memory.byteLength).toBe(0)
    expect(() => map(4_096, { fd: -1, offset: 0 })).toThrow('no memory: EBADF')
  })

  test.each<[string, unknown, RegExp]>([
    // As versions 2.9 and 2.16 do.
    [
      'is too old to take addresses as they are given',
      { ...koffi, version: '2.16.3', view: refuse('Unexpected BigInt value for ptr') },
      /^koffi 2\.16\.3 is too old: npm install koffi@3 \(Unexpected BigInt/
    ],
    [
      'has no `load`',
      { ...koffi, load: undefined },
      /^koffi \d[\d.]+ cannot be used \(.*not a function/
    ],
    ['cannot load', { ...koffi, load: refuse('no libc') }, /cannot be used \(no libc\)$/],
    ['knows no errors', { ...koffi, os: {} }, /cannot be used/],
    ['tells errors that are none', { ...koffi, errno: () => 0 }, /\(it tells no errors\)$/],
    ['is empty', {}, /^koffi of no version cannot be used/],
    ['is not there', undefined, /^koffi of no version cannot be used/]
  ])('is unavailable where it %s', (_, given, why) => {
    expect(whyNot(given)).toMatch(why)
  })
})
