import type { FactorWay } from '#contract/http/people/factors.ts'

export const CODE_LABEL = 'Code'

export function codeHint(ways: readonly FactorWay[]): string {
  if (!ways.includes('authenticator')) return 'A recovery code.'
  return ways.includes('recoveryCode')
    ? 'From your authenticator app, or a recovery code.'
    : 'From your authenticator app.'
}
