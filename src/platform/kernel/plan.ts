/** The plans a zone can be on, smallest first. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const

/** A zone's plan; decides how large a request body may be. */
export type Plan = (typeof plans)[number]
