import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isFull } from '../../../src/platform/kernel/data/database.ts'
import { zoneById } from '../../../src/platform/kernel/zone.ts'
import { listDetections, scriptsAt } from '../../../src/platform/page-protection/detection-table.ts'
import { layout } from '../../../src/platform/parts.ts'
import { openStore } from '../store.ts'

const versions = layout.schema

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = 'INSERT INTO credential (name, secret) VALUES (?, ?)'
const names = 'SELECT name FROM credential ORDER BY name'

test('what is written is there when the folder is opened again', () => {
  const inside = join(folder, 'made', 'on', 'demand')
  const before = openStore(inside)
  expect(before.run(put, 'a', 'secret')).toBe(1)
  before.close()
  const after = openStore(inside)
  expect(after.all(names)).toEqual([{ name: 'a' }])
  expect(after.first('SELECT secret FROM credential WHERE name = ?', 'b')).toBeUndefined()
  after.close()
})

test('in memory, nothing is kept and nothing is shared', () => {
  const [one, other] = [openStore(), openStore()]
  one.run(put, 'a', 'secret')
  expect(other.all(names)).toEqual([])
  one.close()
  other.close()
})

test('a transaction that throws leaves nothing behind', () => {
  const store = openStore()
  const work = () =>
    store.transaction(() => {
      store.run(put, 'a', 'secret')
      throw new Error('enough')
    })
  expect(work).toThrow('enough')
  expect(store.all(names)).toEqual([])
  expect(store.transaction(() => store.run(put, 'a', 'secret'))).toBe(1)
  store.close()
})

test('a folder has one owner at a time', () => {
  const owner = openStore(folder)
  expect(() => openStore(folder)).toThrow('another platform is using the data folder')
  owner.close()
  openStore(folder).close()
})

test('data of a later version is not touched', () => {
  openStore(folder).close()
  const file = new DatabaseSync(join(folder, 'platform.db'))
  file.exec(`PRAGMA user_version = ${versions.length + 1}`)
  file.close()
  expect(() => openStore(folder)).toThrow(`the data has schema ${versions.length + 1}`)
})

test.each(versions.map((_, index) => index + 1))(
  'data of version %i is brought up to date, with everything in it',
  (version) => {
    const file = new DatabaseSync(join(folder, 'platform.db'))
    for (const sql of versions.slice(0, version)) file.exec(sql)
    file.exec(`PRAGMA user_version = ${version};
      INSERT INTO zone (id, account, plan, host, settings) VALUES ('z', 'o', 'free', 'h', '{}');
      INSERT INTO detection (zone, kind, id, host, status, record)
        VALUES ('z', 'script', 'a', 'h', 'active', '{"url":"http://a.test/"}'),
               ('z', 'script', 'b', 'h', 'infrequent', '{"url":"http://b.test/"}')`)
    file.close()
    const store = openStore(folder)
    expect(zoneById(store, 'z')).toMatchObject({ host: 'h', origin: null })
    const filter = { zone: 'z', kind: 'script' as const, hosts: [], status: ['active'] }
    expect(listDetections(store, filter, { page: 1, perPage: 5 })).toEqual({
      records: [{ url: 'http://a.test/' }],
      total: 1
    })
    expect(scriptsAt(store, 'http://b.test/')).toMatchObject([{ id: 'b' }])
    store.close()
  }
)

test('a transaction for which there is no room says so, and leaves nothing behind', () => {
  const store = openStore(folder)
  const { page_count: pages } = store.first<{ page_count: number }>('PRAGMA page_count')!
  store.all(`PRAGMA max_page_count = ${pages + 10}`)
  const work = () => store.transaction(() => store.run(put, 'a', 'x'.repeat(1_000_000)))
  expect(work).toThrow('database or disk is full')
  expect(isFull(new Error('database or disk is full'))).toBe(true)
  store.all(`PRAGMA max_page_count = ${pages + 1_000}`)
  work()
  expect(store.all(names)).toEqual([{ name: 'a' }])
  store.close()
})
