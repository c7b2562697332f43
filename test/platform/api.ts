import type { Announcement } from '../../src/platform/platform.ts'

/** What the management API said. */
export type Said = { status: number; headers: Headers; text: string; json: any }

type Options = { body?: object | string; headers?: Record<string, string> }

/** A client of a platform's management API, with the full token unless headers say otherwise. */
export function api({ management, token }: Pick<Announcement, 'management' | 'token'>) {
  return async (method: string, path: string, { body, headers }: Options = {}): Promise<Said> => {
    const response = await fetch(management + path, {
      method,
      headers: headers ?? {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json'
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body
    })
    return said(response)
  }
}

/** A client of a platform's control listener. */
export function door({ control, ...rest }: Pick<Announcement, 'control' | 'controlToken'>) {
  const headers = keyTo(rest)
  return async (method: string, path: string, body?: object): Promise<Said> =>
    said(await fetch(control + path, { method, headers, body: body && JSON.stringify(body) }))
}

/** What a request to a platform's control listener carries. */
export function keyTo({ controlToken }: Pick<Announcement, 'controlToken'>) {
  return { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' }
}

async function said(response: Response): Promise<Said> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const { status, headers } = response
  return { status, headers, text, json: isJson ? parsed(text) : undefined }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
