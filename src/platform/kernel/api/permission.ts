/** What a token can be allowed to do; the document leaves the names open. */
export const permissions = [
  'zone:read',
  'page-protection:read',
  'page-protection:write',
  'waf:read',
  'waf:write',
  'logs:read',
  'logs:write'
] as const

/** The name of a permission; each operation needs exactly one. */
export type Permission = (typeof permissions)[number]
