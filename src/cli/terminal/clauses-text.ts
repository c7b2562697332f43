import type { Inventory } from '../../scenario/clause.ts'
import { shares } from '../../scenario/quotation.ts'

/** How much of an inventory is of its document, what it leaves open, and what quotes `file`. */
export function sharesText(inventory: Inventory, file?: string): string {
  const { stated, open, quoted } = shares(inventory)
  const left = open === 0 ? '' : `, ${open} it leaves open`
  const words = quoted === 0 || file === undefined ? '' : `; ${quoted} quote ${file}`
  return `${stated} ${stated === 1 ? 'clause' : 'clauses'} of the document${left}${words}`
}
