import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWords } from '../../../src/cli/flags/shell-words.ts'

const lines = [
  `curl 'http://a/?b=c&d' -H 'accept: */*'`,
  `curl \\\n  "a b" \\\n -d '{"n":"it'\\''s"}'`,
  `a"b c"'d e'f\\ g`,
  `"a \\"b\\" \\\\ \\$HOME \\n"`,
  `''  ""  a''b`,
  `a\tb\n c`,
  `'é' ü`,
  `--a=b -XPOST @x`,
  `$'it\\'s\\n\\x41 \\t!'`
]

test.each(lines)('%j has the words that a shell finds in it', (line) => {
  const script = `printf '%s\\0' ${line.replaceAll('\n c', ' c')}`
  const found = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(shellWords(line)).toEqual(found)
})

test.each([
  ['a $HOME', /a shell would act on \$HOME/],
  ['a "$(id)"', /a shell would act on/],
  ['a `id`', /a shell would act on `id`/],
  ['a http://b/?c&d', /a shell would act on &d/],
  ['a | sh', /a shell would act on \| sh/],
  ["a 'b", /a quotation is open from 'b/]
])('%j is refused', (line, message) => {
  expect(() => shellWords(line)).toThrow(message)
})
