import { deserialize, serialize } from 'node:v8'
import { newId } from '../../kernel/id.ts'
import type { Store } from '../../kernel/store.ts'
import type { Time } from '../../kernel/time.ts'
import type { QueueMessage, QueueVerdict } from '../isolate/contract.ts'
import type { Service } from './service.ts'

type Sending = { body: unknown; delaySeconds?: number }
type Row = { id: string; body: Uint8Array; at: number; attempts: number }

/** Messages for the consumer of a queue. */
export type Batch = { queue: string; function: string; messages: QueueMessage[] }

/** The queues, for who sends to them; `wake` is told that there is something to deliver. */
export function queueService(
  { store, time }: { store: Store; time: Time },
  wake: () => void
): Service {
  const send = (queue: string, sendings: Sending[]) => {
    const at = time.now()
    store.transaction(() => {
      for (const { body, delaySeconds = 0 } of sendings)
        store.run(
          'INSERT INTO message (queue, id, body, at, due, attempts) VALUES (?, ?, ?, ?, ?, 0)',
          ...[queue, newId(), serialize(body), at, at + Math.floor(delaySeconds * 1_000)]
        )
    })
    wake()
  }
  return {
    async send({ id, args: [sending] }) {
      send(id, [sending])
      return {}
    },
    async sendBatch({ id, args: [sendings] }) {
      send(id, sendings)
      return {}
    }
  }
}

/** What is due in each queue that has a consumer, except for those that are busy with a batch. */
export function dueBatches(
  store: Store,
  { now, busy, most }: { now: number; busy: ReadonlySet<string>; most: number }
): Batch[] {
  const queues = store.all<{ queue: string; function: string }>(
    `SELECT DISTINCT consumer.queue, function FROM consumer
       JOIN message ON message.queue = consumer.queue WHERE due <= ?`,
    now
  )
  const sql = `SELECT id, body, at, attempts FROM message WHERE queue = ? AND due <= ?
    ORDER BY due, seq LIMIT ?`
  return queues
    .filter(({ queue }) => !busy.has(queue))
    .map((consumer) => ({
      ...consumer,
      messages: store.all<Row>(sql, consumer.queue, now, most).map((row) => ({
        id: row.id,
        atMs: row.at,
        attempts: row.attempts + 1,
        body: deserialize(row.body)
      }))
    }))
}

/**
 * Settles a batch: what was acknowledged is gone, and what was not is due again unless it has been
 * tried often enough. Messages on which nothing was said follow the handler's outcome.
 */
export function settle(
  store: Store,
  { messages }: Batch,
  { verdict, isOk, most }: { verdict?: QueueVerdict; isOk: boolean; most: number }
) {
  const { acknowledged = [], retried = [] } = verdict ?? {}
  store.transaction(() => {
    for (const { id, attempts } of messages) {
      const isDone = acknowledged.includes(id) || (isOk && !retried.includes(id))
      if (isDone || attempts >= most) store.run('DELETE FROM message WHERE id = ?', id)
      else store.run('UPDATE message SET attempts = ? WHERE id = ?', attempts, id)
    }
  })
}

/** When the next message of a queue with a consumer is due, except for those that are busy. */
export function nextMessage(store: Store, busy: ReadonlySet<string>): number | undefined {
  const due = store
    .all<{ queue: string; due: number }>(
      `SELECT consumer.queue, min(due) AS due FROM consumer
         JOIN message ON message.queue = consumer.queue GROUP BY consumer.queue`
    )
    .filter(({ queue }) => !busy.has(queue))
    .map(({ due }) => due)
  return due.length === 0 ? undefined : Math.min(...due)
}
