import { z } from 'zod'
import { beginClaim, type ClaimState } from '#contract/http/devices/claims.ts'

const LONGEST_MS = 20_000

/** The server's answer, or why there is none, in a sentence for operators. */
export type ClaimAnswer =
  | { readonly kind: 'state'; readonly state: ClaimState }
  | { readonly kind: 'refused'; readonly code: string; readonly sentence: string; readonly waitMs: number | undefined }
  | { readonly kind: 'away'; readonly reason: string }

const OWN_AUTHORITY = 'its certificate is of an authority that this device does not know (NODE_EXTRA_CA_CERTS)'

/** Whoever reads these stands before the display. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it ended the connection',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there; is the network connected?',
  ENOTFOUND: 'nobody knows this name',
  EAI_AGAIN: 'nobody answers who would know this name; is the network connected?',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  TimeoutError: 'it does not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this device is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock of this device right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: OWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: OWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OWN_AUTHORITY,
}

const refusal = z.object({ code: z.string(), message: z.string() })

/** Makes one call of a device that has no configuration yet. Never throws. */
export async function askForClaim(
  server: string,
  call: 'Begin' | 'GetState',
  body: object,
  signal: AbortSignal,
): Promise<ClaimAnswer> {
  try {
    const response = await fetch(new URL(`/api/Claim/${call}`, server), {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    })
    const answer: unknown = await response.json()
    if (response.ok) {
      const read = beginClaim.answer.safeParse(answer)
      return read.success
        ? { kind: 'state', state: read.data }
        : { kind: 'away', reason: 'its answer is not understood' }
    }
    const said = refusal.safeParse(answer)
    if (!said.success) return { kind: 'away', reason: `it answered ${response.status}` }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const waitMs = seconds > 0 ? seconds * 1000 : undefined
    return { kind: 'refused', code: said.data.code, sentence: said.data.message, waitMs }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return {
      kind: 'away',
      reason: REASONS[cause?.code ?? (error as Error).name] ?? cause?.code ?? cause?.message ?? message,
    }
  }
}
