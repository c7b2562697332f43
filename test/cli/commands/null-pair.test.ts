import { expect, test } from 'vitest'
import { startNullPair } from '../../../src/cli/commands/null-pair.ts'

test('two servers answer at places of their own, and are gone afterwards', async () => {
  const { urls, stop } = await startNullPair()
  expect(new Set(urls).size).toBe(2)
  for (const url of urls) expect(await (await fetch(url)).text()).toBe('ok')
  await stop()
  for (const url of urls) await expect(fetch(url)).rejects.toThrow()
})
