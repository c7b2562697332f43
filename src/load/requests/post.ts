import type { Ending, Sample } from '../figures/sample.ts'
import type { BodySink } from './body-sink.ts'
import type { IterationsOptions } from './iterations.ts'
import { prepare, type Request } from './request.ts'

/** How a request is sent, and who waits for it. */
export type Posting = {
  keeps: boolean
  sink?: BodySink
  /** Whether it goes on with a request that was counted when it began. */
  isLater?: boolean
  /**
   * How it ended, where the transport alone cannot tell; undefined where it goes on by another
   * request, so that nothing is counted yet.
   */
  endingOf?: (sample: Sample) => Ending | undefined
  /** Told of its end, when that is counted already, where it is to be. */
  onSample: (sample: Sample) => void
}

/** Sends requests and has each sample brought to the one who waits for it. */
export type Post = {
  send(request: Request, due: number, posting: Posting): void
  /** Lets everything leave that is sent until this turn of the event loop is worked off. */
  flush(): void
  onSample(sample: Sample): void
}

/** A post with nothing on its way. */
export function createPost({ transport, metrics, recorder }: IterationsOptions): Post {
  const waiting = new Map<number, Posting>()
  let posted = 0
  let isFlushing = false
  const flush = () => {
    isFlushing = false
    transport.flush()
  }
  return {
    send(request, due, posting) {
      const { keeps, sink, isLater = false } = posting
      const prepared = prepare(request, { route: metrics.routeNumber(request.route), keeps, sink })
      const id = posted++
      waiting.set(id, posting)
      if (!isLater) recorder.begin(due)
      transport.send(prepared, due, id)
    },
    flush() {
      // What many answers of one read lead to leaves by one write, and not by one each.
      if (!isFlushing) process.nextTick(flush)
      isFlushing = true
    },
    onSample(sample) {
      const { endingOf, onSample } = waiting.get(sample.token)!
      waiting.delete(sample.token)
      const ending = endingOf === undefined ? sample.ending : endingOf(sample)
      if (ending === undefined) recorder.part(sample)
      else {
        sample.ending = ending
        if (ending !== 'answered') sample.status = 0
        recorder.record(sample)
      }
      onSample(sample)
    }
  }
}
