import { fileURLToPath } from 'node:url'
import { invalid } from '../kernel/api/failure.ts'

/** A place that batches are sent to by HTTP, each as the body of a POST. */
export type WebDestination = { kind: 'web'; url: string; headers: Record<string, string> }

/** A folder of this machine, each batch a file. */
export type FolderDestination = { kind: 'folder'; path: string }

/** A bucket of an S3-compatible storage service, each batch an object. */
export type BucketDestination = {
  kind: 'bucket'
  /** What an object's key is appended to. */
  url: string
  region: string
  /** Encryption the service is asked for, as its header says it. */
  encryption?: string
  /** Without them requests are not signed. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

/** Where a job's batches go. A path may hold `{DATE}`, for the day in UTC as `20240108`. */
export type Destination = WebDestination | FolderDestination | BucketDestination

const readers: Record<string, (url: URL) => Destination> = {
  'http:': webDestination,
  'https:': webDestination,
  'file:': folderDestination,
  's3:': bucketDestination
}

/** Reads a `destination_conf`; fails when it leads nowhere. */
export function parseDestination(text: string): Destination {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const read = url && readers[url.protocol]
  if (!url || !read) throw fault('must begin with http://, https://, file:// or s3://')
  if (url.username || url.password) throw fault('must not hold a password: send a header_ instead')
  return read(url)
}

/** Parameters whose name begins with `header_` are headers, and no part of the address. */
function webDestination(url: URL): WebDestination {
  const headers: Record<string, string> = {}
  for (const [name, value] of [...url.searchParams]) {
    if (!name.startsWith('header_')) continue
    const header = name.slice('header_'.length)
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || !/^[\t -~]*$/.test(value))
      throw fault(`${name.slice(0, 100)} is not a header`)
    headers[header] = value
    url.searchParams.delete(name)
  }
  url.hash = ''
  return { kind: 'web', url: url.href, headers }
}

function folderDestination(url: URL): FolderDestination {
  if (url.search || url.hash) throw fault('takes no parameters after file://')
  try {
    return { kind: 'folder', path: fileURLToPath(url) }
  } catch {
    throw fault('is not the path of a folder')
  }
}

function bucketDestination({ hostname: bucket, pathname, searchParams }: URL): BucketDestination {
  const region = searchParams.get('region')
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket)) throw fault('must name a bucket after s3://')
  if (region === null || !/^[a-z0-9-]+$/.test(region)) throw fault('must have a region parameter')
  const accessKeyId = searchParams.get('access-key-id')
  const secretAccessKey = searchParams.get('secret-access-key')
  const encryption = searchParams.get('sse') ?? undefined
  if (encryption !== undefined && !/^[\w:-]+$/.test(encryption)) throw fault('sse makes no sense')
  const folder = pathname.replace(/^\/*/, '/').replace(/\/*$/, '/')
  return {
    kind: 'bucket',
    url: bucketAddress(bucket, { region, endpoint: searchParams.get('endpoint') }) + folder,
    region,
    encryption,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  }
}

/** Other services than the first one are addressed by path: not all name hosts after buckets. */
function bucketAddress(
  bucket: string,
  { region, endpoint }: { region: string; endpoint: string | null }
): string {
  if (endpoint === null) return `https://${bucket}.s3.${region}.amazonaws.com`
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw fault('endpoint must be an http: or https: address')
  return `${new URL(endpoint).origin}/${bucket}`
}

function fault(because: string) {
  return invalid(`destination_conf: ${because}`)
}
