import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insistOnSamples } from '../../src/scenario/samples-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-samples-'))
const answers =
  "  answers: { '201': { content: { 'application/json': { $ref: '#/$defs/pet' } } } },"
const paths = { 'create-pet': '/pets', 'get-pet': '/pets/{petId}', 'delete-pet': '/pets/{petId}' }
const found = Object.entries(paths).map(([name, path]) => {
  mkdirSync(join(folder, name))
  const text = `export const request = {\n  path: '${path}',\n${answers}\n}\n`
  writeFileSync(join(folder, name, '_request.ts'), text)
  return { id: `${name}/answers`, file: join(folder, name, 'answers.ts') }
})
const pet = { allOf: [{ properties: { id: {} } }, { properties: { name: {} } }] }
writeFileSync(join(folder, '_schemas.json'), JSON.stringify({ $defs: { pet } }))

const samples = join(folder, 'samples.yaml')
const checked = (text: string) => {
  writeFileSync(samples, text)
  return insistOnSamples(folder, found)
}

const variable = (name: string) => `\${${name}}`

test.each([
  '# nothing yet\n',
  'parameters: { petId: 17, somethingElse: 5 }',
  'operations: { create-pet: { remove: "DELETE /pets/{id}" } }',
  'operations: { create-pet: { remove: "PURGE /pets/{id}" } }',
  'operations: { get-pet: { make: { by: create-pet, take: { path.petId: id } } } }',
  `operations: { create-pet: { set: { body.name: "${variable('NOT_SET_HERE')}" } } }`,
  'parameters: &a { petId: 1 }\noperations: { get-pet: { set: { body: *a } } }'
])('%s is right', async (text) => {
  await expect(checked(text)).resolves.toBeUndefined()
})

const by = (name: string) => `{ make: { by: ${name}, take: {} } }`
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
for (const [name, of] of ['ba', 'cb', 'dc', 'ed']) {
  bomb.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(', ')}]`)
}

test.each([
  [
    'operations: { create-pets: {} }',
    'operations.create-pets: there is no such operation; nearest: create-pet'
  ],
  [
    `operations: { get-pet: ${by('creat-pet')} }`,
    'operations.get-pet.make.by: no operation "creat-pet"; nearest: create-pet'
  ],
  [
    `operations: { get-pet: ${by('get-pet')} }`,
    'operations.get-pet.make.by: what it needs is made by itself: get-pet, by get-pet'
  ],
  [
    `operations: { get-pet: ${by('create-pet')}, create-pet: ${by('get-pet')} }`,
    'make.by: what it needs is made by itself: get-pet, by create-pet, by get-pet'
  ],
  [
    'operations: { create-pet: { remove: "DELETE /pets/{idd}" } }',
    'operations.create-pet.remove: the answer of create-pet has no idd; nearest: id'
  ],
  [
    'operations: { create-pet: { remove: "DELET /pets/{id}" } }',
    'operations.create-pet.remove: nothing is removed by DELET; nearest: DELETE'
  ],
  [
    'operations: { create-pet: { remove: "/pets/{id}" } }',
    'operations.create-pet.remove: it is no method and path, as "DELETE /pets/{id}" is'
  ],
  [
    'operations: { get-pet: { set: { path.petID: 5 } } }',
    'operations.get-pet.set, path.petID: its path has no {petID}; nearest: petId'
  ],
  [
    'operations: { get-pet: { fresh: [bdy.name] } }',
    'operations.get-pet.fresh, bdy.name: a place begins with one of path, query, header,'
  ],
  ['parameters: { petID: 5 }', 'parameters.petID: no operation has it; nearest: petId'],
  ['operations: { get-pet: { sett: {} } }', 'there is no field "sett"; nearest: set'],
  ['operation: {}', 'there is no field "operation"; nearest: operations'],
  ['parameters: &a { id: *a }', 'an alias stands for what it is within'],
  [`parameters:\n  ${bomb.join('\n  ')}\n`, 'its aliases stand for too much; write it out'],
  ['parameters: {}\n---\nparameters: {}\n', 'it has a second document; remove the line "---"'],
  ['parameters: {}\nparameters: {}\n', 'a key comes twice at line 2'],
  ['[]', 'the file: ']
])('%s is wrong', async (text, told) => {
  const wrong = await checked(text).then(
    () => 'nothing',
    (cause: Error) => cause.message
  )
  expect(wrong).toContain(samples)
  expect(wrong).toContain(told)
})

test('all that is wrong is told at once, a line for each', async () => {
  const wrong = await checked('operations: { a: {}, b: {} }').catch((cause: Error) => cause.message)
  expect(String(wrong).split('\n')).toHaveLength(2)
})
