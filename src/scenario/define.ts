import { statisticNames } from '../load/figures/own-metrics.ts'
import { streamMetrics } from '../load/figures/stream-metrics.ts'
import type { CheckScenario, Common, LimitScenario, LoadScenario } from './scenario.ts'
import { insistOnBreakable, validateOptions } from './validate.ts'

type LimitOptions = Common & {
  unit: string
  variants?: string[]
  smallest?: number
  resolution?: number
  ceiling?: number
  repeats?: number
  transport?: 'http2'
  probe: LimitScenario['probe']
} & (
    | { max: number; clause: string }
    | { each: Record<string, number>; clause: (key: string) => string }
  )

/** Defines a scenario for one documented number, or for one number a plan with `each`. */
export function limit(options: LimitOptions): LimitScenario {
  validateOptions('limit', options)
  insistOnOneNumber(options)
  const { unit, probe, title, needs, tier, alone, expectedReplies, transport } = options
  const { variants = [''], smallest = 1, resolution = 1, ceiling = 4, repeats = 3 } = options
  const keys = isOfOne(options)
    ? { each: { '': options.max }, clause: () => options.clause }
    : { each: options.each, clause: options.clause }
  const common = { title, needs, tier, alone, expectedReplies }
  return {
    kind: 'limit',
    ...common,
    ...keys,
    unit,
    variants,
    smallest,
    resolution,
    ceiling,
    repeats,
    transport,
    probe
  }
}

type OfOne = Extract<LimitOptions, { max: number }>

function isOfOne(options: LimitOptions): options is OfOne {
  return 'max' in options && options.max !== undefined
}

/** One number has one clause, and several have a function that makes theirs. */
function insistOnOneNumber(options: LimitOptions): void {
  const { max, each, clause } = options as { max?: number; each?: unknown; clause: unknown }
  const isOne = max !== undefined && each === undefined && typeof clause === 'string'
  const isMany = max === undefined && each !== undefined && typeof clause === 'function'
  if (isOne || isMany) return
  throw new TypeError(
    'limit: give either `max` and the id of its `clause`, or `each` and a `clause` function'
  )
}

/** Defines a scenario for one or more statements. */
export function check(options: Omit<CheckScenario, 'kind'>): CheckScenario {
  validateOptions('check', options)
  return { kind: 'check', ...options }
}

/** Defines a load with its objectives; it runs when nothing else does. */
export function load(
  options: Omit<LoadScenario, 'kind' | 'clauses' | 'transport' | 'alone'> &
    Partial<Pick<LoadScenario, 'clauses' | 'transport'>>
): LoadScenario {
  validateOptions('load', options)
  insistOnDeclared(options)
  const { every = {}, ...objectives } = options.objectives
  insistOnBreakable('load', { 'objectives.': objectives, 'objectives.every.': every }, options.load)
  const { clauses = [], transport = 'http1' } = options
  return { kind: 'load', ...options, clauses, transport, alone: ['everything'] }
}

/** An objective about what nobody records would never be told. */
function insistOnDeclared({
  metrics = {},
  objectives
}: Pick<LoadScenario, 'metrics' | 'objectives'>) {
  const known = statisticNames(metrics)
  const all = [...known, ...statisticNames(streamMetrics)]
  const stray = Object.keys(objectives.metrics ?? {}).find((name) => !all.includes(name))
  if (stray === undefined) return
  const may =
    known.length > 0 ? `is none of ${known.join(', ')}` : 'needs `metrics` that are declared'
  throw new TypeError(`load: \`objectives.metrics.${stray}\` ${may}`)
}
