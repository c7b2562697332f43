import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Content, markup, verbatim } from '../../../src/report/html/markup.ts'
import { printable } from '../../../src/report/printable.ts'
import { anyText } from '../hostile.ts'

test.each<[string, Content, string]>([
  ['text', '<b> & "c" \'d\'', '&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;'],
  ['a number', 1.5, '1.5'],
  ['zero', 0, '0'],
  ['markup', markup`<b>${'<'}</b>`, '<b>&lt;</b>'],
  ['a list', ['<', [markup`<i>`, 2]], '&lt;<i>2'],
  ['undefined', undefined, ''],
  ['false', false, ''],
  ['an empty text', '', ''],
  ['what is HTML already', verbatim('<b>\\n'), '<b>\\n']
])('%s', (_, content, expected) => {
  expect(markup`<p>${content}</p>`.markup).toBe(`<p>${expected}</p>`)
})

test('escaped text reads back as what can be printed of it', () => {
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" } as Record<string, string>
  fc.assert(
    fc.property(anyText, (text) => {
      const { markup: escaped } = markup`${text}`
      expect(escaped).not.toMatch(/[<>"']/)
      expect(escaped.replace(/&(.*?);/g, (_, name) => entities[name]!)).toBe(printable(text))
    }),
    { seed: 9, numRuns: 300 }
  )
})
