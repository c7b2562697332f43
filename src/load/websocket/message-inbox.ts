/** One message of a WebSocket. */
export type SocketMessage = {
  bytes: Buffer
  isBinary: boolean
  /** The message as text. */
  readonly body: string
  /** The parsed message; undefined when it is not JSON. */
  readonly json: any
}

/** Which messages somebody waits for. */
export type Match = (message: SocketMessage) => boolean

/** Who waits for a message; the first of them that it is for has it. */
export type Waiter = {
  match: Match
  /** Hears of the message, or of a `match` that threw. */
  onMessage(message: SocketMessage): void
  onFault(cause: unknown): void
}

/** Messages that nobody has asked for are kept up to so many, and to so many bytes. */
const most = { unread: 1_000, bytes: 4 * 1_024 * 1_024 }

/** A message of these bytes. */
export function messageOf(bytes: Buffer, isBinary: boolean): SocketMessage {
  return {
    bytes,
    isBinary,
    get body() {
      return bytes.toString()
    },
    get json() {
      try {
        return JSON.parse(bytes.toString())
      } catch {
        return undefined
      }
    }
  }
}

/** Whether a message is for someone; a fault of the author's is theirs to hear. */
function isFor({ match, onFault }: Waiter, message: SocketMessage): boolean | undefined {
  try {
    return match(message)
  } catch (cause) {
    onFault(cause)
    return undefined
  }
}

/** Brings messages to those who wait for them, and keeps the others for who asks later. */
export type MessageInbox = {
  take(message: SocketMessage): void
  wait(waiter: Waiter): void
  /** The first that was kept and matches, which is kept no longer. */
  kept(match: Match): SocketMessage | undefined
  forget(waiter: Waiter): void
}

/** An inbox with nothing in it. */
export function createInbox(): MessageInbox {
  const waiters: Waiter[] = []
  const unread: SocketMessage[] = []
  let bytes = 0
  const forget = (waiter: Waiter) => {
    const at = waiters.indexOf(waiter)
    if (at >= 0) waiters.splice(at, 1)
  }
  return {
    forget,
    wait: (waiter) => void waiters.push(waiter),
    kept(match) {
      const at = unread.findIndex(match)
      if (at < 0) return undefined
      const [message] = unread.splice(at, 1)
      bytes -= message!.bytes.length
      return message
    },
    take(message) {
      for (const waiter of [...waiters]) {
        const isIts = isFor(waiter, message)
        if (isIts !== false) forget(waiter)
        if (isIts) return waiter.onMessage(message)
      }
      unread.push(message)
      bytes += message.bytes.length
      while (unread.length > most.unread || bytes > most.bytes) {
        bytes -= unread.shift()!.bytes.length
      }
    }
  }
}
