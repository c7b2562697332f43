import type { ImportedOperation } from './operations.ts'
import type { ImportSource } from './source.ts'

/** A clause as `clauses.json` has it. */
export type WrittenClause = {
  id: string
  kind: 'limit' | 'rule' | 'field' | 'operation'
  documented: string
  unit?: string
  derived?: true
  section: string
  /** Of what is not from a document, neither of these. */
  lines?: string
  pointer?: string
  source: string
  notes?: string
}

/** What has to be said of a clause beside what it is about. */
export function createClauses(
  source: ImportSource,
  operation: ImportedOperation,
  idFor: (id: string) => string
) {
  const section = `${operation.method} ${operation.path}`
  return (
    id: readonly string[],
    said: Pick<WrittenClause, 'kind' | 'documented'> & Partial<WrittenClause>,
    pointer: string
  ): WrittenClause => ({
    ...{ id: idFor([operation.name, ...id].join('.')), ...said, section },
    ...{ lines: String(source.lineOf(pointer)), pointer: `#${pointer}`, source: source.file }
  })
}
