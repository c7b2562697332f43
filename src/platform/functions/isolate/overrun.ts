import type { IsolateRules } from './rules.ts'

/** Which functions overran their processor time lately, and how much they may use next. */
export type Overruns = {
  /** Milliseconds an invocation that starts now may use, given the configured limit. */
  allowanceMs(functionId: string, limitMs: number): number
  /** Takes down whether an invocation that has ended used more than the limit. */
  note(functionId: string, isOver: boolean): void
}

/**
 * Occasional overruns are tolerated and consistent ones are not: while fewer than `tolerated` of a
 * function's last `of` invocations overran, the next one may use `factor` times its limit.
 */
export function createOverruns(rules: IsolateRules['overruns']): Overruns {
  const lately = new Map<string, boolean[]>()
  return {
    allowanceMs(functionId, limitMs) {
      const overran = (lately.get(functionId) ?? []).filter(Boolean).length
      if (overran >= rules.tolerated) return limitMs
      return Math.max(limitMs * rules.factor, limitMs + rules.leastExtraMs)
    },
    note(functionId, isOver) {
      const past = lately.get(functionId) ?? []
      lately.set(functionId, [...past, isOver].slice(-rules.of))
    }
  }
}
