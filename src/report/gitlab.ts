import { findings, noPlace } from './findings.ts'
import { oneLine } from './printable.ts'
import type { Report } from './record.ts'

/**
 * What is not well in a run as GitLab's code quality report, at the lines of the
 * document: proven failures are `major`, what could not be told is `info`.
 */
export function gitlab(report: Report): string {
  const issues = findings(report).map(({ verdict, level, place, fingerprint }) => {
    const { file, line } = place ?? noPlace
    const { clause, outcome, documented, observed, because } = verdict
    const text = `${outcome}: ${clause}: documented ${documented}; ${observed}; ${because}`
    return {
      description: oneLine(text, 1_000),
      check_name: oneLine(clause, 255),
      fingerprint,
      severity: level === 'error' ? 'major' : outcome === 'warning' ? 'minor' : 'info',
      location: { path: file, lines: { begin: line } }
    }
  })
  return `${JSON.stringify(issues, null, 2)}\n`
}
