import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createProgress } from '../../../src/cli/terminal/progress.ts'

/** A stream that is no terminal, and what was written to it. */
function sheet() {
  const stream = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough
  return { stream, text: () => `${stream.read() ?? ''}` }
}

test('where nothing can move there is a line now and then', () => {
  const { stream, text } = sheet()
  const often = createProgress({ stream, plainMs: 0 })
  often.show('one')
  often.show('another')
  const rarely = createProgress({ stream, plainMs: Number.POSITIVE_INFINITY })
  rarely.show('never')
  rarely.note('of its own')
  rarely.end()
  expect(text()).toBe('one\nanother\nof its own\n')
})

test('whose output is for programs is told only what is noted', () => {
  const { stream, text } = sheet()
  const { show, note } = createProgress({ stream, silent: true, plainMs: 0 })
  show('one')
  note('of its own')
  expect(text()).toBe('of its own\n')
})
