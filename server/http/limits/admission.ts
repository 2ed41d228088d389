import { createRateLimiter, type RateLimits } from './rateLimits.ts'
import type { SharedCounts } from './SharedCounts.store.ts'

export type Admission = ReturnType<typeof createAdmission>

export function createAdmission(rateLimits: RateLimits, sharedCounts: SharedCounts | undefined) {
  const limiter = (name: keyof RateLimits) => createRateLimiter(rateLimits[name], sharedCounts?.uses(name))
  return {
    signIn: limiter('signInsPerAddress'),
    publicChange: limiter('publicChangesPerAddress'),
    publicRead: limiter('publicReadsPerAddress'),
    mailRequested: limiter('mailsAskedPerAddress'),
    unauthenticated: limiter('unauthenticatedPerAddress'),
    user: limiter('callsPerUser'),
    apiToken: limiter('callsPerApiToken'),
  }
}
