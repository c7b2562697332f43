/**
 * What streams are measured by besides requests; kept as a scenario's own metrics are, from the
 * first stream on.
 */
export const streamMetrics = {
  /** From the due moment, and from the send, to the first event. */
  firstEvent: { kind: 'distribution', unit: 'ms' },
  'firstEvent.service': { kind: 'distribution', unit: 'ms' },
  /** From one event to the next. */
  eventGap: { kind: 'distribution', unit: 'ms' },
  events: { kind: 'counter', unit: 'events' },
  tokens: { kind: 'counter', unit: 'tokens' },
  /** Of one stream, from its first event on. */
  tokenRate: { kind: 'distribution', unit: 'tokens/s' },
  reconnects: { kind: 'counter', unit: 'reconnects' },
  /** WebSockets that were opened, and those that the target ended with no 1000 or 1001. */
  sockets: { kind: 'counter', unit: 'sockets' },
  brokenSockets: { kind: 'counter', unit: 'sockets' },
  messagesSent: { kind: 'counter', unit: 'messages' },
  messagesReceived: { kind: 'counter', unit: 'messages' },
  /** From one message that comes over a socket to the next. */
  messageGap: { kind: 'distribution', unit: 'ms' }
} as const

/** The name of one of them. */
export type StreamMetric = keyof typeof streamMetrics

/** What is counted of WebSockets, whatever happens to them. */
export const socketCounts = [
  'sockets',
  'brokenSockets',
  'messagesSent',
  'messagesReceived'
] as const satisfies StreamMetric[]
