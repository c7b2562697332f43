import { edgePart } from './edge/part.ts'
import { functionsPart } from './functions/part.ts'
import { gatewayPart } from './gateway/part.ts'
import { kernelRules } from './kernel/rules.ts'
import { kernelMigrations, schemaOf } from './kernel/schema.ts'
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

/** The tables of the kernel and of all parts, version after version. */
export const schema = schemaOf([
  ...kernelMigrations,
  ...parts.flatMap(({ migrations = [] }) => migrations)
])

/** The tables of all parts whose rows stand for files. */
export const filed = parts.flatMap((part) => part.filed ?? [])

/** The folders that parts keep in the data folder. */
export const folders = [
  ...filed.map(({ folder }) => folder),
  ...parts.flatMap((part) => part.folders ?? [])
]
