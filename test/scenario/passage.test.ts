import { expect, test } from 'vitest'
import { passages } from '../../src/scenario/passage.ts'

const text = `First words,
in two lines.

# Sizes, *and* more

- One item.
- Another   item
  that goes on.

| what | largest |
| --- | --- |
| a name  | 40 characters |

\`\`\`sh
# no heading
curl it
\`\`\`

## [Sizes](#x), and more ##

12. The last.`

test('a text in Markdown is paragraphs, items, rows and examples, each below a heading', () => {
  expect(passages(text).map(({ kind, text, section }) => [kind, text, section])).toEqual([
    ['prose', 'First words, in two lines.', ''],
    ['prose', 'One item.', 'sizes-and-more'],
    ['prose', 'Another item that goes on.', 'sizes-and-more'],
    ['head', 'what | largest', 'sizes-and-more'],
    ['row', 'a name | 40 characters', 'sizes-and-more'],
    ['example', '# no heading', 'sizes-and-more'],
    ['example', 'curl it', 'sizes-and-more'],
    ['prose', 'The last.', 'sizes-and-more-1']
  ])
})

test('it is known of each on which lines it is', () => {
  const [first] = passages(text)
  expect(first!.lines).toEqual([
    { at: 0, line: 1 },
    { at: 13, line: 2 }
  ])
  expect(passages(text).at(-1)!.lines).toEqual([{ at: 0, line: 21 }])
  expect(passages('one\r\n\r\ntwo').map(({ lines }) => lines[0]!.line)).toEqual([1, 3])
})

test('a fence that nobody closes makes examples of all that follows', () => {
  expect(passages('```\n\na\n- b').map(({ kind }) => kind)).toEqual(['example', 'example'])
  expect(passages('')).toEqual([])
})
