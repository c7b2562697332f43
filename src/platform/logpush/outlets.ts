import { type Egress, placeOf } from '../kernel/egress/egress.ts'
import type { Destination } from './destination.ts'
import { outsideOf } from './folder.ts'

/** How a platform is started, as far as log push is concerned. */
export type LogpushOptions = {
  /** Folder below which log push may write files, made if need be; without it none are written. */
  logFiles?: string
}

/** Where batches may go: out by a guard, and into one folder if any. */
export type Outlets = {
  egress: Egress
  /** The folder below which files are written; without one none are. */
  files?: string
}

/** Why batches cannot go to a destination, as far as that is known before they do. */
export function refusalOf(to: Destination, { egress, files }: Outlets): string | undefined {
  if (to.kind !== 'folder') return egress.refusal(placeOf(to.url))
  if (files !== undefined) return outsideOf(files, to.path)
  return 'files are written only when the platform is started with --log-files DIR, below DIR'
}
