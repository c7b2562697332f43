import { expect, test } from 'vitest'
import { complaint } from '../../src/cli/complaint.ts'

const known = { flags: ['metric', 'transport'], commands: ['history <file>', 'load <url>'] }

test('what is none of the choices of a flag is told in a line, with all of them', () => {
  const said = (...lines: string[]) => ['Invalid values:', ...lines].join('\n')
  const metric = '  Argument: metric, Given: "foo", Choices: "p50", "p99"'
  const transport = '  Argument: transport, Given: "x", Choices: "wire"'
  const words = ['history', 'f', '--metric', 'foo']
  expect(complaint(said(metric), words, known)).toBe('--metric "foo" is none of p50, p99')
  expect(complaint(said(metric, transport), words, known)).toBe(
    '--metric "foo" is none of p50, p99; --transport "x" is none of wire'
  )
})
