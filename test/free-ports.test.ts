import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { freePorts, squatter } from './free-ports.ts'

test('no port is given twice, though nobody has taken it yet', async () => {
  const first = await freePorts(3)
  const [one, other] = await Promise.all([freePorts(2, first), freePorts(2, first)])
  const given = [first, first + 1, first + 2, one, one + 1, other, other + 1]
  expect(new Set(given).size).toBe(given.length)
})

test('another process is given none of them either', async () => {
  const first = await freePorts(2)
  const file = new URL('free-ports.ts', import.meta.url).href
  const asked = `console.log(await (await import('${file}')).freePorts(1, ${first}))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', asked])
  expect(Number(stdout)).toBeGreaterThan(first + 1)
  // It has ended, so that its port may be given again.
  expect(await freePorts(1, Number(stdout))).toBe(Number(stdout))
})

test('a port that somebody has is passed over', async () => {
  const first = await freePorts(1)
  const taken = await squatter(first)
  expect(await freePorts(1, first)).not.toBe(first)
  await taken.close()
})
