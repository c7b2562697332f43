import type { Store } from '../kernel/store.ts'
import { nextAfter, readCron } from './cron.ts'
import type { EdgeFunction } from './function.ts'
import { refusal } from './refusal.ts'

/** A schedule by which a function is started, and when that happens next. */
export type Trigger = { function: string; cron: string; due: number }

/** Adds a schedule to a function; refused when what counts is at its limit already. */
export function addTrigger(
  store: Store,
  { target, cron, now }: { target: EdgeFunction; cron: string; now: number },
  { most, count }: { most: number; count: () => number }
) {
  const due = nextAfter(readCron(cron), now)
  if (due === undefined) throw refusal('cron', `"${cron}" never comes`)
  store.transaction(() => {
    store.run('DELETE FROM function_trigger WHERE function = ? AND cron = ?', target.id, cron)
    if (count() >= most)
      throw refusal('triggers', `an account has at most ${most} scheduled triggers on this plan`)
    const add = 'INSERT INTO function_trigger (function, cron, due) VALUES (?, ?, ?)'
    store.run(add, target.id, cron, due)
  })
}

/** The schedules of a function. */
export function schedulesOf(store: Store, { id }: EdgeFunction): string[] {
  const sql = 'SELECT cron FROM function_trigger WHERE function = ? ORDER BY cron'
  return store.all<{ cron: string }>(sql, id).map(({ cron }) => cron)
}

/** How many triggers all functions of an account have together. */
export function countTriggers(store: Store, accountId: string): number {
  const sql = `SELECT count(*) AS count FROM function_trigger
    JOIN function ON function.id = function_trigger.function WHERE account = ?`
  return store.first<{ count: number }>(sql, accountId)!.count
}

/**
 * The triggers that are due, each with the last moment it was due at; they are then due again.
 * When the clock jumps over several moments, a trigger fires for the last of them only.
 */
export function dueTriggers(store: Store, now: number): Trigger[] {
  const due = store.all<Trigger>(
    'SELECT function, cron, due FROM function_trigger WHERE due <= ?',
    now
  )
  return due.map((trigger) => {
    const cron = readCron(trigger.cron)
    const last = lastUntil(trigger.due, { now, next: (at) => nextAfter(cron, at) })
    const update = 'UPDATE function_trigger SET due = ? WHERE function = ? AND cron = ?'
    store.run(update, nextAfter(cron, now)!, trigger.function, trigger.cron)
    return { ...trigger, due: last }
  })
}

/** When the next trigger is due, in milliseconds since the epoch. */
export function nextTrigger(store: Store): number | undefined {
  const sql = 'SELECT min(due) AS due FROM function_trigger'
  return store.first<{ due: number | null }>(sql)?.due ?? undefined
}

/** Looks back over spans that double: a jump over years costs no more than one over days. */
function lastUntil(
  due: number,
  { now, next }: { now: number; next: (at: number) => number | undefined }
): number {
  let last = due
  for (let span = 60_000; now - span > due; span *= 2) {
    const at = next(now - span)
    if (at !== undefined && at <= now) {
      last = at
      break
    }
  }
  for (let at = next(last); at !== undefined && at <= now; at = next(at)) last = at
  return last
}
