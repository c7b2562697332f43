import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { affectedBy } from '../../src/scenario/affected.ts'

const folder = resolve('limits')
const found = ['orders/name', 'orders/parts/size', 'rates'].map((id) => {
  return { id, file: resolve(folder, `${id}.ts`) }
})

test.each<[string, string[], string[] | undefined]>([
  ['orders/name.ts', [], ['orders/name']],
  ['orders/_shared.ts', [], ['orders/name', 'orders/parts/size']],
  ['orders/parts/_shared.ts', [], ['orders/parts/size']],
  ['_shared.ts', [], ['orders/name', 'orders/parts/size', 'rates']],
  ['clauses.json', [], ['orders/name', 'orders/parts/size', 'rates']],
  ['clauses.json', ['orders'], ['orders/name', 'orders/parts/size']],
  ['document.md', ['rates'], ['rates']],
  ['rates.ts', ['orders'], []],
  ['orders/name.ts~', [], undefined],
  ['.git/index.json', [], undefined],
  ['node_modules/a/b.js', [], undefined]
])('%s, where %j are named', (file, names, ids) => {
  expect(affectedBy(resolve(folder, file), { folder, found, names })).toEqual(ids)
})
