/** From when to when a connection is open, which has no end while one is in use. */
export type Connection = { from: number; until: number }

/** How many connections may be open, idle ones as well, and those that a client made. */
export type Connections = { most: number; made: Connection[] }

/** For how long a client keeps a connection that nothing is asked on, in ms. */
const keptMs = 1_000

/** The connection that one is asked on: the first that is idle, or a new one. */
export function connectionAt(
  connections: Connections,
  { sent, arrives, isApart }: { sent: number; arrives: number; isApart: boolean }
): Connection {
  const isIdle = ({ until }: Connection) => until > sent && until < Number.POSITIVE_INFINITY
  // What is closed counts for nothing any more.
  connections.made = connections.made.filter(({ until }) => until > sent)
  const kept = isApart ? undefined : connections.made.find(isIdle)
  const connection = kept ?? { from: (sent + arrives) / 2, until: 0 }
  connection.until = Number.POSITIVE_INFINITY
  if (!kept) connections.made.push(connection)
  return connection
}

/** What becomes of a connection as one that was asked on it is answered. */
export function answeredOn(connection: Connection, ms: number, isApart: boolean): void {
  connection.until = isApart ? ms : ms + keptMs
}

/** Whether no more are open than may be. */
export function areFew({ most, made }: Connections, ms: number): boolean {
  return made.filter(({ from, until }) => from <= ms && until > ms).length <= most
}
