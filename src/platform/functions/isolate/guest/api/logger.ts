import { formatWithOptions } from 'node:util'
import type { LogLine } from '../../contract.ts'
import { type Scope, scopeNow } from '../scope.ts'

const levels = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const
const silent = ['assert', 'clear', 'count', 'countReset', 'group', 'groupCollapsed', 'groupEnd']
const timing = ['time', 'timeEnd', 'timeLog', 'timeStamp']

// Functions do not get to run code of theirs while something of theirs is being written.
const format = (values: unknown[]) =>
  formatWithOptions({ customInspect: false, colors: false }, ...values)

/** Sends a line of a scope, as long as it can still be recorded. */
export function createLogger(post: (message: { scope: Scope; line: LogLine }) => void) {
  return (scope: Scope, level: string, text: string) => {
    if (scope.consoleLeft <= 0) return
    const fitting = text.slice(0, scope.consoleLeft)
    scope.consoleLeft -= fitting.length
    post({ scope, line: { atMs: Date.now(), level, text: fitting } })
  }
}

/** Makes the console of the function; what the global scope writes goes nowhere. */
export function createConsole(log: ReturnType<typeof createLogger>): object {
  const writer =
    (level: string) =>
    (...values: unknown[]) => {
      const scope = scopeNow()
      if (scope) log(scope, level, format(values))
    }
  return Object.fromEntries([
    ...levels.map((level) => [level, writer(level)]),
    ...['dir', 'dirxml', 'table'].map((name) => [name, writer('log')]),
    ...[...silent, ...timing].map((name) => [name, () => {}])
  ])
}
