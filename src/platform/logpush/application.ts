import { output } from './output.ts'
import { handling } from './parcel.ts'
import { selection } from './selection.ts'

/** The decisions of log push: which records a job takes, how it writes them, how it delivers. */
export const application = { selection, output, handling }
