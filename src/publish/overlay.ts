import type { LimitsFile } from './limits-file.ts'
import { limitsOf } from './rates.ts'

/**
 * The limits of a file as an OpenAPI Overlay 1.0, which adds them to a description as `x-limits`,
 * each with all that `limits.json` says of it: every tool that applies overlays leaves the rest of
 * the description as it is.
 */
export function overlay(file: LimitsFile): string {
  const told = {
    overlay: '1.0.0',
    info: { title: `Limits of ${file.subject}`, version: file.verified.at },
    actions: [{ target: '$', update: { 'x-limits': limitsOf(file) } }]
  }
  return `${JSON.stringify(told, null, 2)}\n`
}
