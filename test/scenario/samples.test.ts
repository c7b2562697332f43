import { expect, test } from 'vitest'
import { credentialsLacking, parseSamples } from '../../src/scenario/samples.ts'

const variable = (name: string) => `\${${name}}`

test.each([
  [
    `parameters: { key: ${variable('NAME')} }`,
    /^samples.yaml cannot be read: .*line 1, .*takes quotes$/
  ],
  ['parameters: 5', /^samples.yaml: parameters: /],
  ['operations: { a: { sett: {} } }', /^samples.yaml: operations\.a/],
  ['identities: { a: { header: x } }', /^samples.yaml: identities\.a: neither a credential nor/],
  [`parameters: { key: "${variable('NOBODYS')}" }`, /names \$\{NOBODYS\}, which is not set/]
])('what is wrong in %j is told with its file', async (text, why) => {
  await expect(parseSamples(text, 'samples.yaml')).rejects.toThrow(why)
})

test('what is not said is nothing', async () => {
  const none = { parameters: {}, identities: {}, operations: {} }
  expect(await parseSamples('# all of it a comment\nparameters:\n', 'a')).toEqual({
    file: 'a',
    ...none
  })
})

test.each<[ways: string[][], shown: string[]]>([
  [[['berth.read']], ['Bearer none']],
  [[['berth.write']], ['Bearer reads', 'Bearer none']],
  [[['berth.read', 'berth.write']], ['Bearer reads', 'Bearer none']],
  [[['berth.write'], ['berth.read']], ['Bearer none']]
])(
  'of an operation that asks for %j only those are shown that have it not',
  async (ways, shown) => {
    const text = `identities:
  limited: { header: Bearer reads, scopes: [berth.read] }
  other: Bearer none`
    expect(credentialsLacking(ways, await parseSamples(text, 'samples.yaml'))).toEqual(shown)
  }
)

test('where no credential lacks what is asked for, that is said', async () => {
  const text = 'identities: { limited: { header: Bearer reads, scopes: [a] } }'
  const all = await parseSamples(text, 'samples.yaml')
  expect(() => credentialsLacking([['a']], all)).toThrow(
    'each of the identities in samples.yaml is for a: add one that is not'
  )
  const none = await parseSamples('', 'samples.yaml')
  expect(() => credentialsLacking([['a']], none)).toThrow('identities.limited is missing')
})
