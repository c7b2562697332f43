import type { RequestFacts } from '../expression/expression.ts'
import { extensionPoint } from '../kernel/extension.ts'
import type { Received, Response } from '../kernel/http/message.ts'
import type { Zone } from '../kernel/zone.ts'
import type { EdgeRequest } from './request.ts'
import type { Served } from './served.ts'

/** The beginning of a request's body, with its media type. */
export type BodyStart = { type: string; bytes: Buffer }

/** A request of a zone, as far as its head tells. */
export type Arrived = { request: EdgeRequest; zone: Zone; facts: () => RequestFacts }

/**
 * What a part does with requests on their way through the edge. Of each kind of method those of all
 * parts are asked, in the order of the parts, and the kinds in the order in which they stand here.
 */
export type Stage = {
  /** Sees every request as soon as its head is read, and its response before that begins. */
  observe?(request: EdgeRequest, response: Response): void
  /** How many bytes of the body `inspect` wants to see; 0 for none. */
  reads?(arrived: Arrived): number
  /** Whether a request is stopped, by its head and the beginning of its body. */
  inspect?(arrived: Arrived, body?: BodyStart): 'block' | 'challenge' | undefined
  /** Whether a request is for the part itself, and for nothing behind it. */
  isOwn?(request: EdgeRequest): boolean
  /** Answers a request that is the part's own. */
  take?(message: Received, response: Response, zone: Zone): Promise<void>
  /** What is served in place of the zone's origin, if anything. */
  serve?(
    request: EdgeRequest,
    asked: { zone: Zone; gone: AbortSignal }
  ): Promise<Served | undefined>
  /** What is served, as it is to be delivered. */
  finish?(served: Served, arrived: Arrived): Served
}

/** The stages of the request path that parts add to it. */
export const stages = extensionPoint<Stage>('a stage of the request path')
