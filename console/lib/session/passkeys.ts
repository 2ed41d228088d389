import type { AnswerOf, BodyOf } from '#contract/call/call.ts'
import type { SecondFactorRequest } from '#contract/errors.ts'
import type { addPasskey, getNewPasskey, PasskeyAnswer } from '#contract/http/people/passkeys.ts'

/** They are Ed25519, ES256 and RS256, in this order of preference. */
const ALGORITHMS = [-8, -7, -257]
const webauthn = () => import('@simplewebauthn/browser')

type Request = NonNullable<SecondFactorRequest['passkeys']> & { readonly challenge: string }

const credentials = (ids: readonly { readonly id: string; readonly transports?: readonly string[] }[]) =>
  ids.map(({ id, transports }) => ({
    id,
    type: 'public-key' as const,
    ...(transports && { transports: [...transports] }),
  }))

/** The browser created or used no passkey, for the reason in the message; the server's refusals are not among these. */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed'
}

const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not used. Try again, or choose another way.',
  InvalidStateError: 'This device has a passkey for you here already.',
  NotSupportedError: 'This browser or device cannot use passkeys.',
  SecurityError: 'Passkeys do not work at this address.',
}

function failed(failure: unknown): never {
  const name = failure instanceof Error ? failure.name : ''
  throw new PasskeyFailed(SENTENCES[name] ?? 'The passkey could not be used.')
}

/** @throws PasskeyFailed */
export async function makePasskey({
  challenge,
  rpId,
  userHandle,
  username,
  credentialIds,
}: AnswerOf<typeof getNewPasskey>): Promise<BodyOf<typeof addPasskey>['passkey']> {
  const { startRegistration } = await webauthn()
  const made = await startRegistration({
    optionsJSON: {
      challenge,
      rp: { id: rpId, name: 'Wayside' },
      user: { id: userHandle, name: username, displayName: username },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: credentials(credentialIds.map((id) => ({ id }))),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    },
  }).catch(failed)
  const { clientDataJSON, attestationObject, transports = [] } = made.response
  return { credentialId: made.id, clientDataJSON, attestationObject, transports }
}

/** @throws PasskeyFailed */
export async function answerByPasskey({ challenge, rpId, credentials: known }: Request): Promise<PasskeyAnswer> {
  const { startAuthentication } = await webauthn()
  const used = await startAuthentication({
    optionsJSON: { challenge, rpId, allowCredentials: credentials(known), userVerification: 'preferred' },
  }).catch(failed)
  const { clientDataJSON, authenticatorData, signature } = used.response
  return { credentialId: used.id, clientDataJSON, authenticatorData, signature }
}

/** It returns whether this page has the host name by which passkeys know the server. */
export const isRpHere = (rpId: string): boolean => window.location.hostname === rpId
