import { output } from './output.ts'
import { selection } from './selection.ts'
import { handling } from './upload.ts'

/** The decisions of log push: which records a job takes, how it writes them, how it delivers. */
export const application = { selection, output, handling }
