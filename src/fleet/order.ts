import { deserialize, serialize } from 'node:v8'
import type { ShareTask } from '../engine/drive.ts'
import type { ShareResult } from '../load/run.ts'

/** The queue that orders wait in. */
export const queueName = 'plimsoll-shares'

/** What one worker is to do, as far as it can travel. */
export type Part = Omit<ShareTask, 'live' | 'stop'>

/** One part of a load, as it travels to whichever agent takes it. */
export type Order = {
  id: string
  /** The lease it is carried out under. */
  lease: string
  /** The version of whoever sent it. */
  version: string
  /** `startAt` is by the fleet's clock. */
  task: Part
  /** SHA-256 of the scenario's file there, where the task is of a scenario. */
  digest?: string
  /** How long it may take. */
  limitMs: number
}

/** What an agent tells while it goes on, and so that it has taken the order. */
export type Sign = { agent: string; live: string }

/** What became of an order: a part of the load, or why the agent would not. */
export type Outcome = { result: ShareResult } | { refused: string }

/** Plain data as text; unlike JSON it keeps Infinity, NaN and bytes, which loads are full of. */
export function toText(value: unknown): string {
  return serialize(value).toString('base64')
}

/** The plain data behind a text that `toText` made; throws an Error for any other. */
export function fromText<Value>(text: string): Value {
  return deserialize(Buffer.from(text, 'base64'))
}
