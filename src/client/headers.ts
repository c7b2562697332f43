/** Request headers by lower-case name. */
export type Headers = Record<string, string>

/** `headers` with `changes` made, whatever case they are written in; undefined removes one. */
export function changed(
  headers: Headers,
  changes: Record<string, string | undefined> = {}
): Headers {
  const result = new Map(Object.entries(headers))
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) result.delete(name.toLowerCase())
    else result.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(result)
}
