import type { RoleId } from '../ids.ts'

/** Assigns this role to people with this value in the claim; the first matching rule counts. */
export interface RoleRule {
  readonly value: string
  readonly roleId: RoleId
}

export type Claims = Readonly<Record<string, unknown>>

/** Returns the values of a claim: a text, or a list of them; anything else has none. */
function valuesOfClaim(claims: Claims, claim: string): readonly string[] {
  const said = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  return (Array.isArray(said) ? said : [said]).filter((one) => typeof one === 'string')
}

/** @returns undefined if no rule matches, so that there is no role and no sign-in */
export function roleByClaim(claims: Claims, claim: string, rules: readonly RoleRule[]): RoleId | undefined {
  const values = new Set(valuesOfClaim(claims, claim))
  return rules.find(({ value }) => values.has(value))?.roleId
}

/** Returns the part of an e-mail address after its @, in lower case; undefined if it is no address. */
export function mailDomainOf(address: string): string | undefined {
  const [, domain] = /^[^@\s]+@([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.exec(address.trim().toLowerCase()) ?? []
  return domain?.includes('.') ? domain : undefined
}

/**
 * Returns the e-mail address that identifies a person: verified, and within a domain of the provider.
 *
 * @param trustsMail whether an address counts that the provider calls neither verified nor unverified
 */
export function mailOfClaims(
  { email, email_verified: isVerified }: Claims,
  { domains, trustsMail }: { readonly domains: readonly string[]; readonly trustsMail: boolean },
): { readonly mail: string } | { readonly refused: 'no-mail' | 'unverified' | 'other-domain' } {
  const domain = typeof email === 'string' ? mailDomainOf(email) : undefined
  if (typeof email !== 'string' || domain === undefined) return { refused: 'no-mail' }
  if (isVerified !== true && !(trustsMail && isVerified === undefined)) return { refused: 'unverified' }
  if (!domains.includes(domain)) return { refused: 'other-domain' }
  return { mail: email.trim().toLowerCase() }
}
