import { expect, test } from 'vitest'
import { parseCsv } from '../../../src/load/requests/csv.ts'

test.each<[string, string, Record<string, string>[]]>([
  [
    'plain',
    'a,b\n1,2\n3,4\n',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' }
    ]
  ],
  ['without a line break at the end', 'a,b\r\n1,2', [{ a: '1', b: '2' }]],
  ['with empty fields', 'a,b,c\n,,\n', [{ a: '', b: '', c: '' }]],
  ['quoted', 'a,"b ""c"""\n"1,5","x\ny"\n', [{ a: '1,5', 'b "c"': 'x\ny' }]],
  ['with empty lines', 'a\n\n1\n\n', [{ a: '1' }]],
  ['with a mark at the beginning', '\uFEFFa\n1\n', [{ a: '1' }]],
  ['without rows', 'a,b\n', []],
  ['empty', '', []]
])('%s', (_, text, rows) => {
  expect(parseCsv(text)).toEqual(rows)
})

test.each([
  ['a row too short', 'a,b\n1,2\n"3\n4"\n', 'line 3 has 1 fields, not 2'],
  ['a row too long', 'a\n1,2\n', 'line 2 has 2 fields, not 1'],
  ['a quote in a plain field', 'a\n1"2\n', 'line 2 is no CSV'],
  ['a quote that is not closed', 'a\n"1\n', 'line 2 is no CSV'],
  ['something behind a quote', 'a\n"1"2\n', 'line 2 is no CSV']
])('%s', (_, text, message) => {
  expect(() => parseCsv(text)).toThrow(message)
})
