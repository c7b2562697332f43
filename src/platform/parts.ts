import { edgePart } from './edge/part.ts'
import { functionsPart } from './functions/part.ts'
import { gatewayPart } from './gateway/part.ts'
import { greetingPart } from './greeting/part.ts'
import type { Layout } from './kernel/data/layout.ts'
import { kernelRules } from './kernel/rules.ts'
import { kernelJsonColumns, kernelMigrations, schemaOf } from './kernel/schema.ts'
import { logpushPart } from './logpush/part.ts'
import { managementPart } from './management/part.ts'
import { pageProtectionPart } from './page-protection/part.ts'
import { wafPart } from './waf/part.ts'

/** The parts of the platform, each behind those whose offers it uses. */
export const parts = [
  edgePart,
  logpushPart,
  pageProtectionPart,
  wafPart,
  functionsPart,
  gatewayPart,
  greetingPart,
  managementPart
] as const

type Listed = (typeof parts)[number]

/** The rules of the kernel and of each part by its name. */
export type Rules = { kernel: typeof kernelRules } & {
  [Each in Listed as Each['name']]: Each['rules']
}

/**
 * Everything the platform promises, as one value: its numbers, and the decisions that are open to
 * be got wrong. Each part takes what it enforces from here and nowhere else, so that a broken
 * platform is these rules with an override, and nobody in it knows.
 */
export const rules = {
  kernel: kernelRules,
  ...Object.fromEntries(parts.map((part) => [part.name, part.rules]))
} as Rules

/** What the store of a platform is made of: the tables of the kernel and of all parts. */
export const layout: Layout = {
  schema: schemaOf([...kernelMigrations, ...parts.flatMap(({ migrations = [] }) => migrations)]),
  filed: parts.flatMap((part) => part.filed ?? []),
  jsonColumns: [...kernelJsonColumns, ...parts.flatMap((part) => part.jsonColumns ?? [])]
}

/** The folders that parts keep in the data folder. */
export const folders = [
  ...layout.filed.map(({ folder }) => folder),
  ...parts.flatMap((part) => part.folders ?? [])
]
