import * as v from 'valibot'
import { above0, whole } from '../../number.ts'

/** What is asked of an event stream, as plain data. */
export const eventsSchema = v.strictObject({
  /**
   * When it is complete: after so many events, or with the first that has this data. Default: when
   * the target ends it, which then has to have sent one.
   */
  until: v.optional(v.union([whole(), v.string()])),
  /** For how many seconds it is listened to, and is complete then; default: as long as it takes. */
  seconds: v.optional(above0),
  /** Counts each event as one token, but for the one with the data that ends the stream. */
  tokens: v.optional(v.boolean()),
  /** How often at most it is asked to go on where it broke off, as browsers do. Default: 0. */
  reconnects: v.optional(whole())
})

/** What is asked of an event stream; see `eventsSchema`. */
export type EventsAsked = v.InferOutput<typeof eventsSchema>
