import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { joined, sizeBeyond } from './covered.ts'
import { countedExactly } from './slot.ts'

test('stretches are joined, and counted beyond others', () => {
  expect(
    joined(
      [
        [0, 4],
        [8, 9]
      ],
      [
        [2, 6],
        [9, 12]
      ]
    )
  ).toEqual([
    [0, 6],
    [8, 12]
  ])
  expect(
    sizeBeyond([
      [0, 10],
      [20, 30]
    ])
  ).toBe(20)
  expect(
    sizeBeyond(
      [
        [0, 10],
        [20, 30]
      ],
      [
        [2, 4],
        [8, 22],
        [29, 40]
      ]
    )
  ).toBe(13)
})

test('what runs often is counted each time that it is asked for', async () => {
  const code = `
    import { Session } from 'node:inspector/promises'
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    const source = 'data:text/javascript,export const often = (n) => (n % 7) + 1'
    const { often } = await import(source)
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 200_000; n++) often(n)
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const { functions } = result.find(({ url }) => url === source)
      console.log(functions.find(({ functionName }) => functionName === 'often').ranges[0].count)
    }`
  const args = [...countedExactly, '--input-type=module', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('200000\n200000\n')
})
