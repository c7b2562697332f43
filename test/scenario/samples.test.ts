import { expect, test } from 'vitest'
import { parseSamples } from '../../src/scenario/samples.ts'

const variable = (name: string) => `\${${name}}`

test.each([
  [
    `parameters: { key: ${variable('NAME')} }`,
    /^samples.yaml cannot be read: .*line 1, .*takes quotes$/
  ],
  ['parameters: 5', /^samples.yaml: parameters: /],
  ['operations: { a: { sett: {} } }', /^samples.yaml: operations\.a/],
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
