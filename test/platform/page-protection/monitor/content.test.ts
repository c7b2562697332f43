import { expect, test } from 'vitest'
import {
  contentOf,
  type SeenScript,
  withContent
} from '../../../../src/platform/page-protection/monitor/content.ts'

const of = (source: string) => contentOf(Buffer.from(source))

test('content is known by its hash', () => {
  const { hash } = of('')
  expect(hash).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test.each([
  ['document.title = "a"', [99, 99, 99]],
  ['fetch("/a")', [99, 99, 99]],
  ['localStorage.a', [99, 99, 99]],
  ['fetch("/a?" + document.cookie)', [81, 99, 81]],
  ['addEventListener("keydown", e => navigator.sendBeacon("/", e.target.value))', [63, 99, 63]],
  ['eval(atob("YQ=="))', [49, 49, 99]],
  ['var _0x1a2b=1', [74, 74, 99]],
  [`"${'\\x41'.repeat(16)}"`, [74, 74, 99]],
  [
    `eval(atob("")); _0xabcd; "${'%41'.repeat(16)}"; new Image().src = document.cookie +
      sessionStorage.a + form.value + "card number"; addEventListener('input')`,
    [1, 1, 9]
  ]
])('%j scores %j', (source, [integrity, obfuscation, dataflow]) => {
  expect(of(source)).toMatchObject({
    js_integrity_score: integrity,
    obfuscation_score: obfuscation,
    dataflow_score: dataflow
  })
})

test('a mebibyte of what looks like everything is scored without delay', () => {
  const pieces = ['eval'.padEnd(999), 'card'.padEnd(999), '\\x4', '%4', 'document '.repeat(99)]
  const source = pieces.map((piece) => piece.repeat(300)).join('')
  expect(of(source)).toMatchObject({ js_integrity_score: 99 })
})

test('other content is another version, of which the last are kept', () => {
  const script = { versions: [] as SeenScript['versions'] } as SeenScript
  const first = withContent(script, of('1'), 0)
  expect(first).toMatchObject({ hash: of('1').hash, fetched_at: '1970-01-01T00:00:00.000Z' })
  const again = withContent(first, of('1'), 1_000)
  expect(again).toEqual({ ...first, fetched_at: '1970-01-01T00:00:01.000Z' })
  const changed = withContent(again, of('2'), 2_000)
  expect(changed.versions).toEqual([
    { hash: of('1').hash, js_integrity_score: 99, fetched_at: '1970-01-01T00:00:00.000Z' },
    { hash: of('2').hash, js_integrity_score: 99, fetched_at: '1970-01-01T00:00:02.000Z' }
  ])
  let last = changed
  for (let number = 0; number < 50; number++) last = withContent(last, of(`// ${number}`), 0)
  expect(last.versions.map(({ hash }) => hash)).toEqual(
    Array.from({ length: 20 }, (_, number) => of(`// ${number + 30}`).hash)
  )
})
