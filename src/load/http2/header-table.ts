/** One header field, as it stands in a table. */
export type HeaderEntry = { name: string; value: string }

const rows = `:authority
:method GET
:method POST
:path /
:path /index.html
:scheme http
:scheme https
:status 200
:status 204
:status 206
:status 304
:status 400
:status 404
:status 500
accept-charset
accept-encoding gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`

/** The fields that both sides know from the start, from index 1 on (RFC 7541, appendix A). */
export const staticEntries: readonly HeaderEntry[] = rows.split('\n').map((row) => {
  const [name = '', ...words] = row.split(' ')
  return { name, value: words.join(' ') }
})

/** Bytes a table has room for where nobody says otherwise; we never do. */
export const tableBytes = 4_096

/** What an entry costs beside its name and value. */
export const entryBytes = 32

/** The fields that a peer has had remembered, in a ring: the newest is the first. */
export type HeaderTable = {
  entries: (HeaderEntry | undefined)[]
  newest: number
  count: number
  size: number
  most: number
  /** Grows with every change: what is read the same way under the same version means the same. */
  version: number
}

/** Entries that a table has room for at most. */
export const tablePlaces = tableBytes / entryBytes

/** A table that remembers nothing yet. */
export function createHeaderTable(): HeaderTable {
  const entries = Array<HeaderEntry | undefined>(tablePlaces).fill(undefined)
  return { entries, newest: 0, count: 0, size: 0, most: tableBytes, version: 0 }
}

/** What an entry counts for in the table. */
export function sizeOf({ name, value }: HeaderEntry): number {
  return name.length + value.length + entryBytes
}

/** The entry of that index; undefined where there is none. */
export function entryAt(table: HeaderTable, index: number): HeaderEntry | undefined {
  if (index <= staticEntries.length) return staticEntries[index - 1]
  const age = index - staticEntries.length - 1
  return age < table.count ? table.entries[(table.newest + age) % tablePlaces] : undefined
}

function shrinkTo(table: HeaderTable, most: number): void {
  while (table.size > most) {
    const oldest = (table.newest + --table.count) % tablePlaces
    table.size -= sizeOf(table.entries[oldest]!)
    table.entries[oldest] = undefined
  }
}

/** Remembers an entry, for which older ones give way; one larger than all room empties it. */
export function remember(table: HeaderTable, entry: HeaderEntry): void {
  const size = sizeOf(entry)
  // Some have everything remembered by a table that they have said has no room.
  if (size > table.most && table.count === 0) return
  table.version++
  shrinkTo(table, Math.max(0, table.most - size))
  if (size > table.most) return
  table.newest = (table.newest + tablePlaces - 1) % tablePlaces
  table.entries[table.newest] = entry
  table.count++
  table.size += size
}

/** Changes how much room there is. */
export function resize(table: HeaderTable, most: number): void {
  table.version++
  table.most = most
  shrinkTo(table, most)
}
