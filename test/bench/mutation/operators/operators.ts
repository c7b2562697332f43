import type { Operator } from '../syntax.ts'
import { skipWrite, stale, swapArguments } from './calls.ts'
import {
  always,
  boundary,
  dropBranch,
  dropGuard,
  dropPermission,
  negate,
  oneOnly
} from './conditions.ts'
import { dropFilter, firstOnly, query, reverseSort } from './lists.ts'
import { dropProperty, number, swapConstants } from './values.ts'

/** Every kind of fault there is, in the order in which they are told. */
export const operators: readonly Operator[] = [
  ...[negate, always, dropGuard, dropPermission, boundary, oneOnly, dropBranch],
  ...[number, swapConstants, dropProperty],
  ...[firstOnly, dropFilter, reverseSort, query],
  ...[skipWrite, stale, swapArguments]
]
