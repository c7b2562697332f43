import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCalls } from '../../../src/cli/mcp/calls.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-calls-'))

/** A program that ends at the n-th interrupt, and says then what it has saved. */
function endingAt(interrupts: number): string {
  const file = join(folder, `${interrupts}.js`)
  const program = `let left = ${interrupts}
process.on('SIGINT', () => {
  if (--left > 0) return
  process.stdout.write('{"saved":true}')
  process.exit(130)
})
setTimeout(() => process.exit(9), 60_000)`
  writeFileSync(file, program)
  return file
}

test.each([1, 2])('a call that takes too long saves and ends, at interrupt %i', async (count) => {
  const { call } = createCalls(folder, endingAt(count), { callMs: 1_500, savingMs: 100 })
  const { isError, text } = await call(['run'], new AbortController().signal)
  const { exit, notes, result } = JSON.parse(text)
  expect([isError, exit, result]).toEqual([true, 130, { saved: true }])
  expect(notes).toContain('stopped after the 1.5 s that a call may take')
})
