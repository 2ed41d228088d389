import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'
import type { RelyingParty } from './relyingParty.ts'

export interface Passkey {
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly useCount: number
  readonly transports: readonly string[]
}

export interface NewPasskey {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}

/** Authenticators support Ed25519, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257]

const PUBLIC_KEY = { type: 'public-key', clientExtensionResults: {} } as const

/** The library is loaded with its first use, because it takes some megabytes and is seldom used. */
const webauthn = () => import('@simplewebauthn/server')

/**
 * Reads a new passkey. Its maker is not asked for: an attestation would make the server read certificates, and ask
 * others whether they are still valid.
 * @returns undefined when it was not made here for this challenge
 */
export async function newPasskey(
  { credentialId, clientDataJSON, attestationObject, transports }: NewPasskey,
  challenge: string,
  { rpId, origin }: RelyingParty,
): Promise<Passkey | undefined> {
  const { verifyRegistrationResponse } = await webauthn()
  try {
    if (await namesItsMaker(attestationObject)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...PUBLIC_KEY,
        id: credentialId,
        rawId: credentialId,
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    return { credentialId: id, publicKey: Buffer.from(publicKey), useCount: counter, transports }
  } catch {
    return undefined
  }
}

async function namesItsMaker(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get('fmt')
  return format !== 'none' && !(format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** @returns how often the passkey was used by now; undefined when this does not answer the challenge here */
export async function usesOf(
  { credentialId, publicKey, useCount }: Passkey,
  { clientDataJSON, authenticatorData, signature }: PasskeyAnswer,
  challenge: string,
  { rpId, origin }: RelyingParty,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  const response = { clientDataJSON, authenticatorData, signature }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...PUBLIC_KEY, id: credentialId, rawId: credentialId, response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: useCount },
      requireUserVerification: false,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}
