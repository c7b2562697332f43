/** A field, quoted or not, and the comma, line break or end behind it. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/**
 * The records of a CSV text, and the lines on which they begin: one at a time, since there may be
 * millions of them.
 */
function* recordsOf(text: string): Generator<{ fields: string[]; line: number }> {
  let fields: string[] = []
  let line = 1
  let begun = 1
  for (field.lastIndex = 0; field.lastIndex < text.length || fields.length > 0; ) {
    const found = field.exec(text)
    if (found === null) throw new SyntaxError(`line ${line} is no CSV`)
    const [all, quoted, plain, end] = found
    fields.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    line += quoted === undefined ? Number(/[\r\n]/.test(end!)) : all.split(/\r\n|\n|\r/).length - 1
    if (end === ',') continue
    if (fields.length > 1 || fields[0] !== '') yield { fields, line: begun }
    fields = []
    begun = line
  }
}

/**
 * The rows of a CSV text (RFC 4180), by the names in its first line; empty lines are none. Throws a
 * SyntaxError that says where it is no CSV.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const records = recordsOf(text.replace(/^\uFEFF/, ''))
  const names: string[] = records.next().value?.fields ?? []
  const rows: Record<string, string>[] = []
  for (const { fields, line } of records) {
    if (fields.length !== names.length) {
      throw new SyntaxError(`line ${line} has ${fields.length} fields, not ${names.length}`)
    }
    rows.push(Object.fromEntries(names.map((name, index) => [name, fields[index]!])))
  }
  return rows
}
