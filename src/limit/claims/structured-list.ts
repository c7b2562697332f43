/** A member of a structured list: what it is called or is, and what is said of it. */
export type ListMember = { value: string; params: Record<string, string> }

/**
 * The members of a list of structured fields (RFC 9651) whose values are strings, tokens, numbers,
 * bytes and dates, such as `"burst";q=20;w=1, "day";q=1000`; undefined for what is no such list.
 */
export function structuredList(text: string): ListMember[] | undefined {
  const string = String.raw`"(?:[^"\\]|\\["\\])*"`
  const token = String.raw`[A-Za-z*][\w:/!#$%&'*+.^|~\x60-]*`
  const bytes = ':[A-Za-z0-9+/=]*:'
  const bare = String.raw`${string}|${token}|${bytes}|@?-?\d+(?:\.\d+)?|\?[01]`
  const params = String.raw`(?:\s*;\s*[a-z*][\w*.-]*(?:=(?:${bare}))?)*`
  const member = new RegExp(String.raw`\s*(${bare})(${params})\s*(?:,|$)`, 'y')
  const param = new RegExp(String.raw`;\s*([a-z*][\w*.-]*)(?:=(${bare}))?`, 'g')
  const members: ListMember[] = []
  while (member.lastIndex < text.length) {
    const found = member.exec(text)
    if (!found) return
    const pairs = [...found[2]!.matchAll(param)].map(([, name, value = '?1']) => {
      return [name!, unquoted(value)] as const
    })
    members.push({ value: unquoted(found[1]!), params: Object.fromEntries(pairs) })
  }
  return members.length === 0 ? undefined : members
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : text
}
