import { describe, expect, test } from 'vitest'
import { operators } from './operators/operators.ts'
import { mutated, mutationsOf } from './sites.ts'

/** What an operator makes of a source text: one text for each fault. */
function made(name: string, text: string): string[] {
  return mutationsOf(text, 'src/platform/waf/rules.ts')
    .filter(({ operator }) => operator === name)
    .map((mutation) => mutated(text, mutation))
}

const cases: [operator: string, source: string, faults: string[]][] = [
  ['negate', 'if (a === b) f()', ['if (!(a === b)) f()']],
  ['negate', 'const x = a === b', ['const x = a !== b']],
  ['negate', 'const x = !a', ['const x = !!(a)']],
  ['always', 'if (a) f()', ['if (true) f()']],
  ['always', 'function f() { if (a) return 1 }', []],
  ['drop-guard', 'function f() { if (a) return 1\n g() }', ['function f() { ;\n g() }']],
  ['drop-guard', 'for (;;) { if (a) { g(); throw b } }', ['for (;;) { ; }']],
  ['drop-guard', 'checkRoom(a)\nchecked(b)', [';\nchecked(b)']],
  ['drop-guard', 'if (a) { f() } else { throw b }', []],
  [
    'drop-permission',
    "const o = [{ permission: 'a:write' }, { permission: 'a:read' }]",
    ["const o = [{ permission: ('a:write').replace(':write', ':read') }, { permission: 'a:read' }]"]
  ],
  ['drop-permission', "const reading = 'a:read'\nf({ permission: reading })", []],
  ['boundary', 'const x = a < b', ['const x = a <= b']],
  ['boundary', 'const x = a >= b', ['const x = a > b']],
  [
    'one-plan-only',
    'function f({ plan }, n: number) { if (n > 1) g() }',
    ["function f({ plan }, n: number) { if ((n > 1) && plan === 'enterprise') g() }"]
  ],
  ['one-plan-only', 'function f(n: number) { if (n > 1) g() }', []],
  ['drop-branch', 'const x = a ?? b', ['const x = (a)', 'const x = (b)']],
  ['drop-branch', 'const x = a ? b : c', ['const x = (b)', 'const x = (c)']],
  ['drop-branch', 'f()\na && b()', ['f()\n;(a)', 'f()\n;(b())']],
  ['drop-branch', 'if (a) { f() } else { g() }', ['if (a) { f() }']],
  ['drop-branch', 'switch (a) { case 1: f() }', ['switch (a) {  }']],
  ['number', 'const x = 5', ['const x = 6', 'const x = 4', 'const x = 10']],
  ['number', 'const x = { 5: 0 }', ['const x = { 5: 1 }', 'const x = { 5: (-1) }']],
  ['swap-constants', "const x = ['a', 'b']", ["const x = ['b', 'a']"]],
  [
    'swap-constants',
    'const x = { free: 1 * KiB, pro: 2 * KiB }',
    ['const x = { free: 2 * KiB, pro: 1 * KiB }']
  ],
  [
    'swap-constants',
    "const all = ['on', 'off']\nconst is = (a) => a === 'on'",
    [
      "const all = ['off', 'on']\nconst is = (a) => a === 'on'",
      "const all = ['on', 'off']\nconst is = (a) => a === 'off'"
    ]
  ],
  ['drop-property', 'const x = { a, b: 1 }', ['const x = { b: 1 }', 'const x = { a }']],
  ['first-only', 'for (const a of all) f(a)', ['for (const a of [...(all)].slice(0, 1)) f(a)']],
  ['first-only', 'all?.map(f)', ['all.filter((_, at) => at === 0)?.map(f)']],
  ['first-only', 'const x = [a, b]', ['const x = [a]']],
  ['drop-filter', 'const x = all.filter(f).map(g)', ['const x = all.map(g)']],
  ['reverse-sort', 'const x = all.sort(f)', ['const x = all.sort(f).reverse()']],
  ['reverse-sort', 'const x = all.toReversed()', ['const x = all']],
  ['reverse-sort', 'const x = all.toString()', []],
  [
    'query',
    "const x = 'SELECT a FROM b WHERE zone = ? ORDER BY seq'",
    [
      "const x = 'SELECT a FROM b WHERE (zone = ? OR true) ORDER BY seq'",
      "const x = 'SELECT a FROM b WHERE zone = ? ORDER BY seq DESC'"
    ]
  ],
  [
    'query',
    `const x = \`UPDATE a SET b WHERE \${c} AND id = ?\``,
    [`const x = \`UPDATE a SET b WHERE \${c} AND (id = ? OR true)\``]
  ],
  ['skip-write', 'f()\nawait store.run(a)', ['f()\n;']],
  ['skip-write', 'a.b = c\nlet d\nd = 1', [';\nlet d\nd = 1']],
  ['stale', 'const x = list(a, (b) => c)', []],
  ['swap-arguments', 'f(a, b)', ['f(b, a)']],
  ['swap-arguments', 'f(store, b)\nf(1, "a")\nf(a, a)', []]
]

describe('what an operator makes of a text', () => {
  test.each(cases)('%s: %s', (operator, source, faults) => {
    expect(made(operator, source)).toEqual(faults)
  })

  test('what was read once is what is read from then on', () => {
    const count = { a: 0, b: 0 }
    const read = (name: 'a' | 'b') => ++count[name]
    const [text] = made('stale', 'const again = () => read(name)')
    const again = new Function('read', 'name', `${text}\nreturn again`)(read, 'b')
    expect([again(), again()]).toEqual([1, 1])
  })

  test('each operator has a case', () => {
    const tried = new Set([...cases.map(([name]) => name)])
    expect(operators.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
  })
})

test('what is only there for types has no fault', () => {
  const source = "import { a } from 'b'\ntype C = 'd' | 'e'\nlet f: { g: 1 | 2 } = a as { g: 3 }"
  expect(mutationsOf(source, 'src/platform/waf/rules.ts')).toEqual([])
})
