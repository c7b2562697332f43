import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { readLog } from '../../../../src/platform/kernel/data/write-ahead-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'log-'))
afterAll(() => rmSync(folder, { recursive: true }))

const insert = 'INSERT INTO texts VALUES (hex(randomblob(1500)))'

function opened(name: string) {
  const database = new DatabaseSync(join(folder, name))
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
  database.exec('CREATE TABLE IF NOT EXISTS texts (text TEXT) STRICT')
  return database
}

/** A database as it is left by a process that is killed, under another name. */
function killed(name: string, copy: string) {
  for (const end of ['', '-wal']) cpSync(join(folder, name + end), join(folder, copy + end))
  return readFileSync(join(folder, `${copy}-wal`))
}

const database = opened('a.db')
for (let number = 0; number < 6; number++) database.exec(insert)
const log = killed('a.db', 'b.db')
database.close()
const frameBytes = 24 + 4096

test('a log has as many transactions as were committed', () => {
  expect(readLog(log)).toMatchObject({ transactions: 7, cutOff: 0 })
})

test('a log that ends anywhere is not at fault: it was being written', () => {
  for (let length = 32; length < log.length; length += 997)
    expect(readLog(log.subarray(0, length))!.cutOff).toBe(0)
  expect(readLog(log.subarray(0, 31))).toBeUndefined()
})

test('any bit that changed before the last transaction is seen', () => {
  const last = log.length - 2 * frameBytes
  for (let at = 0; at < last; at += at < 32 + 24 ? 1 : 89) {
    const other = Buffer.from(log)
    other[at]! ^= 1 << (at % 8)
    const read = readLog(other)
    expect(read === undefined || read.cutOff > 0, `byte ${at}`).toBe(true)
  }
})

test('what a transaction left that never ended is no fault, and is written over', () => {
  const large = opened('c.db')
  for (let number = 0; number < 3; number++) large.exec(insert)
  // What does not fit into the cache goes to the log before the transaction ends.
  large.exec('PRAGMA cache_size = 5; BEGIN')
  for (let number = 0; number < 60; number++) large.exec(insert)
  const left = killed('c.db', 'd.db')
  large.exec('ROLLBACK')
  large.close()
  expect(readLog(left)).toMatchObject({ transactions: 4, cutOff: 0 })
  expect(readLog(left)!.frames).toBeGreaterThan(20)

  const next = opened('d.db')
  next.exec(insert)
  const over = killed('d.db', 'e.db')
  next.close()
  expect(over.length).toBe(left.length)
  expect(readLog(over)).toMatchObject({ transactions: 5, cutOff: 0 })
  expect(readLog(over)!.frames).toBeLessThan(readLog(left)!.frames)
})

test('a log that was begun again over a longer one is not at fault', () => {
  const again = opened('f.db')
  for (let number = 0; number < 20; number++) again.exec(insert)
  const before = killed('f.db', 'g.db').length
  again.exec('PRAGMA wal_checkpoint(RESTART)')
  again.exec(insert)
  const after = killed('f.db', 'g.db')
  again.close()
  expect(after.length).toBe(before)
  expect(readLog(after)).toMatchObject({ transactions: 1, cutOff: 0 })
})
